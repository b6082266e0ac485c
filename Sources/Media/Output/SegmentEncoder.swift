internal import CFFmpeg

/// Encodes a video's pictures in segments, each by an encoder that knows nothing of the others, and several at once where there
/// are threads for them. What comes out is one stream: the packets of one segment after the other, with the stamps that a single
/// encoder would give them and one set of parameters.
///
/// Where a segment ends follows from the pictures' times alone: the packets are the same however many encoders run at once.
///
/// Used from one thread.
final class SegmentEncoder {
    private let path: String
    private let source: VideoEncoder.Source
    private let settings: EncodeSettings
    /// What a decoder has to know before the first packet.
    private let parameters: [UInt8]
    /// What makes frames into pictures that every one of the encoders takes.
    let input: EncoderInput
    private var grid: SegmentGrid
    private var times = DecodingTimes(delay: 0)
    /// Packets whose decoding times aren't known yet.
    private var unstamped: [Packet] = []
    /// How many encoders run at once. A single one runs on the caller's thread.
    private let most: Int
    private var alone: VideoEncoder?
    /// Threads of the segments under way, the oldest first.
    private var workers: [(segment: Int, worker: Worker)] = []
    private let state = Monitor(State())

    /// What of a segment is on its way.
    private struct Lane {
        var pictures: [FrameBuffer] = []
        var packets: [Packet] = []
        /// Whether no more pictures come.
        var isWhole = false
        /// Whether no more packets come.
        var isDone = false
    }

    private struct State {
        var lanes: [Int: Lane] = [:]
        var failure: (any Error)?
        var isOver = false

        /// Pictures that wait for their encoders.
        var waiting: Int { lanes.values.reduce(0) { $0 + $1.pictures.count } }
    }

    init(path: String, source: VideoEncoder.Source, settings: EncodeSettings) throws {
        (self.path, self.source, self.settings) = (path, source, settings)
        let first = try VideoEncoder(path: path, source: source, settings: settings)
        (alone, parameters, input) = (first, first.parameters, first.input)
        grid = SegmentGrid(seconds: settings.segmentSeconds, timeBase: source.timeBase)
        most = settings.segmentSeconds == nil || settings.codec.isAlone ? 1 : max(1, settings.encoders)
    }

    /// Writes what the encoders make into an output's stream. Before the first picture.
    func describe(_ stream: UnsafeMutablePointer<AVStream>) throws {
        guard let alone else { return }
        try alone.describe(stream)
        times = DecodingTimes(delay: try alone.delay(in: stream))
    }

    deinit {
        state.withLock { $0.isOver = true }
        for (_, worker) in workers { worker.join() }
    }

    /// Encodes the next picture; nil flushes.
    /// - Parameter write: Gets finished packets in order, their stamps in the source's time base.
    func encode(_ picture: FrameBuffer?, _ write: (Packet) throws -> Void) throws {
        func stamped(_ packet: Packet) throws {
            unstamped.append(packet)
            while !unstamped.isEmpty, let time = times.following() {
                let packet = unstamped.removeFirst()
                packet.av.pointee.dts = time
                try write(packet)
            }
        }
        var begins = false
        if let picture {
            begins = grid.begins(picture.av.pointee.pts)
            times.add(picture.av.pointee.pts, begins: begins)
        } else {
            times.end()
        }
        guard most > 1 else {
            if begins, grid.number > 1 {
                try alone?.encode(nil, stamped)
                // Its memory goes first, to the kernel: the next one's threads may take theirs from another heap.
                alone = nil
                cff_trim_memory()
                alone = try another()
            }
            return try alone?.encode(picture, stamped) ?? ()
        }
        if begins || picture == nil, let (segment, _) = workers.last {
            state.withLock { $0.lanes[segment]?.isWhole = true }
        }
        while workers.count >= (picture == nil ? 1 : begins ? most : .max) { try deliver(wholly: true, stamped) }
        guard let picture else { return }
        if begins {
            try begin(alone ?? another())
            alone = nil
        }
        try add(picture)
        try deliver(wholly: false, stamped)
    }

    /// An encoder for another segment of the same stream.
    private func another() throws -> VideoEncoder {
        let encoder = try VideoEncoder(path: path, source: source, settings: settings)
        guard encoder.parameters == parameters else {
            throw FileError(
                "encode", path: path,
                reason: "its encoder gives a later segment other parameters; expected “segment”: 0 in “encode”")
        }
        return encoder
    }

    // MARK: Several at once

    /// The most memory of pictures that wait for their encoders, bytes.
    private static let mostBytes = 256 << 20

    /// Starts the encoder of the next segment.
    private func begin(_ encoder: VideoEncoder) throws {
        let segment = grid.number
        state.withLock { $0.lanes[segment] = Lane() }
        let worker = try Worker(role: "the encoder") { [state] in
            do {
                while try Self.step(encoder, segment, state) {}
            } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
        }
        workers.append((segment, worker))
    }

    /// Has an encoder take a segment's next picture, or its end.
    /// - Returns: False when it has ended.
    private static func step(_ encoder: VideoEncoder, _ segment: Int, _ state: Monitor<State>) throws -> Bool {
        enum Turn {
            case picture(FrameBuffer)
            case end, over
        }
        let turn = state.wait { state -> Turn? in
            guard let lane = state.lanes[segment], !state.isOver, state.failure == nil else { return .over }
            if !lane.pictures.isEmpty { return (state.lanes[segment]?.pictures.removeFirst()).map(Turn.picture) }
            return lane.isWhole ? .end : nil
        }
        var packets: [Packet] = []
        switch turn {
        case .picture(let picture): try encoder.encode(picture) { packets.append($0) }
        case .end: try encoder.encode(nil) { packets.append($0) }
        case .over: return false
        }
        var isDone = false
        if case .end = turn { isDone = true }
        if isDone || !packets.isEmpty {
            state.withLock { [packets] in
                $0.lanes[segment]?.packets += packets
                $0.lanes[segment]?.isDone = isDone
            }
        }
        return !isDone
    }

    /// Gives the last segment's encoder a picture, once there is memory for it.
    private func add(_ picture: FrameBuffer) throws {
        guard let segment = workers.last?.segment else { return }
        let most = max(1, Self.mostBytes / max(1, picture.byteCount))
        try state.wait { state -> Void? in
            if let failure = state.failure { throw failure }
            guard state.waiting < most else { return nil }
            state.lanes[segment]?.pictures.append(picture)
            return ()
        }
    }

    /// Hands on the packets that are there, of as many segments as have ended.
    /// - Parameter wholly: Whether to wait for the end of the oldest segment, and to leave it at that one.
    private func deliver(wholly: Bool, _ write: (Packet) throws -> Void) throws {
        while let (segment, worker) = workers.first {
            let lane = try state.wait { state -> Lane? in
                if let failure = state.failure { throw failure }
                guard let lane = state.lanes[segment], !wholly || lane.isDone || !lane.packets.isEmpty else {
                    return nil
                }
                state.lanes[segment]?.packets = []
                return lane
            }
            for packet in lane.packets { try write(packet) }
            if lane.isDone {
                state.withLock { $0.lanes[segment] = nil }
                worker.join()
                workers.removeFirst()
            }
            if lane.isDone == wholly { return }
        }
    }
}
