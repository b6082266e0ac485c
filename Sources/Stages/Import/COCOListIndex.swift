internal import Graph

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
            let name = Name(number: id?.number, text: id?.string)
            if let number = numbers[name] {
                images[number].places.append(element.place)
            } else {
                numbers[name] = images.count
                images.append(Image(id: id, places: [element.place]))
            }
        }
        self.images = images
    }

    private struct Name: Hashable {
        var number: Double?
        var text: String?
    }
}
