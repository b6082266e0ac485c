/// What x264 says of its settings in the first picture of a stream: words and numbers of its own, and nothing else.
enum EncoderWords {
    /// The number that x264's words come under (`x264_sei_version_write`).
    static let identity: [UInt8] = [
        0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF,
    ]
    private static let head = "x264 - core "
    private static let middle = " - H.264/MPEG-4 AVC codec - Copyleft 2003-"
    private static let end = " - http://www.videolan.org/x264.html - options:"

    /// Settings that are on or off, or one of few.
    private static let few = [
        "cabac", "psy", "mixed_ref", "chroma_me", "trellis", "8x8dct", "cqm", "fast_pskip", "sliced_threads",
        "decimate",
        "interlaced", "bluray_compat", "stitchable", "constrained_intra", "b_pyramid", "b_adapt", "b_bias", "direct",
        "weightb", "open_gop", "weightp", "intra_refresh", "mbtree", "nr", "filler",
    ]
    /// Settings that are numbers, and between what.
    private static let numbers: [String: ClosedRange<Double>] = [
        "ref": 1...16, "subme": 0...11, "me_range": 4...64, "chroma_qp_offset": -12...12, "threads": 1...128,
        "lookahead_threads": 1...128, "bframes": 0...16, "keyint": 1...250, "keyint_min": 1...250, "scenecut": 0...40,
        "rc_lookahead": 0...250, "bitrate": 1...1_000_000, "ratetol": 1...1, "crf": 0...51, "qcomp": 0.6...0.6,
        "qpmin": 0...0, "qpmax": 51...81, "qpstep": 4...4, "ip_ratio": 1.4...1.4, "pb_ratio": 1.3...1.3,
        "slices": 1...1,
    ]
    /// Settings that have words.
    private static let words: [String: Set<String>] = [
        "deblock": ["0:0:0", "1:0:0"], "me": ["dia", "hex", "umh", "esa", "tesa"],
        "psy_rd": ["1.00:0.00", "0.00:0.00"],
        "deadzone": ["21,11"], "rc": ["crf", "abr"], "aq": ["0", "1:1.00", "1:0.01"], "nal_hrd": ["none"],
        "analyse": ["0:0", "0x1:0x111", "0x3:0x3", "0x3:0x113", "0x3:0x133", "0x1:0x1", "0x3:0x13", "0x3:0x33"],
    ]

    /// Whether x264 says such a thing.
    static func areX264s(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.last == 0, let text = String(validating: bytes.dropLast(), as: UTF8.self),
            text.hasPrefix(head), let split = text.range(of: middle), let options = text.range(of: end),
            split.upperBound < options.lowerBound
        else { return false }
        let start = text.index(text.startIndex, offsetBy: head.count)
        guard start <= split.lowerBound else { return false }
        let year = text[split.upperBound..<options.lowerBound]
        guard year.utf8.count == 4, year.utf8.allSatisfy(isDigit),
            isVersion(text[start..<split.lowerBound])
        else { return false }
        var seen: Set<Substring> = []
        let said = text[options.upperBound...]
        guard said.first == " " else { return false }
        return said.dropFirst().split(separator: " ", omittingEmptySubsequences: false).allSatisfy { option in
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && seen.insert(parts[0]).inserted && isSetting(String(parts[0]), String(parts[1]))
        }
    }

    private static func isSetting(_ name: String, _ value: String) -> Bool {
        if let words = words[name] { return words.contains(value) }
        guard value.utf8.count <= 7, let number = Double(value),
            value.utf8.allSatisfy({ isDigit($0) || $0 == 0x2E || $0 == 0x2D })
        else { return false }
        if few.contains(name) { return value.utf8.count == 1 && number <= 3 }
        // A constant rate factor is a whole number here, however it is written.
        return numbers[name]?.contains(number) == true && (name != "crf" || number == number.rounded())
    }

    /// “164 r3095 baee400”, as a build has it: with a letter behind the second number where it was changed, or the first number alone.
    private static func isVersion(_ text: Substring) -> Bool {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard 1...3 ~= parts.count, 2...4 ~= parts[0].utf8.count, parts[0].utf8.allSatisfy(isDigit) else {
            return false
        }
        if parts.count > 1 {
            let revision = parts[1].last == "M" ? parts[1].dropLast() : parts[1]
            guard revision.first == "r", 2...6 ~= revision.utf8.count,
                revision.dropFirst().utf8.allSatisfy({ isDigit($0) || $0 == 0x2B })
            else { return false }
        }
        return parts.count < 3
            || 7...10 ~= parts[2].utf8.count && parts[2].utf8.allSatisfy { isDigit($0) || 0x61...0x66 ~= $0 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
