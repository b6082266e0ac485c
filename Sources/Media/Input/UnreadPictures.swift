internal import CFFmpeg

/// Pictures of a file that nobody reads: those of other streams, and further pages.
enum UnreadPictures {
    /// A sentence on them; nil for none.
    /// - Parameter stream: The stream that is read.
    static func note(on demuxer: Demuxer, but stream: UnsafeMutablePointer<AVStream>) -> String? {
        guard case .file(let path) = demuxer.input else { return nil }
        if stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_TIFF {
            // One that can't be looked at again has no more to be told of.
            let count = (try? pages(ofTIFF: path)) ?? 1
            return count > 1 ? "the input has \(count) pages; the first alone is worked on" : nil
        }
        // Tiles, depths and small versions of a photo are streams of their own.
        if StillPicture.isHEIF(path) { return nil }
        let others = demuxer.streams.count { $0 != stream && isVideo($0) }
        guard others > 0 else { return nil }
        return others == 1
            ? "the input has another video stream, which is left out"
            : "the input has \(others) other video streams, which are left out"
    }

    private static func isVideo(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let pictures = AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS
        return stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
            && stream.pointee.disposition & pictures == 0
    }

    /// The most pages that are counted: directories may go round in a circle, or be anything.
    private static let mostPages = 1000

    /// How many pages a TIFF has, by its directories (TIFF 6.0, section 2). Smaller versions of a page, and masks, are none.
    /// - Throws: `FileError`.
    private static func pages(ofTIFF path: String) throws -> Int {
        let head = try Files.read(path, from: 0, count: 8)
        guard head.count == 8 else { return 0 }
        let isLittleEndian = head[0] == UInt8(ascii: "I")
        func number(_ bytes: ArraySlice<UInt8>) -> Int {
            let digits = isLittleEndian ? Array(bytes.reversed()) : Array(bytes)
            return digits.reduce(0) { $0 << 8 | Int($1) }
        }
        var (place, pages) = (number(head[4...]), 0)
        var seen: Set<Int> = []
        while place > 0, seen.count < mostPages, seen.insert(place).inserted {
            let count = try Files.read(path, from: Int64(place), count: 2)
            guard count.count == 2 else { break }
            let end = number(count[...]) * 12
            let directory = try Files.read(path, from: Int64(place) + 2, count: end + 4)
            guard directory.count == end + 4 else { break }
            let newSubfileType = 254
            let kinds = stride(from: 0, to: end, by: 12).filter { number(directory[$0..<$0 + 2]) == newSubfileType }
            // 1 is a smaller version, 4 a mask.
            if kinds.allSatisfy({ number(directory[($0 + 8)..<($0 + 12)]) & 5 == 0 }) { pages += 1 }
            place = number(directory[end...])
        }
        return pages
    }
}
