internal import CFFmpeg

/// Keeps account of the packets that go into a decoder: each makes a picture, is refused, says itself that nothing of it is
/// shown, or is told of.
///
/// Each packet has a number, which comes out again with its picture.
struct PacketLedger {
    /// A packet of which no picture has come out so far.
    private struct Entry {
        let number: Int64
        let pts: Int64
        /// How many key packets there are up to this one.
        let group: Int
        /// Whether the group begins with it.
        let isKey: Bool
        let content: PacketContent
        /// Whether the packet before it holds the other field of its picture.
        let isSecondField: Bool
        var isRefused = false
        /// The frame before which its picture should have come, by its time.
        var dueBefore: Int?
        /// Whether there should be a picture of it.
        var wantsPicture: Bool { !isRefused && content != .nothing }
    }

    /// Packets of which no picture has come out yet, in decoding order.
    private var open: [Entry] = []
    private var number: Int64 = 0
    private var group = 0
    private let mayHideFields: Bool
    /// Whether the last packet is a bottom field; nil where it isn't a field that waits for the other one of its
    /// picture.
    private var isBottomOfHalf: Bool?
    /// The first picture's packet.
    private var first: (number: Int64, pts: Int64, group: Int)?
    /// The first key packet.
    private var firstKey: (number: Int64, pts: Int64)?
    /// Number of the packet up to which all without a time are still of the group that the first picture begins.
    private var leadingEnd: Int64 = 0
    /// False while every packet's time is its place in the file, as containers write it that know no other (MXF): where the
    /// pictures come in another order, those times are none.
    private var hasTimes = false
    private var reorders = false
    /// Packets whose pictures are interlaced, and may have another packet for their other field.
    private var interlaced: [Int64] = []
    /// Pictures that came beside the one of their packet.
    private var surplus = 0
    /// The first frame before which a picture is lost, of those that were due by their times.
    private(set) var firstLost: Int?

    /// Packets that the decoder refused and made nothing of.
    private(set) var refused = 0
    /// Packets that it took and made nothing of, of codecs in which each makes a picture.
    private(set) var lost = 0
    /// Packets that the decoder took and made nothing of, of codecs in which there may be a reason.
    private var silent = 0
    /// Packets before the first whole picture, which have lost what they refer to.
    private(set) var early = 0

    /// The most packets that a decoder keeps back: 16 pictures, each of two fields, and as many again.
    private static let mostDelay: Int64 = 64

    /// - Parameter mayHideFields: Whether two packets that don't say so may be fields of one picture.
    init(mayHideFields: Bool) { self.mayHideFields = mayHideFields }

    /// How many packets there are of which no picture has come out yet.
    var waiting: Int { open.count }

    /// Whether a picture should be there by its time, and may still come: times that jump are no proof.
    var isInDoubt: Bool { open.contains { $0.dueBefore != nil && $0.wantsPicture } }

    /// How many packets made no picture without a reason that is known.
    var untold: Int { max(0, silent - surplus) }

    /// The next packet goes to the decoder.
    /// - Returns: Its number, from 1.
    @discardableResult
    mutating func add(_ packet: Packet, _ content: PacketContent) -> Int64 {
        let av = packet.av.pointee
        number += 1
        let isKey = av.flags & AV_PKT_FLAG_KEY != 0
        if isKey {
            group += 1
            firstKey = firstKey ?? (number, av.pts)
        }
        hasTimes = hasTimes || av.pts != av.dts
        var content = content
        var isSecond = false
        if case .field(let isBottom) = content {
            isSecond = isBottomOfHalf == !isBottom
            isBottomOfHalf = isSecond ? nil : isBottom
            content = isSecond ? .nothing : .picture
        } else {
            isBottomOfHalf = nil
        }
        // What an edit list hides is decoded and thrown away.
        if av.flags & AV_PKT_FLAG_DISCARD != 0 { content = .nothing }
        open.append(
            Entry(
                number: number, pts: av.pts, group: group, isKey: isKey, content: content, isSecondField: isSecond))
        while let oldest = open.first, oldest.number + 2 * Self.mostDelay < number { settle(open.removeFirst()) }
        return number
    }

    /// The decoder refused the last packet, or a part of it.
    /// - Returns: False where a picture of it has come out, so that only a part can be missing.
    mutating func refuse() -> Bool {
        guard let last = open.indices.last, open[last].number == number else { return false }
        if !open[last].isRefused { refused += 1 }
        open[last].isRefused = true
        return true
    }

    /// A picture has come out.
    /// - Parameters:
    ///   - source: The number of its packet; 0 where the decoder doesn't tell.
    ///   - ordinal: Its number among the frames.
    ///   - reorders: Whether pictures may come in another order than their packets.
    /// - Returns: Whether its packet had been refused.
    mutating func arrived(_ source: Int64, pts: Int64, ordinal: Int, isInterlaced: Bool, reorders: Bool) -> Bool {
        self.reorders = reorders
        var wasRefused = false
        /// The group that begins with this picture: those before it are out.
        var beginning: Int?
        if let index = open.firstIndex(where: { $0.number == source }) {
            let entry = open.remove(at: index)
            if entry.isKey { beginning = entry.group }
            if first == nil {
                first = (source, entry.pts, entry.group)
                leadingEnd = source
            }
            // A picture comes under the number of either of its packets.
            if entry.isSecondField { open.removeAll { $0.number == source - 1 && !$0.isRefused } }
            wasRefused = entry.isRefused
            if wasRefused { refused -= 1 }
        } else {
            surplus += 1
        }
        if isInterlaced, mayHideFields {
            interlaced.append(source)
            if interlaced.count > Self.mostDelay { interlaced.removeFirst() }
        }
        let isTimed = pts != cff_no_pts && (hasTimes || !reorders)
        for index in open.indices where open[index].dueBefore == nil {
            guard isTimed, open[index].number < source, open[index].pts != cff_no_pts, open[index].pts < pts else {
                continue
            }
            open[index].dueBefore = ordinal
        }
        func isOver(_ entry: Entry) -> Bool {
            guard entry.number < source else { return false }
            // Without reordering pictures come as their packets do.
            if !reorders || entry.number + Self.mostDelay < source { return true }
            guard entry.dueBefore != nil else { return false }
            return beginning.map { entry.group < $0 } ?? false || !entry.wantsPicture || otherField(of: entry) != nil
        }
        let over = open.filter(isOver)
        guard !over.isEmpty else { return wasRefused }
        let numbers = Set(over.map(\.number))
        open.removeAll { numbers.contains($0.number) }
        for entry in over { settle(entry) }
        return wasRefused
    }

    /// No more pictures will come.
    mutating func end() {
        for entry in open { settle(entry) }
        open = []
    }

    /// No picture came of a packet, nor will.
    private mutating func settle(_ entry: Entry) {
        guard entry.wantsPicture else { return }
        if isEarly(entry) {
            early += 1
        } else if let other = otherField(of: entry) {
            interlaced.remove(at: other)
        } else if entry.content == .untold {
            silent += 1
        } else {
            lost += 1
            if let due = entry.dueBefore { firstLost = min(firstLost ?? due, due) }
        }
    }

    /// Where in `interlaced` a packet is whose picture may have this one as its other field.
    private func otherField(of entry: Entry) -> Int? { interlaced.firstIndex { abs($0 - entry.number) == 1 } }

    /// True for what lies before the first picture, in decoding order or, in the group that it begins, in the order of their
    /// times: it refers to what isn't there.
    private mutating func isEarly(_ entry: Entry) -> Bool {
        guard let first, entry.number > first.number else { return true }
        // Of an open group that a recording begins with, the leading pictures are lost also where some came out before it.
        if let firstKey, entry.group == 1, entry.pts != cff_no_pts, firstKey.pts != cff_no_pts, hasTimes {
            if entry.number > firstKey.number, entry.pts < firstKey.pts { return true }
        }
        guard entry.group == first.group else { return false }
        if entry.pts != cff_no_pts, first.pts != cff_no_pts, hasTimes { return entry.pts < first.pts }
        guard entry.number == leadingEnd + 1, reorders else { return false }
        leadingEnd = entry.number
        return true
    }
}
