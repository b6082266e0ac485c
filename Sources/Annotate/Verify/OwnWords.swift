internal import Media

/// The metadata that a video file of this program has, by FFmpeg's writers: whatever else is said was said by somebody else.
enum OwnWords {
    /// Brands that FFmpeg writes into MP4s of our codecs.
    private static let brands: Set = [
        "isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "hvc1", "hev1", "av01",
        // With sound of Dolby's.
        "dby1",
    ]
    private static let handlers: Set = ["VideoHandler", "SoundHandler"]
    private static let encoders: Set<String> = {
        let codecs = EncodeSettings.Codec.allCases.compactMap(\.encoder) + ["aac"]
        return Set(["Lavf", "Lavc"] + codecs.map { "Lavc \($0)" })
    }()

    /// Whether this program writes such a value under such a name.
    /// - Parameters:
    ///   - key: In lower-case letters.
    ///   - ofStream: False for a word about the file.
    static func has(_ key: String, _ value: String, ofStream: Bool) -> Bool {
        switch (key, ofStream) {
        case ("encoder", _): encoders.contains(value)
        case ("major_brand", false): brands.contains(value)
        case ("minor_version", false): isNumber(value, most: 6)
        case ("compatible_brands", false): value.utf8.count <= 32 && parts(of: value).allSatisfy(brands.contains)
        case ("handler_name", true): handlers.contains(value)
        // As FFmpeg shows the four bytes 0.
        case ("vendor_id", true): value == "[0][0][0][0]"
        case ("language", true): LanguageWord.isOne(value)
        // Matroska's writer counts seconds in 32 bits: one that ends later, by stamps of the time since 1900 say, has signs in it.
        case ("duration", true):
            value.utf8.count <= 24
                && value.utf8.allSatisfy {
                    isDigit($0) || [UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-")].contains($0)
                }
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    private static func isNumber(_ value: String, most: Int) -> Bool {
        1...most ~= value.utf8.count && value.utf8.allSatisfy(isDigit)
    }

    private static func parts(of brands: String) -> [String] {
        let bytes = Array(brands.utf8)
        return stride(from: 0, to: bytes.count, by: 4).map {
            String(decoding: bytes[$0..<min($0 + 4, bytes.count)], as: UTF8.self)
        }
    }
}
