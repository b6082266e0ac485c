import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Photos that others took, against what their own projects expect of them.
@Suite(.enabled(if: RealData.isThere, RealData.reason)) struct RealPhotoTests {
    private func markers(_ photo: String, _ options: String) throws -> [Observation] {
        let blueprint = try MarkersBlueprint(options: try stageOptions(options, directory: RealData.folder))
        let frame = try StagesTests.photo(RealData.folder + "/" + photo)
        let context = StageContext(id: "m", width: frame.width, height: frame.height, isStill: true)
        return try observations(try blueprint.makeStage(context), in: frame)
    }

    @Test(arguments: [
        ("choriginal.jpg", #"{"dictionary": "aruco-6x6-250"}"#),
        ("singlemarkersoriginal.jpg", #"{"dictionary": "aruco-6x6-250"}"#),
        ("gboriginal.jpg", #"{"dictionaryFile": "aruco/tutorial_dict.yml"}"#),
        ("tag_01_d7_14cm.png", #"{"dictionary": "aruco-5x5-1000"}"#),
    ])
    func everyMarkerOfTheGoldFile(photo: String, options: String) throws {
        let gold = try RealData.table("aruco/\(Files.stem(of: photo)).gold.csv")
        #expect(!gold.isEmpty)
        let found = try markers("aruco/\(photo)", options)
        #expect(found.compactMap(\.asMarker?.id).sorted() == gold.compactMap { Int($0[0]) }.sorted())
        #expect(Set(found.compactMap(\.track)).count == found.count)
        for row in gold {
            let marker = found.first { $0.asMarker?.id == Int(row[0]) }
            // Most gold corners are whole pixels of a detector without refinement.
            let off = distance(marker?.polygon ?? [], RealData.corners(row.dropFirst()))
            #expect(off < 3, "marker \(row[0]) is off by \(off) px")
        }
    }

    /// AprilTag's own detections: twelve tags of one id, their corners the other way round.
    @Test func aprilTags() throws {
        let name = "apriltag/33369213973_9d9bb4cc96_c"
        let text = String(decoding: try Files.read(RealData.folder + "/\(name).txt"), as: UTF8.self)
        let gold = text.split(separator: "\n").map { line in
            RealData.corners(line.split { !"0123456789.".contains($0) }.dropFirst().map(String.init))
        }
        #expect(gold.count == 12)
        let found = try markers("\(name).jpg", #"{"dictionary": "apriltag-36h11", "ids": [0]}"#)
        // All of theirs; what is found beyond lies on the cubes' tops, which theirs leaves out.
        for tag in gold {
            let off = found.map { distance($0.polygon ?? [], tag.reversed(), turning: true) }.min() ?? .infinity
            #expect(off < 3, "off by \(off) px")
        }
        #expect(Set(found.compactMap(\.track)).count == found.count)
    }

    @Test(arguments: ["pic1.png", "pic2.png", "pic5.png", "sudoku.png"])
    func rectangles(photo: String) throws {
        let blueprint = try RectanglesBlueprint(
            options: try stageOptions(#"{"maximumObservations": 0}"#))
        let frame = try StagesTests.photo(RealData.folder + "/rectangles/" + photo)
        let stage = blueprint.makeStage(
            StageContext(id: "r", width: frame.width, height: frame.height, isStill: true))
        let found = try observations(stage, in: frame)
        // In a photo each has its track at once.
        #expect(found.compactMap(\.track?.number).sorted() == Array(1..<found.count + 1))
        let groups = Dictionary(grouping: try RealData.table("rectangles/must_find.csv").filter { $0[0] == photo }) {
            $0[1]
        }
        #expect(!groups.isEmpty)
        for (group, alternatives) in groups {
            let off =
                alternatives.map { row in
                    let corners = RealData.corners(row.dropFirst(2))
                    return found.map { distance($0.polygon ?? [], corners, turning: true) }.min() ?? .infinity
                }.min() ?? .infinity
            #expect(off < 5, "group \(group) is off by \(off) px")
        }
    }

    @Test func theMostProminentRectangleAlone() throws {
        let frame = try StagesTests.photo(RealData.folder + "/rectangles/sudoku.png")
        let blueprint = try RectanglesBlueprint(options: try stageOptions())
        let found = try observations(
            blueprint.makeStage(StageContext(id: "r", width: frame.width, height: frame.height, isStill: true)),
            in: frame)
        #expect(found.count == 1)
        let corners = [Point(72, 83), Point(492, 67), Point(521, 522), Point(33, 516)]
        #expect(distance(found.first?.polygon ?? [], corners, turning: true) < 5)
    }
}
