import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

private let hasNetworks =
    (Files.isDirectory(RealData.repository + "/.deps/openvino")
        || ProcessInfo.processInfo.environment["ANNOTATE_OPENVINO"] != nil)
    && Files.exists(BundledFiles.networks + "/faces/full-range.tflite")
private let reason: Comment = "the networks of faces are not in .deps/networks"

/// `faces` in the regions that another stage finds.
@Suite(.enabled(if: RealData.isThere, RealData.reason), .enabled(if: hasNetworks, reason)) struct FaceRegionsTests {
    private static let models = ["", #", "model": "yunet_n_dynamic.onnx""#]

    private func stage(_ options: String, _ frame: VideoFrame, isStill: Bool = true) throws -> Stage {
        try FacesBlueprint(options: try stageOptions(options, directory: RealData.folder + "/models"))
            .makeStage(StageContext(id: "f", width: frame.width, height: frame.height, isStill: isStill))
    }

    private func told(_ stage: Stage, _ frame: VideoFrame, _ things: [Observation]) throws -> [Observation] {
        try emissions(stage, in: frame, inputs: [things.map { Emission($0) }]).map(\.observation)
    }

    private static func person(_ number: Int, _ box: Box) -> Observation {
        let track = TrackReference(stage: "people", number: number)
        return Observation(
            DetectionFinding(), stage: "people", track: track, label: "person", confidence: 1, state: .tracked, box: box
        )
    }

    /// Head and shoulders of a face.
    private static func bust(_ face: Box) -> Box {
        Box(
            x: face.x - 0.6 * face.width, y: face.y - 0.6 * face.height, width: 2.2 * face.width,
            height: 2.6 * face.height)
    }

    private static let group = Result { try photo(RealData.folder + "/faces/winrt_group1.jpg") }

    private func faces(_ model: String) throws -> [Box] {
        let frame = try Self.group.get()
        let all = try told(try stage("{\(model.dropFirst(2))}", frame), frame, []).compactMap(\.box)
        try #require(all.count >= 6)
        return all.sorted { $0.x < $1.x }
    }

    /// Of seven faces those in the regions are told, each once and with the region's track.
    @Test(arguments: models) func facesOfSomePeople(model: String) throws {
        let frame = try Self.group.get()
        let all = try faces(model)
        let chosen = [all[1], all[3]]
        let people = chosen.enumerated().map { Self.person(5 + $0, Self.bust($1)) }
        let found = try told(try stage(#"{"inputs": ["people"], "margin": 0\#(model)}"#, frame), frame, people)
        for (number, face) in chosen.enumerated() {
            let same = found.filter { $0.box.map { $0.intersectionOverUnion(face) > 0.5 } ?? false }
            #expect(same.map { $0.about?.number } == [5 + number], "\(model): \(found.map(\.box))")
        }
        // Whoever looks over a shoulder has the middle of the face in a region.
        #expect(
            found.allSatisfy { face in
                people.contains { person in
                    guard let face = face.box?.center, let box = person.box else { return false }
                    return face.x >= box.x && face.x <= box.right && face.y >= box.y && face.y <= box.bottom
                }
            })
        #expect(try told(try stage(#"{"inputs": ["people"]\#(model)}"#, frame), frame, []).isEmpty)
    }

    /// A region that shows a part of a face has it told whole, or not at all; both happen.
    @Test(arguments: models) func aFaceThatARegionCuts(model: String) throws {
        let frame = try Self.group.get()
        let face = try faces(model)[0]
        var outcomes: Set<Bool> = []
        for share in stride(from: 0.2, through: 1.65, by: 0.1) {
            let bust = Self.bust(face)
            let cut = Box(x: bust.x, y: bust.y, width: face.x - bust.x + share * face.width, height: bust.height)
            let found = try told(
                try stage(#"{"inputs": ["people"], "margin": 0\#(model)}"#, frame), frame, [Self.person(1, cut)])
            outcomes.insert(found.isEmpty)
            for one in found {
                let box = try #require(one.box)
                #expect(box.intersectionOverUnion(face) > 0.7, "\(model): \(share)")
            }
        }
        #expect(outcomes == [true, false], "\(model)")
    }

    /// A face in two regions is told once, with the track of the smaller one.
    @Test(arguments: models) func regionsThatOverlap(model: String) throws {
        let frame = try Self.group.get()
        let face = try faces(model)[2]
        let bust = Self.bust(face)
        let wide = Box(
            x: bust.x - 30, y: bust.y - 30, width: bust.width + 60, height: bust.height + 60)
        let found = try told(
            try stage(#"{"inputs": ["people"]\#(model)}"#, frame), frame, [Self.person(1, wide), Self.person(2, bust)])
        let same = found.filter { $0.box.map { $0.intersectionOverUnion(face) > 0.5 } ?? false }
        #expect(same.map { $0.about?.number } == [2])
    }

    /// In a video a region is searched as soon as it is there, and a face is told no more when its region is gone.
    @Test func aPersonComesAndGoes() throws {
        let frame = try Self.group.get()
        let face = try faces("")[3]
        let stage = try stage(#"{"inputs": ["people"]}"#, frame, isStill: false)
        #expect(try told(stage, frame, []).isEmpty)
        let person = Self.person(9, Self.bust(face))
        let found = try told(stage, frame, [person])
        #expect(found.contains { ($0.box?.intersectionOverUnion(face) ?? 0) > 0.5 && $0.about?.number == 9 })
        let gone = try told(stage, frame, [])
        #expect(gone.allSatisfy { $0.state == .predicted || $0.state == .lost }, "\(gone.map(\.state))")
    }
}
