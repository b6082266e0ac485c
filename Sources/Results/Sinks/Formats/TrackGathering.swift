/// Puts a format's pieces together by track, which come by frame: they go to a file of their own, and at the end, when the
/// sizes of all tracks are known, each to its place. Memory holds something for each track, nothing for frames.
///
/// What has no track, or is a second one of its track in a frame, is gathered as a track of one frame, behind the others.
final class TrackGathering<Shape> {
    /// What comes behind a track's shape.
    enum Next {
        /// A shape in the next frame.
        case shape
        /// Nothing in the next frame, this one.
        case nothing(frame: Int)
        /// The end of the video.
        case end
    }

    /// A track as its opening tells of it.
    struct Track {
        /// Its number: the file's own, or one counted on behind those for a shape without a track.
        var number: Int
        var name: String
        /// Whether the number is a track's of the file.
        var isTracked: Bool
        /// The track that a shape of its own belongs to.
        var group: Int?
    }

    private struct Open {
        var index: Int
        var shape: Shape
        var frame: Int
        var isFirst = true
    }

    private let text: (Shape, Next, _ isFirst: Bool) -> String
    private let pieces: Spill
    private let singles: Spill
    private var tracks: [(number: Int, name: String, size: Int64)] = []
    private var indices: [Int: Int] = [:]
    private var open: [Int: Open] = [:]
    private var alone: [(name: String, group: Int?, shape: Shape)] = []
    private var singleCount = 0

    /// - Parameter text: Writes a shape, told what comes behind it and whether it is the track's first.
    init(beside file: OutputFile, text: @escaping (Shape, Next, _ isFirst: Bool) -> String) throws {
        self.text = text
        pieces = try Spill(file.target + ".pieces")
        singles = try Spill(file.target + ".singles")
    }

    /// Begins the next frame: what the last one had alone, and the tracks that aren't in `numbers`, end.
    func begin(_ frame: Int, with numbers: Set<Int>) throws {
        try endSingles(.nothing(frame: frame))
        for (number, track) in open where !numbers.contains(number) || track.frame != frame - 1 {
            try write(track, .nothing(frame: track.frame == frame - 1 ? frame : track.frame &+ 1))
            open[number] = nil
        }
    }

    /// Adds a shape of the frame that has begun.
    /// - Parameter group: The track that one without a track belongs to all the same.
    func add(_ shape: Shape, track number: Int?, name: String, group: Int? = nil, frame: Int) throws {
        guard let number, open[number]?.frame != frame else { return alone.append((name, group, shape)) }
        if let before = open[number] {
            try write(before, .shape)
            open[number] = Open(index: before.index, shape: shape, frame: frame, isFirst: false)
            return
        }
        let index = indices[number] ?? tracks.endIndex
        if index == tracks.endIndex {
            indices[number] = index
            tracks.append((number, name, 0))
        }
        open[number] = Open(index: index, shape: shape, frame: frame, isFirst: tracks[index].size == 0)
    }

    private func write(_ track: Open, _ next: Next) throws {
        let bytes = Array(text(track.shape, next, track.isFirst).utf8)
        tracks[track.index].size += Int64(bytes.count)
        try pieces.add(track.index, bytes)
    }

    private func endSingles(_ next: Next) throws {
        for (name, group, shape) in alone {
            try singles.add(singleCount, Array(name.utf8))
            try singles.add(singleCount, Array((group.map(String.init) ?? "").utf8))
            try singles.add(singleCount, Array(text(shape, next, true).utf8))
            singleCount += 1
        }
        alone = []
    }

    /// The name of a track; nil for one that hasn't come.
    func name(of number: Int) -> String? { indices[number].map { tracks[$0].name } }

    /// Writes the whole file.
    ///
    /// - Parameters:
    ///   - head: The file's beginning.
    ///   - between: What goes between two tracks.
    ///   - tail: The file's end.
    ///   - frame: Around a track's shapes.
    func finish(
        into path: String, head: String, between: String, tail: String, frame: (Track) -> (head: String, tail: String)
    ) throws {
        try endSingles(.end)
        for track in open.values { try write(track, .end) }
        open = [:]
        try pieces.finish()
        try singles.finish()
        let file = try PlacedWriter(path: path)
        var end: Int64 = 0
        func put(_ bytes: some Collection<UInt8>) throws {
            try file.write(bytes, at: end)
            end += Int64(bytes.count)
        }
        try put(head.utf8)
        var isFirst = true
        func begin(_ text: String) throws {
            try put(((isFirst ? "" : between) + text).utf8)
            isFirst = false
        }
        var places = [Int64](repeating: 0, count: tracks.count)
        for index in tracks.indices.sorted(by: { tracks[$0].number < tracks[$1].number }) {
            let parts = frame(Track(number: tracks[index].number, name: tracks[index].name, isTracked: true))
            try begin(parts.head)
            places[index] = end
            end += tracks[index].size
            try put(parts.tail.utf8)
        }
        var next = (tracks.map(\.number).max() ?? 0) &+ 1
        // Its name, its group, its text.
        var words: [String] = []
        try singles.forEach { _, bytes in
            guard words.count == 2 else { return words.append(String(decoding: bytes, as: UTF8.self)) }
            let parts = frame(Track(number: next, name: words[0], isTracked: false, group: Int(words[1])))
            try begin(parts.head)
            try put(bytes)
            try put(parts.tail.utf8)
            next &+= 1
            words = []
        }
        try put(tail.utf8)
        try pieces.forEach { index, bytes in
            try file.write(bytes, at: places[index])
            places[index] += Int64(bytes.count)
        }
        try file.finish()
        pieces.discard()
        singles.discard()
    }
}

/// Pieces of bytes, each with a number, in a file that is gone afterwards.
private final class Spill {
    private let file: OutputFile
    private let writer: ByteWriter

    init(_ target: String) throws {
        file = OutputFile(target: target)
        writer = try ByteWriter(file)
    }

    func add(_ number: Int, _ bytes: [UInt8]) throws {
        try writer.write([number, bytes.count].flatMap { value in withUnsafeBytes(of: Int64(value), Array.init) })
        try writer.write(bytes)
    }

    func finish() throws { try writer.finish() }

    func discard() { file.discard() }

    /// Calls `body` with each piece, in order.
    func forEach(_ body: (Int, ArraySlice<UInt8>) throws -> Void) throws {
        var rest: [UInt8] = []
        try Files.forEachPiece(of: file.temporary) { bytes in
            rest += bytes
            var position = 0
            func number(at place: Int) -> Int {
                rest.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: place, as: Int64.self)) }
            }
            while rest.count - position >= 16 {
                let (index, count) = (number(at: position), number(at: position + 8))
                guard rest.count - position - 16 >= count else { break }
                try body(index, rest[(position + 16)..<(position + 16 + count)])
                position += 16 + count
            }
            rest.removeFirst(position)
        }
    }
}
