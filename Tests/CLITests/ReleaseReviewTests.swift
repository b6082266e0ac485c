import Annotate
import Foundation
import Testing

/// From a folder of clips to what is handed out: the manifest, the second look, the doubts, the review, the decisions.
@Suite struct ReleaseReviewTests {
    let workspace: Workspace

    init() throws { workspace = try Workspace() }

    /// A clip of twelve grey pictures with a white card in some of them.
    func card(_ name: String, when: String) throws {
        let outcome = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=0x606060:s=320x240:r=25", "-frames:v",
                "12", "-vf",
                "drawbox=x=90:y=70:w=130:h=90:color=white:t=fill:enable='\(when)'", "-pix_fmt", "yuv420p", "-c:v",
                "libx264",
                "-crf", "10", workspace.file(name),
            ])
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    func manifest(
        _ clips: [String], draw: String = #"{"cover": "fill"}"#, expect: String = "[]",
        output: String = #"{"directory": "out"}"#, rate: Int = 100
    ) throws -> String {
        let jobs = clips.map { "{\"input\": \"\($0)\", \"graph\": \"g\"}" }.joined(separator: ", ")
        return try workspace.write(
            """
            {"version": 1, "output": \(output), "defaults": {"expect": \(expect)}, "graphs": {"g": {"stages": [
              {"id": "cards", "type": "rectangles", "rate": \(rate), "draw": \(draw)}]}}, "jobs": [\(jobs)]}
            """, to: "m.json")
    }

    // MARK: The second look

    /// A stage that looks twice a second doesn't see a card that is there for one picture; the second look does.
    @Test func theSecondLookFindsWhatTheFirstDidNot() throws {
        try card("a.mp4", when: "eq(n,5)")
        #expect(try annotateBatch("run", try manifest(["a.mp4"], rate: 2)).status == 0)
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        let verified = try annotateBatch("verify", workspace.file("out"), "--again")
        #expect(verified.status == 1)
        #expect(
            verified.output.hasPrefix("broken  a.tracks.jsonl: frame 5 (0.2 s): stage “cards” finds something at "),
            "\(verified.output)\(verified.errors)")
        #expect(verified.outputLines.count == 1, "\(verified.output)")
    }

    /// A stage that is to find one thing covers one of two; the second look isn't cut to as many.
    @Test func theSecondLookFindsAll() throws {
        let made = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=0x606060:s=480x240:r=25", "-frames:v", "6",
                "-vf",
                "drawbox=x=40:y=70:w=130:h=90:color=white:t=fill,drawbox=x=300:y=80:w=110:h=76:color=white:t=fill",
                "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", "10", workspace.file("a.mp4"),
            ])
        #expect(made.status == 0, "\(made.errors)")
        let path = try manifest(["a.mp4"])
        try workspace.write(
            try workspace.text("m.json").replacing(#""rate": 100,"#, with: #""maximumObservations": 1,"#), to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        let verified = try annotateBatch("verify", workspace.file("out"), "--again")
        #expect(
            verified.status == 1 && verified.output.contains("stage “cards” finds something at "), "\(verified.output)")
    }

    @Test func whatIsCoveredIsNotFound() throws {
        try card("a.mp4", when: "1")
        let path = try manifest(
            ["a.mp4"], draw: #"{"cover": "fill", "check": "again"}"#,
            expect: #"[{"cover": {"found": {"max": 0}, "doubtful": {"max": 0}, "frames": {"min": 12}}}]"#)
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try annotateBatch("verify", workspace.file("out"), "--again").status == 0)
        let summary = try json(try workspace.text("out/report.json"))["jobs"]?.elements?.first?["summary"]?["cover"]
        #expect(summary?["frames"]?.integer == 12 && summary?["doubtful"]?.integer == 0)
        #expect(summary?["found"]?.elements?.count == 0)
    }

    @Test func aJobExpectsThatNothingIsFound() throws {
        try card("a.mp4", when: "eq(n,5)")
        let path = try manifest(
            ["a.mp4"], draw: #"{"cover": "fill", "check": "again"}"#, expect: #"[{"cover": {"found": {"max": 0}}}]"#,
            rate: 2)
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 2)
        #expect(
            outcome.errors.contains(
                "expected at most 0 finds in the annotated video, there is 1 (frame 5 (0.2 s): stage “cards” finds something at "
            ), "\(outcome.errors)")
        // What is expected alone changes: it is judged by the track file.
        let other = try manifest(
            ["a.mp4"], draw: #"{"cover": "fill", "check": "again"}"#, expect: #"[{"cover": {"found": {"max": 1}}}]"#,
            rate: 2)
        let again = try annotateBatch("run", other)
        #expect(again.status == 0 && again.errors.contains("up to date"), "\(again.errors)")
    }

    /// Anything else in the summary than what source and frames give is told.
    @Test func theSummaryIsProven() throws {
        try card("a.mp4", when: "1")
        #expect(try annotateBatch("run", try manifest(["a.mp4"])).status == 0)
        let text = try workspace.text("out/a.tracks.jsonl")
        try workspace.write(text.replacing(#""growing":0"#, with: #""growing":3"#), to: "out/a.tracks.jsonl")
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 1)
        #expect(
            verified.output.contains("the summary's cover has 12 covered frames, 3 of them by a guess"),
            "\(verified.output)")
    }

    @Test(arguments: [
        (
            #"{"id": "a", "type": "rectangles", "draw": {"check": "again"}}"#,
            "“check” without a “cover”; expected “cover” beside it"
        ),
        (
            #"{"id": "a", "type": "track", "draw": {"cover": true, "check": "again"}}"#,
            "“check” of stage type “track”, which goes by what it is given and can't look again; expected none"
        ),
        (
            #"{"id": "f", "type": "follow", "inputs": ["a"], "draw": {"cover": true, "check": "again"}}, "#
                + #"{"id": "a", "type": "track"}"#,
            "“check” of a stage behind “a” (track), which goes by what it is given and can't look again; expected none"
        ),
    ])
    func whoCannotLookAgain(stage: String, expected: String) throws {
        try card("a.mp4", when: "1")
        let path = try workspace.write(
            """
            {"version": 1, "jobs": [{"input": "a.mp4", "regions": [{"id": "r", "box": [90, 70, 130, 90]}],
             "graph": {"stages": [\(stage)]}}]}
            """, to: "m.json")
        let outcome = try annotateBatch("validate", path)
        #expect(
            outcome.status == 65 && outcome.errors.contains("/graph/stages/0/draw/check: " + expected),
            "\(outcome.errors)")
    }

    // MARK: Doubts

    @Test func whatMayHaveBeenMissedIsTold() throws {
        try card("a.mp4", when: "between(n,0,5)")
        try card("b.mp4", when: "0")
        let path = try manifest(["a.mp4", "b.mp4"], expect: #"[{"cover": {"doubtful": {"max": 0}}}]"#)
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 2)
        #expect(
            outcome.errors.contains("cover is doubtful: frame 5 (0.2 s): stage “cards” loses track 1 at "),
            "\(outcome.errors)")
        #expect(
            outcome.errors.contains("expected at most 0 doubtful moments of covers, there is 1 (frame 5 (0.2 s): "))
        #expect(
            outcome.errors.contains(
                "expected at most 0 doubtful moments of covers, there is 1 (stage “cards” found nothing to cover in the whole video)"
            ))
    }

    @Test(arguments: [
        (
            #"[{"cover": {}}]"#,
            "/jobs/0/expect/0/cover: nothing is expected; expected at least one of “doubtful”, “found”, “frames”"
        ),
        (
            #"[{"frames": {"min": 1}}]"#,
            "/jobs/0/expect/0: neither “stage”, “cover” nor “against”; expected one of them"
        ),
        (
            #"[{"cover": {"found": {"max": 0}}}]"#,
            "/jobs/0/expect/0/cover/found: “found”, and nobody looks again; expected “check”: “again” beside the “cover” of a stage"
        ),
        (
            #"[{"cover": {"frames": {"min": 1}}, "stage": "cards"}]"#,
            "/jobs/0/expect/0/stage: “stage” beside “cover”; expected it alone, since it is about all covers of the job"
        ),
    ])
    func whatIsNoExpectation(expect: String, expected: String) throws {
        try card("a.mp4", when: "1")
        let path = try workspace.write(
            """
            {"version": 1, "jobs": [{"input": "a.mp4", "expect": \(expect), "graph": {"stages": [
              {"id": "cards", "type": "rectangles", "draw": {"cover": true}}]}}]}
            """, to: "m.json")
        let outcome = try annotateBatch("validate", path)
        #expect(outcome.status == 65 && outcome.errors.contains(expected), "\(outcome.errors)")
    }

    // MARK: The review

    static let apart = #"{"directory": "out", "tracks": "tracks"}"#

    /// What comes and goes in one picture is looked at once.
    @Test func aPhotoIsShownOnce() throws {
        let drawn = (0..<4).map {
            "drawbox=x=\(20 + 150 * ($0 % 2)):y=\(20 + 110 * ($0 / 2)):w=100:h=80:color=white:t=fill"
        }
        let outcome = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=0x606060:s=320x240", "-frames:v", "1", "-vf",
                drawn.joined(separator: ","), workspace.file("p.png"),
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            try annotateBatch(
                "run",
                try manifest(["p.png"], draw: #"{"cover": "fill"}, "maximumObservations": 4"#, output: Self.apart)
            ).status == 0)
        #expect(try annotateBatch("review", workspace.file("out"), "--release").status == 0)
        let page = try workspace.text("tracks/release.html")
        let sights = page.components(separatedBy: #""what":"first","text":"the only sight of "#).dropFirst()
        #expect(sights.count == 1)
        for track in 1...4 { #expect(sights.first?.prefix(200).contains("(track \(track))") == true) }
        #expect(!page.contains(#""what":"last""#))
    }

    @Test func fromTheReviewToTheDecision() throws {
        try card("a.mp4", when: "between(n,0,5)")
        try card("b.mp4", when: "0")
        let path = try manifest(["a.mp4", "b.mp4"], output: Self.apart)
        #expect(try annotateBatch("run", path).status == 0)
        let reviewed = try annotateBatch("review", workspace.file("out"), "--release")
        #expect(reviewed.status == 0, "\(reviewed.errors)")
        #expect(workspace.names() == ["a.mp4", "b.mp4", "report.json"])
        let page = try workspace.text("tracks/release.html")
        #expect(page.contains(#""release":true"#))
        for text in [
            #""what":"lost""#, #""what":"first","text":"the first sight of "#, #""what":"last""#,
            #""what":"strip","text":"frame 0: nothing was found""#, #""annotated":"../out/a.mp4""#,
        ] { #expect(page.contains(text), "\(text)") }

        try workspace.write(
            """
            {"format": "annotate-review", "version": 1, "decisions": [
              {"job": "b", "decision": "withhold", "text": "=who, is that"}, {"job": "a", "decision": "release"}]}
            """, to: "decided.json")
        let decided = try annotateBatch(
            "review", workspace.file("out"), "--release", "--remarks", workspace.file("decided.json"))
        #expect(decided.status == 0 && workspace.names() == ["a.mp4", "b.mp4", "report.json"])
        let rows = try workspace.text("tracks/release.csv").split(separator: "\n")
        #expect(rows.count == 3 && rows[0] == "job,decision,video,text")
        #expect(
            rows[1].hasPrefix("a,release,") && rows[2].hasPrefix("b,withhold,")
                && rows[2].hasSuffix(",\"'=who, is that\""))
        let again = try annotateBatch("run", path)
        #expect(again.errors.contains("annotate-batch: release.csv says release: a; withhold: b\n"), "\(again.errors)")
        // Another video isn't what was looked at.
        let other = try manifest(["a.mp4", "b.mp4"], draw: #"{"cover": "pixelate"}"#, output: Self.apart)
        let changed = try annotateBatch("run", other)
        #expect(changed.errors.contains("release.csv says withhold: b; changed since: a"), "\(changed.errors)")

        let another = try annotateBatch("verify", workspace.file("out"))
        #expect(another.status == 1)
        #expect(
            another.output.contains(
                "kept    a.mp4: it lies in the folder that is handed out, and isn't the video that was decided"),
            "\(another.output)")

        try workspace.write("x", to: "out/notes.txt")
        try workspace.write("x", to: "out/.DS_Store")
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(
            verified.errors.contains(
                "notes.txt is no result of the batch, and lies in the folder that is handed out: move it elsewhere"))
        #expect(verified.errors.contains(".DS_Store is no result of the batch"))
    }

    @Test func thePageStaysOutOfWhatIsHandedOut() throws {
        try card("a.mp4", when: "1")
        #expect(try annotateBatch("run", try manifest(["a.mp4"])).status == 0)
        let refused = try annotateBatch("review", workspace.file("out"), "--release")
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains("track files lie in the folder that is handed out itself; expected “tracks” under"))
        #expect(try annotateBatch("run", try manifest(["a.mp4"], output: Self.apart)).status == 0)
        let inside = try annotateBatch(
            "review", workspace.file("out"), "--release", "-o", workspace.file("out/page.html"))
        #expect(inside.status == 1 && inside.errors.contains("expected a page beside the track files"))
    }

    // MARK: A folder

    @Test func aManifestForAFolder() throws {
        try Files.makeDirectory(workspace.file("media"))
        try card("media/a.mp4", when: "1")
        _ = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", workspace.file("media/a.mp4"), "-frames:v", "1",
                workspace.file("media/a.png"),
            ])
        try workspace.write("no clip", to: "media/notes.txt")
        let path = workspace.file("release.json")
        let outcome = try annotateBatch("init", "--release", "rectangles,barcodes", workspace.file("media"), "-o", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("review released --release"))
        let run = try annotateBatch("run", path)
        // Nothing that could be a code is in them.
        #expect(run.status == 2, "\(run.errors)")
        #expect(workspace.names(in: "released") == ["a-png.png", "a.mp4", "report.json"])
        #expect(workspace.names(in: "released.tracks") == ["a-png.tracks.jsonl", "a.tracks.jsonl"])
        #expect(try annotateBatch("verify", workspace.file("released")).status == 0)
    }

    /// Folders below are taken too, and go before their files' names; what is left out is told.
    @Test func aManifestForFoldersBelow() throws {
        try Files.makeDirectory(workspace.file("media/day 1/cam"))
        try Files.makeDirectory(workspace.file("media/day[2]"))
        try Files.makeDirectory(workspace.file("media/.hidden"))
        try card("media/a.mp4", when: "1")
        for name in ["day 1/a.mp4", "day 1/cam/a.mp4", "day 1/a.mkv", "day[2]/b.mp4", ".hidden/c.mp4"] {
            try Files.write(
                Files.read(workspace.file("media/a.mp4")), to: workspace.file("media/" + name))
        }
        try workspace.write("no clip", to: "media/day 1/notes.txt")
        let path = workspace.file("media/release.json")
        let outcome = try annotateBatch("init", "--release", "rectangles", workspace.file("media"), "-o", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("1 file is left out, no photo and no clip by its name: day 1/notes.txt\n"))
        #expect(outcome.errors.contains("1 folder is left out, since its name has a sign of patterns: day[2]\n"))
        let jobs = try json(try workspace.text("media/release.json"))["jobs"]?.elements ?? []
        #expect(
            jobs.map { "\($0["id"]?.string ?? "") \($0["input"]?.string ?? "")" } == [
                " *.mp4", "day 1-{name} day 1/*.mkv", "day 1-{name}-mp4 day 1/*.mp4",
                "day 1-cam-{name} day 1/cam/*.mp4",
            ])
        #expect([0, 2].contains(try annotateBatch("run", path).status))
        // What it wrote isn't taken the next time.
        #expect(
            try annotateBatch("init", "--release", "rectangles", workspace.file("media"), "-o", path, "--force").status
                == 0)
        #expect(try json(try workspace.text("media/release.json"))["jobs"]?.elements?.count == 4)
    }

    /// Names of folders and files that would make one id are kept apart.
    @Test func namesThatWouldMeet() throws {
        try Files.makeDirectory(workspace.file("media/x"))
        try card("media/x-a.mp4", when: "1")
        try Files.write(Files.read(workspace.file("media/x-a.mp4")), to: workspace.file("media/x/a.mp4"))
        try Files.write(Files.read(workspace.file("media/x-a.mp4")), to: workspace.file("media/x/a-mp4.mp4"))
        let outcome = try annotateBatch("init", "--release", "rectangles", workspace.file("media"))
        let jobs = try json(outcome.output)["jobs"]?.elements ?? []
        #expect(jobs.map { $0["id"]?.string } == [nil, "x-{name}-mp4"], "\(outcome.output)")
    }

    @Test func whatCannotBeHidden() throws {
        try Files.makeDirectory(workspace.file("empty"))
        let unknown = try annotateBatch("init", "--release", "face", workspace.file("empty"))
        #expect(unknown.status == 64)
        #expect(
            unknown.errors.contains("--release can't hide what “face” finds by itself. Did you mean “faces”?"),
            "\(unknown.errors)")
        let track = try annotateBatch("init", "--release", "track", workspace.file("empty"))
        #expect(track.status == 64)
        let none = try annotateBatch("init", "--release", "faces", workspace.file("empty"))
        #expect(none.status == 1 && none.errors.contains("there is no photo and no clip in it"), "\(none.errors)")
        let two = try annotateBatch("init", "--release", "faces")
        #expect(two.status == 64 && two.errors.contains("--release takes one folder with photos and clips."))
    }

    /// A decision is about the video that was looked at, and stays until another one takes its place.
    @Test func decisionsOfSeveralPeople() throws {
        for name in ["a.mp4", "b.mp4"] { try card(name, when: "between(n,0,5)") }
        let path = try manifest(["a.mp4", "b.mp4"], output: Self.apart)
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try annotateBatch("review", workspace.file("out"), "--release").status == 0)
        let page = try workspace.text("tracks/release.html")
        let hashes = page.matches(of: #/"videoHash":"([0-9a-f-]+)"/#).map { String($0.output.1) }
        try #require(hashes.count == 2)
        func decide(_ job: String, _ word: String, _ hash: String) throws -> Outcome {
            try workspace.write(
                #"{"format": "annotate-review", "version": 1, "decisions": [{"job": "\#(job)", "decision": "\#(word)", "video": "\#(hash)"}]}"#,
                to: "decided.json")
            return try annotateBatch(
                "review", workspace.file("out"), "--release", "--remarks", workspace.file("decided.json"))
        }
        #expect(try decide("a", "release", hashes[0]).status == 0)
        #expect(try decide("b", "withhold", hashes[1]).status == 0)
        #expect(try annotateBatch("run", path).errors.contains("release.csv says release: a; withhold: b"))
        // Made anew since somebody looked.
        let other = try manifest(["a.mp4", "b.mp4"], draw: #"{"cover": "pixelate"}"#, output: Self.apart)
        #expect(try annotateBatch("run", other).status == 0)
        #expect(try decide("a", "release", hashes[0]).status == 0)
        #expect(try annotateBatch("run", other).errors.contains("release.csv says changed since: a, b"))

        let table = try workspace.text("tracks/release.csv")
        try workspace.write(table.replacing("withhold", with: "release"), to: "tracks/release.csv")
        #expect(try annotateBatch("run", other).errors.contains("release.csv was changed by somebody, and isn't read"))
        try workspace.write("{", to: "tracks/release.json")
        #expect(try annotateBatch("run", other).errors.contains("could not read the decisions in"))
        let refused = try decide("a", "release", hashes[0])
        #expect(refused.status == 1 && refused.errors.contains("mend it, or put it elsewhere"), "\(refused.errors)")
        let below = try annotateBatch(
            "review", workspace.file("out"), "--release", "-o", workspace.file("out/sub/page.html"))
        #expect(below.status == 1 && below.errors.contains("expected a page beside the track files"))
    }
}
