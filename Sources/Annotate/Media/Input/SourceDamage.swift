internal import CFFmpeg

/// Counts what is damaged in a source, and ends the job there if that is what was asked for.
struct SourceDamage {
    let policy: DamagePolicy
    let path: String
    /// Pictures that the decoder patched up.
    private(set) var concealed = 0
    /// Pictures that are missing: packets that the decoder refused, or took and made nothing of.
    private(set) var skipped = 0
    /// The file ends before all that it should hold.
    private(set) var isCutOff = false
    /// nil for codecs of which one packet needn't make one picture.
    private var missing: MissingPictures?

    init(policy: DamagePolicy, path: String, stream: UnsafeMutablePointer<AVStream>) {
        self.policy = policy
        self.path = path
        let access = RandomAccess(stream: stream)
        missing = access.isPossible ? MissingPictures(access: access) : nil
    }

    /// A packet goes to the decoder.
    mutating func sent(_ packet: Packet, ordinal: Int, reorders: Bool) throws {
        missing?.expect(packet, reorders: reorders)
        // A transport stream that lost parts on its way; the first packet of a recording is never whole.
        if packet.av.pointee.flags & AV_PKT_FLAG_CORRUPT != 0, ordinal > 0 {
            try patched("a packet near frame \(ordinal) is incomplete: the stream lost a part, or is spliced there")
        }
    }

    /// The file ends before all that it should hold.
    /// - Parameters:
    ///   - count: pictures that are missing, where that is known.
    mutating func endedEarly(missing count: Int, _ reason: String) throws {
        guard policy == .fail else {
            isCutOff = true
            skipped += count
            self.missing = nil
            return
        }
        throw FileError("read", path: path, reason: "\(reason); \(Self.advice)")
    }

    /// A picture has come out.
    mutating func received(_ picture: FrameBuffer, ordinal: Int) throws {
        // Two fields may have come in packets of their own.
        if cff_frame_is_interlaced(picture.av) != 0 { missing = nil }
        if Self.isDamaged(picture) { try patched("frame \(ordinal) is damaged") }
        if let count = missing?.arrived(picture.av.pointee.pts), count > 0 { try lost(count, before: ordinal) }
    }

    /// No more pictures will come.
    mutating func ended(ordinal: Int) throws {
        if let count = missing?.rest(), count > 0, ordinal > 0 { try lost(count, before: nil) }
    }

    /// The decoder refused a packet.
    /// - Parameter ordinal: of the next picture.
    mutating func refused(_ error: FileError, before ordinal: Int) throws {
        // A picture that is looked for is counted when it doesn't come.
        if missing == nil || ordinal == 0 { skipped += 1 }
        // A recording that starts in mid-stream has packets whose references came before it.
        guard policy == .fail, ordinal > 0 else { return }
        throw FileError(
            "decode", path: path, code: error.code,
            reason: "a damaged packet at frame \(ordinal): \(error.reason); \(Self.advice)")
    }

    private mutating func lost(_ count: Int, before ordinal: Int?) throws {
        skipped += count
        guard policy == .fail else { return }
        let log = takeFFmpegLog()
        let what =
            ordinal.map {
                "the picture that should be frame \($0) is lost: its packet is damaged, or the stream is spliced there"
            }
            ?? "of its packets \(count) are damaged, whose pictures are lost"
        throw FileError(
            "decode", path: path, reason: "\(what)\(log.isEmpty ? "" : " (\(log))"); \(Self.advice)")
    }

    /// A picture came out that isn't what was encoded.
    private mutating func patched(_ what: String) throws {
        concealed += 1
        guard policy == .fail else { return }
        let log = takeFFmpegLog()
        throw FileError(
            "decode", path: path,
            reason: "\(what)\(log.isEmpty ? "" : " (\(log))"); \(Self.advice)")
    }

    static let advice = "“onError”: “skip-frame” goes on past damage"

    private static func isDamaged(_ picture: FrameBuffer) -> Bool {
        picture.av.pointee.decode_error_flags != 0 || picture.av.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    var notes: [String] {
        var notes: [String] = []
        if concealed > 0 { notes.append("\(concealed) damaged pictures in the input, patched up by the decoder") }
        if skipped > 0 { notes.append("\(skipped) damaged packets in the input, their pictures left out") }
        if isCutOff { notes.append("the input is cut off: its end is missing") }
        return notes
    }
}

/// Looks for pictures that went into a decoder and don't come out.
private struct MissingPictures {
    let access: RandomAccess
    /// Times of pictures inside the decoder, in order.
    private var waiting: [Int64] = []
    /// Pictures of packets that don't say their time: they can only be counted.
    private var timeless = 0
    private var hasKey = false
    private var hasBegun = false
    /// False while every packet's time is its place in the file, as containers write it that know no other (MXF): where the
    /// pictures come in another order, those times are none.
    private var hasTimes = false
    private var reorders = false
    private static let most = 256

    init(access: RandomAccess) { self.access = access }

    mutating func expect(_ packet: Packet, reorders: Bool) {
        self.reorders = reorders
        hasTimes = hasTimes || packet.av.pointee.pts != packet.av.pointee.dts
        guard access.isOneTimelessPicture(packet) else { return }
        guard access.isOnePicture(packet) else {
            // What lies before the first key picture may well not come.
            hasKey = hasKey || packet.av.pointee.flags & AV_PKT_FLAG_KEY != 0
            if hasKey { timeless += 1 }
            return
        }
        let pts = packet.av.pointee.pts
        // Pictures come in nearly in order: the place is near the end.
        let place = (waiting.lastIndex { $0 < pts } ?? -1) + 1
        if place == waiting.count || waiting[place] != pts { waiting.insert(pts, at: place) }
        if waiting.count > Self.most { waiting.removeFirst() }
    }

    /// - Returns: how many pictures should have come before this one.
    mutating func arrived(_ pts: Int64) -> Int {
        defer { hasBegun = true }
        guard pts != cff_no_pts else {
            timeless -= 1
            return 0
        }
        if reorders, !hasTimes {
            if !waiting.isEmpty { waiting.removeFirst() }
            return 0
        }
        let earlier = waiting.prefix { $0 < pts }.count
        waiting.removeFirst(earlier)
        if waiting.first == pts { waiting.removeFirst() }
        // Those before the first one have lost what they refer to: a recording begins anywhere.
        return hasBegun ? earlier : 0
    }

    mutating func rest() -> Int {
        defer { (waiting, timeless) = ([], 0) }
        return waiting.count + max(0, timeless)
    }
}
