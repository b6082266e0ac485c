import Foundation
import Glibc
import Testing

@testable import Annotate

/// Doors that stood open once.
@Suite struct ClosedDoorTests {
    /// A job of ten frames, done.
    private func finished() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 10)
        try workspace.manifest([#""id": "clip", "input": "clip.mp4""#], encode: #"{"codec": "ffv1"}"#)
        let outcome = try annotateBatch("run", workspace.file("m.json"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        return workspace
    }

    /// A report names files as a job's are called, of the very size and contents, in folders that the manifest doesn't name.
    @Test(arguments: ["run", "run --prune", "run --force --isolation none"])
    func aReportRemovesNothingElsewhere(command: String) throws {
        let workspace = try finished()
        try workspace.write("1,2,3", to: "docs/clip.csv")
        try workspace.write("1,2,3", to: "docs/gone.csv")
        try Files.write(
            Files.read(workspace.file("out/clip.tracks.jsonl")), to: workspace.file("docs/clip.tracks.jsonl"))
        var report = try workspace.text("out/report.json")
        report = report.replacing(
            #/"outputs": \[/#,
            with: """
                "replaces": ["../docs/clip.tracks.jsonl", "../docs/clip.csv"], "outputs": [{"file": "../docs/clip.csv", "bytes": 5},
                """)
        let entry = """
            {"id": "gone", "input": "x", "manifest": "../m.json", "status": "done",
             "outputs": [{"file": "../docs/gone.csv", "bytes": 5}]},
            """
        report = report.replacing(#/"jobs": \[/#, with: "\"jobs\": [" + entry)
        try workspace.write(report, to: "out/report.json")
        try workspace.manifest([#""id": "clip", "input": "clip.mp4""#], encode: #"{"codec": "none"}"#)
        let words = command.split(separator: " ").map(String.init) + [workspace.file("m.json")]
        let outcome = try Program.run(Program.annotateBatch, words)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.errors.contains("removed"), "\(outcome.errors)")
        #expect(workspace.names(in: "docs") == ["clip.csv", "clip.tracks.jsonl", "gone.csv"])
        #expect(workspace.names() == ["clip.tracks.jsonl", "report.json"])
    }

    /// “removed” is said of what went.
    @Test func pruningFollowsNoLinks() throws {
        let workspace = try finished()
        try workspace.write("1,2,3", to: "docs/gone.csv")
        try workspace.write("1,2,3", to: "docs/labels/mine.txt")
        try FileManager.default.createSymbolicLink(
            atPath: workspace.file("out/gone.csv"), withDestinationPath: workspace.file("docs/gone.csv"))
        try Files.makeDirectory(workspace.file("out/gone.yolo"))
        try FileManager.default.createSymbolicLink(
            atPath: workspace.file("out/gone.yolo/labels"), withDestinationPath: workspace.file("docs/labels"))
        try workspace.write("1,2,3", to: "out/gone.vtt")
        try workspace.write(try workspace.text("out/clip.tracks.jsonl"), to: "out/gone.tracks.jsonl")
        // The report alone knows of this one: it never was a job.
        try workspace.write("1,2,3", to: "out/mine.csv")
        let entry = """
            {"id": "mine", "input": "x", "manifest": "../m.json", "status": "done",
             "outputs": [{"file": "mine.csv", "bytes": 5}]},
            {"id": "gone", "input": "x", "manifest": "../m.json", "status": "done", "outputs": [],
             "replaces": ["gone.csv", "gone.yolo", "gone.vtt", "gone.mot.txt", "gone.tracks.jsonl"]},
            """
        let report = try workspace.text("out/report.json").replacing(#/"jobs": \[/#, with: "\"jobs\": [" + entry)
        try workspace.write(report, to: "out/report.json")
        let outcome = try annotateBatch("run", workspace.file("m.json"), "--prune", "--root", workspace.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("removed gone.yolo, gone.vtt, gone.tracks.jsonl: there is no job “gone” any more"),
            "\(outcome.errors)")
        #expect(
            workspace.names(in: "docs") == ["gone.csv", "labels"] && workspace.names(in: "docs/labels") == ["mine.txt"])
        #expect(workspace.names() == ["clip.mkv", "clip.tracks.jsonl", "gone.csv", "mine.csv", "report.json"])
    }

    /// What links lead to is no result, and a report that is one isn't read.
    @Test func linksInTheFolderAreNotFollowed() throws {
        let (workspace, other) = (try finished(), try finished())
        try workspace.write(
            try other.text("out/clip.tracks.jsonl").replacing(#""clip.mp4""#, with: #""secret.mp4""#),
            to: "docs/secret.tracks.jsonl")
        for (name, target) in [
            ("linked.tracks.jsonl", "docs/secret.tracks.jsonl"), ("report.1-of-2.json", "docs/report.json"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: workspace.file("out/" + name), withDestinationPath: workspace.file(target))
        }
        try workspace.write(
            try other.text("out/report.json").replacing(#""id": "clip""#, with: #""id": "secret""#),
            to: "docs/report.json")
        let exported = try annotateBatch("export", workspace.file("out"), "--format", "csv")
        #expect(exported.status == 0)
        #expect(
            exported.errors.contains("linked.tracks.jsonl is a link, and left out; name what it leads to"),
            "\(exported.errors)")
        #expect(try annotateBatch("review", workspace.file("out")).status == 0)
        #expect(try annotateBatch("run", workspace.file("m.json"), "--force").status == 0)
        for name in workspace.names() where !name.hasPrefix("linked.t") && !name.hasPrefix("report.1") {
            #expect(!(try workspace.text("out/" + name).contains("secret")), "\(name)")
        }
        #expect(Files.exists(workspace.file("docs/secret.tracks.jsonl")))
    }

    /// Pictures go into what is handed out only where whoever wrote the report had the video himself.
    @Test func picturesAreOfWhatTheJobRead() throws {
        let workspace = try finished()
        try workspace.clip("secret.mp4", frames: 10)
        try Files.write(
            Files.read(workspace.file("secret.mp4")) + [0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65],
            to: workspace.file("secret.mp4"))
        let report = try workspace.text("out/report.json").replacing("../clip.mp4", with: "../secret.mp4")
        try workspace.write(report, to: "out/report.json")
        let tracks = try workspace.text("out/clip.tracks.jsonl").replacing(#""clip.mp4""#, with: #""secret.mp4""#)
        try workspace.write(tracks, to: "out/clip.tracks.jsonl")
        try FileManager.default.removeItem(atPath: workspace.file("out/clip.mkv"))
        let exported = try annotateBatch("export", workspace.file("out"), "--format", "yolo", "--frames", "png")
        #expect(exported.status == 1)
        #expect(exported.errors.contains("which isn't, or no longer, what the job read; expected the results"))
        let review = try annotateBatch("review", workspace.file("out"), "--embed")
        #expect(review.errors.contains("which isn't, or no longer, what the job read"), "\(review.errors)")
        #expect(!(try workspace.text("out/review.html").contains("data:image/jpeg;base64,/9j")))
    }

    /// Two lines of one track the other way round.
    @Test func verifyTellsOfLinesInAnyOrder() throws {
        let workspace = try finished()
        var lines = try workspace.text("out/clip.tracks.jsonl").split(separator: "\n").map(String.init)
        lines.swapAt(2, 6)
        lines[4] = lines[4].replacing(#"{"frame":3,"#, with: #"{"frame":9223372036854775807,"#)
        try workspace.write(lines.joined(separator: "\n") + "\n", to: "out/clip.tracks.jsonl")
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1, "\(outcome.errors)")
        for told in ["broken  clip.tracks.jsonl: frame 5 (pts ", ":5: /frame: 9223372036854775807; expected at most"] {
            #expect(outcome.output.contains(told), "\(outcome.output)")
        }
    }

    /// No descriptors and no processes are reasons that may pass.
    @Test(arguments: [4, 6, 8, 10, 12, 16, 20])
    func fewDescriptors(count: Int) throws {
        let workspace = try finished()
        let command = "ulimit -n \(count); exec \(Program.annotateBatch) run --force \(workspace.file("m.json"))"
        let outcome = try Program.run("sh", ["-c", command])
        #expect([0, 75].contains(outcome.status), "\(outcome.status): \(outcome.errors)")
        // What was the matter before another call went well.
        #expect(!outcome.errors.contains(": Success"), "\(outcome.errors)")
    }

    @Test(arguments: ["../victim.txt", "/victim.txt", "..", "sub/../../victim.txt"])
    func aReportNamesNoFileElsewhere(name: String) throws {
        let workspace = try finished()
        try workspace.write("precious", to: "victim.txt")
        var report = try workspace.text("out/report.json")
        report = report.replacing(#""file": "clip.mkv""#, with: "\"file\": \"\(name)\"")
        report = report.replacing(#/"bytes": \d+/#, with: "\"bytes\": 8")
        #expect(report.contains("\"file\": \"\(name)\"") && report.contains("\"bytes\": 8\n"))
        try workspace.write(report, to: "out/report.json")
        // Another codec writes another file, and removes what the report names as the last one's.
        try workspace.manifest([#""id": "clip", "input": "clip.mp4""#], encode: #"{"codec": "none"}"#)
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 0)
        #expect(try workspace.text("victim.txt") == "precious")
    }

    @Test func theRootIsNotLeftBehindWhatIsNotThere() throws {
        let (workspace, outside) = (try Workspace(), try Workspace())
        try workspace.write(
            #"{"version":1,"output":{"directory":"nx/../lnk/out"},"jobs":[{"id":"a","input":"-","graph":{"stages":[]}}]}"#,
            to: "m.json")
        try FileManager.default.createSymbolicLink(
            atPath: workspace.file("lnk"), withDestinationPath: outside.path)
        let outcome = try Program.run(
            Program.annotateBatch, ["validate", workspace.file("m.json"), "--root", workspace.path])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("leads out of the folder that --root allows"), "\(outcome.errors)")
    }

    @Test func closedStandardStreamsTakeNoFile() throws {
        let workspace = try finished()
        let command =
            "exec 0<&- 1>&- 2>&-; exec \(Program.annotateBatch) run --force --progress plain \(workspace.file("m.json"))"
        #expect(try Program.run("sh", ["-c", command]).status == 0)
        let verdict = try Program.run(Program.annotateBatch, ["verify", workspace.file("out")])
        #expect(verdict.status == 0, "\(verdict.output)")
    }

    @Test func aFullStandardOutputIsAnError() throws {
        let outcome = try Program.run("sh", ["-c", "\(Program.annotateBatch) stages > /dev/full"])
        #expect(outcome.status == 1)
        #expect(
            outcome.errors
                == "annotate-batch: could not write the results to standard output: No space left on device\n")
    }

    @Test func noLibraryFromTheWorkingDirectory() throws {
        let workspace = try Workspace()
        try workspace.write("not a library", to: ".deps/openvino/libopenvino_c.so")
        try workspace.write("not a model", to: "m.onnx")
        try workspace.write(
            #"{"version":1,"jobs":[{"id":"a","input":"-","graph":{"stages":[{"id":"c","type":"classify","model":"m.onnx"}]}}]}"#,
            to: "m.json")
        // Copied by another process: what this one has open for writing, programs started beside it keep open too.
        let command = """
            cd \(workspace.path) && cp \(Program.annotateBatch) . && unset ANNOTATE_OPENVINO && \
            ./annotate-batch validate m.json
            """
        let outcome = try Program.run("sh", ["-c", command])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("OpenVINO is not installed"), "\(outcome.errors)")
        #expect(outcome.errors.contains("make setup"), "\(outcome.errors)")
    }

    // MARK: Names in reports, and of pictures

    /// A report may name any file as the source.
    @Test(arguments: ["../other.mp4", "../../../../../../dev/zero", "../clip.mp4"])
    func verifyOpensNoSourceThatTheTrackFileDoesNotName(name: String) throws {
        let workspace = try finished()
        try workspace.clip("other.mp4", frames: 3)
        let report = try workspace.text("out/report.json")
        #expect(report.contains(#""source": "../clip.mp4""#))
        try workspace.write(
            report.replacing(#""source": "../clip.mp4""#, with: "\"source\": \"\(name)\""), to: "out/report.json")
        let plain = try annotateBatch("verify", workspace.file("out"))
        #expect(plain.status == 0, "\(plain.output)")
        #expect(plain.errors.contains("not compared") == (name != "../clip.mp4"), "\(plain.errors)")
        let bounded = try annotateBatch("verify", workspace.file("out"), "--root", workspace.file("out"))
        #expect(bounded.status == 0)
        #expect(bounded.errors.contains("not compared"), "\(bounded.errors)")
    }

    /// FFmpeg takes “%%” for “%”, also in the names of folders.
    @Test func whatIsCheckedOfASequenceIsWhatIsOpened() throws {
        let workspace = try Workspace()
        for (folder, count) in [("a%%b", "3"), ("a%b", "1")] {
            try Files.makeDirectory(workspace.file(folder))
            let made = try Program.run(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "color=gray:s=64x48", "-frames:v", count,
                    workspace.file("p%d.png"),
                ])
            #expect(made.status == 0, "\(made.errors)")
            for name in try Files.list(workspace.path) where name.hasSuffix(".png") {
                #expect(rename(workspace.file(name), workspace.file("\(folder)/\(name)")) == 0)
            }
        }
        try workspace.manifest([#""id": "s", "input": "a%%b/p%d.png""#])
        let outcome = try annotateBatch("run", workspace.file("m.json"))
        #expect(outcome.errors.contains("s: done, 3 frames"), "\(outcome.errors)")
    }

    @Test func drawingsAreNoPictures() throws {
        let workspace = try Workspace()
        for number in 1...2 {
            try workspace.write(
                #"<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="9" height="9"/></svg>"#,
                to: "p\(number).svg")
        }
        try workspace.manifest([#""id": "s", "input": "p%d.svg""#])
        let outcome = try annotateBatch("run", workspace.file("m.json"))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("it is of a format that isn't read"), "\(outcome.errors)")
    }

    /// A small file may hold a huge picture.
    @Test func aPictureThatIsTooLargeIsRefusedByDefault() throws {
        let workspace = try Workspace()
        try workspace.write("P5 16000 16000 255\n", to: "huge.pgm")
        try workspace.manifest([#""input": "huge.pgm""#])
        let outcome = try annotateBatch("run", workspace.file("m.json"))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("its picture of 16000×16000 pixels is over the limit"), "\(outcome.errors)")
    }

    // MARK: What one job does to others

    /// Each tracker takes memory that used to stay with the program: 30 times 20 MB and more.
    @Test(arguments: ["none", "process"])
    func finishedJobsLeaveNoMemory(isolation: String) throws {
        let workspace = try Workspace()
        let made = try Program.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25", "-frames:v", "2", "-c:v", "libx264",
                "-preset", "ultrafast", "-pix_fmt", "yuv420p", workspace.file("a.mp4"),
            ])
        #expect(made.status == 0)
        let regions = (0..<8).map { #"{"id": "r\#($0)", "box": [\#(60 + 140 * $0), \#(80 + 60 * $0), 100, 90]}"# }
        try workspace.manifest(
            (0..<30).map { #""id": "j\#($0)", "input": "a.mp4", "regions": [\#(regions.joined(separator: ","))]"# },
            stages: #"{"id": "t", "type": "track"}"#, encode: #"{"codec": "none"}"#)
        let outcome = try annotateBatch(
            "run", workspace.file("m.json"), "--max-memory", "400", "--jobs", "1", "--isolation", isolation)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// What a damaged picture looks like, and whether the job fails, must not depend on how many threads decode it.
    @Test(arguments: [
        "libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p",
        "libvpx -deadline realtime -pix_fmt yuv420p", "mpeg2video -slices 8 -g 8 -pix_fmt yuv420p",
        "prores_ks -pix_fmt yuv422p10le",
    ])
    func damageIsTheSameOnAnyNumberOfThreads(encoder: String) throws {
        let workspace = try Workspace()
        let made = try Program.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=352x288:r=25", "-frames:v", "40", "-c:v"]
                + encoder.split(separator: " ").map(String.init) + [workspace.file("whole.mkv")])
        #expect(made.status == 0, "\(made.errors)")
        let whole = try Files.read(workspace.file("whole.mkv"))
        for seed in 0..<4 {
            var bytes = whole
            for place in 1...6 { bytes[bytes.count / 8 * place + 97 * seed + place] ^= UInt8(1 << (seed + place) % 8) }
            try Data(bytes).write(to: URL(fileURLWithPath: workspace.file("d\(seed).mkv")))
        }
        try workspace.manifest(
            (0..<4).map { #""input": "d\#($0).mkv", "onError": "skip-frame""# }
                + (0..<4).map { #""input": "d\#($0).mkv", "id": "f\#($0)""# },
            encode: #"{"codec": "ffv1"}"#)
        func result(_ threads: String) throws -> [String: [UInt8]] {
            let out = "out" + threads
            _ = try annotateBatch(
                "run", workspace.file("m.json"), "--threads", threads, "--output", workspace.file(out), "--progress",
                "none")
            let names = workspace.names(in: out).filter { $0 != "report.json" }
            var results = Dictionary(
                uniqueKeysWithValues: try names.map { ($0, try Files.read(workspace.file("\(out)/\($0)"))) })
            for job in try json(workspace.text("\(out)/report.json"))["jobs"]?.elements ?? [] {
                let said = [job["error"]?.string ?? ""] + (job["notes"]?.elements ?? []).compactMap(\.string)
                results["\(job["id"]?.string ?? "") in the report"] = Array(said.joined(separator: "\n").utf8)
            }
            return results
        }
        let one = try result("1")
        #expect(one.values.contains { !$0.isEmpty })
        #expect(try result("2") == one)
        #expect(try result("4") == one)
    }

    /// What a cut-off picture of a palette leaves out must not be what was in memory.
    @Test func aPictureHasNothingOfTheMemory() throws {
        let workspace = try Workspace()
        let made = try Program.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=32x24:r=5", "-frames:v", "6", "-c:v", "rawvideo"]
                + ["-pix_fmt", "pal8", workspace.file("whole.avi")])
        #expect(made.status == 0, "\(made.errors)")
        let whole = try Files.read(workspace.file("whole.avi"))
        func places(of name: String) -> [Int] {
            whole.indices.dropLast(4).filter { whole[$0..<$0 + 4].elementsEqual(name.utf8) }
        }
        // The last picture's chunk: the index behind the pictures has the same names.
        let index = try #require(places(of: "idx1").last)
        let cut = try #require(places(of: "00dc").last { $0 < index })
        try Data(whole[..<(cut + 8 + 352)]).write(to: URL(fileURLWithPath: workspace.file("cut.avi")))
        try workspace.manifest([#""input": "cut.avi", "onError": "skip-frame""#], encode: #"{"codec": "ffv1"}"#)
        var results: Set<[UInt8]> = []
        for fill in ["1", "85", "200"] {
            let outcome = try Program.run(
                Program.annotateBatch, ["run", workspace.file("m.json"), "--force"],
                environment: ["MALLOC_PERTURB_": fill])
            #expect(outcome.status == 0, "\(outcome.errors)")
            results.insert(try Files.read(workspace.file("out/cut.mkv")))
        }
        #expect(results.count == 1)
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }

    /// What another codec said a while ago is no reason.
    @Test func aReasonIsThatOfTheFailureItself() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 30)
        var bytes = try Files.read(workspace.file("a.mp4"))
        for index in stride(from: bytes.count / 3, to: bytes.count / 3 * 2, by: 211) { bytes[index] ^= 0x55 }
        try Data(bytes).write(to: URL(fileURLWithPath: workspace.file("a.mp4")))
        try workspace.manifest([#""input": "a.mp4", "onError": "skip-frame""#])
        let outcome = try Program.run(
            "bash",
            [
                "-c", #"ulimit -f 1; exec "$0" run "$1" --isolation none"#, Program.annotateBatch,
                workspace.file("m.json"),
            ])
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("File too large"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("error while decoding"), "\(outcome.errors)")
    }
}
