import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth
@testable import Tools

/// A pattern as a picture file, to be shown by the scene renderer.
struct PatternPicture {
    /// Pixels along a square's side.
    static let pixels = 60
    /// Squares across and down, the white border of one square not counted.
    var columns: Int
    var rows: Int
    /// Side of a marker as a share of a square's; nil for a plain chessboard.
    var marker: Double?
    var dictionary = "aruco-4x4-50"

    /// A PGM file.
    func file() throws -> [UInt8] {
        let (width, height) = ((columns + 2) * Self.pixels, (rows + 2) * Self.pixels)
        var bytes = [UInt8](repeating: 235, count: width * height)
        func fill(_ left: Int, _ top: Int, _ side: Int, _ value: UInt8) {
            for y in top..<top + side { for x in left..<left + side { bytes[y * width + x] = value } }
        }
        var id = 0
        for square in 0..<columns * rows {
            let (column, row) = (square % columns, square / columns)
            let (left, top) = ((column + 1) * Self.pixels, (row + 1) * Self.pixels)
            if (column + row) % 2 == 0 {
                fill(left, top, Self.pixels, 20)
            } else if let marker {
                let code = try ClipRenderer.markerBits(dictionary: dictionary, id: id)
                id += 1
                let module = Int(marker * Double(Self.pixels)) / (code.size + 2)
                let margin = (Self.pixels - module * (code.size + 2)) / 2
                fill(left + margin, top + margin, module * (code.size + 2), 20)
                for bit in code.isWhite.indices where code.isWhite[bit] {
                    fill(
                        left + margin + (bit % code.size + 1) * module, top + margin + (bit / code.size + 1) * module,
                        module, 235)
                }
            }
        }
        return Array("P5 \(width) \(height) 255\n".utf8) + bytes
    }
}

@Suite struct CalibrationTests {
    private static let folder = FileManager.default.temporaryDirectory.path + "/annotate-calibration-\(getpid())"

    /// A clip of a pattern that is at another place in each frame; squares of 25 mm.
    private func clip(
        _ name: String, _ picture: PatternPicture, places: [(SIMD3<Double>, SIMD3<Double>)]
    ) throws -> (path: String, camera: CameraIntrinsics) {
        try Files.makeDirectory(Self.folder)
        try Files.write(try picture.file(), to: "\(Self.folder)/\(name).pgm")
        var scene = Scene()
        (scene.width, scene.height, scene.frames, scene.frameRate) = (1280, 720, places.count, FrameRate(5))
        scene.camera = Camera(.focalLength(1150))
        scene.background = BackgroundStyle(kind: .plain)
        (scene.blur.gaussian, scene.noise.luma) = (0.5, 1.5)
        var board = Picture()
        (board.width, board.height) = (Double(picture.columns + 2) * 0.025, Double(picture.rows + 2) * 0.025)
        (board.frame, board.mat) = (0, 0)
        board.texture.pattern = .image(path: "\(name).pgm")
        var motion = Motion(
            keyframes: places.enumerated().map { index, place in
                Motion.Keyframe(time: Double(index) / 5, position: place.0, rotation: place.1)
            })
        motion.interpolation = .linear
        scene.objects = [SceneObject(.picture(board), motion: motion)]
        let path = "\(Self.folder)/\(name).mp4"
        try ClipRenderer(scene: scene, directory: Self.folder).render(
            to: path, settings: EncodeSettings(), generator: "test"
        ) { _ in true }
        return (path, scene.intrinsics)
    }

    private static let varied: [(SIMD3<Double>, SIMD3<Double>)] = [
        ([0, 0, 0.45], [0, 0, 0]), ([-0.12, -0.05, 0.5], [30, 10, 0]), ([0.12, -0.05, 0.5], [-30, 15, 10]),
        ([-0.1, 0.06, 0.45], [10, 35, -10]), ([0.12, 0.06, 0.5], [5, -35, 0]), ([0, 0, 0.6], [40, 0, 20]),
        ([0.02, 0.02, 0.4], [-20, -20, 5]), ([0, 0, 0.7], [25, 30, 45]), ([-0.05, 0.03, 0.4], [15, -25, 90]),
    ]

    @Test(arguments: [nil, 0.7])
    func aKnownCameraIsRecovered(marker: Double?) throws {
        let name = marker == nil ? "chessboard" : "charuco"
        let picture = PatternPicture(columns: 10, rows: 7, marker: marker)
        let (path, truth) = try clip(name, picture, places: Self.varied)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let pattern: CalibrationPattern
        if marker == nil {
            pattern = .chessboard(columns: 9, rows: 6, square: 0.025)
        } else {
            pattern = try .charuco(
                columns: 10, rows: 7, square: 0.025, marker: 0.0175, dictionary: "aruco-4x4-50", firstID: 0)
        }
        var calibrator = Calibrator(pattern: pattern)
        try calibrator.add(file: path) { _, _ in true }
        let result = try calibrator.calibrate()
        #expect(result.views.count >= 7)
        #expect(result.rms < 0.2, "\(result.views)")
        #expect(abs(result.camera.focalLength.x / truth.focalLength.x - 1) < 0.005, "\(result.camera)")
        #expect(abs(result.camera.focalLength.y / truth.focalLength.y - 1) < 0.005, "\(result.camera)")
        #expect(result.camera.principalPoint.distance(to: truth.principalPoint) < 0.005 * 1280, "\(result.camera)")
        // What is written is what a manifest reads.
        var validator = ShapeValidator(file: "camera.json")
        validator.validate(JSONNode(result.json), against: .object(CameraShape.camera))
        #expect(validator.log.isEmpty)
    }

    @Test func viewsThatDontDetermineTheCameraAreRefused() throws {
        let parallel = Self.varied.map { ($0.0, SIMD3<Double>(0, 0, $0.1.z)) }
        let (path, _) = try clip("parallel", PatternPicture(columns: 10, rows: 7), places: parallel)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var calibrator = Calibrator(pattern: .chessboard(columns: 9, rows: 6, square: 0.025))
        try calibrator.add(file: path) { _, _ in true }
        #expect {
            _ = try calibrator.calibrate()
        } throws: {
            "\($0)".hasPrefix("the pattern is parallel to itself in all views, within 15°; expected tilts")
        }
        var wrong = Calibrator(
            pattern: try .charuco(
                columns: 8, rows: 5, square: 0.025, marker: 0.015, dictionary: "aruco-4x4-50", firstID: 0))
        try wrong.add(file: path) { _, _ in true }
        #expect {
            _ = try wrong.calibrate()
        } throws: {
            "\($0)".hasPrefix(
                "the pattern was found in 0 views; expected 5 or more: check the pattern's dictionary "
                    + "(aruco-4x4-50), first id (0), columns and rows, show")
        }
        // Half a chessboard may be all that is wanted; one that is larger than the pattern can't be.
        var larger = Calibrator(pattern: .chessboard(columns: 11, rows: 6, square: 0.025))
        try larger.add(file: path) { _, _ in true }
        #expect {
            _ = try larger.calibrate()
        } throws: {
            "\($0)".contains("the chessboard that is seen has 9 by 6 inner corners; correct")
        }
    }

    /// A board gives one pose, of its middle.
    @Test func aBoardHasOnePose() throws {
        let (path, _) = try clip(
            "board", PatternPicture(columns: 8, rows: 5, marker: 0.7), places: [([0.05, -0.02, 0.6], [30, -20, 15])])
        defer { try? FileManager.default.removeItem(atPath: path) }
        let blueprint = try MarkersBlueprint(
            options: stageOptions(
                #"{"board": {"kind": "charuco", "columns": 8, "rows": 5, "squareSize": 0.025, "markerSize": 0.0175}}"#))
        #expect(blueprint.usesCamera)
        let frame = try photo(path)
        var camera = CameraIntrinsics(width: 1280, height: 720, fieldOfView: 60)
        camera.focalLength = Point(1150, 1150)
        let stage = try blueprint.makeStage(StageContext(id: "m", width: 1280, height: 720, camera: camera))
        let found = try observations(stage, in: frame)
        let board = try #require(found.first)
        #expect(found.count == 1)
        #expect(board.kind == "board")
        #expect(board.confidence == 1)
        let pose = try #require(board.finding(as: BoardFinding.self)?.pose).pose
        let off = pose.translation - [0.05, -0.02, 0.6]
        #expect((off * off).sum().squareRoot() < 0.003, "\(pose.translation)")
        let placement = Placement(position: [0, 0, 1], rotation: [30, -20, 15])
        let truth = Rotation(columns: placement.xAxis, -placement.yAxis, -placement.zAxis)
        #expect(pose.rotation.angle(to: truth) < 0.5 * .pi / 180)
        #expect(pose.reprojectionError < 0.3)
        #expect(board.polygon?.count == 4)
    }

    /// Markers of 20 pixels, tilted: half size alone loses most of them.
    @Test func aSmallTiltedBoardIsSeenWhole() throws {
        let place: (SIMD3<Double>, SIMD3<Double>) = ([0.05, -0.02, 0.95], [45, -20, 25])
        let (path, _) = try clip("small", PatternPicture(columns: 8, rows: 5, marker: 0.7), places: [place])
        defer { try? FileManager.default.removeItem(atPath: path) }
        let blueprint = try MarkersBlueprint(
            options: stageOptions(
                #"{"board": {"kind": "charuco", "columns": 8, "rows": 5, "squareSize": 0.025, "markerSize": 0.0175}}"#))
        var camera = CameraIntrinsics(width: 1280, height: 720, fieldOfView: 60)
        camera.focalLength = Point(1150, 1150)
        let stage = try blueprint.makeStage(StageContext(id: "m", width: 1280, height: 720, camera: camera))
        let board = try #require(try observations(stage, in: photo(path)).first)
        #expect((board.confidence ?? 0) > 0.95)
        let pose = try #require(board.finding(as: BoardFinding.self)?.pose).pose
        let off = pose.translation - place.0
        #expect((off * off).sum().squareRoot() < 0.002, "\(pose.translation)")
        let placement = Placement(position: [0, 0, 1], rotation: place.1)
        let truth = Rotation(columns: placement.xAxis, -placement.yAxis, -placement.zAxis)
        #expect(pose.rotation.angle(to: truth) < 0.4 * .pi / 180)
    }

    @Test func confidenceIsTheShareThatCarriesThePose() {
        let board = Board(columns: 5, rows: 7, markerSize: 0.03, gap: 0.01, firstID: 0)
        func share(_ ids: some Sequence<Int>) -> Double { board.share(of: ids.flatMap { board.markers[$0] ?? [] }) }
        #expect(share(0..<35) == 1)
        #expect(share([17]) < 0.06)
        // A row holds the tilt about itself by its own markers' height alone; four markers far apart hold both.
        #expect(share(0..<5) < share([0, 4, 30, 34]))
        #expect((0.3..<0.7).contains(share([0, 4, 30, 34])))
    }

    @Test func aGridsCorners() throws {
        let board = Board(columns: 3, rows: 2, markerSize: 0.05, gap: 0.01, firstID: 4)
        #expect(board.markers.keys.sorted() == [4, 5, 6, 7, 8, 9])
        #expect(
            distance(
                board.outline, [Point(-0.085, 0.055), Point(0.085, 0.055), Point(0.085, -0.055), Point(-0.085, -0.055)])
                < 1e-12)
        // The last one is at the lower right.
        let last = try #require(board.markers[9])
        #expect(
            distance(last, [Point(0.035, -0.005), Point(0.085, -0.005), Point(0.085, -0.055), Point(0.035, -0.055)])
                < 1e-12)
    }

    @Test(arguments: [
        (#"{"sizes": {"60": 0.1}}"#, "the id “60”, which “aruco-4x4-50” has not; expected ids from 0 to 49"),
        (
            #"{"board": {"kind": "charuco", "columns": 8, "rows": 5, "squareSize": 0.02, "markerSize": 0.03}}"#,
            "markers of 0.03 m in squares of 0.02 m; expected markers smaller than the squares"
        ),
        (
            #"{"board": {"kind": "grid", "columns": 8, "rows": 8, "gap": 0.02, "markerSize": 0.03}}"#,
            "64 markers from id 0 on, and “aruco-4x4-50” has ids up to 49; expected a larger dictionary or a smaller board"
        ),
    ])
    func optionsThatCantBe(options: String, complaint: String) throws {
        #expect {
            _ = try MarkersBlueprint(options: stageOptions(options))
        } throws: {
            ($0 as? StageOptionError)?.message == complaint
        }
    }
}
