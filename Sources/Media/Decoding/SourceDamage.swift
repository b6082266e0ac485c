internal import CFFmpeg

/// Counts what is damaged in a source, and ends the job there if that is what was asked for.
struct SourceDamage {
    let policy: DamagePolicy
    let path: String
    /// Pictures that the decoder patched up.
    private(set) var concealed = 0
    /// Pictures that are missing at the end of a file, by what it says that it holds.
    private var cutOff = 0
    /// Whether the file ends before all that it should hold.
    private(set) var isCutOff = false
    /// Why what lies at its end couldn't be read; nil where it isn't there.
    private var unread: String?
    private var ledger: PacketLedger
    /// How many lost pictures have been reported.
    private var told = 0
    /// Number of the frame before which the first damage is.
    private var place: Int?

    /// - Parameter mayHideFields: Whether two packets that don't say so may be fields of one picture.
    init(policy: DamagePolicy, path: String, mayHideFields: Bool) {
        self.policy = policy
        self.path = path
        ledger = PacketLedger(mayHideFields: mayHideFields)
    }

    /// How many pictures are missing: packets that the decoder refused, or took and made nothing of.
    var skipped: Int { ledger.refused + ledger.lost + cutOff }

    /// True where every packet made its picture.
    var isNone: Bool { skipped + concealed + ledger.early + ledger.untold == 0 && !isCutOff && !ledger.isInDoubt }

    /// The next packet, in the order of their numbers, goes to the decoder.
    /// - Returns: False for one that is empty, and would end the decoding.
    mutating func sent(_ packet: Packet, _ content: PacketContent, ordinal: Int) throws -> Bool {
        ledger.add(packet, content)
        try tellOfLost(before: ordinal)
        // A transport stream that lost parts on its way; the first packet of a recording is never whole.
        if packet.av.pointee.flags & AV_PKT_FLAG_CORRUPT != 0, ordinal > 0 {
            try patched(
                "a packet near frame \(ordinal) is incomplete: the stream lost a part, or is spliced there", ordinal)
        }
        return packet.av.pointee.size > 0
    }

    /// Notes that the file ends before all that it should hold.
    mutating func ended(before shortfall: Shortfall) throws {
        guard policy == .fail else {
            isCutOff = true
            if shortfall.isThere { unread = shortfall.reason }
            cutOff += shortfall.pictures
            return
        }
        throw FileError("read", path: path, reason: "\(shortfall.reason); \(Self.advice)")
    }

    /// A picture has come out.
    mutating func received(_ picture: FrameBuffer, ordinal: Int, reorders: Bool) throws {
        let wasRefused = ledger.arrived(
            cff_frame_packet(picture.av), pts: picture.av.pointee.pts, ordinal: ordinal,
            isInterlaced: cff_frame_is_interlaced(picture.av) != 0, reorders: reorders)
        if Self.isDamaged(picture) || wasRefused { try patched("frame \(ordinal) is damaged", ordinal) }
        try tellOfLost(before: ordinal)
    }

    /// No more pictures will come.
    mutating func ended(ordinal: Int) throws {
        ledger.end()
        try tellOfLost(before: ordinal, isEnd: true)
    }

    /// The decoder refused a packet.
    /// - Parameter ordinal: of the next picture.
    mutating func refused(_ error: FileError, before ordinal: Int) throws {
        if ledger.refuse() { place = place ?? ordinal } else { concealed += 1 }
        // A recording that starts in mid-stream has packets whose references came before it.
        guard policy == .fail, ordinal > 0 else { return }
        // These two stand for anything; nothing was forbidden.
        let isVague = [cff_error_external, cff_error_not_permitted].contains(error.code)
        let reason = isVague ? "its decoder can't make it out" : error.reason
        throw FileError(
            "decode", path: path, code: error.code,
            reason: "a damaged packet at frame \(ordinal): \(reason); \(Self.advice)")
    }

    /// Reports pictures that were lost since the last report.
    /// - Parameter ordinal: That of the next picture.
    private mutating func tellOfLost(before ordinal: Int, isEnd: Bool = false) throws {
        let count = ledger.lost - told
        guard count > 0 else { return }
        told = ledger.lost
        let first = ledger.firstLost.map { min($0, ordinal) }
        place = min(place ?? ordinal, first ?? ordinal)
        guard policy == .fail else { return }
        let what =
            isEnd && first == nil
            ? "of its packets \(count) are damaged, whose pictures are lost"
            : "the picture that should be frame \(first ?? ordinal) is lost: its packet is damaged, or the stream is spliced there"
        throw FileError(
            "decode", path: path, reason: "\(what); \(Self.advice)")
    }

    /// A picture came out that isn't what was encoded.
    private mutating func patched(_ what: String, _ ordinal: Int) throws {
        concealed += 1
        guard policy == .fail else { return }
        throw FileError("decode", path: path, reason: "\(what); \(Self.advice)")
    }

    static let advice = "“onError”: “skip-frame” goes on past damage"

    private static func isDamaged(_ picture: FrameBuffer) -> Bool {
        picture.av.pointee.decode_error_flags != 0 || picture.av.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    /// Notes for the user on packets that no picture came of.
    /// - Parameter isWhole: False where the file wasn't read from its start.
    func notes(isWhole: Bool) -> [String] {
        var notes: [String] = []
        if concealed > 0 { notes.append("\(concealed) damaged pictures in the input, patched up by the decoder") }
        if skipped > cutOff {
            let first = place.map { $0 > 0 ? ", the first near frame \($0)" : ", the first before all frames" }
            notes.append("\(skipped - cutOff) damaged packets in the input\(first ?? ""): their pictures are left out")
        }
        if isCutOff {
            notes.append(
                (unread.map { "the input's end is left out: \($0)" } ?? "the input is cut off: its end is missing")
                    + (cutOff > 0 ? ", \(cutOff) \(cutOff == 1 ? "picture" : "pictures") by its index" : ""))
        }
        // Before the start of a range the group's leading pictures aren't asked for.
        if ledger.early > 0, isWhole {
            notes.append(
                "\(ledger.early) \(ledger.early == 1 ? "packet" : "packets") before the first whole picture make none: "
                    + "the input begins in the midst of a group of pictures")
        }
        if ledger.untold > 0 {
            notes.append(
                "\(ledger.untold) \(ledger.untold == 1 ? "packet" : "packets") of the input made no picture, and the "
                    + "decoder says no reason: empty ones, or left out by who encoded it, or damaged")
        }
        return notes
    }
}
