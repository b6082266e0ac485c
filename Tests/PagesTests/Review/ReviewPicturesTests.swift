import Annotate
import Foundation
import Testing

@testable import Pages

struct ReviewPicturesTests {
    /// A clip whose frames go from black to white, five in all.
    private func clip(_ folder: Folder, _ name: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
            "color=black:s=100x80:r=10,geq=lum='16+54*N':cb=128:cr=128", "-frames:v", "5", "-pix_fmt", "yuv420p",
            folder.file(name),
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// The part around a place, inside the picture, and no larger than it is.
    @Test func showTheThingWithItsSurroundings() throws {
        let folder = try Folder()
        try clip(folder, "a.mp4")
        let pictures = try ReviewPictures(
            annotated: folder.file("a.mp4"), source: nil, first: 0, count: 5, size: PictureSize(width: 100, height: 80),
            cancellation: Cancellation())
        #expect(
            PictureSize(width: 100, height: 80).view(around: Box(x: 0, y: 0, width: 10, height: 10))
                == Box(x: 0, y: 0, width: 34, height: 30))
        #expect(
            PictureSize(width: 100, height: 80).view(around: Box(x: 50, y: 40, width: 20, height: 4))
                == Box(x: 30, y: 29, width: 60, height: 27))
        #expect(
            PictureSize(width: 100, height: 80).view(around: Box(x: -20, y: 0, width: 200, height: 80))
                == Box(x: 0, y: 0, width: 100, height: 80))
        let picture = try pictures.picture(3, around: Box(x: 0, y: 0, width: 10, height: 10))
        #expect(picture.address.hasPrefix("data:image/jpeg;base64,/9j/"))
    }

    /// A page for those who don't have the videos has a picture of each moment, of the source where nothing else is there.
    @Test func goIntoThePage() throws {
        let folder = try Folder()
        try folder.tracks("a.tracks.jsonl", [[thing(1, confidence: 0.1)], [], [], [], []])
        var review = Review(folder.path, kinds: testKinds, generator: "test")
        review.embeds = true
        // Without any video it says so.
        let without = try review.write(to: folder.file("review.html"), threads: 1)
        #expect(without.problems.count == 1 && without.problems[0].hasPrefix("a: no pictures: "))
        try clip(folder, "a.mp4")
        #expect(try review.write(to: folder.file("review.html"), threads: 1).problems == [])
        let page = try folder.text("review.html")
        #expect(page.contains("\"thumbnail\":\"data:image/jpeg;base64,"))
        #expect(page.contains("\"view\":[0,0,60,60],\"burned\":true"))
        // Videos of other frames are none of it.
        try folder.tracks("a.tracks.jsonl", Array(repeating: [], count: 9))
        let other = try review.write(to: folder.file("review.html"), threads: 1)
        #expect(other.problems.first?.contains("it has 5 frames, and the track file tells of 9") ?? false)
    }

    /// What expectations fail by has pictures as moments have, one for each frame and track.
    @Test func ofExpectations() throws {
        let folder = try Folder()
        try clip(folder, "a.mp4")
        try folder.tracks("a.tracks.jsonl", [[thing(1)], [thing(1)], [], [], []])
        var outcome = JobOutcome(.unexpected)
        outcome.result.judgements = [
            failed([(frame: 1, track: 1), (frame: 1, track: 1), (frame: 3, track: nil), (frame: 99, track: 1)])
        ]
        let job = ReviewJob(
            id: "a", outcome: outcome, tracks: folder.file("a.tracks.jsonl"), annotated: folder.file("a.mp4"),
            source: nil)
        func written(embeds: Bool) throws -> (json: JSONNode, notes: [String]) {
            let written = try job.write(
                to: folder.file("a.js"), element: "job-0", page: folder.path, kinds: testKinds, doubtfulBelow: 0.5,
                embeds: embeds, cancellation: Cancellation())
            return (try JSONParser.parse(Array("{\(written.json)}".utf8)), written.notes)
        }
        let page = try written(embeds: true)
        let shots = page.json["shots"]?.elements ?? []
        #expect(shots.map { $0["frame"]?.integer } == [1, 3] && shots.map { $0["track"]?.integer } == [1, nil])
        #expect(shots.allSatisfy { $0["picture"]?.string?.hasPrefix("data:image/jpeg;base64,/9j/") ?? false })
        #expect(shots.map { $0["view"]?.elements?.compactMap(\.number) } == [[0, 0, 60, 60], [0, 0, 100, 80]])
        #expect(page.notes == ["only 2 of 3 frames in which expectations fail have pictures"])
        let other = try written(embeds: false)
        #expect(other.json["shots"] == nil && other.notes == [])
    }
}
