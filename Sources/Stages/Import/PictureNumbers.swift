internal import Graph

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

    /// Notes the next picture.
    /// - Returns: Whether it is the clip's that is meant.
    mutating func takes(_ path: String) -> Bool {
        let name = Files.name(of: path)
        let clip = Self.clip(of: path)
        clips.add(clip)
        if let video = request.video {
            guard FrameFile.isPicture(name, of: video) || clip == video else { return false }
            hasOwn = true
        }
        if let number = FrameFile.number(in: name) { found.append(number) } else { isNumbered = false }
        return true
    }

    /// - Throws: `ImportError` for a clip that no picture is of.
    func check() throws {
        if request.video != nil, !hasOwn { try clips.check(request, "clip", "clips") }
    }

    /// That pictures of several clips were taken for one's; nil where they weren't.
    var remark: String? {
        guard request.video == nil, clips.all.count > 1, clips.all.count * 2 <= found.count else { return nil }
        let told = clips.all.prefix(6).map { "“\($0.inOneLine)”" }.joined(separator: ", ")
        return
            "its pictures are called after \(clips.all.count) clips, \(told)\(clips.all.count > 6 ? ", …" : ""), and were taken "
            + "for one's frames, in their order; where they aren't, “video” says which are meant"
    }

    /// The numbers in the pictures' order; nil where they are of several clips, or aren't all there.
    var numbers: [Int]? {
        guard isNumbered, found.count > 1, request.video != nil || clips.all.count == 1,
            Set(found).count == found.count, let first = found.min(), let last = found.max()
        else { return nil }
        // From 0 or 1 on without a gap: whatever the first is called, it is the first.
        let isWhole = first <= 1 && last - first == found.count - 1
        return request.firstFrame == 0 && isWhole ? found.map { $0 - first } : found
    }
}
