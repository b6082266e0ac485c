extension Verifier {
    /// A file of a folder that doesn't belong where it is handed out.
    public struct Stranger: Sendable {
        /// Name of the file in the folder.
        public var name: String
        /// Whether it may show what is covered: whatever isn't plain text.
        public var mayShow: Bool
    }

    /// Files of a folder that don't belong where it is handed out: where its track files lie elsewhere, all that is neither a
    /// report nor what a job wrote, hidden ones too.
    public static func strangers(in directory: String) -> [Stranger] {
        let report = Report.read(directory: directory)
        let outputs = report.values.flatMap { $0.outputs.map(\.file) }
        guard outputs.contains(where: { $0.hasSuffix(suffix) && !Files.isPlainName($0) }),
            let names = try? Files.list(directory)
        else { return [] }
        let sources = PathSet(report.values.compactMap(\.source).map { Files.canonical(directory + "/" + $0) })
        return names.sorted().compactMap { name in
            let path = directory + "/" + name
            if name == Manifest.reportName || Shard.isReport(name) || outputs.contains(name) { return nil }
            // A source itself is told of with what lies uncovered in it; a link to one is a door to it.
            if !Files.isLink(path), sources.contains(Files.canonical(path)) { return nil }
            return Stranger(
                name: name, mayShow: MediaEndings.isMedia(name) || name.contains(".partial-") || !isPlainText(path))
        }
    }

    /// Bytes of a note that people leave beside a release; what is longer may be anything.
    private static let longestText = 1 << 20
    /// Characters of a word in which a picture may be written. Hashes are as long, and have hexadecimal digits alone.
    private static let (longestWord, longestHash) = (60, 128)

    /// Whether a file is short text in which no picture can lie: names don't tell, and no list of formats is whole.
    private static func isPlainText(_ path: String) -> Bool {
        guard Files.isRegular(path), !Files.isLink(path), let size = Files.status(path)?.size, size <= longestText,
            let bytes = try? Files.read(path), let text = String(validating: bytes, as: UTF8.self)
        else { return false }
        let isText = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || scalar == "\n" || scalar == "\r" || scalar == "\t"
        }
        return isText && !hasCodedBytes(bytes)
    }

    /// Whether text has bytes written in letters, as Base64 or in hexadecimal digits.
    private static func hasCodedBytes(_ text: [UInt8]) -> Bool {
        var (length, isHexadecimal) = (0, true)
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                length += 1
            case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "G")...UInt8(ascii: "Z"), UInt8(ascii: "+"),
                UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="):
                length += 1
                isHexadecimal = false
            default:
                (length, isHexadecimal) = (0, true)
            }
            if length > (isHexadecimal ? longestHash : longestWord) { return true }
        }
        return false
    }
}
