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
        ("../tracks/a.csv/", false), ("x/..", false),
    ])
    func whatAReportMayName(text: String, isPlace: Bool) {
        #expect(OutputPlaces.isPlace(text, of: "a") == isPlace)
    }
}
