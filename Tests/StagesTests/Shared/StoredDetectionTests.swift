import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth

/// Detections that are stored and read back are the same, and lead the tracker to the same results.
@Suite struct StoredDetectionTests {
    private static let frames = 6

    /// Three markers on white cards that move and turn.
    private static func scene() -> Scene {
        var scene = Scene()
        (scene.width, scene.height) = (960, 540)
        scene.background = BackgroundStyle(kind: .plain)
        (scene.blur.gaussian, scene.noise.luma) = (0.5, 1)
        let places: [(SIMD3<Double>, SIMD3<Double>)] = [
            ([-0.2, -0.05, 0.6], [-30, 15, 5]), ([0.12, 0.02, 0.65], [35, -20, 60]),
            ([-0.02, 0.14, 0.7], [10, 30, 190]),
        ]
        scene.objects = places.enumerated().map { index, place in
            SceneObject(
                .marker(MarkerCard(dictionary: "aruco-4x4-50", id: index, size: 0.1)),
                motion: Motion(keyframes: [
                    Motion.Keyframe(position: place.0, rotation: place.1),
                    Motion.Keyframe(time: 0.25, position: place.0 + [0.02, 0.01, 0.02], rotation: place.1 + 8),
                ]))
        }
        return scene
    }

    /// What was written, read back.
    private func stored<Value: Storable>(_ value: Value) throws -> Value {
        var json = JSONWriter()
        value.store(into: &json)
        return try #require(Value(stored: try JSONParser.parse(json.bytes)))
    }

    /// Tracks what a detector finds in the frames of the scene, and what is read back of it.
    /// - Returns: What was found in each frame, and what was said of it.
    private func check<D: StorableDetector, T: Tracker>(
        _ detector: D, _ tracker: T
    ) throws -> [(found: D.Detection, said: [Observation])]
    where D.Detection == T.Detection, D.Detection: Equatable, T.Output == Observation {
        let renderer = try SceneRenderer(scene: Self.scene(), markerBits: ClipRenderer.markerBits) { _ in
            try RGBImage(width: 1, height: 1, pixels: [0, 0, 0])
        }
        var (direct, reread) = (tracker, tracker)
        return try (0..<Self.frames).map { index in
            let input = StageInput(frame: try renderer.videoFrame(index))
            let detection = try detector.detect(input)
            let copy = try stored(detection)
            #expect(copy == detection)
            let said = try direct.update(detection, input)
            #expect(try reread.update(copy, input) == said)
            return (detection, said)
        }
    }

    private static let context = StageContext(id: "s", width: 960, height: 540)

    @Test func rectangles() throws {
        var options = RectanglesBlueprint.Options()
        options.maximumObservations = 0
        let frames = try check(RectangleDetector(options), RectangleTracker(options, Self.context))
        #expect(frames.allSatisfy { $0.found.rectangles.count >= 3 && $0.said.count == $0.found.rectangles.count })
        let tracks = frames[Self.frames - 1].said.compactMap(\.track).map(\.number)
        #expect(Set(tracks).isSuperset(of: [1, 2, 3]))
    }

    @Test func markers() throws {
        var options = MarkersBlueprint.Options()
        options.size = 0.1
        let sides = try MarkerSides(options, count: 50, dictionary: options.dictionary)
        let frames = try check(
            MarkerDetector(
                Self.context, MarkerDictionary(name: options.dictionary), options, sides: sides, board: nil),
            MarkerTracker(Self.context, name: options.dictionary, memory: options.memory, sides: sides, board: nil))
        #expect(frames.allSatisfy { Set($0.found.markers.map(\.id)) == [0, 1, 2] })
        // Poses are stored, too: those of a flat thing come in twos.
        #expect(frames.allSatisfy { $0.found.markers.allSatisfy { !$0.poses.isEmpty } })
        #expect(frames.allSatisfy { $0.said.allSatisfy { $0.finding(as: MarkerFinding.self)?.pose != nil } })
    }

    /// A board's sighting has lists of its own.
    @Test func boards() throws {
        let sighting = BoardFinder.Sighting(
            flat: [Point(0.1, -0.25)], seen: [Point(1.0 / 3, 77.1)], groups: [1],
            poses: [Pose(rotation: Rotation(rodrigues: [0.1, 0.2, 2.9]), translation: [0, 0.1, 1.0 / 7])])
        let found = FoundMarkers(markers: [], board: sighting)
        #expect(try stored(found) == found)
        #expect(try stored(FoundMarkers()) == FoundMarkers())
    }

    /// Numbers that no short text has.
    private static let third = 1.0 / 3

    @Test func whatNetworksSee() throws {
        let mask = try #require(RunMask(box: PixelBox(x: 3, y: 4, width: 2, height: 3), runs: [1, 4, 1]))
        let corners = [Point(Self.third, 2), Point(3, 4.1), Point(5, 6), Point(-7, 8)]
        let thing = DetectedThing(
            label: 7, score: 0.1 + 0.2, box: Box(x: Self.third, y: 2, width: 3.3, height: 4), corners: corners,
            angle: -Self.third, mask: mask,
            joints: [
                Joint(Point(1, Self.third), confidence: 0.9, visibility: 0.7),
                Joint(Point(2, 1), confidence: 0.1, metres: [Self.third, 2, -3]),
            ])
        let detection = ThingDetector.Detection(
            found: [
                .init(thing: thing, about: TrackReference(stage: "a \"b\"", number: 12)),
                .init(thing: DetectedThing(label: 0, score: 1, box: Box(x: 0, y: 0, width: 1, height: 1))),
            ], best: 0.1)
        let copy = try stored(detection)
        #expect(copy.found == detection.found && copy.best == detection.best)
        let none = try stored(ThingDetector.Detection())
        #expect(none.found.isEmpty && none.best == nil)
        let scores = [
            RegionScores(
                about: TrackReference(stage: "t", number: 1), polygon: corners, region: corners,
                scores: [Self.third, 0, 1]),
            RegionScores(scores: []),
        ]
        #expect(try stored(scores) == scores)
        let faces = [
            FaceCandidate(score: Self.third, box: Box(x: 1, y: 2, width: 3, height: Self.third), points: corners)
        ]
        #expect(try stored(faces) == faces)
    }

    @Test func whatIsFoundWithoutThem() throws {
        let corners = [Point(Self.third, 2), Point(3, 4.1), Point(5, 6), Point(-7, 8)]
        let codes = [
            FoundBarcode(symbology: .ean13, payload: .text("4006381333931\u{1d}"), polygon: corners, supplement: "12"),
            FoundBarcode(symbology: .qr, payload: .bytes([0, 255, 10, 13]), polygon: corners, isSure: true),
            FoundBarcode(symbology: .aztec, payload: .text(""), polygon: []),
        ]
        #expect(try stored(codes) == codes)
        let lines = [FoundTextLine(polygon: corners, isLight: true, letters: 4, score: Self.third)]
        #expect(try stored(lines) == lines)
        let horizon = FoundHorizon(
            line: HorizonLine(angle: -Self.third, offset: 100 * Self.third), confidence: 0.1 + 0.2)
        #expect(try stored(Optional(horizon)) == horizon)
        #expect(try stored(FoundHorizon?.none) == nil)
    }

    private func same(_ one: Appearance?, _ other: Appearance?) -> Bool {
        one?.kind == other?.kind && one?.share == other?.share
            && one?.values.map(\.bitPattern) == other?.values.map(\.bitPattern)
    }

    /// What things look like, and the camera, which is looked at again.
    @Test(arguments: [true, false])
    func whatFollowingReads(followsCamera: Bool) throws {
        let renderer = try SceneRenderer(scene: Self.scene(), markerBits: ClipRenderer.markerBits) { _ in
            try RGBImage(width: 1, height: 1, pixels: [0, 0, 0])
        }
        let choice = SightingChoice(minimumScore: 0.5)
        let detector = FollowDetector(choice: choice, reader: .stripes, followsCamera: followsCamera)
        var direct = FollowTracker(
            id: "f", FollowModel(), choice, memory: 3, followsCamera: followsCamera, looksAhead: false)
        var reread = direct
        var said = 0
        for index in 0..<Self.frames {
            let boxes = [
                Box(x: 200 + 3 * Double(index), y: 100, width: 130.3, height: 260),
                Box(x: 900, y: 300, width: 200, height: 90),
                Box(x: 250, y: 160, width: 100, height: 250), Box(x: 2000, y: 0, width: 9, height: 9),
            ]
            let observations = boxes.map { Observation(ObjectFinding(), stage: "d", confidence: 0.9, box: $0) }
            let input = StageInput(
                frame: try renderer.videoFrame(index), results: [observations.map { Emission($0) }])
            let found = try detector.detect(input)
            #expect(found.appearances.count == 3 && found.appearances.allSatisfy { $0 != nil })
            let copy = try stored(found)
            #expect(zip(found.appearances, copy.appearances).allSatisfy(same))
            #expect(copy.view == nil && (found.view != nil) == followsCamera)
            let told = try direct.update(found, input)
            #expect(try reread.update(copy, input) == told)
            said += told.count
        }
        #expect(said > 0)
    }

    /// Long runs of nought and of others, numbers of any sort, and hidden ones.
    @Test func appearances() throws {
        let values: [[Float]] = [
            [1], [0, 0, 0.1], [0.1, 0, 0], Array(repeating: 0, count: 600) + [1], Array(repeating: 0.3, count: 700),
            Array(repeating: 0, count: 255) + Array(repeating: -0.1, count: 255) + [0, 1, 0],
            [-0.0, .leastNonzeroMagnitude, 1 / 3],
        ]
        let all = [nil] + values.map { Appearance(.features, $0, share: Self.third) }
        let copy = try stored(all)
        #expect(copy.count == all.count && zip(all, copy).allSatisfy(same))
        for text in ["", "s", "sAAAA", "x" + Base64.text(Array(repeating: 1, count: 12)), "f!!!!"] {
            #expect(Appearance(stored: JSONNode(.string(text))) == nil, "\(text)")
        }
    }

    /// What doesn't fit is no detection: the frame is looked at anew.
    @Test func whatIsNone() throws {
        for text in ["3", #"{"rectangles": 5}"#, #"{"rectangles": [{"corners": [[1, 2]]}]}"#, "null", "[]"] {
            let node = try JSONParser.parse(Array(text.utf8))
            #expect(FoundRectangles(stored: node) == nil || text.contains("corners"), "\(text)")
        }
        #expect([FoundTextLine](stored: try JSONParser.parse(Array(#"[{"letters": "x"}]"#.utf8))) == nil)
    }
}
