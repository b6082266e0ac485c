import Annotate
import Testing

@testable import Pages

struct ReviewTests {
    /// The list's JSON spans lines: a job's on each.
    private func batch(of folder: Folder, _ name: String = "review.html") throws -> JSONNode {
        let page = try folder.text(name)
        let start = try #require(page.firstRange(of: "id=\"batch\">")).upperBound
        let end = try #require(page[start...].firstRange(of: "</script>")).lowerBound
        return try JSONParser.parse(Array(page[start..<end].utf8))
    }

    private func review(_ folder: Folder) -> Review { Review(folder.path, kinds: testKinds, generator: "test") }

    @Test func tellsOfATrackFile() throws {
        let folder = try Folder()
        try folder.tracks(
            "one.tracks.jsonl",
            [[thing(1, confidence: 0.2, label: "star"), thing(nil)], [thing(1, .lost)], [thing(1, .predicted)], []],
            first: 7)
        let written = try review(folder).write(to: folder.file("review.html"), threads: 2)
        #expect((written.jobs, written.moments, written.data) == (1, 2, nil))
        let list = try batch(of: folder)
        let job = try #require(list["jobs"]?.elements?.first)
        #expect(job["id"]?.string == "one" && job["status"]?.string == "unknown" && job["frames"]?.integer == 4)
        #expect(job["seen"]?.number == 0.25 && job["losses"]?.integer == 1 && job["duration"]?.number == 0.4)
        #expect(job["states"]?.elements?.compactMap(\.string) == ["lost", "predicted", "seen"])
        #expect(job["moments"]?.elements?.map { $0["frame"]?.integer } == [7, 8])
        // What is said of a moment is said of its track.
        #expect(job["moments"]?.elements?.map { $0["track"]?.integer } == [1, 1])
        #expect(job["data"]?["element"]?.string == "job-0")
        #expect(list["kinds"]?["thing"]?["fields"]?["number"]?["unit"]?.string == "pcs")
        #expect(try folder.text("review.html").contains("id=\"job-0\">{\"head\":\""))
    }

    /// The same bytes whatever the threads.
    @Test func isTheSamePage() throws {
        let folder = try Folder()
        for name in ["a", "b", "c"] {
            try folder.tracks("\(name).tracks.jsonl", Array(repeating: [thing(1)], count: 600))
        }
        _ = try review(folder).write(to: folder.file("one.html"), threads: 1)
        _ = try review(folder).write(to: folder.file("four.html"), threads: 4)
        #expect(try folder.text("one.html") == folder.text("four.html"))
    }

    @Test func aLaneForEachThing() throws {
        let folder = try Folder()
        let other = Box(x: 13, y: 8, width: 20, height: 20)
        try folder.tracks(
            "one.tracks.jsonl",
            [
                [thing(nil), thing(nil)], [thing(1, confidence: 0.5)], [thing(1, at: other, .tracked), thing(nil)],
                [thing(1, .tracked), thing(nil, held: true)],
            ])
        let digest = try TrackFileDigest(
            folder.file("one.tracks.jsonl"), kinds: testKinds, doubtfulBelow: 0.5, cancellation: Cancellation())
        let lanes = digest.things.map { thing in
            var json = JSONWriter()
            thing.write(into: &json)
            return json.text
        }
        #expect(
            lanes == [
                ##"{"stage":"a","kind":"thing","name":"thing","color":"#ebebeb","runs":[[0,0,"seen"],[2,2,"seen"],[3,3,"held"]],"##
                    + #""counts":[2,1,1]}"#,
                ##"{"stage":"a","kind":"thing","track":1,"name":"thing","color":"#00beff","runs":[[1,1,"seen"],[2,3,"tracked"]],"##
                    + #""confidence":[500,null,null],"x":[20,3,-3],"y":[20,-2,2]}"#,
            ])
    }

    @Test func dataBesideThePage() throws {
        let folder = try Folder()
        try folder.tracks("one.tracks.jsonl", [[thing(1)]])
        var large = review(folder)
        large.mostInPage = 10
        let written = try large.write(to: folder.file("review.html"), threads: 1)
        #expect(written.data == folder.file("review.data"))
        #expect(try Files.list(folder.file("review.data")) == ["job-0.review.js"])
        let script = try folder.text("review.data/job-0.review.js")
        #expect(script.hasPrefix("annotateReview.take(\"job-0\", {\"head\":\"") && script.hasSuffix("]})\n"))
        #expect(
            try batch(of: folder)["jobs"]?.elements?.first?["data"]?["src"]?.string == "review.data/job-0.review.js")
        // Who wants it whole gets it whole, and what was beside it goes.
        large.embeds = true
        #expect(try large.write(to: folder.file("review.html"), threads: 1).data == nil)
        #expect(!Files.exists(folder.file("review.data")))
    }

    /// A folder of that name that holds something else is left alone.
    @Test func anothersFolder() throws {
        let folder = try Folder()
        try folder.tracks("one.tracks.jsonl", [[thing(1)]])
        try Files.makeDirectory(folder.file("review.data"))
        try Files.write("mine", to: folder.file("review.data/notes.txt"))
        #expect(throws: FileError.self) { try review(folder).write(to: folder.file("review.html"), threads: 1) }
        #expect(try folder.text("review.data/notes.txt") == "mine")
    }

    @Test func aTrackFileThatIsBroken() throws {
        let folder = try Folder()
        try folder.tracks("good.tracks.jsonl", [[thing(1)]])
        try Files.write("{\"format\":", to: folder.file("bad.tracks.jsonl"))
        let written = try review(folder).write(to: folder.file("review.html"), threads: 1)
        #expect(written.jobs == 2 && written.problems.count == 1)
        #expect(written.problems[0].hasPrefix("bad: "))
        #expect(try batch(of: folder)["jobs"]?.elements?.first?["unreadable"]?.string != nil)
    }

    @Test func aFolderWithoutResults() throws {
        let folder = try Folder()
        let error = #expect(throws: FileError.self) {
            try review(folder).write(to: folder.file("review.html"), threads: 1)
        }
        #expect(
            error?.description
                == "could not review \(folder.path): there is no report.json that can be read, and no *.tracks.jsonl; "
                + "expected the output folder of a run")
        #expect(!Files.exists(folder.file("review.html")))
    }

    @Test(arguments: [
        ("a b/ü#1?.mp4", "a%20b/%C3%BC%231%3F.mp4"), ("javascript:x.mp4", "javascript%3Ax.mp4"),
        ("100%.mp4", "100%25.mp4"),
    ])
    func addresses(path: String, address: String) { #expect(PageAddress.escaped(path) == address) }
}

/// Numbers of a file may be any.
struct FarNumbersTests {
    @Test func theLastFrameThatThereCanBe() throws {
        let folder = try Folder()
        try folder.tracks("far.tracks.jsonl", [[thing(1, confidence: 0.1)], [thing(1, .lost)]])
        let text = try folder.text("far.tracks.jsonl").replacing(#""frame":0,"#, with: #""frame":9223372036854775807,"#)
        try Files.write(text, to: folder.file("far.tracks.jsonl"))
        var review = Review(folder.path, kinds: testKinds, generator: "test")
        review.embeds = true
        #expect(try review.write(to: folder.file("review.html"), threads: 1).jobs == 1)
    }
}
