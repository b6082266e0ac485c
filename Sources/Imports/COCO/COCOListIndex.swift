/// Where in a list of COCO's results those of each image stand: a list of thousands of photos is gone through once then, and not once
/// for each.
final class COCOListIndex: Sendable {
    /// The results of an image.
    struct Image: Sendable {
        /// What they say of it: a number or a name; nil where they say nothing.
        var id: JSONNode?
        /// In the file's order.
        var places: [JSONElementReader.Place]
    }

    /// In the order of their first results.
    let images: [Image]
    /// Images by the clips and photos that they may be of by their names.
    private let clips: PictureClips

    private static let known = ReadFiles<COCOListIndex>()

    /// The index of a list, which is gone through once, until it changes.
    /// - Throws: A sentence with file and line.
    static func of(_ path: String) throws -> COCOListIndex { try known.value(of: path) { try COCOListIndex(path) } }

    private init(_ path: String) throws {
        var images: [Image] = []
        var numbers: [Name: Int] = [:]
        let reader = try JSONElementReader(path: path, keys: [JSONElementReader.list])
        while let element = try reader.next() {
            let id = element.node["image_id"]
            let name = Name(id)
            if let number = numbers[name] {
                images[number].places.append(element.place)
            } else {
                numbers[name] = images.count
                images.append(Image(id: id, places: [element.place]))
            }
        }
        self.images = images
        clips = PictureClips(images.map { $0.id?.string })
    }

    /// Images that may be a clip's or a photo's: those that are called so, and those without a name.
    /// - Parameter set: The data set that knows whose its pictures are; nil for none.
    func images(of clip: String, in set: SetPictures?) -> [Image] {
        clips.pictures(of: clip, in: set).map { images[$0] }
    }

    /// What an image is called. Whole numbers beyond 2⁵³ are no longer each their own as others.
    private enum Name: Hashable {
        case whole(Int)
        case number(Double)
        case text(String)
        case none

        init(_ id: JSONNode?) {
            if let whole = id?.integer {
                self = .whole(whole)
            } else if let number = id?.number {
                self = Int(exactly: number).map(Name.whole) ?? .number(number)
            } else if let text = id?.string {
                self = .text(text)
            } else {
                self = .none
            }
        }
    }
}
