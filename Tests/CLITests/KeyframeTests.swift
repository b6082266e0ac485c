import Annotate
import Foundation
import Testing

/// Regions whose keyframes correct their tracks.
@Suite struct KeyframeTests {
    private let workspace: Workspace

    /// A patterned card that goes right from x = 20, is gone from frame 15 on, and from frame 25 on goes left from x = 200
    /// farther below.
    init() throws {
        workspace = try Workspace()
        let outcome = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                "color=gray:s=320x240:r=25[a];testsrc=s=60x44:r=25,trim=end_frame=1,loop=-1:1,split[b][c];"
                    + "[a][b]overlay=x=20+2*n:y=30:enable='lt(n,15)'[d];[d][c]overlay=x=250-2*n:y=150:enable='gte(n,25)'",
                "-frames:v", "40", "-c:v", "libx264", "-g", "9", "-pix_fmt", "yuv420p", workspace.file("a.mp4"),
            ])
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    /// Where the card is.
    private func truth(_ frame: Int) -> Box? {
        switch frame {
        case ..<15: Box(x: Double(20 + 2 * frame), y: 30, width: 60, height: 44)
        case 15..<25: nil
        default: Box(x: Double(250 - 2 * frame), y: 150, width: 60, height: 44)
        }
    }

    private func place(_ frame: Int) -> String {
        let box = truth(frame) ?? Box(x: 0, y: 0, width: 1, height: 1)
        return #""frame": \#(frame), "box": [\#(Int(box.x)), \#(Int(box.y)), 60, 44]"#
    }

    private func manifest(_ keyframes: [String], fill: String = "forward", rate: String = "") throws -> String {
        let list = keyframes.map { "{\($0)}" }.joined(separator: ", ")
        return try workspace.manifest(
            [
                #""id": "a", "input": "a.mp4", "regions": [{"id": "card", \#(place(0)), "fill": "\#(fill)", "keyframes": [\#(list)]}]"#
            ], stages: #"{"id": "things", "type": "track", "level": "fast"\#(rate)}"#, encode: #"{"codec": "none"}"#)
    }

    private struct Object {
        var track: Int?
        var region: String?
        var state: String?
        var confidence: Double?
        var box: Box?
    }

    /// What the track file says of the card, by the frames.
    private func objects() throws -> [Int: Object] {
        var objects: [Int: Object] = [:]
        for line in try workspace.text("out/a.tracks.jsonl").split(separator: "\n") {
            let line = try json(String(line))
            guard let frame = line["frame"]?.integer, let node = line["observations"]?.elements?.first else { continue }
            let sides = node["box"]?.elements?.compactMap(\.number) ?? []
            objects[frame] = Object(
                track: node["track"]?.integer, region: node["region"]?.string, state: node["state"]?.string,
                confidence: node["confidence"]?.number,
                box: sides.count == 4 ? Box(x: sides[0], y: sides[1], width: sides[2], height: sides[3]) : nil)
        }
        return objects
    }

    @Test(arguments: ["forward", "both"])
    func aThingThatWasHiddenAndMovedIsOneTrack(fill: String) throws {
        let path = try manifest([place(25), #""frame": 15, "absent": true"#, place(35)], fill: fill)
        #expect(try annotateBatch("run", path).status == 0)
        let objects = try objects()
        #expect(Set(objects.values.map { $0.track ?? 0 }) == [1])
        #expect(Set(objects.values.map { $0.region ?? "" }) == ["card"])
        #expect(objects.keys.sorted() == Array(0...15) + Array(25..<40))
        for (frame, object) in objects {
            let isPlace = [0, 25, 35].contains(frame)
            #expect(object.state == (frame == 15 ? "ended" : isPlace ? "seeded" : "tracked"), "frame \(frame)")
            guard let box = truth(frame) else { continue }
            if isPlace {
                #expect(object.box == box)
                #expect(object.confidence == 1)
            }
            #expect((object.box?.intersectionOverUnion(box) ?? 0) > 0.8, "frame \(frame)")
        }
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        #expect(try !workspace.text("out/report.json").contains("lost for good"))
        // The same bytes on more threads and in one process.
        let bytes = try Files.read(workspace.file("out/a.tracks.jsonl"))
        #expect(try annotateBatch("run", path, "--force", "--isolation", "none", "--jobs", "3").status == 0)
        #expect(try Files.read(workspace.file("out/a.tracks.jsonl")) == bytes)
    }

    @Test func withoutThemItIsNot() throws {
        #expect(try annotateBatch("run", try manifest([#""frame": 39, "absent": true"#])).status == 0)
        #expect(try objects()[25]?.state != "seeded")
    }

    @Test func aChangedKeyframeRunsTheStageAgain() throws {
        #expect(try annotateBatch("run", try manifest([place(10), place(35)])).status == 0)
        let same = try annotateBatch("run", try manifest([place(10), place(35)]), "--dry-run")
        #expect(same.outputLines[0].contains("up to date"), "\(same.output)")
        let path = try manifest([place(10), place(36)])
        let preview = try annotateBatch("run", path, "--dry-run").outputLines[0]
        #expect(preview == "a: would run: “regions” changed", "\(preview)")
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try objects()[36]?.state == "seeded")
        #expect(
            try annotateBatch("run", try manifest([place(10), place(36)], fill: "both"), "--dry-run").outputLines[0]
                == preview)
    }

    @Test func whatIsNeverReachedIsTold() throws {
        let path = try manifest([place(10), #""frame": 90, "absent": true"#])
        let outcome = try annotateBatch("run", path)
        #expect(
            outcome.errors.contains(
                "1 keyframe of the region “card” never came: the frames end at 39"), "\(outcome.errors)")
    }
}
