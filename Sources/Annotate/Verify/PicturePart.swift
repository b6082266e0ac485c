/// A segment of a JPEG or a chunk of a PNG beside the picture itself, or what lies behind it.
struct PicturePart {
    /// Name of the part: “an EXIF segment”.
    var name: String
    /// Whether it may tell of people, places, times and devices.
    var isPersonal: Bool
    /// Whether it holds another picture, as thumbnails do.
    var holdsPicture: Bool

    /// The most parts that are looked at: a file that has more is looked at no further.
    private static let most = 10_000
    /// The most bytes of a part that are looked through.
    private static let longest = 1 << 24

    /// The parts of a file.
    /// - Returns: nil for a file that is neither JPEG nor PNG.
    static func all(of path: String) throws -> [PicturePart]? {
        let head = try Files.read(path, from: 0, count: 8)
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return try segments(of: path) }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return try chunks(of: path) }
        return nil
    }

    /// JPEG (ITU-T T.81, annex B): segments, and what comes after the picture's end.
    private static func segments(of path: String) throws -> [PicturePart] {
        var parts: [PicturePart] = []
        var place: Int64 = 2
        while parts.count < most {
            let head = try Files.read(path, from: place, count: 4)
            guard head.count >= 2, head[0] == 0xFF else { break }
            if head[1] == 0xFF {
                place += 1
                continue
            }
            if head[1] == 0xD9 {
                parts += try rest(of: path, from: place + 2)
                break
            }
            guard head.count == 4 else { break }
            let length = Int(head[2]) << 8 | Int(head[3])
            if (0xE0...0xEF).contains(head[1]) || head[1] == 0xFE {
                let body = try Files.read(path, from: place + 4, count: max(0, length - 2))
                parts.append(segment(head[1], body))
            }
            place += 2 + Int64(max(length, 2))
            if head[1] == 0xDA {
                guard let next = try marker(in: path, from: place) else { break }
                place = next
            }
        }
        return parts
    }

    /// The first marker behind a scan's data, in which a byte FF stands before 0 or a restart's number; nil for none.
    private static func marker(in path: String, from start: Int64) throws -> Int64? {
        var place = start
        while true {
            let bytes = try Files.read(path, from: place, count: 1 << 16)
            guard bytes.count > 1 else { return nil }
            for index in 0..<bytes.count - 1 where bytes[index] == 0xFF {
                let next = bytes[index + 1]
                if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { return place + Int64(index) }
            }
            // The last byte may be a marker's first.
            place += Int64(bytes.count - 1)
        }
    }

    /// What lies in a file behind its picture: nothing, or one part.
    private static func rest(of path: String, from place: Int64) throws -> [PicturePart] {
        guard let size = Files.status(path)?.size, size > place else { return [] }
        let body = try Files.read(path, from: place, count: Int(min(size - place, Int64(longest))))
        let holdsPicture =
            hasJPEG(body) || body.indices.contains { body[$0...].starts(with: [0x89, 0x50, 0x4E, 0x47]) }
        return [
            PicturePart(
                name: "\(size - place) bytes behind the picture" + (holdsPicture ? " with another picture" : ""),
                isPersonal: true, holdsPicture: holdsPicture)
        ]
    }

    private static func segment(_ marker: UInt8, _ body: [UInt8]) -> PicturePart {
        let holdsPicture = hasJPEG(body)
        func begins(_ text: String) -> Bool { body.starts(with: text.utf8) }
        let name =
            switch marker {
            case 0xFE: "a comment"
            case 0xE1 where begins("Exif"): "an EXIF segment"
            case 0xE1 where begins("http://ns.adobe.com"): "an XMP segment"
            case 0xED: "a Photoshop segment"
            case 0xE0 where begins("JFIF") && body.count > 14: "a thumbnail of JFIF's"
            default: "a segment APP\(marker - 0xE0)"
            }
        // JFIF's own, which is all that this program writes, and Adobe's word on the colours.
        let isForm =
            marker == 0xE0 && begins("JFIF") && body.count == 14
            || marker == 0xEE && begins("Adobe") && body.count == 12
        return PicturePart(
            name: name + (holdsPicture ? " with a thumbnail" : ""), isPersonal: !isForm || holdsPicture,
            holdsPicture: holdsPicture)
    }

    /// Chunks that say how the picture is stored and what its colours are, and how long they may be.
    private static let ofPicture: [String: Int64] = [
        "IHDR": 13, "PLTE": 768, "IDAT": .max, "IEND": 0, "tRNS": 256, "cHRM": 32, "gAMA": 4, "sBIT": 4, "sRGB": 1,
        "cICP": 4,
        "mDCV": 24, "cLLI": 8, "bKGD": 6, "pHYs": 9,
    ]

    /// PNG (ISO/IEC 15948): chunks to the end, and what comes after it.
    private static func chunks(of path: String) throws -> [PicturePart] {
        var parts: [PicturePart] = []
        var place: Int64 = 8
        for _ in 0..<most {
            let head = try Files.read(path, from: place, count: 8)
            guard head.count == 8 else { break }
            let length = head.prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
            let type = String(decoding: head.suffix(4), as: UTF8.self)
            if length > ofPicture[type] ?? -1 {
                let body = try Files.read(path, from: place + 8, count: Int(min(length, Int64(longest))))
                let holdsPicture = hasJPEG(body)
                parts.append(
                    PicturePart(
                        name: "a chunk “\(type)”" + (holdsPicture ? " with a thumbnail" : ""), isPersonal: true,
                        holdsPicture: holdsPicture))
            }
            place += 12 + length
            if type == "IEND" {
                parts += try rest(of: path, from: place)
                break
            }
        }
        return parts
    }

    private static func hasJPEG(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 3 else { return false }
        return (0..<bytes.count - 2).contains { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 && bytes[$0 + 2] == 0xFF }
    }
}
