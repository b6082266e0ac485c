/// Whether a Matroska file shows all that lies in it: elements that this program writes, each where it belongs, and blocks of tracks
/// that are there (RFC 9559).
struct MatroskaContents {
    /// What isn't shown, in words.
    private(set) var hidden: [String] = []

    private enum ID {
        static let segment: UInt32 = 0x1853_8067, seekHead: UInt32 = 0x114D_9B74, info: UInt32 = 0x1549_A966
        static let tracks: UInt32 = 0x1654_AE6B, cluster: UInt32 = 0x1F43_B675, cues: UInt32 = 0x1C53_BB6B
        static let tags: UInt32 = 0x1254_C367, void: UInt32 = 0xEC, checksum: UInt32 = 0xBF
        static let entry: UInt32 = 0xAE, number: UInt32 = 0xD7
        static let timestamp: UInt32 = 0xE7, simpleBlock: UInt32 = 0xA3, group: UInt32 = 0xA0, block: UInt32 = 0xA1
        static let position: UInt32 = 0xA7, before: UInt32 = 0xAB
        /// Beside the block: its length, what it refers to, what is cut off of sound.
        static let ofGroup: Set<UInt32> = [0x9B, 0xFB, 0x75A2]
    }
    /// The most bytes of what stands beside the clusters: this program writes less. An index has an entry for some of the blocks.
    private static let longest: [UInt32: Int] = [
        ID.seekHead: 512, ID.info: 512, ID.tracks: 1 << 13, ID.tags: 1024, ID.checksum: 4,
    ]
    /// The most bytes of an entry of the index.
    private static let cue = 64

    private struct Element {
        var id: UInt32
        var place: Int64
        var body: Range<Int64>
    }

    /// The most elements that are looked at: those of some days.
    private static let most = 20_000_000

    private let path: String
    private var count = 0
    private var numbers: Set<Int64> = []
    private var (blocks, index) = (0, Element?.none)

    /// - Throws: `FileError`.
    init(path: String, size: Int64) throws {
        self.path = path
        try each(in: 0..<size) { element, all in
            if element.id == ID.segment { return try all.readSegment(element.body) }
            if element.body.count > 64 { all.add("an element", element) }
        }
        if let index, index.body.count > Self.cue * (blocks + 1) { add("an index longer than what it lists", index) }
    }

    private mutating func readSegment(_ range: Range<Int64>) throws {
        var seen: Set<UInt32> = []
        try each(in: range) { element, all in
            switch element.id {
            case ID.void: try all.checkVoid(element)
            case ID.cluster: try all.readCluster(element.body)
            case ID.seekHead, ID.info, ID.tracks, ID.cues, ID.tags, ID.checksum:
                if !seen.insert(element.id).inserted { return all.add("a second element", element) }
                if element.id == ID.cues { all.index = element }
                if element.body.count > Self.longest[element.id] ?? .max { return all.add("an element", element) }
                if element.id == ID.tracks { try all.readTracks(element.body) }
            default: all.add("an element", element)
            }
        }
    }

    private mutating func readTracks(_ range: Range<Int64>) throws {
        try each(in: range) { entry, all in
            guard entry.id == ID.entry else { return }
            try all.each(in: entry.body) { element, all in
                guard element.id == ID.number else { return }
                let bytes = try Files.read(
                    all.path, from: element.body.lowerBound, count: Int(min(element.body.count, 8)))
                all.numbers.insert(bytes.reduce(0) { $0 << 8 | Int64($1) })
            }
        }
    }

    private mutating func readCluster(_ range: Range<Int64>) throws {
        try each(in: range) { element, all in
            switch element.id {
            case ID.timestamp, ID.position, ID.before, ID.checksum:
                if element.body.count > (element.id == ID.checksum ? 4 : 8) { all.add("an element", element) }
            case ID.simpleBlock: try all.checkBlock(element)
            case ID.void: try all.checkVoid(element)
            case ID.group:
                try all.each(in: element.body) { part, all in
                    if part.id == ID.block { return try all.checkBlock(part) }
                    if !ID.ofGroup.contains(part.id) || part.body.count > 8 { all.add("an element", part) }
                }
            default: all.add("an element", element)
            }
        }
    }

    private mutating func checkBlock(_ element: Element) throws {
        let head = try Files.read(path, from: element.body.lowerBound, count: Int(min(element.body.count, 12)))
        guard let (number, width) = Self.length(head), head.count >= width + 3 else {
            return add("an element", element)
        }
        blocks += 1
        // Players show nothing of what is marked as invisible.
        if !numbers.contains(number) || head[width + 2] & 0x08 != 0 { add("a block that no track shows", element) }
    }

    private mutating func checkVoid(_ element: Element) throws {
        var place = element.body.lowerBound
        while place < element.body.upperBound {
            let bytes = try Files.read(path, from: place, count: Int(min(1 << 16, element.body.upperBound - place)))
            if bytes.isEmpty { return }
            if bytes.contains(where: { $0 != 0 }) { return add("an empty element that isn't empty", element) }
            place += Int64(bytes.count)
        }
    }

    private mutating func add(_ what: String, _ element: Element) {
        // Who put a thousand of them there is told of the first ones.
        guard hidden.count < 20 else { return }
        hidden.append(
            "\(what) (\(String(element.id, radix: 16, uppercase: true)), \(element.body.count) bytes at \(element.place))"
        )
    }

    /// Goes through the elements of a part of the file. What is no element ends it.
    private mutating func each(in range: Range<Int64>, _ body: (Element, inout Self) throws -> Void) throws {
        var place = range.lowerBound
        while place < range.upperBound {
            let head = try Files.read(path, from: place, count: Int(min(12, range.upperBound - place)))
            guard let first = head.first, first.leadingZeroBitCount < 4 else {
                return add("bytes", Element(id: 0, place: place, body: place..<range.upperBound))
            }
            let width = first.leadingZeroBitCount + 1
            guard let (length, more) = Self.length(head.dropFirst(width)) else {
                return add("bytes", Element(id: 0, place: place, body: place..<range.upperBound))
            }
            let id = head.prefix(width).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let start = place + Int64(width + more)
            let end = length < 0 ? range.upperBound : start + length
            guard end <= range.upperBound else {
                return add("bytes", Element(id: id, place: place, body: place..<range.upperBound))
            }
            count += 1
            guard count <= Self.most else {
                if count == Self.most + 1 { hidden.append("more elements than any video") }
                return
            }
            try body(Element(id: id, place: place, body: start..<end), &self)
            place = end
        }
    }

    /// A length or a track's number, and its bytes; -1 for one that isn't known.
    private static func length(_ bytes: some Collection<UInt8>) -> (value: Int64, width: Int)? {
        guard let first = bytes.first, first != 0 else { return nil }
        let width = first.leadingZeroBitCount + 1
        guard bytes.count >= width else { return nil }
        let mark = Int64(1) << Int64(7 * width)
        let value = bytes.prefix(width).reduce(Int64(0)) { $0 << 8 | Int64($1) } & (mark - 1)
        return (value == mark - 1 ? -1 : value, width)
    }
}
