import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct TrackFileWriterTests {
    private static let header = TrackFileHeader(
        generator: "test 1",
        source: .init(
            name: "a \"b\".mp4", width: 64, height: 48, rotation: 90, isMirrored: true, timeBase: Rational(1, 12800),
            frameRate: Rational(25, 1)),
        stages: [
            .init(id: "m", type: "markers", options: [JSONMember(key: "size", value: JSONNode(.number(0.5)))]),
            .init(
                id: "n", type: "classify", inputs: ["m"], rate: 7.5,
                details: [JSONMember(key: "model", value: JSONNode(.members(["sha256": .string("00")])))]),
        ])

    private static let kinds = FindingCatalog(
        [("markers", [MarkerFinding.self, ObjectFinding.self]), ("classify", [ClassificationFinding.self])],
        details: [Property("model", .map(of: .string(), keys: .any, doc: "Its hash."), doc: "The model.")])

    private static func frame(
        _ ordinal: Int, pts: Int64, duration: Int64, _ observations: [Observation] = []
    ) -> FrameRecord {
        FrameRecord(
            frame: ordinal, pts: MediaTime(ticks: pts, timeBase: Rational(1, 12800)), duration: duration,
            observations: observations)
    }

    private func write(to path: String) throws {
        let writer = try TrackFileWriter(path: path, header: Self.header)
        let marker = Observation(
            MarkerFinding(id: 3), stage: "m", track: TrackReference(stage: "m", number: 1), label: "x/3",
            confidence: 0.98765,
            polygon: [Point(1, 2), Point(3.456, 2), Point(3.455, 4.005), Point(-0.001, -0.004)])
        let object = Observation(
            ObjectFinding(), stage: "m", track: TrackReference(stage: "m", number: 2), region: "cup", label: "cup",
            confidence: 0.5, state: .seeded, box: Box(x: 1.006, y: 2, width: 10, height: 0.1))
        let names = Observation(
            ClassificationFinding(labels: [
                ScoredLabel(label: "é\n", confidence: 0.91), ScoredLabel(label: "b", confidence: -3.14159),
            ]), stage: "n", about: marker.track, isHeld: true)
        try writer.write(Self.frame(5, pts: -512, duration: 512, [marker, object, names]))
        try writer.write(Self.frame(6, pts: 1, duration: 0))
        var lost = object
        (lost.state, lost.box, lost.confidence) = (.lost, nil, 0)
        try writer.write(Self.frame(7, pts: 2, duration: 1, [marker.held, lost]))
        try writer.finish()
    }

    @Test func goldenBytes() throws {
        let folder = try TemporaryFolder()
        try write(to: folder.file("a.tracks.jsonl"))
        #expect(try folder.names == ["a.tracks.jsonl"])
        let text = String(decoding: try Files.read(folder.file("a.tracks.jsonl")), as: UTF8.self)
        let expected = [
            #"{"format":"annotate-tracks","version":1,"generator":"test 1","source":{"name":"a \"b\".mp4","width":64,"height":48,"#
                + #""rotation":90,"mirrored":true,"timeBase":[1,12800],"frameRate":[25,1],"frames":3},"stages":["#
                + #"{"id":"m","type":"markers","options":{"size":0.5}},"#
                + #"{"id":"n","type":"classify","inputs":["m"],"rate":7.5,"model":{"sha256":"00"}}]}"#,
            #"{"frame":5,"pts":-512,"duration":512,"time":-0.04,"observations":["#
                + #"{"stage":"m","kind":"marker","track":1,"label":"x/3","confidence":0.988,"polygon":[[1,2],[3.46,2],[3.46,4.01],[0,0]],"id":3},"#
                + #"{"stage":"m","kind":"object","track":2,"region":"cup","label":"cup","confidence":0.5,"state":"seeded","box":[1.01,2,10,0.1]},"#
                + #"{"stage":"n","kind":"classification","of":1,"held":true,"labels":[{"label":"é\n","confidence":0.91},{"label":"b","confidence":-3.142}]}]}"#,
            #"{"frame":6,"pts":1,"duration":0,"time":0.000078,"observations":[]}"#,
            #"{"frame":7,"pts":2,"duration":1,"time":0.000156,"observations":["#
                + #"{"stage":"m","kind":"marker","track":1,"label":"x/3","confidence":0.988,"polygon":[[1,2],[3.46,2],[3.46,4.01],[0,0]],"held":true,"id":3},"#
                + #"{"stage":"m","kind":"object","track":2,"region":"cup","label":"cup","confidence":0,"state":"lost"}]}"#,
            #"{"summary":{"frames":3,"complete":true,"concealed":0,"skipped":0,"stages":["#
                + #"{"stage":"m","observations":3,"tracks":2,"framesWithNothing":1},"#
                + #"{"stage":"n","observations":1,"tracks":0,"framesWithNothing":2}],"tracks":["#
                + #"{"track":1,"stage":"m","kind":"marker","label":"x/3","first":5,"last":7,"observations":2,"seen":1,"#
                + #""lost":1,"predicted":0,"spans":[[5,5],[7,7]],"longestGap":0.000078,"minConfidence":0.988,"meanConfidence":0.988},"#
                + #"{"track":2,"stage":"m","kind":"object","label":"cup","first":5,"last":5,"observations":1,"seen":1,"lost":2,"predicted":0,"#
                + #""spans":[[5,5]],"longestGap":0,"minConfidence":0.5,"meanConfidence":0.5}]}}"#,
        ]
        for (line, wanted) in zip(text.split(separator: "\n", omittingEmptySubsequences: false), expected) {
            #expect(String(line) == wanted)
        }
        #expect(text == expected.joined(separator: "\n") + "\n")
    }

    @Test func whatIsWrittenReadsBack() throws {
        let folder = try TemporaryFolder()
        try write(to: folder.file("a.tracks.jsonl"))
        let reader = try TrackFileReader(path: folder.file("a.tracks.jsonl"), kinds: Self.kinds)
        #expect(reader.header.source.name == "a \"b\".mp4")
        var frames: [Int] = []
        while let record = try reader.next() { frames.append(record.frame) }
        #expect(frames == [5, 6, 7])
        #expect(reader.summary?.frames == 3)
        #expect(reader.summary?.tracks.map(\.track) == [1, 2])
        #expect(try reader.next() == nil)
    }

    private static let hugeTimes: [(Int64, Int64)] = [
        (9_007_199_254_740_991, 1), (9_007_199_254_740_992, 9_007_199_254_740_993),
        (9_007_199_254_740_993, 9_007_199_254_740_995), (1 << 62, .max), (-9_007_199_254_740_993, 0), (.min, 0),
    ]

    /// Ticks are whole numbers of 64 bits.
    @Test(arguments: hugeTimes)
    func hugeTimesKeepTheirDigits(pts: Int64, duration: Int64) throws {
        let folder = try TemporaryFolder()
        let writer = try TrackFileWriter(path: folder.file("a"), header: Self.header)
        try writer.write(Self.frame(5, pts: pts, duration: duration))
        try writer.finish()
        let reader = try TrackFileReader(path: folder.file("a"), kinds: Self.kinds)
        let frame = try #require(try reader.next())
        #expect(frame.pts.ticks == pts)
        #expect(frame.duration == duration)
        try again(folder.file("a"))
    }

    /// Write, read, write: the same bytes.
    private func again(_ path: String) throws {
        let export = try #require(TrackFileExport(format: "tracks", kinds: Self.kinds))
        try export.run(path, to: path + ".again")
        #expect(
            try String(decoding: Files.read(path + ".again"), as: UTF8.self)
                == String(decoding: Files.read(path), as: UTF8.self))
    }

    @Test func whatIsReadIsWrittenAgain() throws {
        let folder = try TemporaryFolder()
        try write(to: folder.file("a.tracks.jsonl"))
        try again(folder.file("a.tracks.jsonl"))
    }

    /// The mean is that of what was measured, not of what the lines say of it, and stays when it is written again.
    @Test func meansAreExact() throws {
        let folder = try TemporaryFolder()
        let writer = try TrackFileWriter(path: folder.file("a"), header: Self.header)
        // In thousandths each, their mean would be 0.123.
        for (ordinal, confidence) in [0.1234, 0.1234, 0.1244].enumerated() {
            let seen = Observation(
                ObjectFinding(), stage: "m", track: TrackReference(stage: "m", number: 1), confidence: confidence,
                box: Box(x: 0, y: 0, width: 1, height: 1))
            try writer.write(Self.frame(ordinal, pts: Int64(ordinal), duration: 1, [seen]))
        }
        try writer.finish()
        let text = String(decoding: try Files.read(folder.file("a")), as: UTF8.self)
        #expect(text.contains(#""meanConfidence":0.124}"#))
        try again(folder.file("a"))
    }

    @Test func aRangeLeavesTheFilesCountOut() throws {
        let folder = try TemporaryFolder()
        var header = Self.header
        header.range = FrameRange(start: 0.5, end: 2)
        header.stages = []
        header.source.isMirrored = false
        header.source.frameRate = nil
        try TrackFileWriter(path: folder.file("a"), header: header).finish()
        #expect(
            String(decoding: try Files.read(folder.file("a")), as: UTF8.self) == """
                {"format":"annotate-tracks","version":1,"generator":"test 1","source":{"name":"a \\"b\\".mp4","width":64,\
                "height":48,"rotation":90,"timeBase":[1,12800]},"range":{"start":0.5,"end":2},"stages":[]}
                {"summary":{"frames":0,"complete":true,"concealed":0,"skipped":0,"stages":[],"tracks":[]}}

                """)
    }

    @Test func whatIsDiscardedLeavesNothing() throws {
        let folder = try TemporaryFolder()
        do {
            let forgotten = try TrackFileWriter(path: folder.file("a"), header: Self.header)
            try forgotten.write(Self.frame(0, pts: 0, duration: 1))
            #expect(!Files.exists(folder.file("a")))
            let file = OutputFile(target: folder.file("b"))
            let sink = try TracksSink(file, SinkContext(header: Self.header, kinds: Self.kinds))
            try sink.finish(SourceOutcome(), TrackFileSummary())
            #expect(!Files.exists(folder.file("b")))
            file.discard()
        }
        #expect(try folder.names == [])
    }
}
