/// The ends of names by which files are taken for photos or clips, without their dots.
package enum MediaEndings {
    /// Those of pictures.
    package static let photos = ["jpg", "jpeg", "png", "webp", "tif", "tiff", "bmp", "avif", "heic", "ppm"]
    /// Those of clips, and of pictures that move.
    package static let clips = [
        "mp4", "mov", "m4v", "mkv", "webm", "avi", "mts", "m2ts", "ts", "mpg", "mpeg", "3gp", "wmv", "flv", "mxf",
        "gif",
    ]

    /// Whether a file's name ends as that of a photo or a clip.
    package static func isMedia(_ name: String) -> Bool { (photos + clips).contains(ending(of: name)) }

    /// Whether a file's name ends as that of a picture.
    package static func isPicture(_ name: String) -> Bool { (photos + ["gif"]).contains(ending(of: name)) }

    /// A name without what makes it a file's; “cam.left” has none of that.
    package static func stem(_ name: String) -> String { isMedia(name) ? Files.stem(of: name) : name }

    private static func ending(of name: String) -> String {
        name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.lowercased() ?? ""
    }
}
