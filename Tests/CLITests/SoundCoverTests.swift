import Annotate
import Foundation
import Testing

/// Sound that is hidden for a time, and the proof of it.
@Suite struct SoundCoverTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-f", "lavfi", "-i",
            "aevalsrc=0.4*sin(2*PI*440*t)+0.1*random(0):s=48000",
            "-t", "2", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-c:a", "aac", "-b:a", "128k", workspace.file("a.mp4"))
    }

    private func ffmpeg(_ arguments: String...) throws {
        let outcome = try Program.run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    private func run(_ cover: String) throws -> Outcome {
        let path = try workspace.write(
            """
            {"version": 1, "jobs": [{"input": "a.mp4", "graph": {"stages": []}, "cover": [\(cover)]}]}
            """, to: "m.json")
        return try annotateBatch("run", path)
    }

    /// Samples a second of what is heard, and its mean square from one time to another.
    private func loudness(_ name: String, _ times: ClosedRange<Double>, filter: String = "anull") throws -> Double {
        try ffmpeg(
            "-i", workspace.file(name), "-vn", "-af", filter, "-ac", "1", "-ar", "48000", "-f", "f32le",
            workspace.file("a.raw"))
        let bytes = try Files.read(workspace.file("a.raw"))
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let part = samples[Int(times.lowerBound * 48000)..<Int(times.upperBound * 48000)]
        return part.reduce(0) { $0 + Double($1 * $1) } / Double(part.count)
    }

    @Test func silence() throws {
        let outcome = try run(#"{"audio": "mute", "start": 0.5, "end": 1}"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try loudness("out/a.mp4", 0.52...0.98) < 1e-6)
        for times in [0.1...0.45, 1.05...1.9] { #expect(try loudness("out/a.mp4", times) > 0.04) }
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)")
    }

    /// A tone, and nothing but the tone.
    @Test func aTone() throws {
        #expect(try run(#"{"audio": "bleep", "start": 0.5}"#).status == 0)
        let all = try loudness("out/a.mp4", 0.6...1.8)
        #expect(all > 0.003 && all < 0.008, "\(all)")
        #expect(try loudness("out/a.mp4", 0.6...1.8, filter: "bandreject=f=1000:width_type=h:w=300") < all / 20)
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }

    /// 440 Hz becomes 293.
    @Test func anotherPitch() throws {
        #expect(try run(#"{"audio": "pitch"}"#).status == 0)
        let (own, lower) = (
            try loudness("out/a.mp4", 0.3...1.7, filter: "bandpass=f=440:width_type=h:w=40"),
            try loudness("out/a.mp4", 0.3...1.7, filter: "bandpass=f=293:width_type=h:w=40")
        )
        #expect(lower > 2 * own, "\(lower), \(own)")
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }

    /// Whatever is heard beside silence or a tone, and whatever track the source hasn't, was put there.
    @Test(arguments: ["mute", "bleep"], ["volume=-1", "adelay=20|20", "areverse", "afreqshift=shift=700"])
    func nothingElseIsHeard(style: String, filter: String) throws {
        #expect(try run("{\"audio\": \"\(style)\", \"start\": 0.5, \"end\": 1.2}").status == 0)
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        try replaceSound(["-map", "0:v", "-map", "1:a", "-af", filter])
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 1)
        #expect(verified.output.contains(" s: sound that is to be hidden is heard in the video"), "\(verified.output)")
    }

    @Test func anAddedTrackFails() throws {
        _ = try run("{\"box\": [10, 10, 20, 20]}")
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        try replaceSound(["-map", "0:v", "-map", "0:a", "-map", "1:a"])
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 1)
        #expect(
            verified.output.contains("the video has 2 audio tracks, and its source 1: one was added"),
            "\(verified.output)")
    }

    /// Exchanges what is heard in the result: of it [0] and the source [1].
    private func replaceSound(_ arguments: [String]) throws {
        let outcome = try Program.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-i", workspace.file("out/a.mp4"), "-i", workspace.file("a.mp4")]
                + arguments + [
                    "-c:v", "copy", "-c:a", "aac", "-fflags", "+bitexact", "-flags", "+bitexact", "-flags:a",
                    "+bitexact",
                    workspace.file("b.mp4"),
                ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        try FileManager.default.removeItem(atPath: workspace.file("out/a.mp4"))
        try FileManager.default.moveItem(atPath: workspace.file("b.mp4"), toPath: workspace.file("out/a.mp4"))
    }

    /// The source's sound put back under the covered pictures.
    @Test(arguments: [("mute", 1.0), ("bleep", 1.0), ("pitch", 1.0), ("mute", 0.1)])
    func soundThatIsPutBackFails(style: String, volume: Double) throws {
        #expect(try run("{\"audio\": \"\(style)\", \"start\": 0.5, \"end\": 1.2}").status == 0)
        try ffmpeg(
            "-i", workspace.file("out/a.mp4"), "-i", workspace.file("a.mp4"), "-map", "0:v", "-map", "1:a", "-af",
            "volume=\(volume)", "-c:v", "copy", "-c:a", "aac", "-fflags", "+bitexact", "-flags", "+bitexact",
            "-flags:a", "+bitexact", workspace.file("b.mp4"))
        try FileManager.default.removeItem(atPath: workspace.file("out/a.mp4"))
        try FileManager.default.moveItem(atPath: workspace.file("b.mp4"), toPath: workspace.file("out/a.mp4"))
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 1)
        #expect(verified.output.contains(" s: sound that is to be hidden is heard in the video"), "\(verified.output)")
    }

    /// Who hides nothing is told.
    @Test func whereThereIsNoSound() throws {
        let late = try run(#"{"audio": "mute", "start": 9, "end": 10}"#)
        #expect(late.status == 0)
        #expect(
            late.errors.contains("cover 0 hid nothing: there is no sound from 9 s to 10 s"), "\(late.errors)")
        try ffmpeg("-i", workspace.file("a.mp4"), "-an", "-c", "copy", workspace.file("b.mp4"))
        try FileManager.default.removeItem(atPath: workspace.file("a.mp4"))
        try FileManager.default.moveItem(atPath: workspace.file("b.mp4"), toPath: workspace.file("a.mp4"))
        let silent = try run(#"{"audio": "mute"}"#)
        #expect(silent.errors.contains("cover 0 hid nothing: there is no sound from 0 s on"), "\(silent.errors)")
    }

    @Test func soundHasNoPlace() throws {
        let outcome = try run(#"{"audio": "mute", "box": [1, 1, 2, 2]}"#)
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains(
                "/jobs/0/cover/0/box: “box” with “audio”; expected “start” and “end” alone, since sound has no place"))
    }

    /// Sound that is shorter than what its encoder puts before it moves no picture, and is heard when it was.
    @Test(arguments: [0.02, 0.1, 0.9], ["ffv1", "h264"]) func shortSound(seconds: Double, codec: String) throws {
        let workspace = try Workspace()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1", "-f", "lavfi", "-i", "sine=r=8000:d=\(seconds)", "-c:v",
            "ffv1",
            "-c:a", "pcm_u8", workspace.file("a.mkv"))
        try workspace.write(
            #"{"version": 1, "jobs": [{"id": "j", "input": "a.mkv", "graph": {"stages": [{"id": "m", "type": "markers"}]}, "encode": {"codec": "\#(codec)"}}]}"#,
            to: "m.json")
        let ran = try annotateBatch("run", workspace.file("m.json"))
        #expect(ran.status == 0, "\(ran.errors)")
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)")
    }

    /// A lower pitch is made of what was heard before, and that mustn't be what was silenced.
    @Test(arguments: ["mute", "bleep"]) func pitchBehindSilence(style: String) throws {
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-f", "lavfi", "-i",
            "aevalsrc='if(lt(t,1),0.5*sin(2*PI*3000*t),0)':s=48000", "-t", "2", "-pix_fmt", "yuv420p", "-c:v",
            "libx264", "-c:a", "pcm_s16le", workspace.file("b.mkv"))
        let path = try workspace.write(
            #"{"version": 1, "jobs": [{"input": "b.mkv", "graph": {"stages": []}, "cover": [{"audio": "\#(style)", "end": 1}, {"audio": "pitch"}]}]}"#,
            to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try loudness("out/b.mp4", 1.012...1.09) < 1e-4)
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }

    /// A file that rounds times shifts a tone's phase; it is a tone all the same.
    @Test func aToneOfAnotherPhase() throws {
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-itsoffset", "0.3337", "-f", "lavfi", "-i",
            "aevalsrc=0.4*sin(2*PI*440*t)+0.1*random(0):s=44100", "-t", "3", "-pix_fmt", "yuv420p", "-c:v", "libx264",
            "-c:a", "aac", workspace.file("b.mkv"))
        let path = try workspace.write(
            #"{"version": 1, "jobs": [{"input": "b.mkv", "graph": {"stages": []}, "cover": [{"audio": "bleep"}]}]}"#,
            to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)")
        // Words in place of the tone are heard.
        try ffmpeg(
            "-i", workspace.file("out/b.mp4"), "-i", workspace.file("b.mkv"), "-map", "0:v", "-map", "1:a", "-c:v",
            "copy",
            "-c:a", "aac", "-af", "volume=0.7", "-fflags", "+bitexact", "-flags", "+bitexact", workspace.file("c.mp4"))
        try workspace.write(try workspace.bytes("c.mp4"), to: "out/b.mp4")
        let tampered = try annotateBatch("verify", workspace.file("out"))
        #expect(tampered.output.contains("sound that is to be hidden is heard in the video"), "\(tampered.output)")
    }
}
