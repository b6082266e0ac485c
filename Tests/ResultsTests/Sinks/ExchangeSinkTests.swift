import Testing

@testable import Annotate
@testable import TestSupport

/// Forms of results that other programs read.
@Suite struct ExchangeSinkTests {
    private typealias Exchange = ExchangeFolder

    /// A box that is lost for a frame, an outline without track, a face without a place.
    private func sample() throws -> ExchangeFolder {
        let pose = EstimatedPose(
            pose: Pose(rotation: Rotation(rodrigues: [0, 0, 1]), translation: [0, 0, 1], reprojectionError: 0.1),
            extent: .zero)
        return try ExchangeFolder([
            [Exchange.object(1, 1.5, confidence: 0.5), Exchange.marker(nil, 3, pose: pose)],
            [Exchange.object(1, 0, state: .lost)],
            [Exchange.object(1, 2, state: .recovered, confidence: 0.75), Exchange.object(2, 60, state: .predicted)],
            [
                Exchange.object(2, 61, label: Exchange.oddLabel),
                Observation(AnnotationFinding(point: Point(1, 1)), stage: "l", label: "text"),
            ], [],
        ])
    }

    @Test func mot() throws {
        let sample = try sample()
        #expect(
            try sample.text("mot") == """
                1,1,2.5,3.5,10,20.25,0.5,1,-1,-1
                1,-1,4,2,10,10,1,1,-1,-1
                3,1,3,3.5,10,20.25,0.75,1,-1,-1
                3,2,61,3.5,10,20.25,1,1,-1,-1
                4,2,62,3.5,10,20.25,1,1,-1,-1

                """)
        #expect(
            try sample.notes("mot") == [
                "MOT has no names; left out: 4 of stage “t”",
                "MOT has no outlines; written as the boxes around them: 1 of stage “m”",
                "MOT knows tracks by their ids; written as detections, with the id -1: 1 of stage “m”",
                "MOT can't tell predicted places from measured ones; written alike: 1 of stage “t”",
                "MOT says nothing of what has neither box nor outline; left out: 1 of stage “l”",
                "MOT has no fields beyond places and names; left out: “id”, “pose” of stage “m”",
            ])
    }

    /// Frames are those of the file, also where a range begins later.
    @Test func aRange() throws {
        let late = try ExchangeFolder([[Exchange.object(1, 1)]], first: 7)
        #expect(try late.text("mot").hasPrefix("8,1,"))
        #expect(try late.text("cvat").contains("<box frame=\"7\" "))
        #expect(try late.text("cvat").contains("<size>8</size>"))
        #expect(try late.text("label-studio").contains("{\"frame\":8,\"enabled\":false"))
        let coco = try JSONParser.parse(Array(try late.text("coco").utf8))
        let image = try #require(coco["images"]?.elements?.first)
        #expect(image["frame_index"]?.integer == 7 && image["id"]?.integer == 8)
        #expect(image["file_name"]?.string == "a_b_000007.jpg")
        #expect(Files.exists(try late.export("yolo").path + "/labels/a_b_000007.txt"))
    }

    @Test func cvat() throws {
        let text = try sample().text("cvat")
        let start = try #require(text.firstRange(of: "  <track ")?.lowerBound)
        let size = "ytl=\"2.5\" xbr="
        let end = "ybr=\"22.75\" z_order=\"0\"></box>"
        func box(_ frame: Int, _ x: Double, outside: Int = 0, occluded: Int = 0) -> String {
            "    <box frame=\"\(frame)\" outside=\"\(outside)\" occluded=\"\(occluded)\" keyframe=\"1\" "
                + "xtl=\"\(x.text(2))\" \(size)\"\((x + 10).text(2))\" \(end)\n"
        }
        func outline(_ frame: Int, outside: Int) -> String {
            "    <polygon frame=\"\(frame)\" outside=\"\(outside)\" occluded=\"0\" keyframe=\"1\" "
                + "points=\"3.5,1.5;12.5,1.5;12.5,10.5;3.5,10.5\" z_order=\"0\"></polygon>\n"
        }
        #expect(
            text[start...] == """
                  <track id="1" label="car" source="auto">
                \(box(0, 1.5))\(box(1, 1.5, outside: 1))\(box(2, 2))\(box(3, 2, outside: 1))  </track>
                  <track id="2" label="car" source="auto">
                \(box(2, 60, occluded: 1))\(box(3, 61))\(box(4, 61, outside: 1))  </track>
                  <track id="3" label="marker" source="auto">
                \(outline(0, outside: 0))\(outline(1, outside: 1))  </track>
                </annotations>

                """)
        #expect(text.contains("<name>a &quot;b&quot; &lt;c&gt; &amp; d,&#10;--&gt;日🚗\\u{7}</name>"))
        #expect(text.contains("<size>5</size>") && text.contains("<width>100</width><height>50</height>"))
        let notes = try sample().notes("cvat")
        #expect(
            notes.contains(
                "CVAT has one label for a track; the first written instead of others: 1 of stage “t”"))
    }

    @Test func labelStudio() throws {
        let folder = try ExchangeFolder([
            [Exchange.object(1, 10, label: Exchange.oddLabel)], [Exchange.object(1, 20)], [], [Exchange.object(1, 40)],
            [Exchange.object(nil, 5)],
        ])
        let task = try JSONParser.parse(Array(try folder.text("label-studio").utf8))
        #expect(task["data"]?["video"]?.string == "a b.mp4")
        let regions = try #require(task["predictions"]?.elements?.first?["result"]?.elements)
        #expect(regions.map { $0["id"]?.string } == ["track-1", "box-2"])
        let value = try #require(regions[0]["value"])
        #expect(value["labels"]?.elements?.first?.string == Exchange.oddLabel)
        #expect(value["framesCount"]?.integer == 5 && value["duration"]?.number == 0.2)
        let sequence = try #require(value["sequence"]?.elements)
        #expect(sequence.map { $0["frame"]?.integer } == [1, 2, 4])
        #expect(sequence.map { $0["enabled"]?.bool } == [true, false, false])
        #expect(sequence.map { $0["x"]?.number } == [10, 20, 40])
        #expect(sequence.map { $0["y"]?.number } == [5, 5, 5])
        #expect(sequence.map { $0["height"]?.number } == [40.5, 40.5, 40.5])
        #expect(sequence.map { $0["time"]?.number } == [0, 0.04, 0.12])
    }

    /// Label Studio finds frames by time × rate.
    @Test(
        arguments: [
            ([0, 40, 80, 120], nil), ([0, 40, 81, 121], nil),
            (
                [0, 40, 120, 160],
                "this video's rate varies: 2 of its 4 frames lie elsewhere than 25 frames a second put them"
            ),
        ] as [([Int64], String?)])
    func aVaryingRate(times: [Int64], sentence: String?) throws {
        let folder = try ExchangeFolder(times.map { _ in [] }, times: times)
        let expected = sentence.map { ["Label Studio finds frames by time × rate, and " + $0] } ?? []
        #expect(try folder.notes("label-studio") == expected)
    }

    @Test func coco() throws {
        let folder = try sample()
        let coco = try JSONParser.parse(Array(try folder.text("coco").utf8))
        #expect(coco["images"]?.elements?.map { $0["frame_index"]?.integer } == [0, 1, 2, 3, 4])
        #expect(coco["categories"]?.elements?.map { $0["name"]?.string } == ["car", "marker", Exchange.oddLabel])
        #expect(coco["tracks"]?.elements?.map { $0["id"]?.integer } == [1, 2])
        let annotations = try #require(coco["annotations"]?.elements)
        #expect(annotations.map { $0["id"]?.integer } == [1, 2, 3, 4, 5])
        #expect(annotations.map { $0["image_id"]?.integer } == [1, 1, 3, 3, 4])
        #expect(annotations.map { $0["track_id"]?.integer } == [1, nil, 1, 2, 2])
        #expect(annotations.map { $0["score"]?.number } == [0.5, nil, 0.75, nil, nil])
        #expect(annotations[0]["bbox"]?.elements?.map(\.number) == [1.5, 2.5, 10, 20.25])
        #expect(annotations[0]["area"]?.number == 202.5)
        #expect(annotations[1]["bbox"]?.elements?.map(\.number) == [3, 1, 10, 10])
        #expect(annotations[1]["area"]?.number == 81)
        #expect(
            annotations[1]["segmentation"]?.elements?.first?.elements?.map(\.number)
                == [3.5, 1.5, 12.5, 1.5, 12.5, 10.5, 3.5, 10.5])
        #expect(annotations[1]["attributes"]?["pose"]?["translation"]?.elements?.map(\.number) == [0, 0, 1])
        #expect(annotations[3]["attributes"]?["state"]?.string == "predicted")
        #expect(
            try folder.notes("coco") == [
                "COCO says nothing of what has neither box nor outline; left out: 1 of stage “l”"
            ])
    }

    @Test func yolo() throws {
        let folder = try ExchangeFolder([
            [Exchange.object(4, 10), Exchange.object(nil, 95, label: Exchange.oddLabel)], [],
            [Exchange.object(4, 200), Exchange.marker(5, 3)],
        ])
        let (path, notes) = try folder.export("yolo")
        func text(_ name: String) throws -> String {
            String(decoding: try Files.read(path + "/" + name), as: UTF8.self)
        }
        #expect(try Files.list(path) == ["classes.txt", "data.yaml", "labels", "tracks"])
        #expect(try Files.list(path + "/labels") == ["a_b_000000.txt", "a_b_000002.txt"])
        #expect(try text("labels/a_b_000000.txt") == "0 0.15 0.2525 0.1 0.405\n1 0.975 0.2525 0.05 0.405\n")
        #expect(try text("tracks/a_b_000000.txt") == "0 0.15 0.2525 0.1 0.405 4\n1 0.975 0.2525 0.05 0.405\n")
        #expect(try text("labels/a_b_000002.txt") == "2 0.08 0.12 0.1 0.2\n")
        #expect(
            try text("data.yaml") == """
                train: images
                val: images
                nc: 3
                names:
                  0: "car"
                  1: "a \\"b\\" <c> & d,\\n-->日🚗\\u0007"
                  2: "marker"

                """)
        #expect(try text("classes.txt") == "car\na \"b\" <c> & d,\\u{a}-->日🚗\\u{7}\nmarker\n")
        #expect(
            notes == [
                "YOLO has no boxes beyond the picture; cut at its edges: 1 of stage “t”",
                "YOLO has no boxes without a part in the picture; left out: 1 of stage “t”",
                "YOLO has no outlines; written as the boxes around them: 1 of stage “m”",
                "YOLO has no fields beyond places and names; left out: “id” of stage “m”",
            ])
    }

    @Test func vtt() throws {
        let folder = try ExchangeFolder(
            [[Exchange.object(1, 1, label: "<b> --> & c\n\nd")], [], [Exchange.object(1, 0, state: .lost)]],
            times: [0, 40, 3_600_100])
        #expect(
            try folder.text("vtt") == """
                WEBVTT

                0
                00:00:00.000 --> 00:00:00.040
                {"frame":0,"pts":0,"duration":40,"time":0,"size":[100,50],"observations":[{"stage":"t","kind":"object","track":1,"label":"\\u003cb\\u003e --\\u003e \\u0026 c\\n\\nd","box":[1,2.5,10,20.25]}]}

                2
                01:00:00.100 --> 01:00:00.140
                {"frame":2,"pts":3600100,"duration":40,"time":3600.1,"size":[100,50],"observations":[{"stage":"t","kind":"object","track":1,"label":"car","state":"lost"}]}

                """)
        #expect(try folder.notes("vtt") == [])
        let early = try ExchangeFolder([[Exchange.object(1, 1)], [Exchange.object(1, 1)]], times: [-40, 0])
        #expect(try early.text("vtt").contains("00:00:00.000 --> 00:00:00.001\n{\"frame\":0"))
        #expect(
            try early.notes("vtt") == ["WebVTT has no times before zero; written as at zero: 1 frame"])
    }

    @Test func nothing() throws {
        let empty = try ExchangeFolder([])
        for format in SinkCatalog.standard.formats { #expect(try empty.notes(format.name) == [], "\(format.name)") }
        #expect(try empty.text("mot") == "")
        #expect(try empty.text("vtt") == "WEBVTT\n")
        #expect(try empty.text("cvat").hasSuffix("  </meta>\n</annotations>\n"))
        for format in ["coco", "label-studio"] { _ = try JSONParser.parse(Array(try empty.text(format).utf8)) }
        #expect(try Files.list(try empty.export("yolo").path + "/labels") == [])
    }

    /// Numbers that no video has, as anybody's track file may have them.
    @Test func extremes() throws {
        let huge = 1 << 53 - 1
        var observation = Exchange.object(huge, 1e300)
        observation.box = Box(x: -1e300, y: 1e14, width: 1e300, height: 1e-300)
        let frames = [[observation, Exchange.object(huge, 1), Exchange.object(nil, 1), Exchange.marker(nil, 1e17)]]
        for (first, times) in [(huge, [Int64.max]), (0, [Int64.min])] {
            let folder = try ExchangeFolder(frames, first: first, times: times)
            for format in SinkCatalog.standard.formats { _ = try folder.export(format.name) }
            for format in ["coco", "label-studio"] { _ = try JSONParser.parse(Array(try folder.text(format).utf8)) }
        }
    }

    @Test func filters() throws {
        let folder = try sample()
        func rows(_ filter: ExportFilter) throws -> [String] {
            try folder.text("mot", filter).split(separator: "\n").map(String.init)
        }
        #expect(try rows(ExportFilter(kinds: ["marker"])) == ["1,-1,4,2,10,10,1,1,-1,-1"])
        #expect(try rows(ExportFilter(kinds: ["marker", "object"])).count == 5)
        #expect(try rows(ExportFilter(stages: ["t"], kinds: ["marker", "object"].suffix(1))).count == 4)
        // What has no confidence stays.
        #expect(try rows(ExportFilter(minimumConfidence: 0.75)).count == 4)
        #expect(try rows(ExportFilter(stages: ["t"], minimumConfidence: 1)).map { $0.prefix(3) } == ["3,2", "4,2"])
        // A table has no columns of what isn't in it.
        #expect(try folder.text("csv", ExportFilter(kinds: ["object"])).contains("pose") == false)
        let error = #expect(throws: TrackFileError.self) { try rows(ExportFilter(kinds: ["markr"])) }
        #expect(
            error?.message
                == "it has no kind “markr”; expected one of “marker”, “board”, “face”, “object”, “annotation”; did you mean “marker”?"
        )
        #expect(
            TrackFileExport(format: "tracks", filter: ExportFilter(kinds: ["face"]), kinds: TestFindings.catalog) == nil
        )
    }

    /// A new export takes the place of an old one, whole, and of nothing else.
    @Test func folders() throws {
        let folder = try ExchangeFolder([[Exchange.object(1, 1)], [Exchange.object(1, 1)]])
        let (path, _) = try folder.export("yolo")
        try folder.folder.write("x", to: "x.yolo/labels/a_b_000009.txt")
        try folder.folder.write("x", to: "x.yolo/labels.cache")
        _ = try folder.export("yolo")
        #expect(try Files.list(path) == ["classes.txt", "data.yaml", "labels", "tracks"])
        #expect(try Files.list(path + "/labels") == ["a_b_000000.txt", "a_b_000001.txt"])
        try folder.folder.write("mine", to: "x.yolo/notes.txt")
        let error = #expect(throws: FileError.self) { try folder.export("yolo") }
        #expect(
            error?.reason
                == "the folder holds “notes.txt”, which this program didn't put there; move that away, or name another place"
        )
        #expect(Files.exists(path + "/notes.txt"))
        #expect(try folder.folder.names == ["x.tracks.jsonl", "x.yolo"])
        #expect(Files.sizeOfResult(path) ?? 0 > 100)
    }
}
