import Testing

@testable import Annotate
@testable import CVision
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth

/// The dictionary “auto” on pictures.
@Suite struct AutoDictionaryTests {
    private func renderer(_ cards: [(dictionary: String, id: Int)]) throws -> SceneRenderer {
        var scene = Scene()
        (scene.width, scene.height) = (640, 360)
        scene.background = BackgroundStyle(kind: .plain)
        (scene.blur.gaussian, scene.noise.luma) = (0.5, 1)
        scene.objects = cards.enumerated().map { index, card in
            SceneObject(
                .marker(MarkerCard(dictionary: card.dictionary, id: card.id, size: 0.1)),
                motion: Motion(position: [-0.2 + 0.2 * Double(index), 0, 0.7], rotation: [10, -15, 20]))
        }
        return try SceneRenderer(scene: scene, markerBits: ClipRenderer.markerBits) { _ in
            try RGBImage(width: 1, height: 1, pixels: [0, 0, 0])
        }
    }

    private func stage(_ options: String = #""dictionary": "auto""#, isStill: Bool = false) throws -> Stage {
        try MarkersBlueprint(options: stageOptions("{\(options)}")).makeStage(
            StageContext(id: "m", width: 640, height: 360, isStill: isStill))
    }

    @Test(arguments: MarkerDictionary.names)
    func findsOutEach(name: String) throws {
        let last = try MarkerDictionary(name: name).count - 1
        let renderer = try renderer([(name, 1), (name, last)])
        let stage = try stage()
        var labels: Set<String> = []
        for index in 0..<8 {
            for observation in try observations(stage, in: renderer.videoFrame(index)) {
                labels.insert(observation.label ?? "")
            }
        }
        #expect(labels == ["\(name)/1", "\(name)/\(last)"])
        #expect(stage.notes.count == 1)
        #expect(
            stage.notes.first?.hasPrefix("dictionary \(name) was chosen at frame ") == true, "\(stage.notes)")
    }

    /// The same as with the name, from the frame of the choice on.
    @Test func seesWhatTheNamedOneSees() throws {
        let renderer = try renderer([("aruco-6x6-250", 4), ("aruco-6x6-250", 200), ("aruco-6x6-250", 9)])
        let (auto, named) = (try stage(), try stage(#""dictionary": "aruco-6x6-250""#))
        for index in 0..<3 {
            let frame = try renderer.videoFrame(index)
            let (a, b) = (try observations(auto, in: frame), try observations(named, in: frame))
            #expect(a.count == 3)
            #expect(a.map(\.label) == b.map(\.label))
            #expect(a.map(\.polygon) == b.map(\.polygon))
            #expect(a.map { $0.track?.number } == b.map { $0.track?.number })
        }
        #expect(
            auto.notes == [
                "dictionary aruco-6x6-250 was chosen at frame 0: 3 markers (4, 9, 200) of it read without a fault in a "
                    + "frame; no other has any"
            ])
        #expect(named.notes == [])
    }

    /// One search of outlines serves all dictionaries: each reads what a search of its own would, and leaves as much unread.
    @Test func sharedOutlinesChangeNothing() throws {
        let cards = [("aruco-4x4-50", 3), ("apriltag-36h11", 7), ("aruco-original", 77)]
        let frame = try renderer(cards.map { (dictionary: $0.0, id: $0.1) }).videoFrame(0)
        let evidence = try DictionaryEvidence(.init())
        let sight = try frame.withLuma { try evidence.sight(ocv_plane($0), half: nil) }
        var strict = MarkersBlueprint.Options()
        (strict.errorCorrection, strict.refine) = (0, .none)
        #expect(sight.unread.count == evidence.families.count)
        for (index, family) in evidence.families.enumerated() {
            let largest = try #require(family.members.last?.name)
            let alone = try MarkerSearch(try MarkerDictionary(name: largest), strict)
            let found = try frame.withLuma { try alone.detect(ocv_plane($0), half: nil) }
                .filter { $0.isFaultless && !$0.isPlain }
            let shared = sight.readings.filter { $0.family == index }
            #expect(shared.map(\.id) == found.map(\.id), "\(largest)")
            #expect(shared.map(\.corners) == found.map(\.corners), "\(largest)")
            #expect(sight.unread[index] == alone.unread, "\(largest)")
        }
        #expect(Set(sight.readings.map(\.family)).count >= cards.count)
    }

    @Test func neverMixes() throws {
        let two = try renderer([("aruco-5x5-100", 1), ("aruco-5x5-100", 2), ("apriltag-36h11", 7)])
        let stage = try stage()
        var labels: Set<String> = []
        for index in 0..<40 {
            labels.formUnion(
                try observations(stage, in: two.videoFrame(index)).map { String($0.label?.prefix { $0 != "/" } ?? "") })
        }
        #expect(labels.count <= 1)
    }

    @Test func laterMarkersOfAnotherAreTold() throws {
        let first = try renderer([("aruco-6x6-50", 1)])
        let then = try renderer([("apriltag-36h11", 5), ("apriltag-36h11", 6), ("apriltag-36h11", 7)])
        let stage = try stage()
        #expect(try observations(stage, in: first.videoFrame(0)).map(\.label) == ["aruco-6x6-50/1"])
        for index in 1..<90 { #expect(try observations(stage, in: then.videoFrame(index)).isEmpty) }
        #expect(stage.notes.count == 2)
        #expect(
            stage.notes.last
                == "later frames show 3 markers (5, 6, 7) of apriltag-36h11: only those of aruco-6x6-50 are "
                + "reported; name it under “dictionary” where it is the right one")
    }

    @Test func aPictureWithoutMarkers() throws {
        let stage = try stage(isStill: true)
        #expect(try observations(stage, in: renderer([]).videoFrame(0)).isEmpty)
        #expect(stage.notes == ["no dictionary was chosen: no marker of any was read in 1 frame"])
    }

    @Test func onlySomeIds() throws {
        let renderer = try renderer([("aruco-7x7-50", 3), ("aruco-7x7-50", 4)])
        let stage = try stage(#""dictionary": "auto", "ids": [4]"#)
        #expect(try observations(stage, in: renderer.videoFrame(0)).map(\.label) == ["aruco-7x7-50/4"])
    }

    @Test func aBoardNeedsAName() throws {
        let error = #expect(throws: StageOptionError.self) {
            try stage(
                #""dictionary": "auto", "board": {"kind": "grid", "columns": 2, "rows": 2, "markerSize": 0.1, "gap": 0.02}"#
            )
        }
        #expect(
            error?.message == "a board with the dictionary “auto”; expected the name of the board's dictionary")
    }

    // MARK: Real ones

    /// A board of 35 markers of somebody's own dictionary.
    @Test(.enabled(if: RealData.isThere || RealData.isExpected, RealData.reason))
    func markersOfNoneOfThem() throws {
        let frame = try photo(RealData.folder + "/aruco/gboriginal.jpg")
        let stage = try MarkersBlueprint(options: stageOptions(#"{"dictionary": "auto"}"#)).makeStage(
            StageContext(id: "m", width: frame.width, height: frame.height, isStill: true))
        #expect(try observations(stage, in: frame).isEmpty)
        #expect(stage.notes.first?.hasPrefix("no dictionary was chosen: ") == true, "\(stage.notes)")
    }

    @Test(
        .enabled(if: RealData.isThere || RealData.isExpected, RealData.reason),
        arguments: [
            ("aruco/singlemarkersoriginal.jpg", "aruco-6x6-250"), ("aruco/choriginal.jpg", "aruco-6x6-50"),
            ("apriltag/33369213973_9d9bb4cc96_c.jpg", "apriltag-36h11"),
        ])
    func photos(name: String, expected: String) throws {
        let frame = try photo(RealData.folder + "/" + name)
        let stage = try MarkersBlueprint(options: stageOptions(#"{"dictionary": "auto"}"#)).makeStage(
            StageContext(id: "m", width: frame.width, height: frame.height, isStill: true))
        let seen = try observations(stage, in: frame)
        #expect(!seen.isEmpty)
        for observation in seen {
            #expect(observation.label?.hasPrefix(expected) == true, "\(observation.label ?? "")")
        }
    }
}
