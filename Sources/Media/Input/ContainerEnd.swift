/// Tells by a file's last bytes whether its end is missing, for containers that are read up to wherever they stop.
enum ContainerEnd {
    /// What shows that a file's end is missing; nil where the end is there, or nothing tells.
    static func cutOff(_ path: String, container: String) -> String? {
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

    private static func read(_ path: String, from offset: Int64, count: Int) -> [UInt8] {
        // What can't be read tells nothing; the demuxer has read it already.
        (try? Files.read(path, from: offset, count: count)) ?? []
    }
}
