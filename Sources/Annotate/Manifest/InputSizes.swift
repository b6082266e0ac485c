/// The sizes of a manifest's inputs, each looked at once.
final class InputSizes {
    private var known: [String: PictureSize?] = [:]
    private let looksAtFiles: Bool
    private let skipped: Set<String>
    private let lookingAt: (String) -> Void

    /// - Parameters:
    ///   - looksAtFiles: False where no size is wanted.
    ///   - skipped: Inputs that aren't to be looked at.
    ///   - lookingAt: Told of each input before it is opened, and of an empty name afterwards.
    init(looksAtFiles: Bool = true, skipped: Set<String> = [], lookingAt: @escaping (String) -> Void = { _ in }) {
        self.looksAtFiles = looksAtFiles
        self.skipped = skipped
        self.lookingAt = lookingAt
    }

    /// As shown; nil for what can't be looked at now: a stream can be read only once, and a video that can't be opened
    /// fails as a job, not as a manifest.
    func size(of input: String) -> PictureSize? {
        if let size = known[input] { return size }
        var size: PictureSize?
        lookingAt(input)
        defer { lookingAt("") }
        if looksAtFiles, !skipped.contains(input), MediaInput(path: input) != .standardInput,
            let info = try? SourceInfo.probe(path: input)
        {
            size = PictureSize(width: info.width, height: info.height)
        }
        known[input] = .some(size)
        return size
    }
}
