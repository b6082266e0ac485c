/// The folder in which a format's readers look for pictures of the frames.
public enum PicturePlace: Sendable, Hashable {
    /// In a folder of this name in the result.
    case inside(folder: String)
    /// In a folder beside the result, `<result without its last extension>.frames`.
    case beside
}

extension SinkContext {
    /// Name of the picture of a frame, without its extension: by the source's name and the frame's number. Characters
    /// that don't do well in a file's name become underscores.
    func pictureStem(_ frame: Int) -> String {
        let digits = String(frame)
        return Self.fileStem(Files.stem(of: header.source.name)) + "_"
            + String(repeating: "0", count: max(0, 6 - digits.count))
            + digits
    }

    /// A text as a part of a file's name: characters that don't do well there become underscores.
    package static func fileStem(_ text: String) -> String {
        let stem = text.map(fileSign)
        var short = ""
        // A name has 255 bytes at most.
        for sign in stem where short.utf8.count + sign.utf8.count <= Self.longestStem { short.append(sign) }
        if short.hasPrefix(".") { short = "_" + short.dropFirst() }
        return short.isEmpty ? "frame" : short
    }

    /// A sign as files' names have it.
    package static func fileSign(_ sign: Character) -> Character {
        sign.isLetter || sign.isNumber || "._-".contains(sign) ? sign : "_"
    }

    func pictureName(_ frame: Int) -> String { "\(pictureStem(frame)).\(pictures.rawValue)" }

    /// The longest name, bytes.
    private static let longestStem = 180
}
