/// The frames of a job's input with the audio between them; the first few can be looked at before they are taken.
///
/// Used from one thread at a time. A frame that was taken is no longer held here.
final class FrameFeed {
    /// A picture and the audio packets read before it.
    struct Item {
        var frame: VideoFrame
        var audio: [Packet]
    }

    private let source: SourceReader
    private var ahead: [Item] = []

    init(_ source: SourceReader) { self.source = source }

    /// A frame that `next` will give later, 0 being the very next one; nil where there are fewer.
    func peek(_ index: Int) throws -> VideoFrame? {
        while ahead.count <= index {
            guard let item = try read() else { return nil }
            ahead.append(item)
        }
        return ahead[index].frame
    }

    func next() throws -> Item? { ahead.isEmpty ? try read() : ahead.removeFirst() }

    private func read() throws -> Item? {
        try source.next().map { Item(frame: $0, audio: source.takeAudio()) }
    }
}
