/// Tells by a file's last bytes whether its end is missing, for containers that are read up to wherever they stop.
enum ContainerEnd {
    /// What shows that a file's end is missing, or wasn't read; nil where the end is there, or nothing tells.
    /// - Parameter last: Where the last packet begins in the file, and its size, bytes; nil where that isn't known.
    static func shortfall(_ path: String, container: String, last: (place: Int64, size: Int64)?) -> Shortfall? {
        let unread: String?
        switch container {
        case "flv": unread = last.flatMap { flv(path, behind: $0.place) }
        case "asf", "apng": unread = last.flatMap { another(path, container, behind: $0.place + $0.size) }
        case let name where name.hasPrefix("mov,"): unread = mp4(path)
        default: return cutOff(path, container: container).map { Shortfall(reason: "it is cut off: \($0)") }
        }
        return unread.map { Shortfall(reason: $0, isThere: true) }
    }

    private static func cutOff(_ path: String, container: String) -> String? {
        guard let size = Files.status(path)?.size, size > 0 else { return nil }
        switch container {
        case let name where name.hasPrefix("matroska"): return matroska(path, size)
        case "gif": return gif(path, size)
        case "ogg": return ogg(path, size)
        default: return nil
        }
    }

    /// The segment says how long it is, unless it was written without going back (RFC 8794, 6.2).
    private static func matroska(_ path: String, _ size: Int64) -> String? {
        let bytes = read(path, from: 0, count: 4096)
        guard let header = element(bytes, at: 0), header.id == 0x1A45_DFA3, let length = header.length,
            header.start + length < bytes.count, let segment = element(bytes, at: header.start + length),
            segment.id == 0x1853_8067, let whole = segment.length, Int64(whole) > size - Int64(segment.start)
        else { return nil }
        return "it should have \(whole + segment.start) bytes and has \(size)"
    }

    private static func element(_ bytes: [UInt8], at index: Int) -> (id: Int, start: Int, length: Int?)? {
        func number(at index: Int, keepsMarker: Bool) -> (value: Int, width: Int, isUnknown: Bool)? {
            guard index < bytes.count, bytes[index] != 0 else { return nil }
            let width = bytes[index].leadingZeroBitCount + 1
            guard index + width <= bytes.count else { return nil }
            let first = keepsMarker ? Int(bytes[index]) : Int(bytes[index]) & (0xFF >> width)
            let value = bytes[index + 1..<index + width].reduce(first) { $0 << 8 | Int($1) }
            return (value, width, value == 1 << (7 * width) - 1)
        }
        guard let id = number(at: index, keepsMarker: true), id.width <= 4,
            let length = number(at: index + id.width, keepsMarker: false)
        else { return nil }
        return (id.value, index + id.width + length.width, length.isUnknown ? nil : length.value)
    }

    /// The last byte is a trailer; writers may add zeros.
    private static func gif(_ path: String, _ size: Int64) -> String? {
        let bytes = read(path, from: max(0, size - 64), count: 64)
        return bytes.isEmpty || bytes.last { $0 != 0 } == 0x3B ? nil : "its trailer is missing"
    }

    /// The last page ends with the file (RFC 3533, 6).
    private static func ogg(_ path: String, _ size: Int64) -> String? {
        let bytes = read(path, from: max(0, size - 2 * 65_307), count: 2 * 65_307)
        guard !bytes.isEmpty else { return nil }
        let mark = Array("OggS".utf8)
        guard bytes.count >= 27,
            let page = (0...bytes.count - 27).last(where: { bytes[$0..<$0 + 4].elementsEqual(mark) })
        else { return "it ends within a page" }
        let lacing = page + 27..<page + 27 + Int(bytes[page + 26])
        guard lacing.upperBound <= bytes.count,
            lacing.upperBound + bytes[lacing].reduce(0, { $0 + Int($1) }) <= bytes.count
        else { return "it ends within a page" }
        return nil
    }

    /// Tag follows tag, with its size behind it (Adobe's “Video File Format Specification”, E.3). FFmpeg takes what is none for a
    /// very large one, and ends there.
    private static func flv(_ path: String, behind last: Int64) -> String? {
        guard let size = Files.status(path)?.size, last >= 0 else { return nil }
        var place = last
        while place + 11 <= size {
            let head = read(path, from: place, count: 11)
            // Zeros that a recorder set aside are nothing.
            guard head.count == 11, head.contains(where: { $0 != 0 }) else { return nil }
            let (audio, video, script): (UInt8, UInt8, UInt8) = (8, 9, 18)
            guard [audio, video, script].contains(head[0] & 0x1F) else {
                let isFLV = head.starts(with: Array("FLV".utf8))
                return
                    "its last \(size - place) bytes aren't read: \(isFLV ? "another FLV begins there" : "they are no tags")"
            }
            place += 11 + head[1..<4].reduce(0) { $0 << 8 | Int64($1) } + 4
        }
        return nil
    }

    /// How far behind the last packet another file is looked for, bytes: indices lie there.
    private static let tail = 1 << 20

    /// Whether the bytes that such a file begins with are there again behind its last packet.
    private static func another(_ path: String, _ container: String, behind end: Int64) -> String? {
        guard let size = Files.status(path)?.size, end < size else { return nil }
        // A GUID, and PNG's signature.
        let mark = read(path, from: 0, count: container == "asf" ? 16 : 8)
        let bytes = read(path, from: end, count: tail)
        guard mark.count >= 8, bytes.count >= mark.count,
            let place = (0...bytes.count - mark.count).first(where: {
                bytes[$0] == mark[0] && bytes[$0..<$0 + mark.count].elementsEqual(mark)
            })
        else { return nil }
        return
            "its last \(size - end - Int64(place)) bytes aren't read: another \(container == "asf" ? "ASF" : "PNG") begins there"
    }

    /// The most boxes that are walked over.
    private static let mostBoxes = 10_000

    /// One index (moov) is read, the first: behind it another file may have been joined. Fragments, which have none of their own,
    /// are read wherever they are (ISO/IEC 14496-12, 4.2).
    private static func mp4(_ path: String) -> String? {
        guard let size = Files.status(path)?.size else { return nil }
        var (place, count): (Int64, Int) = (0, 0)
        var (hasIndex, joined, begin): (Bool, Int64?, Int64?) = (false, nil, nil)
        while place + 8 <= size, count < mostBoxes {
            let head = read(path, from: place, count: 16)
            guard head.count >= 8 else { return nil }
            func number(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }
            var length = number(head[..<4])
            if length == 1, head.count == 16, head[8] < 0x80 { length = number(head[8...]) }
            if length == 0 { length = size - place }
            switch String(decoding: head[4..<8], as: UTF8.self) {
            case "ftyp" where place > 0: begin = begin ?? place
            case "moof": return nil
            case "moov":
                if hasIndex { joined = joined ?? begin ?? place }
                hasIndex = true
            default: break
            }
            guard length >= 8, length <= size - place else { break }
            (place, count) = (place + length, count + 1)
        }
        return joined.map { "its last \(size - $0) bytes aren't read: another MP4 begins there" }
    }

    private static func read(_ path: String, from offset: Int64, count: Int) -> [UInt8] {
        // What can't be read tells nothing; the demuxer has read it already.
        (try? Files.read(path, from: offset, count: count)) ?? []
    }
}
