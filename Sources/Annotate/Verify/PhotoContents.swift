internal import CPhotos

/// What the coded bytes of an annotated photo hold beyond its picture: rows below its height, tables that nothing uses, planes that
/// no viewer shows.
enum PhotoContents {
    /// What is there besides, in words.
    /// - Throws: `FileError`.
    static func strange(in path: String) throws -> [String] {
        let head = try Files.read(path, from: 0, count: 8)
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return try inJPEG(path) }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return try inPNG(path) }
        return []
    }

    /// The most bytes of a JPEG that is looked at: those of 2³⁰ pixels are fewer.
    private static let most: Int64 = 1 << 31

    private static func inJPEG(_ path: String) throws -> [String] {
        guard let size = Files.status(path)?.size, size < most else { return ["more bytes than a picture"] }
        let bytes = try Files.read(path)
        var place = 0
        let finding = cph_jpeg(bytes, bytes.count, &place)
        return switch finding {
        case cph_whole: []
        case cph_other_form: ["a segment of another form than its encoder's at \(place)"]
        case cph_idle_table: ["a table that nothing uses"]
        case cph_broken_scan: ["a picture that ends early, at \(place)"]
        case cph_more_scan: ["\(bytes.count - place) bytes behind the last block of its picture"]
        default: ["bytes between its segments, or behind them, at \(place)"]
        }
    }

    /// PNG (ISO/IEC 15948) as this program writes it: 8 bits of three colours, rows one after another.
    private static func inPNG(_ path: String) throws -> [String] {
        guard let stream = cph_stream_new() else { return [] }
        defer { cph_stream_free(stream) }
        var (place, expected, last) = (Int64(8), UInt64(0), "")
        while true {
            let head = try Files.read(path, from: place, count: 8)
            guard head.count == 8 else { return ["chunks without an end"] }
            let length = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: head.suffix(4), as: UTF8.self)
            guard length <= 1 << 24 else { return ["a chunk “\(type.inOneLine)” of \(length) bytes"] }
            let whole = try Files.read(path, from: place + 4, count: length + 8)
            guard whole.count == length + 8 else { return ["chunks without an end"] }
            let body = whole[4..<4 + length]
            let sum = whole.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard cph_sum(whole, whole.count - 4) == sum else {
                return ["a chunk “\(type.inOneLine)” with another sum than its own"]
            }
            switch type {
            case "IHDR" where last.isEmpty && length == 13:
                func number(_ at: Int) -> UInt64 { body.dropFirst(at).prefix(4).reduce(0) { $0 << 8 | UInt64($1) } }
                // Depth, colours, and that it is packed, filtered and ordered as usual.
                let form = Array(body.suffix(5))
                guard form == [8, 2, 0, 0, 0] else {
                    return ["\(form[0]) bits of colours of the kind \(form[1]), not 8 of red, green and blue"]
                }
                expected = number(4) &* (1 &+ 3 &* number(0))
            // Pixels are square, or nothing is said of that.
            case "pHYs" where last == "IHDR" && length == 9 && body.allSatisfy({ $0 <= 1 }): break
            case "IDAT" where ["IHDR", "pHYs", "IDAT"].contains(last) && length > 0:
                let more = whole.withUnsafeBufferPointer { cph_stream_add(stream, $0.baseAddress! + 4, length) }
                guard more == 0 else {
                    return [more < 0 ? "pixels that can't be unpacked" : "\(more) bytes behind its pixels"]
                }
            case "IEND" where last == "IDAT" && length == 0:
                guard cph_stream_ended(stream) != 0, cph_stream_size(stream) == expected else {
                    return ["\(cph_stream_size(stream)) bytes of pixels, not \(expected)"]
                }
                return []
            default: return ["a chunk “\(type.inOneLine)” of \(length) bytes"]
            }
            last = type
            place += Int64(length) + 12
        }
    }
}
