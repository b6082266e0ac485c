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
                name: name,
                mayShow: MediaEndings.isMedia(name) || name.contains(".partial-") || !isPlainText(path, beside: names))
        }
    }

    /// Bytes of a note that people leave beside a release; what is longer may be anything.
    private static let longestText = 1 << 18
    /// Characters of a word in which a picture may be written. Hashes are as long, and have hexadecimal digits alone.
    private static let (longestWord, longestHash) = (60, 128)

    /// Whether a file is short text in which no picture can lie: names don't tell, and no list of formats is whole.
    private static func isPlainText(_ path: String, beside names: [String]) -> Bool {
        guard Files.isRegular(path), !Files.isLink(path), let size = Files.status(path)?.size, size <= longestText,
            let bytes = try? Files.read(path), let text = String(validating: bytes, as: UTF8.self)
        else { return false }
        let isText = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || scalar == "\n" || scalar == "\r" || scalar == "\t"
        }
        return isText && !hasCodedBytes(bytes) && isProse(text, beside: Set(names))
    }

    /// Characters from which on a text may hold a picture, of a small one's detail.
    private static let shortText = 4096
    /// Of what isn't white space, what words take at least in a text that people read; one of so many signs may open a tag.
    private static let (leastWords, mostTags) = (0.6, 200)
    private static let lettersOfHashes: Set<Int> = [32, 40, 56, 64, 96, 128]

    /// Whether a text is short, or mostly words: numbers, codes and markup draw pictures, in whatever form. Lists of the folder's files
    /// with their hashes are none.
    private static func isProse(_ text: String, beside names: Set<String>) -> Bool {
        var (all, inWords, tags) = (0, 0, 0)
        // Words of one length are a code's groups.
        var lengths: [Int: Int] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.count == 2, lettersOfHashes.contains(words[0].count), words[0].allSatisfy(\.isHexDigit),
                names.contains(String(words[1].drop { $0 == "*" }))
            {
                continue
            }
            for word in words {
                all += word.count
                lengths[word.count, default: 0] += 1
                tags += word.count { $0 == "<" }
                for part in word.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }) {
                    // A capital inside of a word is a code's, unless all are.
                    let isCase = part.dropFirst().allSatisfy { !$0.isUppercase } || part.allSatisfy { !$0.isLowercase }
                    if isCase, part.count <= 30, part.allSatisfy({ !$0.isNumber }) { inWords += part.count }
                }
            }
        }
        let areGroups = 2 * (lengths.values.max() ?? 0) > lengths.values.reduce(0, +)
        return all <= shortText || Double(inWords) >= leastWords * Double(all) && tags * mostTags <= all && !areGroups
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
