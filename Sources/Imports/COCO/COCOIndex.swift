/// What a COCO file tells of, and where in it each annotation stands: a file of thousands of clips or photos is gone through once
/// then, and not once for each.
final class COCOIndex: Sendable {
    struct Video: Sendable {
        var id: Int
        var name: String
    }

    struct Image: Sendable {
        var id: Int
        /// Id of its video; nil for one without.
        var video: Int?
        /// Its file's name, with folders; empty for none.
        var name: String
        /// The frame that it says it is; nil for one that doesn't.
        var frame: Int?
        var place: JSONElementReader.Place
    }

    struct Category: Sendable {
        var name: String?
        var skeleton: Skeleton?
    }

    let videos: [Video]
    /// In the file's order.
    let images: [Image]
    let categories: [Int: Category]
    /// Images by their ids, as numbers in `images`.
    private let numbers: [Int: Int32]
    /// Annotations with their image's index in `images`, image by image, those of one in the file's order.
    private let annotations: [(image: Int32, place: JSONElementReader.Place)]
    /// Images by the clips and photos that they may be of by their names.
    private let clips: PictureClips
    /// What is wrong with its videos and annotations, which who only asks for its images need not have; nil for nothing.
    let fault: ImportError?

    private static let known = ReadFiles<COCOIndex>()

    /// The index of a file, which is gone through once, until it changes.
    /// - Throws: A sentence with file and line.
    static func of(_ path: String) throws -> COCOIndex { try known.value(of: path) { try COCOIndex(path) } }

    private init(_ path: String) throws {
        var (videos, images, categories): ([Video], [Image], [Int: Category]) = ([], [], [:])
        var found: [(id: Int, place: JSONElementReader.Place)] = []
        var numbers: [Int: Int32] = [:]
        var fault: ImportError?
        let reader = try JSONElementReader(path: path, keys: ["videos", "images", "categories", "annotations"])
        while let element = try reader.next() {
            let (node, place) = (element.node, element.place)
            func failure(_ what: String) -> ImportError { ImportError(path, line: element.line, what) }
            switch element.key {
            case "videos":
                guard let id = node["id"]?.integer else {
                    fault = fault ?? failure("a video without an “id”; expected a whole number")
                    continue
                }
                videos.append(Video(id: id, name: node["name"]?.string ?? ""))
            case "categories":
                if let id = node["id"]?.integer {
                    categories[id] = Category(name: node["name"]?.string, skeleton: Self.skeleton(node))
                }
            case "images":
                guard let id = node["id"]?.integer else {
                    throw failure("an image without an “id”; expected a whole number")
                }
                guard numbers.updateValue(Int32(images.count), forKey: id) == nil else {
                    throw failure("a second image with the id \(id); expected an id of its own for each")
                }
                images.append(
                    Image(
                        id: id, video: node["video_id"]?.integer, name: node["file_name"]?.string ?? "",
                        frame: node["frame_index"]?.integer, place: place))
            default:
                guard let id = node["image_id"]?.integer else {
                    fault = fault ?? failure("an annotation without an “image_id”; expected a whole number")
                    continue
                }
                found.append((id, place))
            }
        }
        annotations = found.compactMap { annotation in
            guard let image = numbers[annotation.id] else {
                fault =
                    fault
                    ?? ImportError(
                        path, line: Int(annotation.place.line), "the image_id \(annotation.id), which no image has")
                return nil
            }
            return (image, annotation.place)
        }.sorted { ($0.image, $0.place.offset) < ($1.image, $1.place.offset) }
        (self.videos, self.images, self.categories, self.numbers) = (videos, images, categories, numbers)
        clips = PictureClips(images.map(\.name))
        self.fault = fault
    }

    /// Whether there is an image of an id.
    func has(image id: Int) -> Bool { numbers[id] != nil }

    /// Images whose names say that they may be the clip's or photo's, as numbers in `images`, in the file's order.
    /// - Parameter set: The data set that knows whose its pictures are; nil for none.
    func images(called name: String, in set: SetPictures? = nil) -> [Int] { clips.pictures(of: name, in: set) }

    /// Where the annotations of images stand, in the file's order.
    /// - Parameter images: Numbers in `images`.
    func annotations(of images: [Int]) -> [JSONElementReader.Place] {
        images.flatMap { image in
            let first = annotations.prefixCount { $0.image < image }
            return annotations[first...].prefix { $0.image == image }.map(\.place)
        }.sorted { $0.offset < $1.offset }
    }

    /// A category's joints and bones, which count from 1.
    private static func skeleton(_ category: JSONNode) -> Skeleton? {
        let names = (category["keypoints"]?.elements ?? []).compactMap(\.string)
        guard !names.isEmpty else { return nil }
        let pairs = (category["skeleton"]?.elements ?? []).compactMap { $0.elements?.compactMap(\.integer) }
            .filter { $0.count == 2 }
        let skeleton = Skeleton(names: names, edges: pairs.map { Skeleton.Pair($0[0] &- 1, $0[1] &- 1) })
        return skeleton.fault == nil ? skeleton : nil
    }
}
