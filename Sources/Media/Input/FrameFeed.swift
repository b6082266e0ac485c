/// The frames of a job's input; the first few can be looked at before they are taken. Audio goes its own way.
///
/// Used from one thread at a time. A frame that was taken is no longer held here.
package final class FrameFeed {
    private let source: SourceReader
    private let audio: AudioQueue
    private var ahead: [VideoFrame] = []
    private let decoded: () -> Void

    /// The frames of a source.
    /// - Parameter decoded: Called for every frame that comes out of the decoder.
    package init(_ source: SourceReader, audio: AudioQueue, decoded: @escaping () -> Void) {
        self.source = source
        self.audio = audio
        self.decoded = decoded
    }

    /// A frame that `next` will give later, 0 being the very next one; nil where there are fewer.
    package func peek(_ index: Int) throws -> VideoFrame? {
        while ahead.count <= index {
            guard let frame = try read() else { return nil }
            ahead.append(frame)
        }
        return ahead[index]
    }

    package func next() throws -> VideoFrame? { ahead.isEmpty ? try read() : ahead.removeFirst() }

    private func read() throws -> VideoFrame? {
        let frame = try source.next()
        if frame != nil { decoded() }
        // What lies behind the last picture has none to go with.
        audio.add(source.takeAudio(), with: frame?.ordinal ?? .max)
        return frame
    }
}
