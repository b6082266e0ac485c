/// The sizes of a manifest's inputs, each looked at once.
final class InputSizes {
    private var known: [String: PictureSize?] = [:]

    /// As shown; nil for what can't be looked at now: a stream can be read only once, and a video that can't be opened
    /// fails as a job, not as a manifest.
    func size(of input: String) -> PictureSize? {
        if let size = known[input] { return size }
        var size: PictureSize?
        if MediaInput(path: input) != .standardInput, let info = try? SourceInfo.probe(path: input) {
            size = PictureSize(width: info.width, height: info.height)
        }
        known[input] = .some(size)
        return size
    }
}
