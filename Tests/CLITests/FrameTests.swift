import Annotate
import Foundation
import Testing

/// `frame` writes the very pixels that a decoder gives.
@Suite struct FrameTests {
    private struct Kind: CustomTestStringConvertible {
        var name: String
        var arguments: [String]
        var testDescription: String { name }
    }

    private static let kinds = [
        Kind(name: "bframes.mp4", arguments: ["-c:v", "libx264", "-bf", "3", "-g", "12", "-pix_fmt", "yuv420p"]),
        Kind(
            name: "variable.mkv",
            arguments: [
                "-vf", "settb=1/1000,setpts='N*40+15*mod(N,2)'", "-fps_mode", "vfr", "-enc_time_base", "1/1000", "-c:v",
                "libx264", "-g", "12", "-pix_fmt", "yuv420p",
            ]),
        Kind(name: "ten.mkv", arguments: ["-c:v", "libx264", "-g", "12", "-pix_fmt", "yuv420p10le"]),
        Kind(name: "rgb.mkv", arguments: ["-c:v", "ffv1", "-pix_fmt", "bgr0"]),
        Kind(name: "late.ts", arguments: ["-c:v", "mpeg2video", "-bf", "2", "-g", "12"]),
    ]

    @Test(arguments: kinds)
    private func isTheDecodersPicture(kind: Kind) throws {
        let folder = try Workspace()
        let (clip, raw) = (folder.file(kind.name), folder.file("raw.png"))
        let source = [
            "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25", "-frames:v", "60",
        ]
        #expect(try Program.run("ffmpeg", source + kind.arguments + [clip]).status == 0)
        for number in [0, 1, 31, 59] {
            let select = "select=eq(n\\,\(number)),scale=flags=bicubic"
            let options = ["-fps_mode", "passthrough", "-frames:v", "1", "-pix_fmt", "rgb24"]
            #expect(
                try Program.run(
                    "ffmpeg", ["-nostdin", "-v", "error", "-y", "-i", clip, "-vf", select] + options + [raw]
                )
                .status == 0)
            let outcome = try annotateBatch("frame", clip, "--frame", "\(number)", "-o", folder.file("out/f.png"))
            #expect(outcome.status == 0 && outcome.outputLines == [folder.file("out/f.png")], "\(outcome.errors)")
            let (theirs, ours) = (try ImageFile(path: raw), try ImageFile(path: folder.file("out/f.png")))
            #expect(ours.width == theirs.width && ours.height == theirs.height)
            let most = zip(ours.pixels, theirs.pixels).map { abs(Int($0) - Int($1)) }.max()
            #expect(most ?? 256 <= 2, "frame \(number): \(most ?? -1)")
        }
    }

    /// The flag in the container turns the picture; its size is the one that is shown.
    @Test func isUpright() throws {
        let folder = try Workspace()
        let clip = try folder.clip("plain.mp4", frames: 5)
        let turned = folder.file("turned.mp4")
        try Data(turnedClockwise(try Files.read(clip))).write(to: URL(fileURLWithPath: turned))
        for (name, file) in [("plain", clip), ("turned", turned)] {
            let outcome = try annotateBatch("frame", file, "--time", "0.1", "-o", folder.file("\(name).png"))
            #expect(outcome.status == 0)
            let size = name == "plain" ? "160×120" : "120×160"
            #expect(outcome.errors == "annotate-batch: frame 2 of 5, at 0.08 s, \(size) pixels\n")
        }
        let (plain, upright) = (
            try ImageFile(path: folder.file("plain.png")), try ImageFile(path: folder.file("turned.png"))
        )
        try #require(upright.width == plain.height && upright.height == plain.width)
        // A quarter clockwise.
        for (x, y) in [(10, 20), (100, 60), (159, 119), (22, 33)] {
            let (there, here) = (3 * (y * plain.width + x), 3 * (x * upright.width + plain.height - 1 - y))
            #expect(plain.pixels[there..<there + 3] == upright.pixels[here..<here + 3])
        }
    }

    /// An MP4 whose first track is shown turned by a quarter, by its display matrix: each release of ffmpeg has another way
    /// of writing one.
    private func turnedClockwise(_ clip: [UInt8]) throws -> [UInt8] {
        let header = try #require(clip.indices.dropLast(88).first { clip[$0..<$0 + 4].elementsEqual("tkhd".utf8) })
        let at = header + 44
        let plain: [UInt8] = [0, 1, 0, 0] + [UInt8](repeating: 0, count: 12) + [0, 1, 0, 0]
        try #require(clip[at..<at + 20].elementsEqual(plain))
        func fixed(_ value: Int32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: (value << 16) >> (24 - 8 * $0)) }
        }
        let height = Int32(clip[at + 40]) << 8 | Int32(clip[at + 41])
        let turned = [0, 1, 0, -1, 0, 0, height, 0].flatMap(fixed)
        return clip[..<at] + turned + clip[(at + 32)...]
    }

    @Test func aGridIsDrawnOverIt() throws {
        let folder = try Workspace()
        let clip = try folder.clip("clip.mp4", frames: 3, size: "640x480")
        #expect(try annotateBatch("frame", clip, "-o", folder.file("plain.jpg")).status == 0)
        #expect(try annotateBatch("frame", clip, "--grid", "-o", folder.file("grid.jpeg")).status == 0)
        let (plain, grid) = (
            try ImageFile(path: folder.file("plain.jpg")), try ImageFile(path: folder.file("grid.jpeg"))
        )
        #expect(plain.width == grid.width && plain.pixels != grid.pixels)
        let outcome = try Program.run(
            "sh", ["-c", "'\(Program.annotateBatch)' frame '\(clip)' --grid -o - >'\(folder.file("piped.png"))'"])
        #expect(outcome.status == 0)
        #expect(try ImageFile(path: folder.file("piped.png")).width == 640)
    }

    @Test func saysWhatIsWrong() throws {
        let folder = try Workspace()
        let clip = try folder.clip("clip.mp4", frames: 5)
        try folder.write("no video", to: "text.mp4")
        let picture = folder.file("f.png")
        for (arguments, status, message) in [
            (
                ["--frame", "5"], Int32(1),
                "annotate-batch: could not take a frame from \(clip): no frame 5; it has 5 frames, 0 to 4, the last from "
                    + "0.16 s to 0.2 s\n"
            ),
            (
                ["--time", "0.2"], 1,
                "annotate-batch: could not take a frame from \(clip): nothing at 0.2 s; it has 5 frames, 0 to 4, the last "
                    + "from 0.16 s to 0.2 s\n"
            ),
            (["--frame=-1"], 64, "Error: --frame takes a number from 0, not -1.\n"),
            (["--time", "nan"], 64, "Error: --time takes seconds from 0, not nan.\n"),
            (["--time", "0", "--frame", "0"], 64, "Error: --frame and --time together; expected one of them.\n"),
        ] {
            let outcome = try Program.run(Program.annotateBatch, ["frame", clip, "-o", picture] + arguments)
            #expect(outcome.status == status && outcome.errors.hasPrefix(message), "\(outcome.errors)")
        }
        for (output, status, message) in [
            ("f.gif", Int32(64), "Error: -o f.gif: expected a name that ends in .png or .jpg.\n"),
            (clip, 64, "Error: -o \(clip): expected a name that ends in .png or .jpg.\n"),
            (clip + "/f.png", 1, "annotate-batch: could not create the folder \(clip): File exists\n"),
        ] {
            let outcome = try annotateBatch("frame", clip, "-o", output)
            #expect(outcome.status == status && outcome.errors.hasPrefix(message), "\(outcome.errors)")
        }
        #expect(try annotateBatch("frame", folder.file("text.mp4"), "-o", picture).status == 1)
        #expect(!Files.exists(picture))
    }
}
