/// Whether an MP4 file shows all that lies in it: no box is there twice or longer than what it says, each byte of the media data is
/// some sample's, and each sample is shown (ISO/IEC 14496-12). Whoever plays the file sees nothing of what isn't so; whoever opens it
/// otherwise may.
struct MP4Contents {
    /// What isn't shown, in words.
    private(set) var hidden: [String] = []

    /// Boxes in which others are looked at, with how many bytes go before these.
    private static let holders: [String: Int] = [
        "moov": 0, "trak": 0, "edts": 0, "mdia": 0, "minf": 0, "dinf": 0, "stbl": 0, "udta": 0, "meta": 4, "ilst": 0,
    ]
    /// Boxes that may be there more than once beside each other.
    private static let several: Set = ["trak", "free", "skip"]
    /// Bytes of an entry of a table, behind a version, flags and a count.
    private static let entries: [String: Int] = [
        "stts": 8, "ctts": 8, "stsc": 12, "stco": 4, "co64": 8, "stss": 4,
    ]
    /// The most bytes of a box that has no table: this program writes less.
    private static let longest: [String: Int64] = [
        "ftyp": 64, "mvhd": 112, "tkhd": 96, "mdhd": 36, "hdlr": 128, "vmhd": 12, "smhd": 8, "nmhd": 4, "dref": 64,
        "stsd": 1 << 13, "sgpd": 64, "sbgp": 64, "cslg": 64, "elst": 256, "tref": 256,
        "\u{A9}too": 64,
    ]
    /// Boxes of a sample table.
    private static let ofTable: Set = [
        "stsd", "stts", "ctts", "stsc", "stsz", "stco", "co64", "stss", "sdtp", "sgpd", "sbgp", "cslg",
    ]
    private static let ofMedia: [String: Set<String>] = [
        "mdia": ["mdhd", "hdlr", "minf"], "minf": ["vmhd", "smhd", "nmhd", "hdlr", "dinf", "stbl"], "dinf": ["dref"],
        "edts": ["elst"], "stbl": ofTable,
    ]
    /// Boxes that this program writes, by the box that they are in: no other is gone into, so that none is nested in itself.
    private static let known = ContainerPart.known.merging(ofMedia) { first, _ in first }
    /// The most bytes of a table that are read: those of some days.
    private static let largest = Int64(1) << 26

    /// The most boxes that are looked at: those of a thousand tracks.
    private static let most = 30_000

    private let path: String
    private let size: Int64
    private var count = 0
    private var media: [Range<Int64>] = []
    /// Where samples lie, a range a chunk.
    private var chunks: [Range<Int64>] = []
    private var movieScale = 0

    private struct Track {
        var isVideo = false
        var scale = 0
        var edits: [(duration: Int64, start: Int64)] = []
        var samples = 0
        /// Of all samples, in ticks of the track. What a file says may be more than whole numbers hold.
        var duration = 0.0
        /// Of each sample, or of all alike.
        var sizes: [Int64] = []
        var size: Int64 = 0
        var runs: [(first: Int, samples: Int)] = []
        var places: [Int64] = []
        /// How many samples tables tell of, of their times, of the order that they are shown in, and of what they depend on.
        var (timed, shifted, dependencies) = (0, 0, 0)
        /// The last key picture, and whether they come in order.
        var (key, areKeysInOrder) = (Int64(0), true)
        /// Whether an entry of a table is of no sample.
        var hasIdleEntries = false

        mutating func add(_ samples: Int64, to table: WritableKeyPath<Track, Int>) {
            self[keyPath: table] += Int(samples)
            hasIdleEntries = hasIdleEntries || samples == 0
        }

        mutating func add(key: Int64) {
            areKeysInOrder = areKeysInOrder && key > self.key
            self.key = key
        }

        /// Whether its tables tell of its samples alone.
        var isConsistent: Bool {
            !hasIdleEntries && timed == samples && [0, samples].contains(shifted)
                && [0, samples].contains(dependencies)
                && areKeysInOrder && key <= Int64(samples)
        }
    }

    /// - Parameter frames: How many pictures the video shows.
    /// - Throws: `FileError`.
    init(path: String, size: Int64, frames: Int) throws {
        (self.path, self.size) = (path, size)
        var track: Track?
        try walk(0..<size, in: "", &track, frames: frames)
        checkMedia()
    }

    private mutating func walk(_ range: Range<Int64>, in holder: String, _ track: inout Track?, frames: Int) throws {
        var place = range.lowerBound
        var seen: Set<String> = []
        while place + 8 <= range.upperBound {
            let head = try Files.read(path, from: place, count: Int(min(16, range.upperBound - place)))
            var length = Self.number(head.prefix(4)), start: Int64 = 8
            if length == 1, head.count == 16 { (length, start) = (Self.number(head.suffix(8)), 16) }
            if length == 0 { length = range.upperBound - place }
            count += 1
            guard count <= Self.most else {
                if count == Self.most + 1 { hidden.append("more boxes than any video") }
                return
            }
            // Whoever looks at the boxes themselves tells of what is none.
            guard length >= start, length <= range.upperBound - place else { return }
            let type = String(decoding: head[4..<8].map(UInt16.init), as: UTF16.self)
            let body = place + start..<place + length
            place += length
            if !seen.insert(type).inserted, !Self.several.contains(type) {
                hidden.append("a second box “\(type.inOneLine)” of \(length) bytes")
            } else if Self.known[holder]?.contains(type) != true {
                hidden.append("a box “\(type.inOneLine)” of \(length) bytes")
            } else if type == "mdat" {
                media.append(body)
            } else if let before = Self.holders[type] {
                if before > 0 {
                    try checkBlank(body.lowerBound..<min(body.lowerBound + Int64(before), body.upperBound))
                }
                if type == "trak" { track = Track() }
                try walk(
                    min(body.lowerBound + Int64(before), body.upperBound)..<body.upperBound, in: type, &track,
                    frames: frames)
                if type == "trak", let whole = track {
                    check(whole, frames: frames)
                    track = nil
                }
            } else {
                try read(type, in: holder, body, of: &track)
            }
        }
    }

    private mutating func checkBlank(_ range: Range<Int64>) throws {
        let bytes = try Files.read(path, from: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
        if bytes.contains(where: { $0 != 0 }) { hidden.append("other numbers in its box “meta” than it has") }
    }

    private mutating func read(_ type: String, in holder: String, _ body: Range<Int64>, of track: inout Track?) throws {
        let length = body.upperBound - body.lowerBound
        guard length <= min(Self.longest[type] ?? Self.largest, Self.largest) else {
            return hidden.append("a box “\(type.inOneLine)” of \(length + 8) bytes, longer than it can be")
        }
        if type == "stsd" { return try readDescription(body) }
        if type == "sdtp" { track?.dependencies = Int(length) - 4 }
        guard Self.entries[type] != nil || Self.longest[type] != nil || type == "stsz" else { return }
        let bytes = try Files.read(path, from: body.lowerBound, count: Int(length))
        if let strange = MP4Fields.strange(in: type, of: holder, bytes) { hidden.append(strange) }
        func value(_ place: Int, _ width: Int = 4) -> Int64 {
            place + width <= bytes.count ? Self.number(bytes[place..<place + width]) : 0
        }
        let version = bytes.first ?? 0
        func isWhole(_ count: Int64, _ head: Int, _ each: Int) -> Bool {
            Int64(head) + count * Int64(each) == Int64(bytes.count)
        }
        let count = value(4)
        switch type {
        case "mvhd": movieScale = Int(value(version == 1 ? 20 : 12))
        case "mdhd": track?.scale = Int(value(version == 1 ? 20 : 12))
        case "hdlr": if value(8) == Self.number("vide".utf8) { track?.isVideo = true }
        case "elst":
            let width = version == 1 ? 8 : 4
            guard count < 100, isWhole(count, 8, 2 * width + 4) else {
                return hidden.append("a box “elst” with more than its entries")
            }
            for entry in 0..<Int(count) {
                let at = 8 + entry * (2 * width + 4)
                let start = value(at + width, width)
                // Nothing is shown for a time where it begins at -1.
                let isEmpty = bytes[(at + width)...].prefix(width).allSatisfy { $0 == 0xFF }
                track?.edits.append((value(at, width), isEmpty ? -1 : start))
            }
        case "stsz":
            let (uniform, all) = (value(4), value(8))
            guard all < 1 << 28, isWhole(uniform == 0 ? all : 0, 12, 4) else {
                return hidden.append("a box “stsz” with more than its entries")
            }
            track?.samples = Int(all)
            track?.size = uniform
            if uniform == 0 { track?.sizes = (0..<Int(all)).map { value(12 + 4 * $0) } }
        case _ where Self.entries[type] == nil: break
        default:
            guard let each = Self.entries[type], count < 1 << 28, isWhole(count, 8, each) else {
                return hidden.append("a box “\(type)” with more than its entries")
            }
            for entry in 0..<Int(count) {
                let at = 8 + entry * each
                switch type {
                case "stts":
                    track?.duration += Double(value(at)) * Double(value(at + 4))
                    track?.add(value(at), to: \.timed)
                case "ctts": track?.add(value(at), to: \.shifted)
                case "stss": track?.add(key: value(at))
                case "stsc": track?.runs.append((Int(value(at)), Int(value(at + 4))))
                case "stco", "co64": track?.places.append(value(at, each))
                default: break
                }
            }
        }
    }

    /// Boxes of a sample's description, and how long they may be: this program writes less.
    private static let ofDescription: [String: Int64] = [
        "avcC": 512, "hvcC": 4096, "av1C": 256, "esds": 128, "dOps": 64, "dfLa": 64, "dac3": 3, "dec3": 16, "dac4": 64,
        "alac": 36, "ddts": 20, "dmlp": 10, "pcmC": 6, "pasp": 8, "btrt": 12, "colr": 24,
        "fiel": 2,
        "clli": 4, "mdcv": 24, "st3d": 8, "sv3d": 256, "vexu": 256, "hfov": 4, "chnl": 64,
    ]

    /// Goes through what describes samples: one entry of a coder's fixed fields and boxes behind them.
    private mutating func readDescription(_ body: Range<Int64>) throws {
        let bytes = try Files.read(path, from: body.lowerBound, count: Int(body.upperBound - body.lowerBound))
        func value(_ place: Int) -> Int { place + 4 <= bytes.count ? Int(Self.number(bytes[place..<place + 4])) : 0 }
        let coder = bytes.count >= 16 ? String(decoding: bytes[12..<16], as: UTF8.self) : ""
        // Fixed fields of a picture's and of a sound's description (ISO/IEC 14496-12, 12.1.3 and 12.2.3).
        let isVideo = ["avc1", "avc3", "hvc1", "hev1", "av01"].contains(coder)
        let fixed = isVideo ? 86 : 36
        guard value(4) == 1, value(8) + 8 == bytes.count, bytes.count >= 8 + fixed else {
            return hidden.append("a box “stsd” with more than its entries")
        }
        if value(0) != 0 || !MP4Fields.areOurs(description: bytes[8..<8 + fixed], isVideo: isVideo) {
            hidden.append("other numbers in its box “stsd” than it has")
        }
        var place = 8 + fixed
        while place < bytes.count {
            let length = value(place)
            guard place + 8 <= bytes.count, length >= 8, length <= bytes.count - place else {
                return hidden.append("\(bytes.count - place) bytes behind the description of a track")
            }
            let type = String(decoding: bytes[place + 4..<place + 8].map(UInt16.init), as: UTF16.self)
            if Int64(length - 8) > Self.ofDescription[type] ?? -1 {
                hidden.append("a box “\(type.inOneLine)” of \(length) bytes")
            }
            place += length
        }
    }

    /// Gathers where a track's samples lie, and looks whether all of them are shown.
    private mutating func check(_ track: Track, frames: Int) {
        var (sample, run) = (0, 0)
        for (index, place) in track.places.enumerated() {
            while run + 1 < track.runs.count, track.runs[run + 1].first <= index + 1 { run += 1 }
            let next = min(sample + (run < track.runs.count ? track.runs[run].samples : 0), track.samples)
            let length =
                track.size > 0 ? track.size * Int64(next - sample) : track.sizes[sample..<next].reduce(0, +)
            sample = next
            // What lies outside of the file is nowhere.
            if place < size { chunks.append(place..<place + min(length, size - place)) }
        }
        if !track.isConsistent { hidden.append("tables of more than a track's samples") }
        if track.isVideo, track.samples != frames {
            hidden.append("\(track.samples) pictures in its video, of which \(frames) are shown")
        }
        // Of sound some packets go before the first that is heard.
        let shown = track.edits.filter { $0.start >= 0 }
        guard shown.count <= 1, let edit = shown.first else {
            if shown.count > 1 { hidden.append("\(shown.count) parts of a track that are shown one after another") }
            return
        }
        // Pictures are counted: how late the first one is shown is the coder's own matter.
        guard !track.isVideo else { return }
        guard movieScale > 0, track.scale > 0 else { return hidden.append("times that nothing is counted in") }
        let left =
            (track.duration - Double(edit.start)) / Double(track.scale) - Double(edit.duration) / Double(movieScale)
        if Double(edit.start) / Double(track.scale) > Self.unheard || left > Self.unheard {
            hidden.append("a part of a track that is not shown")
        }
    }

    /// Seconds of a track's beginning and end that needn't be shown: a sound coder's own, and what numbers are rounded by.
    private static let unheard = 0.25

    /// Looks whether each byte of the media data is a sample's.
    private mutating func checkMedia() {
        var bytes: Int64 = 0
        chunks.sort { $0.lowerBound < $1.lowerBound }
        for body in media {
            var end = body.lowerBound
            for chunk in chunks where chunk.overlaps(body) {
                bytes += max(chunk.lowerBound - end, 0)
                end = max(end, chunk.upperBound)
            }
            bytes += max(body.upperBound - end, 0)
        }
        if bytes > 0 { hidden.append("\(bytes) bytes among its media data that are no sample's") }
    }

    /// A whole number, the highest byte first; 0 for one that is larger than any file.
    private static func number(_ bytes: some Collection<UInt8>) -> Int64 {
        Int64(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) ?? 0
    }
}
