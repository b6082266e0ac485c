/// What a format's readers need pictures for, and where they look for them.
public enum PicturePlace: Sendable, Hashable {
    /// In a folder of this name in the result.
    case inside(folder: String)
    /// In a folder beside the result, `<result without its last extension>.frames`.
    case beside
}

extension SinkContext {
    /// What the picture of a frame is called, without its extension: by the source's name and the frame's ordinal. Signs
    /// that a file's name had better not have are underscores.
    func pictureStem(_ frame: Int) -> String {
        let stem = Files.stem(of: header.source.name).map { sign in
            sign.isLetter || sign.isNumber || "._-".contains(sign) ? sign : "_"
        }
        var short = ""
        // A name has 255 bytes at most.
        for sign in stem where short.utf8.count + sign.utf8.count <= Self.longestStem { short.append(sign) }
        if short.hasPrefix(".") { short = "_" + short.dropFirst() }
        let digits = String(frame)
        return (short.isEmpty ? "frame" : short) + "_" + String(repeating: "0", count: max(0, 6 - digits.count))
            + digits
    }

    func pictureName(_ frame: Int) -> String { "\(pictureStem(frame)).\(pictures.rawValue)" }

    /// Bytes.
    private static let longestStem = 180
}
