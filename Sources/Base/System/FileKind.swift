/// What a file holds, as far as its beginning tells: for sentences on a file that is another one than expected.
package enum FileKind: Sendable, Hashable {
    case video, picture, archive, pdf, trackFile, report, json, text, binary

    /// As much of a file's beginning as is looked at, bytes.
    private static let headLength = 4096

    /// The kind of what begins with these bytes.
    package init(_ bytes: [UInt8]) {
        let head = Array(bytes.prefix(Self.headLength))
        if Self.isVideo(head) {
            self = .video
        } else if Self.isPicture(head) {
            self = .picture
        } else if Self.has("PK\u{3}\u{4}", head) || Self.has("PK\u{5}\u{6}", head) {
            self = .archive
        } else if Self.has("%PDF-", head) {
            self = .pdf
        } else {
            self = Self.ofText(head)
        }
    }

    /// The kind of a plain file; nil for what is none, can't be read or is empty.
    package init?(path: String) {
        // Who expected another file says why it can't be read.
        guard Files.isRegular(path), let head = try? Files.read(path, from: 0, count: Self.headLength), !head.isEmpty
        else { return nil }
        self.init(head)
    }

    /// What such a file is, with its article.
    package var words: String {
        switch self {
        case .video: "a video"
        case .picture: "a picture"
        case .archive: "a ZIP archive"
        case .pdf: "a PDF"
        case .trackFile: "a track file"
        case .report: "a report"
        case .json: "text (JSON)"
        case .text: "text"
        case .binary: "a binary file"
        }
    }

    private static func has(_ magic: [UInt8], _ head: [UInt8], at offset: Int = 0) -> Bool {
        head.dropFirst(offset).starts(with: magic)
    }

    private static func has(_ magic: String, _ head: [UInt8], at offset: Int = 0) -> Bool {
        has(Array(magic.utf8), head, at: offset)
    }

    private static func isVideo(_ head: [UInt8]) -> Bool {
        // Words of English too, where no length of a box is before them.
        let isBox = head.first == 0 && ["free", "skip", "wide", "mdat"].contains { has($0, head, at: 4) }
        let isMP4 = isBox || has("ftyp", head, at: 4) || has("moov", head, at: 4)
        let isOther =
            has([0x1A, 0x45, 0xDF, 0xA3], head) || has("RIFF", head) && has("AVI", head, at: 8)
            || has([0x30, 0x26, 0xB2, 0x75], head) || has("OggS", head) || has([0x46, 0x4C, 0x56, 1], head)
        let isStream =
            has([0, 0, 1, 0xBA], head) || has([0, 0, 1, 0xB3], head) || has([0, 0, 0, 1], head)
            || has([0x47], head) && has([0x47], head, at: 188) && has([0x47], head, at: 376)
        return isMP4 || isOther || isStream
    }

    private static func isPicture(_ head: [UInt8]) -> Bool {
        has([0x89, 0x50, 0x4E, 0x47], head) || has([0xFF, 0xD8, 0xFF], head) || has("GIF8", head)
            || has("RIFF", head) && has("WEBP", head, at: 8)
            || has([0x49, 0x49, 0x2A, 0], head) || has([0x4D, 0x4D, 0, 0x2A], head)
    }

    private static func ofText(_ head: [UInt8]) -> FileKind {
        // UTF-16, as editors of Windows write it.
        if has([0xFE, 0xFF], head) || has([0xFF, 0xFE], head) { return .text }
        let controls: [UInt8] = [0x09, 0x0A, 0x0C, 0x0D, 0x1B]
        if head.contains(where: { $0 < 0x20 && !controls.contains($0) }) { return .binary }
        let text = (has([0xEF, 0xBB, 0xBF], head) ? head.dropFirst(3) : head[...]).drop {
            $0 == 0x20 || controls.contains($0)
        }
        if let first = text.first, [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first) {
            let start = String(decoding: text.prefix(80), as: UTF8.self).filter { !$0.isWhitespace }
            if start.hasPrefix(#"{"format":"annotate-tracks""#) { return .trackFile }
            return start.hasPrefix(#"{"format":"annotate-report""#) ? .report : .json
        }
        // A character may be cut off at the end of what is looked at.
        if let bad = UTF8Check.firstInvalid(in: head), bad < headLength - 3 { return .binary }
        return .text
    }
}
