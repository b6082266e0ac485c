import Annotate
import Testing

/// What of an input nobody looks at is told.
@Suite struct UnreadPicturesTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func said(of input: String, job: String = "", encode: String = "{}") throws -> String {
        let path = try workspace.manifest([#""input": "\#(input)"\#(job)"#], encode: encode)
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.errors
    }

    @Test func anotherVideoStream() throws {
        let clip = try workspace.clip("a.mp4", frames: 3)
        let made = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", clip, "-map", "0:v", "-map", "0:v", "-c", "copy",
                workspace.file("two.mkv"),
            ])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try said(of: "two.mkv").contains("the input has another video stream, which is left out"))
        #expect(!(try said(of: "a.mp4").contains("left out")))
    }

    /// A grey TIFF, little-endian, of so many pages that all show the same.
    private func tiff(pages: Int) -> [UInt8] {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> ($0 * 8) & 0xFF) } }
        let (width, height, length) = (64, 48, 2 + 8 * 12 + 4)
        let pixels = 8 + pages * length
        var file: [UInt8] = Array("II*".utf8) + [0] + bytes(8, 4)
        for page in 0..<pages {
            let fields = [
                (256, 3, width), (257, 3, height), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, pixels),
                (278, 3, height), (279, 4, width * height),
            ]
            file += bytes(fields.count, 2)
            for (tag, type, value) in fields { file += bytes(tag, 2) + bytes(type, 2) + bytes(1, 4) + bytes(value, 4) }
            file += bytes(page + 1 < pages ? 8 + (page + 1) * length : 0, 4)
        }
        return file + (0..<width * height).map { UInt8($0 / width * 4) }
    }

    @Test func furtherPages() throws {
        try workspace.write(tiff(pages: 3), to: "pages.tif")
        try workspace.write(tiff(pages: 1), to: "page.tif")
        #expect(try said(of: "pages.tif").contains("the input has 3 pages; the first alone is worked on"))
        #expect(!(try said(of: "page.tif").contains("pages")))
    }

    @Test func aPhotoHasNoSound() throws {
        try workspace.write(tiff(pages: 1), to: "p.tif")
        let errors = try said(of: "p.tif", job: #", "cover": [{"audio": "mute"}]"#)
        #expect(errors.contains("cover 0 hid nothing: a photo has no sound"), "\(errors)")
    }
}
