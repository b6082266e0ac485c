/// What a list of COCO's results says with `image_id`: a frame's number, the id of an image in another file, or a picture's name.
struct ListedImages {
    private let request: ImportRequest
    /// The other file; nil where ids are numbers of frames or names.
    private var index: COCOIndex?
    /// Frames of its images of the clip that is meant, by their ids.
    private var frames: [Int: Int] = [:]
    /// Names of the other file's categories, by their ids.
    private(set) var categories: [Int: String] = [:]
    private var names = ImportedNames()
    /// Whether there is a picture of the clip that is meant.
    private(set) var hasOwn = false

    init(_ request: ImportRequest) throws {
        self.request = request
        guard let path = request.images else { return }
        let index = try COCOIndex.of(path)
        guard !index.images.isEmpty else {
            throw ImportError(path, "it has no “images”; expected some with “id” and “file_name”")
        }
        self.index = index
        categories = index.categories.compactMapValues(\.name)
        let videos = Dictionary(index.videos.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
        var places = index.images.indices.map(\.self)
        if let video = request.video {
            let named = Set(index.images(called: video, in: request.set))
            places = places.filter { place in
                named.contains(place) || index.images[place].video.map { videos[$0] == video } ?? false
            }
        }
        for place in places { try add(index.images[place], videos) }
        // Whose none is names those that there are.
        if !hasOwn { for image in index.images { try add(image, videos) } }
    }

    private mutating func add(_ image: COCOIndex.Image, _ videos: [Int: String]) throws {
        let at = ImportRequest.Place(request.images ?? "", Int(image.place.line))
        if let video = image.video.flatMap({ videos[$0] }), let frame = image.frame, frame >= 0 {
            if takes(video) { frames[image.id] = frame }
        } else if !image.name.isEmpty {
            frames[image.id] = try frame(of: image.name, at)
        } else {
            throw at.failure("an image without a “file_name”; expected the picture's name")
        }
    }

    /// The frame, from 0, that results are of; nil for those of another clip.
    /// - Parameters:
    ///   - id: Their `image_id`; nil where they have none.
    ///   - line: Of the first of them.
    mutating func frame(of id: JSONNode?, line: Int) throws -> Int64? {
        let at = ImportRequest.Place(request.path, line)
        if let index {
            guard let number = id?.integer, index.has(image: number) else {
                throw at.failure(
                    "the image_id \(Self.told(id)); expected one of the images of \(request.images ?? "")")
            }
            return frames[number].map { Int64($0) }
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
