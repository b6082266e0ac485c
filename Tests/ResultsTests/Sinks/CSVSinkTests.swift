import Testing

@testable import Annotate
@testable import TestSupport

/// Tables of observations.
@Suite struct CSVSinkTests {
    private static let header = TrackFileHeader(
        generator: "test 1",
        source: .init(name: "a, \"b\".mp4", width: 64, height: 48, timeBase: Rational(1, 25)),
        stages: [
            .init(id: "m", type: "markers"), .init(id: "f", type: "faces"), .init(id: "n", type: "classify"),
            .init(id: "l", type: "labels"),
        ])

    private static let head =
        "clip,frame,pts,time,stage,kind,track,of,region,label,confidence,state,left,top,width,height,"
        + "x1,y1,x2,y2,x3,y3,x4,y4,more_corners,held"

    /// A track file of frames with these observations, and its table.
    private func table(
        _ frames: [[Observation]], stages: [String] = [], in folder: TemporaryFolder
    ) throws -> String {
        let writer = try TrackFileWriter(path: folder.file("a.tracks.jsonl"), header: Self.header)
        for (ordinal, observations) in frames.enumerated() {
            try writer.write(
                FrameRecord(
                    frame: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
                    observations: observations))
        }
        try writer.finish()
        let export = try #require(TrackFileExport(format: "csv", stages: stages, kinds: TestFindings.catalog))
        #expect(export.name(for: folder.file("a.tracks.jsonl")) == "a.csv")
        try export.run(folder.file("a.tracks.jsonl"), to: folder.file("a.csv"))
        return String(decoding: try Files.read(folder.file("a.csv")), as: UTF8.self)
    }

    private func label(_ text: String?, stage: String = "l") -> Observation {
        Observation(AnnotationFinding(point: nil), stage: stage, label: text, state: .lost)
    }

    /// What a video shows is no formula.
    @Test(arguments: [
        ("=SUM(1+1)", "'=SUM(1+1)"), ("+1 234", "'+1 234"), ("-x", "'-x"), ("@A1", "'@A1"), ("\t=1", "'\t=1"),
        ("'=1", "''=1"), ("-5", "-5"), ("-5.25", "-5.25"), ("1e-9", "1e-9"), ("-1e9", "-1e9"), ("--1", "'--1"),
        ("-1.", "'-1."), ("'", "'"), ("it's", "it's"), ("", ""), ("＝1", "'＝1"), ("-", "'-"), ("-1+1", "'-1+1"),
    ])
    func formulasAreTexts(text: String, cell: String) throws {
        #expect(CSVCell.guarded(text) == cell)
        #expect(CSVCell.meant(cell) == text)
        let folder = try TemporaryFolder()
        let row = try #require(try table([[label(text)]], stages: ["l"], in: folder).split(separator: "\n").last)
        #expect(row.contains("," + cell + ","), "\(row)")
        var export = try #require(TrackFileExport(format: "csv", stages: ["l"], kinds: TestFindings.catalog))
        export.keepsFormulas = true
        try export.run(folder.file("a.tracks.jsonl"), to: folder.file("b.csv"))
        let plain = String(decoding: try Files.read(folder.file("b.csv")), as: UTF8.self)
        #expect(plain.split(separator: "\n").last?.contains("," + text + ",") == true)
    }

    @Test func columns() throws {
        let folder = try TemporaryFolder()
        #expect(try table([], stages: ["l"], in: folder) == Self.head + ",point_x_px,point_y_px\n")
        let pose =
            ["rotation_x_rad", "rotation_y_rad", "rotation_z_rad"]
            + ["w", "x", "y", "z"].map { "rotation_quaternion_" + $0 }
            + ["translation_x_m", "translation_y_m", "translation_z_m", "reprojectionError_px"]
        // Markers and boards share theirs.
        let extent = ["pose_extent_width_m", "pose_extent_height_m"]
        let poses = (pose.map { "pose_" + $0 } + pose.map { "pose_alternative_" + $0 } + extent).joined(separator: ",")
        #expect(try table([[]], stages: ["m"], in: folder) == Self.head + ",id,\(poses)\n")
        #expect(try table([[]], in: folder) == Self.head + ",id,\(poses),landmarks_px,labels,point_x_px,point_y_px\n")
    }

    @Test(
        arguments: [
            ("plain", "plain"), (nil, ""), ("", ""), ("a,b", "\"a,b\""), ("say \"a\"", "\"say \"\"a\"\"\""),
            ("a\nb", "\"a\nb\""), ("a\r\nb", "\"a\r\nb\""), ("\"", "\"\"\"\""), (" a ", " a "), ("é; 日本", "é; 日本"),
            ("=1+1", "'=1+1"),
        ] as [(String?, String)])
    func quoting(text: String?, cell: String) throws {
        let folder = try TemporaryFolder()
        let found = try table([[label(text)]], stages: ["l"], in: folder)
        let row = "\"a, \"\"b\"\".mp4\",0,0,0,l,annotation,,,,\(cell),,lost" + String(repeating: ",", count: 16) + "\n"
        #expect(found.hasSuffix("\n" + row), "\(found)")
    }

    @Test func places() throws {
        let folder = try TemporaryFolder()
        let corners = (0..<6).map { Point(Double($0) + 0.125, -Double($0)) }
        var named = Observation(
            ClassificationFinding(labels: [ScoredLabel(label: "a, b", confidence: 0.5)]), stage: "n",
            about: TrackReference(stage: "f", number: 1), isHeld: true)
        let face = Observation(
            FaceFinding(), stage: "f", track: TrackReference(stage: "f", number: 1), confidence: 0.12345,
            box: Box(x: 1, y: 2.5, width: 3, height: 4))
        let text = try table(
            [
                [face, named], [Observation(MarkerFinding(id: 7), stage: "m", polygon: Array(corners.prefix(4)))],
                [Observation(MarkerFinding(id: 8), stage: "m", polygon: corners)],
                [Observation(MarkerFinding(id: 9), stage: "m", polygon: Array(corners.prefix(3)))],
            ], in: folder)
        let rows = text.split(separator: "\n").dropFirst().map { $0.dropFirst("\"a, \"\"b\"\".mp4\",".count) }
        let none = String(repeating: ",", count: 24)
        try #require(rows.count == 5)
        #expect(
            rows[0] == "0,0,0,f,face,1,,,,0.123,,1,2.5,3,4,,,,,,,,,,,\(none),,,,")
        let labels = #""[{""label"":""a, b"",""confidence"":0.5}]""#
        #expect(rows[1] == "0,0,0,n,classification,,1,,,,,,,,,,,,,,,,,,true,,\(none),\(labels),,")
        #expect(rows[2] == "1,1,0.04,m,marker,,,,,,,,,,,0.13,0,1.13,-1,2.13,-2,3.13,-3,,,7\(none),,,,")
        #expect(
            rows[3]
                == "2,2,0.08,m,marker,,,,,,,,,,,0.13,0,1.13,-1,2.13,-2,3.13,-3,\"[[4.13,-4],[5.13,-5]]\",,8\(none),,,,")
        #expect(rows[4] == "3,3,0.12,m,marker,,,,,,,,,,,0.13,0,1.13,-1,2.13,-2,,,,,9\(none),,,,")
        named.about = nil
        // A track that is left out is nobody's subject.
        let alone = try table([[face, named]], stages: ["n"], in: folder)
        #expect(alone.contains(",0,0,0,n,classification,,,,"))
    }

    /// Every row has as many cells as the first.
    @Test(.enabled(if: hasPython, "python3 is not installed")) func asOthersReadIt() throws {
        let folder = try TemporaryFolder()
        let texts = ["plain", "a,b", "say \"a\"", "a\nb", "a\r\nb", "\"", " a ", "é 日本", ",", "\n", "\"\"", ""]
        let pose = Pose(
            rotation: Rotation(rodrigues: [3.1, 0.2, 0.1]), translation: [0.1, 0, 1], reprojectionError: 0.5)
        let marker = Observation(
            MarkerFinding(id: 3, pose: EstimatedPose(pose: pose, extent: .zero)), stage: "m",
            polygon: Box(x: 0, y: 0, width: 9, height: 9).corners)
        _ = try table(texts.map { [label($0), marker] }, in: folder)
        try folder.write(
            """
            import csv, json, sys
            rows = list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8'), strict=True))
            print(json.dumps(rows))
            """, to: "read.py")
        let read = try JSONParser.parse(try output(of: "python3", [folder.file("read.py"), folder.file("a.csv")]))
        let rows = (read.elements ?? []).map { ($0.elements ?? []).compactMap(\.string) }
        try #require(rows.count == 1 + 2 * texts.count)
        #expect(Set(rows.map(\.count)) == [rows[0].count])
        let column = try #require(rows[0].firstIndex(of: "label"))
        #expect(rows.dropFirst().filter { $0[4] == "l" }.map { $0[column] } == texts)
        let rotation = try #require(rows[0].firstIndex(of: "pose_rotation_x_rad"))
        let cells = Array(rows[2][rotation...].prefix(11))
        #expect(cells[..<3] + cells[7...] == ["3.1", "0.2", "0.1", "0.1", "0", "1", "0.5"])
        let quaternion = cells[3..<7].compactMap(Double.init)
        let turned = Rotation(rodrigues: [3.1, 0.2, 0.1]).quaternion
        #expect(quaternion.enumerated().allSatisfy { abs($1 - turned[$0]) < 1e-5 } && quaternion.count == 4)
        #expect(rows.allSatisfy { $0[0] == "clip" || $0[0] == "a, \"b\".mp4" })
    }

    private static let hasPython = (try? output(of: "python3", ["-c", "import csv"])) != nil

    @Test func whatIsNotThere() throws {
        #expect(TrackFileExport(format: "tsv", kinds: TestFindings.catalog) == nil)
        let folder = try TemporaryFolder()
        let error = #expect(throws: TrackFileError.self) { try table([], stages: ["k"], in: folder) }
        #expect(error?.message.hasPrefix("it has no stage “k”; expected one of “m”, “f”, “n”, “l”") == true)
        #expect(!Files.exists(folder.file("a.csv")))
    }

    /// A file that breaks off leaves no table.
    @Test func aBrokenTrackFile() throws {
        let folder = try TemporaryFolder()
        _ = try table([[label("a")], [label("b")]], in: folder)
        let lines = String(decoding: try Files.read(folder.file("a.tracks.jsonl")), as: UTF8.self)
            .split(separator: "\n")
        try folder.write(lines.dropLast().joined(separator: "\n") + "\n", to: "b.tracks.jsonl")
        let export = try #require(TrackFileExport(format: "csv", kinds: TestFindings.catalog))
        #expect(throws: TrackFileError.self) { try export.run(folder.file("b.tracks.jsonl"), to: folder.file("b.csv")) }
        #expect(try folder.names.sorted() == ["a.csv", "a.tracks.jsonl", "b.tracks.jsonl"])
    }
}
