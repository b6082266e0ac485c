import Testing

@testable import Annotate

@Suite struct SidecarWriterTests {
    private static let header = SidecarHeader(
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

    private func observation(_ observation: Observation, track: Int? = nil, of: Int? = nil) -> NumberedObservation {
        NumberedObservation(observation: observation, track: track, of: of, style: nil)
    }

    private func write(to path: String) throws -> (frames: Int, tracks: Int) {
        let writer = try SidecarWriter(path: path, header: Self.header)
        let marker = Observation(
            stage: "m", kind: .marker, label: "x/3", id: 3, confidence: 0.98765,
            polygon: [Point(1, 2), Point(3.456, 2), Point(3.455, 4.005), Point(-0.001, -0.004)])
        let object = Observation(
            stage: "m", kind: .object, region: "cup", label: "cup", confidence: 0.5, state: .seeded,
            box: Box(x: 1.006, y: 2, width: 10, height: 0.1))
        let names = Observation(
            stage: "n", kind: .classification,
            labels: [ScoredLabel(label: "é\n", confidence: 0.91), ScoredLabel(label: "b", confidence: -3.14159)],
            held: true)
        try writer.write(
            frame: 5, pts: MediaTime(ticks: -512, timeBase: Rational(1, 12800)), duration: 512,
            observations: [observation(marker, track: 1), observation(object, track: 2), observation(names, of: 1)])
        try writer.write(
            frame: 6, pts: MediaTime(ticks: 1, timeBase: Rational(1, 12800)), duration: 0, observations: [])
        var held = marker
        held.held = true
        var lost = object
        (lost.state, lost.box, lost.confidence) = (.lost, nil, 0)
        try writer.write(
            frame: 7, pts: MediaTime(ticks: 2, timeBase: Rational(1, 12800)), duration: 1,
            observations: [observation(held, track: 1), observation(lost, track: 2)])
        return try writer.finish()
    }

    @Test func goldenBytes() throws {
        let folder = try TemporaryFolder()
        let counts = try write(to: folder.file("a.tracks.jsonl"))
        #expect(counts == (3, 2))
        #expect(try folder.names == ["a.tracks.jsonl"])
        let text = String(decoding: try Files.read(folder.file("a.tracks.jsonl")), as: UTF8.self)
        let expected = [
            #"{"format":"annotate-tracks","version":1,"generator":"test 1","source":{"name":"a \"b\".mp4","width":64,"height":48,"#
                + #""rotation":90,"mirrored":true,"timeBase":[1,12800],"frameRate":[25,1],"frames":3},"stages":["#
                + #"{"id":"m","type":"markers","options":{"size":0.5}},"#
                + #"{"id":"n","type":"classify","inputs":["m"],"rate":7.5,"model":{"sha256":"00"}}]}"#,
            #"{"frame":5,"pts":-512,"duration":512,"time":-0.04,"observations":["#
                + #"{"stage":"m","kind":"marker","track":1,"label":"x/3","id":3,"polygon":[[1,2],[3.46,2],[3.46,4.01],[0,0]],"confidence":0.988},"#
                + #"{"stage":"m","kind":"object","track":2,"region":"cup","label":"cup","box":[1.01,2,10,0.1],"confidence":0.5,"state":"seeded"},"#
                + #"{"stage":"n","kind":"classification","of":1,"labels":[{"label":"é\n","confidence":0.91},{"label":"b","confidence":-3.142}],"held":true}]}"#,
            #"{"frame":6,"pts":1,"duration":0,"time":0.000078,"observations":[]}"#,
            #"{"frame":7,"pts":2,"duration":1,"time":0.000156,"observations":["#
                + #"{"stage":"m","kind":"marker","track":1,"label":"x/3","id":3,"polygon":[[1,2],[3.46,2],[3.46,4.01],[0,0]],"confidence":0.988,"held":true},"#
                + #"{"stage":"m","kind":"object","track":2,"region":"cup","label":"cup","confidence":0,"state":"lost"}]}"#,
            #"{"summary":{"frames":3,"complete":true,"concealed":0,"skipped":0,"tracks":["#
                + #"{"track":1,"stage":"m","kind":"marker","label":"x/3","first":5,"last":7,"observations":2,"meanConfidence":0.988},"#
                + #"{"track":2,"stage":"m","kind":"object","label":"cup","first":5,"last":5,"observations":1,"meanConfidence":0.5}]}}"#,
        ]
        for (line, wanted) in zip(text.split(separator: "\n", omittingEmptySubsequences: false), expected) {
            #expect(String(line) == wanted)
        }
        #expect(text == expected.joined(separator: "\n") + "\n")
    }

    @Test func whatIsWrittenReadsBack() throws {
        let folder = try TemporaryFolder()
        _ = try write(to: folder.file("a.tracks.jsonl"))
        let reader = try SidecarReader(path: folder.file("a.tracks.jsonl"))
        var kinds: [String] = []
        while let line = try reader.next() {
            switch line {
            case .header(let node): kinds.append("header of \(node["source"]?["name"]?.string ?? "")")
            case .frame(let node): kinds.append("frame \(node["frame"]?.integer ?? -1)")
            case .summary(let node): kinds.append("summary of \(node["summary"]?["frames"]?.integer ?? -1)")
            }
        }
        #expect(kinds == ["header of a \"b\".mp4", "frame 5", "frame 6", "frame 7", "summary of 3"])
        #expect(try reader.next() == nil)
    }

    @Test func aRangeLeavesTheFilesCountOut() throws {
        let folder = try TemporaryFolder()
        var header = Self.header
        header.range = FrameRange(start: 0.5, end: 2)
        header.stages = []
        header.source.isMirrored = false
        header.source.frameRate = nil
        try SidecarWriter(path: folder.file("a"), header: header).finish()
        #expect(
            String(decoding: try Files.read(folder.file("a")), as: UTF8.self) == """
                {"format":"annotate-tracks","version":1,"generator":"test 1","source":{"name":"a \\"b\\".mp4","width":64,\
                "height":48,"rotation":90,"timeBase":[1,12800]},"range":{"start":0.5,"end":2},"stages":[]}
                {"summary":{"frames":0,"complete":true,"concealed":0,"skipped":0,"tracks":[]}}

                """)
    }

    @Test func whatIsDiscardedLeavesNothing() throws {
        let folder = try TemporaryFolder()
        do {
            let writer = try SidecarWriter(path: folder.file("a"), header: Self.header)
            try writer.write(
                frame: 0, pts: MediaTime(ticks: 0, timeBase: Rational(1, 25)), duration: 1, observations: [])
            #expect(!Files.exists(folder.file("a")))
            writer.discard()
            #expect(try folder.names == [])
            let forgotten = try SidecarWriter(path: folder.file("b"), header: Self.header)
            try forgotten.prepare()
            #expect(!Files.exists(folder.file("b")))
        }
        #expect(try folder.names == [])
    }
}
