import Annotate
import Foundation
import Testing

/// Text that is found, followed and hidden while it moves.
@Suite struct TextCoverTests {
    private let workspace: Workspace
    private static let (width, height) = (640, 360)

    init() throws { workspace = try Workspace() }

    private func ffmpeg(_ arguments: String...) throws {
        let outcome = try Program.run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    /// How many points of each picture are as bright as nothing but the letters is.
    private func bright(_ name: String) throws -> [Int] {
        try ffmpeg(
            "-i", workspace.file(name), "-pix_fmt", "gray", "-f", "rawvideo", workspace.file("all.raw"))
        let pixels = try Files.read(workspace.file("all.raw")), size = Self.width * Self.height
        return stride(from: 0, to: pixels.count - size + 1, by: size).map { start in
            pixels[start..<start + size].count { $0 > 222 }
        }
    }

    /// White letters over waves: at rest, then away at more than their height a picture. What stays behind looks half
    /// as it did with them, and is followed as well.
    @Test func whatSlidesAwayIsHiddenWhereItIs() throws {
        let waves =
            "nullsrc=s=760x440:r=25,format=gray,geq=lum='100+70*sin(X/13+2*sin(Y/23))*cos(Y/9+2*sin(X/31))"
            + "+25*sin(X/5+3*sin(Y/7))',crop=640:360:60:40"
        try ffmpeg("-f", "lavfi", "-i", waves, "-frames:v", "1", workspace.file("ground.png"))
        let text =
            "drawtext=font=DejaVu Sans:text='Anna Berger\\, Hauptstr. 5':fontsize=26:fontcolor=white:x=120"
            + ":y='170-36*max(0\\,n-13)'"
        try ffmpeg(
            "-loop", "1", "-framerate", "25", "-i", workspace.file("ground.png"), "-vf", text, "-frames:v", "24",
            "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", "12", workspace.file("slide.mp4"))
        let path = try workspace.write(
            """
            {"version": 1, "jobs": [{"input": "slide.mp4", "graph": {"stages": [
              {"id": "t", "type": "text", "draw": {"cover": "fill", "coverColor": "#000000"}}]}}]}
            """, to: "m.json")
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let (before, after) = (try bright("slide.mp4"), try bright("out/slide.mp4"))
        #expect(before.count == 24 && after.count == 24)
        #expect(before.prefix(18).allSatisfy { $0 > 500 })
        for (frame, counts) in zip(before, after).enumerated() {
            #expect(3 * counts.1 <= counts.0, "frame \(frame): \(counts.1) of \(counts.0)")
        }
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }
}
