internal import CFFmpeg

/// What it takes to decode once more from the last place at which a new decoder gives the same pictures: pictures that had
/// been given out before it aren't needed for those after it.
struct Restart {
    /// The account of damage before the first of `packets`.
    private(set) var damage: SourceDamage
    /// Number of the first packet from there on.
    private(set) var number: Int64 = 1
    /// The packets from there on; without those at the beginning where `isCut`.
    private(set) var packets: [VideoPacket] = []
    /// Whether packets were let go to save memory, and have to be read again.
    private(set) var isCut = false
    /// How many of their pictures have been given out.
    private(set) var given = 0
    /// How many pictures the decoder kept back there; nil at the stream's start, where it doesn't know better than its
    /// parameters.
    private(set) var delay: Int32?
    /// The stream's first packet, whose parameters hold further on.
    private(set) var first: Packet?
    /// How many of the packets are in the account as it is now.
    private var accounted = 0
    private var bytes = 0
    private var starts: FreshStart
    /// `starts` before the first packet from there on.
    private var firstStarts: FreshStart
    private let canReadAgain: Bool

    /// The most compressed video that is kept, bytes: of what can be read again, and of what can't.
    private static let mostBytes = (again: 4 << 20, once: 32 << 20)

    /// - Parameter canReadAgain: Whether packets that were let go can be read once more.
    init(damage: SourceDamage, stream: UnsafeMutablePointer<AVStream>, canReadAgain: Bool) {
        self.damage = damage
        self.canReadAgain = canReadAgain
        starts = FreshStart(stream: stream)
        firstStarts = starts
    }

    /// The same place, with nothing read or given out behind it.
    var again: Restart {
        var again = self
        (again.packets, again.isCut, again.bytes, again.accounted, again.given) = ([], false, 0, 0, 0)
        again.starts = firstStarts
        return again
    }

    /// Whether there are more packets than may be kept, and none that can be let go.
    var isTooLong: Bool { !canReadAgain && bytes > Self.mostBytes.once }

    /// Notes a packet that goes to the decoder.
    mutating func add(_ packet: VideoPacket) {
        if first == nil { first = packet.packet }
        packets.append(packet)
        bytes += Int(packet.packet.av.pointee.size)
    }

    /// Brings the account up to a picture that has come out.
    ///
    /// When its packets are decoded on one thread, no picture comes out later than here: what the account says is the same.
    /// - Parameters:
    ///   - delay: How many pictures the decoder keeps back.
    /// - Returns: False where damage shows, or where the picture is of no known packet.
    mutating func take(
        _ picture: FrameBuffer, delay: Int32, into damage: inout SourceDamage, contents: PacketContentReader,
        ordinal: Int
    ) throws -> Bool {
        let number = cff_frame_packet(picture.av)
        guard number >= self.number, let last = packets.last, number <= last.number else { return false }
        var start: (place: Int, damage: SourceDamage, starts: FreshStart)?
        while accounted < packets.count, packets[accounted].number <= number {
            let packet = packets[accounted]
            let before = starts
            // The picture's own packet, or that of its first field: those before it are out, and none after it needs them.
            if starts.isStart(packet.packet), number - packet.number <= 1 { start = (accounted, damage, before) }
            guard try damage.sent(packet.packet, packet.content(by: contents), ordinal: ordinal) else { return false }
            accounted += 1
        }
        try damage.received(picture, ordinal: ordinal, reorders: delay > 0)
        guard damage.isNone else { return false }
        given += 1
        if let start {
            (self.damage, firstStarts, self.delay, given) = (start.damage, start.starts, delay, 1)
            self.number = packets[start.place].number
            isCut = false
            drop(start.place)
        } else if canReadAgain, bytes > Self.mostBytes.again {
            isCut = true
            drop(accounted)
        }
        return true
    }

    /// Accounts for the packets that are left when all pictures are out.
    /// - Returns: False where damage shows.
    mutating func end(_ damage: inout SourceDamage, contents: PacketContentReader, ordinal: Int) throws -> Bool {
        while accounted < packets.count {
            let packet = packets[accounted]
            guard try damage.sent(packet.packet, packet.content(by: contents), ordinal: ordinal) else { return false }
            accounted += 1
        }
        try damage.ended(ordinal: ordinal)
        return damage.isNone
    }

    private mutating func drop(_ count: Int) {
        bytes -= packets[..<count].reduce(0) { $0 + Int($1.packet.av.pointee.size) }
        packets.removeFirst(count)
        accounted -= count
    }
}
