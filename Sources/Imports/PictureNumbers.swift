/// Which of a COCO file's pictures are one clip's, and their numbers, where it knows no videos and no frames: by the names.
struct PictureNumbers {
    private let request: ImportRequest
    private var clips = ImportedNames()
    private var found: [Int] = []
    private var isNumbered = true
    private var hasOwn = false

    init(_ request: ImportRequest) { self.request = request }

    /// The clip that a picture is called after, or whose folder it lies in.
    static func clip(of path: String) -> String {
        let own = FrameFile.clip(in: Files.name(of: path))
        return own.isEmpty ? Files.name(of: Files.parent(of: path)) : own
    }

    /// Names of clips and photos whose picture a file may be.
    static func words(of path: String) -> Set<String> {
        // A name may have no extension, and a dot.
        let paths = MediaEndings.isPicture(path) ? [path] : [path, path + "."]
        return paths.reduce(into: [path]) { words, path in
            let name = Files.name(of: path)
            words.formUnion([clip(of: path), FrameFile.clip(in: name), Files.stem(of: name)])
        }
    }

    /// Notes the next picture.
    /// - Returns: Whether it is the clip's that is meant.
    mutating func takes(_ path: String) -> Bool {
        let name = Files.name(of: path)
        let clip = Self.clip(of: path)
        // Where one is looked for, photos are told by their names; numbers alone are of one clip else.
        clips.add(request.video != nil && clip == "." ? Files.stem(of: name) : clip)
        if let video = request.video {
            let isOwn =
                request.mayBeStill && FrameFile.isPhoto(name, of: video) || FrameFile.isPicture(name, of: video)
                || clip == video
            guard isOwn else { return false }
            hasOwn = true
        }
        if let number = FrameFile.number(in: name) { found.append(number) } else { isNumbered = false }
        return true
    }

    /// - Throws: `ImportError` for a clip that no picture is of.
    func check() throws {
        if request.video != nil, !hasOwn { try clips.check(request, "clip", "clips") }
    }

    /// What a user should know of how the pictures were taken.
    var remarks: [String] { [mixed, counted].compactMap(\.self) }

    /// That the numbers were taken as counted from 1 though some are missing; nil where they weren't, or none is.
    private var counted: String? {
        guard request.firstFrame == 0, let numbers, let first = found.min(), first == 1,
            numbers.max() != found.count - 1
        else { return nil }
        return
            "its pictures' numbers begin with 1 and have gaps; they were taken as counted from 1: where they count from 0, a "
            + "“frame_index” in each of its images says so"
    }

    /// That pictures of several clips were taken for one's; nil where they weren't.
    private var mixed: String? {
        guard request.video == nil, clips.all.count > 1, clips.all.count * 2 <= found.count else { return nil }
        let told = clips.all.prefix(6).map { "“\($0.inOneLine)”" }.joined(separator: ", ")
        return
            "its pictures are called after \(clips.all.count) clips, \(told)\(clips.all.count > 6 ? ", …" : ""), and were taken "
            + "for one's frames, in their order; where they aren't, “video” says which are meant"
    }

    /// The numbers in the pictures' order; nil where they are of several clips, or aren't all there.
    var numbers: [Int]? {
        guard isNumbered, found.count > 1, request.video != nil || clips.all.count == 1,
            Set(found).count == found.count, let first = found.min()
        else { return nil }
        // Whoever counts from 0 has a picture 0: where the first is 1, that is the first, also where others are missing.
        return request.firstFrame == 0 && first == 1 ? found.map { $0 - first } : found
    }
}
