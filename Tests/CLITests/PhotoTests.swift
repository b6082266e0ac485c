import Annotate
import Foundation
import Testing

/// Photos in, photos out.
@Suite struct PhotoTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func ffmpeg(_ arguments: String...) throws {
        let outcome = try Program.run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    private func photo(_ name: String, size: String = "161x121", format: String? = nil) throws {
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc=s=\(size)", "-frames:v", "1", "-pix_fmt",
            format ?? (name.hasSuffix("jpg") ? "yuvj420p" : "rgb24"), workspace.file(name))
    }

    private func manifest(_ input: String, _ job: String = "") throws -> String {
        try workspace.write(
            """
            {"version": 1, "jobs": [{"input": "\(input)", "graph": {"stages": []}\(job)}]}
            """, to: "m.json")
    }

    private func colors(_ name: String) throws -> [UInt8] {
        try ffmpeg("-i", workspace.file(name), "-pix_fmt", "rgb24", "-f", "rawvideo", workspace.file("raw"))
        return try Files.read(workspace.file("raw"))
    }

    @Test func nothingIsSeenInAPhoto() throws {
        try photo("p.png")
        let path = try workspace.manifest([#""input": "p.png""#], stages: #"{"id": "codes", "type": "markers"}"#)
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("stage “codes” (markers) saw nothing in the photo"), "\(outcome.errors)")
    }

    @Test(arguments: [
        ("p.jpg", "p.jpg"), ("p.png", "p.png"), ("p.bmp", "p.png"), ("p.tiff", "p.png"), ("p.ppm", "p.png"),
    ])
    func aPhotoGivesAPhoto(name: String, result: String) throws {
        try photo(name)
        let path = try manifest(name)
        for isolation in ["process", "none"] {
            let outcome = try annotateBatch("run", path, "--isolation", isolation, "--force")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(workspace.names() == ["p.tracks.jsonl", "report.json", result].sorted())
        }
        let (before, after) = (try colors(name), try colors("out/\(result)"))
        #expect(before.count == 161 * 121 * 3)
        #expect(after.count == before.count)
        let differences = zip(before, after).map { abs(Int($0) - Int($1)) }
        if result == "p.jpg" {
            #expect(differences.reduce(0, +) < 3 * differences.count)
        } else {
            #expect(differences.allSatisfy { $0 <= 1 })
        }
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(
            verified.output == "ok      p.tracks.jsonl = \(result) = source \(name): 1 frame\n", "\(verified.errors)")
        #expect(try annotateBatch("run", path).errors.contains("up to date"))
    }

    @Test func otherCodecs() throws {
        try photo("p.jpg")
        #expect(try annotateBatch("run", try manifest("p.jpg", #", "encode": {"codec": "png"}"#)).status == 0)
        #expect(workspace.names() == ["p.png", "p.tracks.jsonl", "report.json"])
        #expect(try annotateBatch("run", try manifest("p.jpg", #", "encode": {"codec": "h264"}"#)).status == 0)
        #expect(workspace.names() == ["p.mp4", "p.tracks.jsonl", "report.json"])
        // What videos have under “defaults” doesn't hinder photos.
        let path = try workspace.write(
            """
            {"version": 1, "defaults": {"graph": {"stages": []}, "encode": {"crf": 30}}, "jobs": [{"input": "p.jpg"}]}
            """, to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        #expect(workspace.names() == ["p.jpg", "p.tracks.jsonl", "report.json"])
    }

    /// FFmpeg has an alpha for every palette, and a picture with one may have none.
    @Test(arguments: [("grey.bmp", "gray", false), ("keyed.png", "rgba", true)])
    func whatIsSeeThrough(name: String, format: String, isTold: Bool) throws {
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", "-vf",
            isTold ? "format=rgba,colorkey=red:0.5" : "format=gray", "-pix_fmt", format, workspace.file(name))
        let outcome = try annotateBatch("run", try manifest(name))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("transparency is left out") == isTold, "\(outcome.errors)")
    }

    @Test func aVideoIsNoPhoto() throws {
        try workspace.clip("v.mp4", frames: 3)
        let outcome = try annotateBatch("validate", try manifest("v.mp4", #", "encode": {"codec": "jpeg"}"#))
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains(
                "/jobs/0/encode/codec: “jpeg” for “v.mp4”, which is a video; expected a photo, or another codec"))
        try photo("p.jpg")
        let crf = try annotateBatch("validate", try manifest("p.jpg", #", "encode": {"codec": "jpeg", "crf": 3}"#))
        #expect(
            crf.errors.contains(
                "/jobs/0/encode/crf: “crf” with “jpeg”, which makes a photo; expected the codec alone"), "\(crf.errors)"
        )
        let piped = try Program.run(
            Program.annotateBatch, ["run", try manifest("-", #", "id": "s", "encode": {"codec": "png"}"#)],
            input: workspace.file("v.mp4"))
        #expect(piped.status == 1)
        #expect(
            piped.errors.contains(
                "the input has more than one picture, and “png” makes one; expected a photo, or another codec"))
        #expect(workspace.names() == ["report.json"])
    }

    /// An EXIF segment: turned by 90°, and a thumbnail behind it.
    private func exif() throws -> [UInt8] {
        try ffmpeg("-f", "lavfi", "-i", "testsrc=s=16x16", "-frames:v", "1", workspace.file("thumb.jpg"))
        let thumb = try Files.read(workspace.file("thumb.jpg"))
        var tiff: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0]
        tiff += [0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
        let body = Array("Exif\0\0".utf8) + tiff + thumb
        return [0xFF, 0xE1, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
    }

    @Test func whatACameraSaysIsStripped() throws {
        try photo("plain.jpg", size: "160x120")
        let plain = try Files.read(workspace.file("plain.jpg"))
        let segment = try exif()
        try Data([0xFF, 0xD8] + segment + plain.dropFirst(2)).write(to: URL(fileURLWithPath: workspace.file("p.jpg")))
        let path = try manifest("p.jpg", #", "cover": [{"box": [10, 10, 40, 40]}]"#)
        #expect(try annotateBatch("run", path).status == 0)
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)")
        #expect(verified.errors == "")
        let tracks = try workspace.text("out/p.tracks.jsonl")
        #expect(tracks.contains(#""width":120,"height":160"#))

        // Somebody puts the segment back in.
        let made = try Files.read(workspace.file("out/p.jpg"))
        try Data([0xFF, 0xD8] + segment + made.dropFirst(2)).write(
            to: URL(fileURLWithPath: workspace.file("out/p.jpg")))
        let broken = try annotateBatch("verify", workspace.file("out"))
        #expect(broken.status == 1)
        #expect(
            broken.output.contains(
                "p.jpg has an EXIF segment with a thumbnail, which no annotated photo has: it was added; run the job again"
            ),
            "\(broken.output)")
        #expect(
            broken.errors.contains("p.jpg has an EXIF segment with a thumbnail: what the job covers may be seen in it"))
    }
}
