internal import Graph

/// What a list of COCO's results says with `image_id`: a frame's number, the id of an image in another file, or a picture's name.
struct ListedImages {
    private let request: ImportRequest
    /// Frames of images, by their ids; nil where ids are numbers of frames or names. Images of other clips have none.
    private var images: [Int: Int?]?
    /// Names of the other file's categories, by their ids.
    private(set) var categories: [Int: String] = [:]
    private var names = ImportedNames()
    /// Whether there is a picture of the clip that is meant.
    private var hasOwn = false

    init(_ request: ImportRequest) throws {
        self.request = request
        guard let path = request.images else { return }
        var images: [Int: Int?] = [:]
        var videos: [Int: String] = [:]
        let named = try JSONElementReader(path: path, keys: ["videos"])
        while let element = try named.next() {
            if let id = element.node["id"]?.integer { videos[id] = element.node["name"]?.string }
        }
        let reader = try JSONElementReader(path: path, keys: ["images", "categories"])
        while let element = try reader.next() {
            let at = ImportRequest.Place(path, element.line)
            if element.key == "categories" {
                if let id = element.node["id"]?.integer { categories[id] = element.node["name"]?.string }
                continue
            }
            guard let id = element.node["id"]?.integer else {
                throw at.failure("an image without an “id”; expected a whole number")
            }
            let video = element.node["video_id"]?.integer.flatMap { videos[$0] }
            if let video, let frame = element.node["frame_index"]?.integer, frame >= 0 {
                images[id] = takes(video) ? frame : .some(nil)
            } else if let name = element.node["file_name"]?.string {
                images[id] = try frame(of: name, at)
            } else {
                throw at.failure("an image without a “file_name”; expected the picture's name")
            }
        }
        guard !images.isEmpty else {
            throw ImportError(path, "it has no “images”; expected some with “id” and “file_name”")
        }
        self.images = images
    }

    /// The frame, from 0, that a result is of; nil for one of another clip.
    mutating func frame(of result: JSONNode, line: Int) throws -> Int64? {
        let at = ImportRequest.Place(request.path, line)
        let id = result["image_id"]
        if let images {
            guard let number = id?.integer, let frame = images[number] else {
                throw at.failure(
                    "the image_id \(Self.told(id)); expected one of the images of \(request.images ?? "")")
            }
            return frame.map { Int64($0) }
        }
        if let name = id?.string { return try frame(of: name, at).map { Int64($0) } }
        guard let number = id?.number else {
            throw at.failure(
                "a result without an “image_id”; expected a whole number, the frame's, or a picture's name")
        }
        hasOwn = true
        return try request.frame(number, line: line)
    }

    private static func told(_ id: JSONNode?) -> String {
        guard let id else { return "isn't there" }
        return id.integer.map(String.init) ?? "“\((id.string ?? "").inOneLine)”"
    }

    /// The frame of a picture by its name; nil for one of another clip.
    private mutating func frame(of path: String, _ at: ImportRequest.Place) throws -> Int? {
        // An id may have no extension, and a dot in its name.
        let last = Files.name(of: path)
        let name = MediaEndings.isPicture(last) ? last : last + "."
        let picture = request.set?[name]
        guard takes(picture?.clip ?? FrameFile.clip(in: name), name) else { return nil }
        if let picture { return picture.frame }
        if let video = request.video, request.mayBeStill, FrameFile.isPhoto(name, of: video) { return 0 }
        guard let number = FrameFile.number(in: name) else {
            throw at.failure("the picture “\(last.inOneLine)”; expected a name with the frame's number at its end")
        }
        return Int(try request.frame(Double(number), line: at.line))
    }

    /// Whether a clip is the one that is meant.
    private mutating func takes(_ clip: String, _ name: String? = nil) -> Bool {
        names.add(clip)
        guard let video = request.video else {
            hasOwn = true
            return true
        }
        let isOwn =
            clip == video
            || request.set == nil
                && name.map {
                    request.mayBeStill && FrameFile.isPhoto($0, of: video) || FrameFile.isPicture($0, of: video)
                } ?? false
        if isOwn { hasOwn = true }
        return isOwn
    }

    /// Refuses a list of several clips of which nobody says which is meant, and one without it.
    func check() throws {
        if request.video == nil || !hasOwn { try names.check(request, "clip", "clips") }
    }
}
