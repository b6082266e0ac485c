import Testing

@testable import Annotate

@Suite struct OutputPlacesTests {
    @Test func oneFolder() {
        let places = OutputPlaces("out")
        #expect(places.folders == ["out"])
        #expect(places.path(of: TracksSink.format, "a") == "out/a.tracks.jsonl")
        #expect(places.place(of: TracksSink.format, "a") == "a.tracks.jsonl")
        #expect(places.path("a.mp4") == "out/a.mp4")
        #expect(OutputPlaces("out", tracks: "./out/").folders == ["out"])
    }

    @Test func aFolderOfTheirOwn() {
        let places = OutputPlaces("x/out", tracks: "x/tracks")
        #expect(places.folders == ["x/out", "x/tracks"])
        #expect(places.place(of: TracksSink.format, "a") == "../tracks/a.tracks.jsonl")
        #expect(places.path(of: CSVSink.format, "a") == "x/tracks/a.csv")
        #expect(places.path("../tracks/a.csv") == "x/tracks/a.csv")
        // Players want it beside the video.
        #expect(places.path(of: AssSink.format, "a") == "x/out/a.ass")
        #expect(places.place(of: AssSink.format, "a") == "a.ass")
        #expect(places.isAmongTracks("../tracks/a.csv"))
        #expect(!places.isAmongTracks("a.csv"))
        #expect(!places.isAmongTracks("../elsewhere/a.csv"))
        #expect(OutputPlaces("out", tracks: "out/tracks").place(of: TracksSink.format, "a") == "tracks/a.tracks.jsonl")
    }

    @Test(arguments: [
        ("a.mp4", true), ("../tracks/a.tracks.jsonl", true), ("tracks/a.csv", true), ("/etc/a.csv", false),
        ("../tracks/b.csv", false), ("../a.mp4", false), ("../../etc/passwd", false), ("..", false), ("", false),
        ("../tracks/a.csv/", false), ("x/..", false), ("b.mp4", false), ("a.txt", false), ("a", false),
        ("a.csv.csv", false),
        ("report.json", false), ("a.mp4\0", false),
    ])
    func whatAReportMayName(text: String, isPlace: Bool) {
        #expect(OutputPlaces.isPlace(text, of: "a") == isPlace)
    }

    /// What a batch believes of a report lies in its own folders, under names of its own jobs.
    @Test(arguments: [
        ("a.mp4", true), ("a.tracks.jsonl", true), ("../tracks/a.csv", true), ("../tracks/a.mkv", true),
        ("../other/a.csv", false), ("tracks/a.csv", false), ("./a.mp4", false), ("/x/tracks/a.csv", false),
        ("../tracks/../tracks/a.csv", false), ("b.mp4", false), ("a.json", false), ("", false), ("..", false),
    ])
    func whatABatchHas(place: String, isIts: Bool) {
        #expect(OutputPlaces("x/out", tracks: "x/tracks").has(place, of: "a") == isIts)
    }

    @Test(arguments: ["", ".", "..", ".a", "x/a", "../a", "a\n", String(repeating: "a", count: 201)])
    func whatIsNoIdHasNothing(id: String) {
        #expect(!OutputPlaces("out").has(id + ".mp4", of: id))
        #expect(!OutputPlaces.isPlace(id + ".mp4", of: id))
    }

    /// Names that are one text in Unicode are two files.
    @Test func bytesCount() {
        #expect(OutputPlaces.isResult("\u{E9}.mp4", of: "\u{E9}"))
        #expect(!OutputPlaces.isResult("e\u{301}.mp4", of: "\u{E9}"))
    }
}
