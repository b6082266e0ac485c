/// Parts of an MP4 or Matroska file that no demuxer tells of: boxes beside the tracks, and bytes behind the file's own end. A
/// program that keeps a small picture, or words, in such a place leaves them there.
enum ContainerPart {
    /// Boxes that this program writes, by the box that they are in (ISO/IEC 14496-12; “meta” as QuickTime has it).
    static let known: [String: Set<String>] = [
        "": ["ftyp", "moov", "mdat", "free", "skip"], "moov": ["mvhd", "trak", "udta"],
        "trak": ["tkhd", "edts", "mdia", "tref"], "udta": ["meta"], "meta": ["hdlr", "ilst"], "ilst": ["\u{A9}too"],
    ]
    /// The most boxes that are looked at: a file that has more is looked at no further.
    private static let most = 10_000

    /// What doesn't belong into an annotated video, in words.
    static func strange(in path: String) throws -> [String] {
        guard let size = Files.status(path)?.size else { return [] }
        let head = try Files.read(path, from: 0, count: 8)
        if head.count == 8, head[4...].elementsEqual("ftyp".utf8) {
            var (found, count) = ([String](), 0)
            try walk(path, 0..<size, in: "", &found, &count)
            return found
        }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return try behindSegment(path, size) }
        return []
    }

    /// What of a file's bytes nobody who plays it sees, in words.
    /// - Parameter frames: How many pictures it shows.
    static func unshown(in path: String, frames: Int) throws -> [String] {
        guard let size = Files.status(path)?.size else { return [] }
        let head = try Files.read(path, from: 0, count: 8)
        if head.count == 8, head[4...].elementsEqual("ftyp".utf8) {
            return try MP4Contents(path: path, size: size, frames: frames).hidden
        }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return try MatroskaContents(path: path, size: size).hidden }
        return []
    }

    private static func walk(
        _ path: String, _ range: Range<Int64>, in holder: String, _ found: inout [String], _ count: inout Int
    ) throws {
        guard let known = known[holder] else { return }
        var place = range.lowerBound
        while place < range.upperBound, count < most {
            count += 1
            let head = try Files.read(path, from: place, count: Int(min(16, range.upperBound - place)))
            var length = number(head.prefix(4)), start: Int64 = 8
            if length == 1 { (length, start) = (number(head.dropFirst(8)), 16) }
            if length == 0 { length = range.upperBound - place }
            guard head.count >= Int(start), length >= start, length <= range.upperBound - place else {
                found.append("\(range.upperBound - place) bytes behind its boxes")
                return
            }
            let type = String(decoding: head[4..<8].map(UInt16.init), as: UTF16.self)
            let body = place + start..<place + length
            if !known.contains(type) {
                found.append("a box “\(type.inOneLine)” of \(length) bytes")
            } else if type == "free" || type == "skip" {
                if try !isBlank(path, body) {
                    found.append("a box “\(type)” with \(body.count) bytes that aren't zero")
                }
            } else if body.lowerBound + (type == "meta" ? 4 : 0) <= body.upperBound {
                // A version and flags go before what is in it.
                try walk(path, body.lowerBound + (type == "meta" ? 4 : 0)..<body.upperBound, in: type, &found, &count)
            }
            place += length
        }
    }

    /// Matroska (RFC 9559): the head, then one segment with all that there is.
    private static func behindSegment(_ path: String, _ size: Int64) throws -> [String] {
        var place: Int64 = 0
        for isSegment in [false, true] {
            let head = Array(try Files.read(path, from: place, count: 12).dropFirst(4))
            guard let first = head.first, first != 0, head.count >= first.leadingZeroBitCount + 1 else { return [] }
            let width = first.leadingZeroBitCount + 1
            let bits = Int64(1) << Int64(7 * width)
            let length = number(head.prefix(width)) & (bits - 1)
            // All ones: it goes to the file's end.
            guard length != bits - 1, length <= size - place else { return [] }
            place += 4 + Int64(width) + length
            if isSegment, place < size { return ["\(size - place) bytes behind its segment"] }
        }
        return []
    }

    private static func isBlank(_ path: String, _ range: Range<Int64>) throws -> Bool {
        var place = range.lowerBound
        while place < range.upperBound {
            let bytes = try Files.read(path, from: place, count: Int(min(1 << 16, range.upperBound - place)))
            if bytes.isEmpty { return true }
            if bytes.contains(where: { $0 != 0 }) { return false }
            place += Int64(bytes.count)
        }
        return true
    }

    /// A whole number, the highest byte first; -1 for one that is larger than any file.
    private static func number(_ bytes: some Collection<UInt8>) -> Int64 {
        Int64(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) ?? -1
    }
}
