import Annotate
import Testing

/// `pick` writes one page with everything in it but the video.
@Suite struct PickTests {
    /// What stands in the page under an id.
    private func data(_ id: String, in page: String) throws -> JSONNode {
        let start = try #require(page.firstRange(of: "<script type=\"application/json\" id=\"\(id)\">"))
        let rest = page[start.upperBound...]
        return try json(String(rest[..<(try #require(rest.firstRange(of: "</script>"))).lowerBound]))
    }

    @Test func namesTheClipByItsPlaceBesideThePage() throws {
        let folder = try Workspace()
        try Files.makeDirectory(folder.file("clips"))
        let clip = try folder.clip("clips/a b#1.mp4", frames: 5)
        let outcome = try annotateBatch("pick", clip, "-o", folder.file("pages/p.html"))
        #expect(outcome.status == 0 && outcome.outputLines == [folder.file("pages/p.html")] && outcome.errors.isEmpty)
        let page = try folder.text("pages/p.html")
        let facts = try data("clip", in: page)
        #expect(facts["source"]?.string == "../clips/a%20b%231.mp4" && facts["file"]?.string == "a b#1.regions.json")
        #expect(facts["size"]?.elements?.map(\.integer) == [160, 120] && facts["pictures"] == nil)
        #expect(!page.contains("<link ") && !page.contains("<script src") && !page.contains("://"))
    }

    /// What gets into the page by a clip's name or content is no script: those that may run are named by their hashes.
    @Test func runsItsOwnScriptsAlone() throws {
        let folder = try Workspace()
        let clip = try folder.clip("a.mp4", frames: 5)
        #expect(try annotateBatch("pick", clip, "-o", folder.file("p.html")).status == 0)
        let page = try folder.text("p.html")
        let start = try #require(page.firstRange(of: "<meta http-equiv=\"Content-Security-Policy\" content=\""))
        let policy = page[start.upperBound...].prefix { $0 != "\"" }
        #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
        #expect(!policy.contains("unsafe") && !policy.contains("{"))
        // A script or style in an attribute would need a hash that is refused there.
        #expect(!page.contains(" onclick=") && !page.contains(" style=\""))
    }

    @Test func carriesPicturesWhereBrowsersDontPlayIt() throws {
        let folder = try Workspace()
        let clip = folder.file("clip.avi")
        let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-frames:v", "100"]
        #expect(try Program.run("ffmpeg", source + ["-c:v", "mpeg4", clip]).status == 0)
        let outcome = try annotateBatch("pick", clip, "-o", folder.file("p.html"))
        #expect(
            outcome.errors
                == "annotate-batch: browsers don't play the container avi, so the page holds pictures of 40 of the "
                + "clip's 100 frames; --frames names others\n")
        var page = try folder.text("p.html")
        var facts = try data("clip", in: page)
        #expect(facts["source"] == nil && facts["pictures"]?.elements?.count == 40)
        #expect(try data("picture-0", in: page).string?.hasPrefix("data:image/jpeg;base64,/9j/") == true)

        #expect(try annotateBatch("pick", clip, "--frames", "7,3-5,99", "-o", folder.file("p.html")).status == 0)
        page = try folder.text("p.html")
        facts = try data("clip", in: page)
        #expect(facts["pictures"]?.elements?.map(\.integer) == [3, 4, 5, 7, 99])
    }

    @Test func goesOnWithAFile() throws {
        let folder = try Workspace()
        let clip = try folder.clip("clip.mp4", frames: 60)
        let list = #"[{"id": "</script>", "label": "ä", "time": 1, "box": [20, 30, 60, 44]}]"#
        try folder.write(#"{"regions": \#(list), "points": []}"#, to: "seeds.json")
        #expect(
            try annotateBatch(
                "pick", clip, "--embed", "--regions", folder.file("seeds.json"), "-o", folder.file("p.html")
            ).status == 0)
        let page = try folder.text("p.html")
        let seeds = try data("seeds", in: page)
        #expect(seeds["regions"]?.elements?.first?["id"]?.string == "</script>")
        let facts = try data("clip", in: page)
        #expect(facts["file"]?.string == "seeds.json")
        // The frame at which the region begins is there.
        #expect(facts["pictures"]?.elements?.contains { $0.integer == 25 } == true)
    }

    /// What a run has found goes along, and the page opens at a frame.
    @Test func showsWhatWasFound() throws {
        let folder = try Workspace()
        let clip = try folder.clip("clip.mp4", frames: 10)
        try folder.manifest([#""id": "a", "input": "clip.mp4""#], stages: #"{"id": "cards", "type": "rectangles"}"#)
        #expect(try annotateBatch("run", folder.file("m.json")).status == 0)
        try folder.write(
            #"{"cover": [{"box": [1, 2, 30, 40], "start": 0.2}, {"track": 1, "except": true}]}"#, to: "c.json")
        let outcome = try annotateBatch(
            "pick", clip, "--tracks", folder.file("out/a.tracks.jsonl"), "--regions", folder.file("c.json"), "--time",
            "0.13", "-o", folder.file("p.html"))
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let page = try folder.text("p.html")
        #expect(try data("things", in: page).string?.hasPrefix("H4sI") == true)
        #expect(try data("clip", in: page)["frame"]?.integer == 3)
        #expect(try data("seeds", in: page)["cover"]?.elements?.count == 2)
        let late = try annotateBatch("pick", clip, "--frame", "10", "-o", folder.file("q.html"))
        #expect(late.status == 1 && late.errors.contains("it has no frame 10; its frames are 0 to 9"), "\(late.errors)")
        let both = try annotateBatch("pick", clip, "--frame", "1", "--time", "1", "-o", folder.file("q.html"))
        #expect(both.status == 64 && both.errors.contains("--frame and --time together"))
    }

    @Test func saysWhatIsWrong() throws {
        let folder = try Workspace()
        let clip = try folder.clip("clip.mp4", frames: 5)
        try folder.write(#"{"regions": [{"id": "a", "box": [0, 0, 0, 5]}, {"box": [1, 1, 1, 1]}]}"#, to: "bad.json")
        try folder.write("no tracks", to: "a.tracks.jsonl")
        let page = folder.file("p.html")
        let bad = try annotateBatch("pick", clip, "--regions", folder.file("bad.json"), "-o", page)
        #expect(bad.status == 65 && bad.errors.contains("a box of 0×5") && bad.errors.contains("“id” is missing"))
        #expect(try annotateBatch("pick", clip, "--tracks", folder.file("a.tracks.jsonl"), "-o", page).status == 1)
        #expect(try annotateBatch("pick", folder.file("none.mp4"), "-o", page).status == 1)
        #expect(try annotateBatch("pick", clip, "--frames", "5", "-o", page).status == 1)
        for frames in ["a", "1-", "-1", "5-3", "1,,2", "0-1000", "1-2-3"] {
            let outcome = try annotateBatch("pick", clip, "--frames=\(frames)", "-o", page)
            #expect(outcome.status == 64 && outcome.errors.contains("not “\(frames)”"), "\(frames): \(outcome.errors)")
        }
        #expect(try annotateBatch("pick", clip, "-o", clip).status == 64)
        #expect(!Files.exists(page))
    }

    /// Where the track file has the region; a track file of another clip is refused.
    @Test func showsTracks() throws {
        let folder = try Workspace()
        try folder.clip("clip.mp4", frames: 10)
        let other = try folder.clip("other.mp4", frames: 5)
        try folder.write(#"[{"id": "card", "frame": 0, "box": [20, 30, 60, 44]}]"#, to: "r.json")
        try folder.manifest(
            [#""id": "a", "input": "clip.mp4", "regions": "r.json""#], stages: #"{"id": "t", "type": "track"}"#)
        #expect(try annotateBatch("run", folder.file("m.json")).status == 0)
        let tracks = folder.file("out/a.tracks.jsonl")
        let outcome = try annotateBatch(
            "pick", folder.file("clip.mp4"), "--tracks", tracks, "-o", folder.file("p.html"))
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(try data("tracks", in: try folder.text("p.html")).string?.hasPrefix("H4sI") == true)
        let refused = try annotateBatch("pick", other, "--tracks", tracks, "-o", folder.file("q.html"))
        #expect(refused.status == 1 && refused.errors.contains("it is of another clip"), "\(refused.errors)")
    }
}
