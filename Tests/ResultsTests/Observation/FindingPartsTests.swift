import Foundation
import Testing

@testable import Annotate
@testable import TestSupport

/// A kind with a mask, joints and a turned box goes all the way, and nothing in the program names it.
@Suite struct FindingPartsTests {
    @Test func readsBackIntoItsType() throws {
        let run = try CreatureRun(stages: #", {"id": "e", "type": "echo", "inputs": ["c"]}"#)
        let records = try run.records()
        #expect(records.count == CreatureRun.frames)
        for record in records {
            let seen = record.observations.filter { $0.stage == "c" }
            try #require(seen.count == 3)
            let isSeen = record.frame < 4
            #expect(
                seen[0].mask?.of(PixelBox(CreatureTracker.size)) == (isSeen ? CreatureTracker.ring(record.frame) : nil))
            #expect(seen[0].joints == (isSeen ? CreatureTracker.joints(record.frame) : []))
            #expect(seen[0].mask?.box == (isSeen ? CreatureTracker.box(record.frame).pixels : nil))
            let turned = try #require(seen[1].turnedBox)
            #expect(zip(turned.corners, CreatureTracker.turned.corners).allSatisfy { $0.distance(to: $1) < 0.02 })
            #expect(turned.angle == 30)
            // What has a mask alone gets its box.
            #expect(seen[2].mask == CreatureTracker.spot)
            #expect(seen[2].box == CreatureTracker.spot.box.box)
            // Handed on, they are the same.
            let echoed = record.observations.filter { $0.stage == "e" }
            #expect(echoed.map(\.finding) == seen.filter(\.isInSight).map(\.finding))
        }
        let header = try TrackFileReader(path: run.tracks, kinds: CreatureRun.catalog.findings).header
        #expect(header.stages.map(\.skeleton) == [CreatureTracker.skeleton, CreatureTracker.skeleton])
        let text = try run.text("a.tracks.jsonl")
        #expect(
            text.contains(
                #""skeleton":{"names":["top","right","bottom","left"],"edges":[[0,1],[1,2],[2,3],[3,0]],"#
                    + #""mirrored":[[1,3]]}"#))
        #expect(
            text.contains(
                #""joints":[[45,45,0.9,0.9],[60.25,60,0.8,0.25],[45,75,1,1],[0,0,0,0]],"#
                    + #""metres":[[0,-0.15,2],[0.15,0,2],null,null]"#))
        #expect(text.contains(#""mask":{"size":[41,43],"counts":""#))
    }

    @Test(arguments: CreatureRun.formats.filter { !$0.hasPrefix("yolo") } + ["tracks"])
    func exportsAreWhatTheRunWrites(format: String) throws {
        let run = try CreatureRun(formats: format == "tracks" ? [] : [format])
        let export = try #require(TrackFileExport(format: format, kinds: CreatureRun.catalog.findings))
        try export.run(run.tracks, to: run.folder.file("again"))
        #expect(
            try Files.read(run.folder.file("again"))
                == Files.read(run.folder.file("out/" + export.name(for: "a.tracks.jsonl"))))
    }

    // MARK: Verifying

    @Test func verifiedAsWritten() throws {
        let run = try CreatureRun(formats: [])
        let verdict = try #require(
            try Verifier.verify(directory: run.folder.file("out"), kinds: CreatureRun.catalog.findings).first)
        #expect(verdict.problems == [])
        #expect(verdict.frames == CreatureRun.frames)
    }

    private static let tampered: [(String, String, String)] = [
        (
            #""names":["top","right","bottom","left"]"#, #""names":["top","right","bottom"]"#,
            "a:1: /stages/0/skeleton: [2, 3] names joints beyond its 3"
        ),
        (
            #""names":["top","right","bottom","left"]"#, #""names":["top","right","bottom","top"]"#,
            "a:1: /stages/0/skeleton: “top” stands there twice"
        ),
        (
            #""names":["top","right","bottom","left"]"#, #""names":["top","right","bottom","left","tail"]"#,
            "a:2: /observations/0: “joints” has 4; expected 5, as the skeleton in the header has names"
        ),
        (
            #","metres":[[0,-0.15,2],[0.15,0,2],null,null]"#, #","metres":[[0,-0.15,2]]"#,
            "a:2: /observations/0: “metres” has 1 places, and “joints” 4; expected as many"
        ),
        (
            #""mask":{"size":[41,43]"#, #""mask":{"size":[43,41]"#,
            "a:2: /observations/0: “mask” has the size [43, 41]; expected [41, 43], the pixels that its box touches"
        ),
        (
            #""mask":{"size":[41,43],"counts":""#, #""mask":{"size":[41,43],"counts":"x"#,
            "a:2: /observations/0/mask: what it says can't be read"
        ),
        (
            #""box":[24.75,40,41.5,41],"#, "",
            "a:2: /observations/0: “mask” is there without a “box” or “polygon”"
        ),
        (
            #""state":"lost""#, #""state":"lost","angle":3"#,
            "a:6: /observations/0: “angle” is there; what is lost or has ended has no place"
        ),
    ]

    @Test(arguments: tampered)
    func tampering(text: String, other: String, expected: String) throws {
        let run = try CreatureRun(formats: [])
        let whole = try run.text("a.tracks.jsonl")
        #expect(whole.contains(text))
        try run.folder.write(whole.replacing(text, with: other), to: "out/a.tracks.jsonl")
        let found = try Verifier.verify(directory: run.folder.file("out"), kinds: CreatureRun.catalog.findings)
            .flatMap(\.problems).map { $0.replacing(run.tracks, with: "a") }
        #expect(found.contains(expected), "\(found)")
    }

    @Test func theSchemaHasThem() throws {
        let run = try CreatureRun(formats: [])
        let shape = TrackFileShape(CreatureRun.catalog.findings).line
        for line in try run.text("a.tracks.jsonl").split(separator: "\n") {
            guard case .anyOf(let shapes, _) = shape else { return }
            let node = try JSONParser.parse(Array(line.utf8))
            #expect(
                shapes.contains { shape in
                    var validator = ShapeValidator(file: "a")
                    validator.validate(node, against: shape)
                    return validator.log.isEmpty
                })
        }
        let schema = prettyJSON(JSONSchema.document(title: "tracks", doc: "Lines.", shape: shape))
        for word in ["\"mask\"", "\"joints\"", "\"metres\"", "\"angle\"", "\"skeleton\"", "\"mirrored\""] {
            #expect(schema.contains(word))
        }
    }

    // MARK: Drawing

    @Test func isDrawn() throws {
        let run = try CreatureRun(draw: ##"{"color": "#ffffff", "label": false}"##, formats: [])
        let (plain, drawn) = (
            try readFrames(run.folder.file("a.mkv")), try readFrames(run.folder.file("out/a.mp4"))
        )
        func change(_ frame: Int, _ x: Int, _ y: Int) -> Int {
            Int(drawn[frame].planeBytes(0)[y * 160 + x]) - Int(plain[frame].planeBytes(0)[y * 160 + x])
        }
        // A third of the way to white on the ring, nothing in its hole or outside.
        #expect((25...55).contains(change(0, 33, 60)))
        #expect(abs(change(0, 45, 61)) < 6 && abs(change(0, 80, 100)) < 6)
        // A bone from the top to the right; a joint that wasn't found has none.
        #expect(change(0, 53, 53) > 60)
        #expect(change(0, 37, 53) < 55)
        // The turned box's side, and the spot at the picture's corner.
        #expect((25...27).contains { change(0, 110, $0) > 40 })
        #expect((25...55).contains(change(0, 157, 117)))
        // Lost: neither mask nor joints.
        #expect(abs(change(5, 43, 60)) < 6)
    }

    @Test func drawnAsAsked() throws {
        let run = try CreatureRun(
            draw: ##"{"color": "#ffffff", "label": false, "maskOpacity": 1, "joints": false, "outline": false}"##,
            formats: [])
        let drawn = try readFrames(run.folder.file("out/a.mp4"))
        func luma(_ x: Int, _ y: Int) -> Int { Int(drawn[0].planeBytes(0)[y * 160 + x]) }
        #expect(luma(33, 60) > 225 && luma(45, 60) < 135 && luma(24, 39) < 135)
        let bare = try CreatureRun(
            draw: #"{"label": false, "mask": false, "joints": false, "outline": false}"#, formats: [])
        let untouched = try readFrames(bare.folder.file("out/a.mp4"))
        #expect(
            (0..<160 * 120).allSatisfy {
                abs(Int(untouched[0].planeBytes(0)[$0]) - Int(untouched[5].planeBytes(0)[0])) < 6
            })
    }

    /// A cover takes the ring's pixels away and leaves those in its hole that are far from it, or the whole box.
    @Test(arguments: ["mask", "box"])
    func covered(shape: String) throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-frames:v", "6", "-pix_fmt", "yuv420p", "-c:v", "ffv1",
            folder.file("a.mkv"))
        try folder.write(
            """
            {"version": 1, "jobs": [{"input": "a.mkv", "graph": {"stages": [
              {"id": "c", "type": "creatures", "draw": {"cover": "pixelate", "coverShape": "\(shape)", "coverGap": 0}}]},
              "encode": {"crf": 1}}]}
            """, to: "m.json")
        let read = try ManifestReader(catalog: CreatureRun.catalog).read(folder.file("m.json"))
        _ = try BatchRunner(manifest: read, options: RunOptions(), generator: "t", cancellation: Cancellation()).run()
        let (plain, covered) = (try readFrames(folder.file("a.mkv")), try readFrames(folder.file("out/a.mp4")))
        let (a, b) = (plain[0].planeBytes(0), covered[0].planeBytes(0))
        func changed(_ xs: Range<Int>, _ ys: Range<Int>) -> Int {
            ys.reduce(0) { sum, y in sum + xs.count { abs(Int(a[y * 160 + $0]) - Int(b[y * 160 + $0])) > 12 } }
        }
        // The grown box's corner is farther from the ring than that is grown.
        let corner = changed(21..<24, 37..<40)
        #expect(shape == "mask" ? corner == 0 : corner > 0)
        #expect(changed(26..<65, 55..<65) > 80)
        #expect(changed(70..<90, 80..<110) == 0)
        let header = try TrackFileReader(path: folder.file("out/a.tracks.jsonl"), kinds: CreatureRun.catalog.findings)
            .header
        #expect(header.stages[0].coverShape.rawValue == shape)
    }

    @Test func written() throws {
        let script = try CreatureRun(formats: ["ass"]).text("a.ass")
        let regions = script.split(separator: "\n").filter { $0.contains("\\1a&HA6&") || $0.contains("\\alpha&HA6&") }
        #expect(regions.count > 0, "\(script)")
        // The ring is one event: its outline and its hole.
        #expect(regions.contains { line in line.count { $0 == "m" } >= 2 })
    }

    // MARK: Comparing

    @Test func compared() throws {
        let run = try CreatureRun(formats: [])
        let same = try TrackFileComparison(run.tracks, run.tracks, tolerance: 0, kinds: CreatureRun.catalog.findings)
        #expect(same.verdict == .equal)
        let ring = try #require(same.things.first { $0.name == "ring" })
        #expect(ring.maskOverlap.mean == 1 && ring.maskOverlap.count == 4)
        #expect(ring.jointSimilarity.mean == 1 && ring.jointSimilarity.count == 4)
        // A joint moved by 3 px, the mask moved with its box by one.
        let other = try run.text("a.tracks.jsonl").replacing("[60.25,60,0.8,0.25]", with: "[63.25,60,0.8,0.25]")
            .replacing("[24.75,40,41.5,41]", with: "[25.75,40,41.5,41]")
        try run.folder.write(other, to: "b.tracks.jsonl")
        let changed = try TrackFileComparison(
            run.tracks, run.folder.file("b.tracks.jsonl"), tolerance: 0, kinds: CreatureRun.catalog.findings)
        #expect(changed.verdict == .differs)
        let thing = try #require(changed.things.first { $0.name == "ring" })
        let (mask, moved) = (CreatureTracker.ring(0), CreatureTracker.ring(0).at(x: 1, y: 0))
        #expect(abs(thing.maskOverlap.least - mask.intersectionOverUnion(moved)) < 1e-9)
        // One of three joints, 3 px off: exp(-9 / (2 · 0.1² · area)).
        #expect(thing.jointSimilarity.least < 1 && thing.jointSimilarity.least > 0.6)
        #expect(thing.details.contains { $0.hasPrefix("overlap of masks 0.9") })
        #expect(thing.details.contains { $0.hasPrefix("similarity of joints (OKS) 0.") })
    }

    // MARK: Forms

    @Test func coco() throws {
        let run = try CreatureRun(formats: ["coco"])
        let coco = try JSONParser.parse(Array(try run.text("a.coco.json").utf8))
        let category = try #require(coco["categories"]?.elements?.first { $0["name"]?.string == "ring" })
        #expect(category["keypoints"]?.elements?.compactMap(\.string) == CreatureTracker.skeleton.names)
        #expect(
            category["skeleton"]?.elements?.map { $0.elements?.compactMap(\.integer) ?? [] } == [
                [1, 2], [2, 3], [3, 4], [4, 1],
            ])
        let annotation = try #require(coco["annotations"]?.elements?.first)
        #expect(
            annotation["keypoints"]?.elements?.compactMap(\.number)
                == [45, 45, 2, 60.25, 60, 1, 45, 75, 2, 0, 0, 0])
        #expect(annotation["num_keypoints"]?.integer == 3)
        #expect(annotation["area"]?.integer == CreatureTracker.ring(0).area)
        let mask = try #require(annotation["segmentation"].flatMap(Format<RunMask>.mask.read))
        #expect(mask == CreatureTracker.ring(0))
        #expect(annotation["attributes"]?["mask"] == nil)
        // Cut at the picture's edges.
        let spot = try #require(coco["annotations"]?.elements?.first { $0["category_id"]?.integer == 3 })
        #expect(spot["area"]?.integer == CreatureTracker.spot.inPicture(CreatureTracker.size).area)
    }

    @Test func tableRows() throws {
        let run = try CreatureRun(formats: ["csv"])
        let lines = try run.text("a.csv").split(separator: "\n")
        #expect(lines[0].hasSuffix("held,mask,mask_area,angle_deg,joints_px,metres_m"))
        #expect(lines[1].contains(#""{""size"":[41,43],""counts"":""#))
        #expect(lines[1].contains(",\(CreatureTracker.ring(0).area),,\"[[45,45,0.9,0.9],"))
    }

    @Test func yolo() throws {
        let run = try CreatureRun(formats: ["yolo-seg", "yolo-pose", "yolo-obb"])
        func lines(_ form: String, _ frame: Int) throws -> [[Double]] {
            try run.text("a.\(form)/labels/a_00000\(frame).txt").split(separator: "\n").map { line in
                line.split(separator: " ").compactMap { Double($0) }
            }
        }
        let outlines = try lines("yolo-seg", 0)
        #expect(outlines.count == 3)
        #expect(
            outlines.allSatisfy { $0.count >= 7 && $0.count % 2 == 1 && $0.dropFirst().allSatisfy((0...1).contains) })
        let bodies = try lines("yolo-pose", 0)
        #expect(bodies.count == 3 && bodies.allSatisfy { $0.count == 5 + 4 * 3 })
        #expect(Array(bodies[0][5..<8]) == [0.284375, 0.37916667, 2])
        #expect(Array(bodies[0].suffix(3)) == [0, 0, 0])
        let settings = try run.text("a.yolo-pose/data.yaml")
        #expect(settings.contains("kpt_shape: [4, 3]\nflip_idx: [0, 3, 2, 1]\nkpt_names:\n  0:\n    - \"top\"\n"))
        let corners = try lines("yolo-obb", 0)
        #expect(corners.count == 3 && corners.allSatisfy { $0.count == 9 })
        let first = CreatureTracker.turned.corners[0]
        #expect(abs(corners[1][1] * 160 - 0.5 - first.x) < 0.01 && abs(corners[1][2] * 120 - 0.5 - first.y) < 0.01)
    }

    @Test func cvat() throws {
        let run = try CreatureRun(formats: ["cvat", "cvat-images", "label-studio"])
        let video = try run.text("a.cvat.xml")
        #expect(
            video.contains("<track id=\"1\" label=\"ring\" source=\"auto\" group_id=\"1\">\n    <skeleton frame=\"0\" ")
        )
        #expect(
            video.contains(
                "      <points frame=\"0\" label=\"right\" keyframe=\"1\" outside=\"0\" occluded=\"1\" points=\"60.75,60.5\">"
            ))
        #expect(video.contains("rotation=\"30\" z_order"))
        #expect(video.contains("<mask frame=\"0\" outside=\"0\" occluded=\"0\" keyframe=\"1\" rle=\""))
        #expect(
            video.contains(
                "<label><name>left</name><color></color><type>points</type><attributes></attributes><parent>ring"))
        let images = try run.text("a.cvat-images.xml")
        #expect(
            images.contains(
                "<image id=\"0\" name=\"a_000000.jpg\" width=\"160\" height=\"120\">\n    <mask label=\"ring\""))
        #expect(images.contains("<skeleton label=\"ring\" source=\"auto\" z_order=\"0\" group_id=\"1\">"))
        #expect(try run.text("a.labelstudio.json").contains("\"rotation\":30,\"x\":"))
    }

    @Test func whatFormatsCantSayIsTold() throws {
        let run = try CreatureRun(formats: [])
        func notes(_ form: String) throws -> [String] {
            let export = try #require(TrackFileExport(format: form, kinds: CreatureRun.catalog.findings))
            return try export.run(run.tracks, to: run.folder.file("x" + form))
        }
        #expect(try notes("mot").contains { $0.contains("left out: “mask”, “joints”, “metres”, “angle” of stage “c”") })
        #expect(try notes("yolo-seg").contains { $0.contains("“joints”") && !$0.contains("“mask”") })
        #expect(try notes("coco").allSatisfy { !$0.contains("“mask”") })
        #expect(
            try notes("cvat").contains(
                "CVAT has no tracks of masks; each a shape of its own, its track its group: 4 of stage “c”"))
    }

    private static let target = ProcessInfo.processInfo.environment["EXCHANGE_FOLDER"]

    /// For scripts/check/check-exchange.py, which reads them with the programs that they are for.
    @Test(.enabled(if: Self.target != nil, "check-exchange.py asks for these files"))
    func filesForReaders() throws {
        let target = try #require(Self.target)
        let run = try CreatureRun()
        try output(of: "cp", ["-r", run.folder.file("a.mkv"), run.folder.file("out"), target])
    }
}
