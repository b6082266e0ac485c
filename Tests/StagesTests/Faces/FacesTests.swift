import CFFmpeg
import Foundation
import Testing

@testable import Annotate
@testable import CVision
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

private let hasOpenVINO =
    Files.isDirectory(RealData.repository + "/.deps/openvino")
    || ProcessInfo.processInfo.environment["ANNOTATE_OPENVINO"] != nil
private let openVINOReason: Comment = "OpenVINO is neither in .deps/openvino nor where ANNOTATE_OPENVINO says"
/// OpenVINO and the program's own networks.
private let hasNetworks = hasOpenVINO && Files.exists(BundledFiles.networks + "/faces/full-range.tflite")
private let networksReason: Comment = "the networks of faces are not in .deps/networks"

/// Photos and a clip that others took, against what OpenCV 5's `FaceDetectorYN` finds in them.
@Suite(.enabled(if: RealData.isThere, RealData.reason)) struct FacesTests {
    private static let photos = ["cvface_227943776_1", "group_24", "messi5", "winrt_group1"]

    private func stage(_ options: String, _ frame: VideoFrame, isStill: Bool = true) throws -> Stage {
        try FacesBlueprint(options: try stageOptions(options, directory: RealData.folder + "/models"))
            .makeStage(StageContext(id: "f", width: frame.width, height: frame.height, isStill: isStill))
    }

    /// How many of the surest reference boxes of all photos are found.
    private func recall(_ options: String) throws -> Double {
        var (hits, count) = (0, 0)
        for name in Self.photos {
            let frame = try photo(RealData.folder + "/faces/\(name).jpg")
            let found = try observations(try stage(options, frame), in: frame)
            #expect(found.compactMap(\.track?.number).sorted() == Array(1..<found.count + 1))
            for row in try RealData.table("faces/\(name).yunet.csv").map({ $0.compactMap(Double.init) })
            where row[14] >= 0.8 {
                let box = Box(x: row[0], y: row[1], width: row[2], height: row[3])
                count += 1
                if found.contains(where: { $0.box.map { $0.intersectionOverUnion(box) >= 0.5 } ?? false }) { hits += 1 }
            }
        }
        #expect(count > 20)
        return Double(hits) / Double(count)
    }

    @Test(
        .enabled(if: hasOpenVINO, openVINOReason),
        arguments: ["yunet_n_dynamic", "yunet_n_640_640", "yunet_n_320_320"])
    func everyFaceWithAModel(model: String) throws {
        #expect(try recall(#"{"model": "\#(model).onnx"}"#) >= 0.95)
    }

    @Test(.enabled(if: hasNetworks, networksReason)) func everyFaceWithoutAModel() throws {
        #expect(try recall("{}") >= 0.95)
    }

    /// Small faces, and profiles under helmets and caps: what YuNet finds in them is the reference.
    @Test(
        .enabled(if: hasNetworks, networksReason),
        arguments: [("000000001000", 0.95), ("000000000872", 0.5), ("000000007816", 0.75)])
    func smallFacesAndProfilesWithoutAModel(name: String, least: Double) throws {
        let frame = try photo(RealData.folder + "/detect/\(name).jpg")
        let known = try observations(try stage(#"{"model": "yunet_n_dynamic.onnx"}"#, frame), in: frame)
            .compactMap(\.box)
        let found = try observations(try stage("{}", frame), in: frame).compactMap(\.box)
        let hits = known.count { box in found.contains { $0.intersectionOverUnion(box) >= 0.5 } }
        #expect(known.count > 1 && Double(hits) >= least * Double(known.count), "\(hits) of \(known.count)")
        #expect(found.count <= known.count + 1)
    }

    /// The reference ran at the photo's full size, and so does this: the same boxes, landmarks and scores. Faces whose
    /// eyes are not level are looked at again, which OpenCV doesn't.
    @Test(.enabled(if: hasOpenVINO, openVINOReason)) func theSameAsOpenCV() throws {
        let frame = try photo(RealData.folder + "/faces/winrt_group1.jpg")
        let found = try observations(try stage(#"{"model": "yunet_n_dynamic.onnx"}"#, frame), in: frame)
        let rows = try RealData.table("faces/winrt_group1.yunet.csv").map { $0.compactMap(Double.init) }
        var level = 0
        for row in rows {
            let face = try #require(found.first { $0.box.map { abs($0.x - row[0]) < 1 } ?? false })
            let box = try #require(face.box)
            #expect(abs(box.y - row[1]) < 0.5 && abs(box.width - row[2]) < 0.5 && abs(box.height - row[3]) < 0.5)
            #expect(abs((face.confidence ?? 0) - row[14]) < 0.01)
            guard abs(atan2(row[7] - row[5], row[6] - row[4])) < 0.03 else { continue }
            level += 1
            let landmarks = try #require(face.finding(as: FaceFinding.self)).landmarks
            for index in 0..<5 {
                #expect(landmarks[index].distance(to: Point(row[4 + 2 * index], row[5 + 2 * index])) < 0.5)
            }
        }
        #expect(rows.count == 7 && level == 1)
    }

    @Test(
        .enabled(if: hasOpenVINO, openVINOReason),
        arguments: (hasNetworks ? ["{}"] : []) + [#"{"model": "yunet_n_dynamic.onnx"}"#])
    func aPersonFromBehindHasNoFace(options: String) throws {
        let frame = try photo(RealData.folder + "/faces/person.jpg")
        #expect(try observations(try stage(options, frame), in: frame).isEmpty)
    }

    /// A wheel that turns has something of a face now and then.
    @Test(.enabled(if: hasNetworks, networksReason)) func wheelsAreNoFaces() throws {
        let reader = try SourceReader(path: RealData.folder + "/tracking/motorrolling/motorrolling.mp4")
        var running: Stage?
        for _ in 0..<40 {
            let frame = try #require(try reader.next())
            let stage = try running ?? stage("{}", frame, isStill: false)
            running = stage
            #expect(try observations(stage, in: frame).isEmpty)
        }
    }

    /// 68 landmarks agree with the detector's five: eyes, nose, mouth; and so do the angles.
    @Test(.enabled(if: hasOpenVINO, openVINOReason)) func landmarks() throws {
        let frame = try photo(RealData.folder + "/faces/cvface_227943776_1.jpg")
        func face(_ options: String) throws -> FaceFinding {
            try #require(
                try observations(try stage(options, frame), in: frame).first?.finding(as: FaceFinding.self))
        }
        let five = try face(#"{"model": "yunet_n_dynamic.onnx"}"#)
        let all = try face(#"{"model": "yunet_n_dynamic.onnx", "landmarksModel": "pfld.onnx"}"#)
        #expect(five.landmarks.count == 5)
        #expect(all.landmarks.count == 68)
        func mean(_ range: Range<Int>) -> Point {
            all.landmarks[range].reduce(Point(0, 0), +) * (1 / Double(range.count))
        }
        let places = [mean(36..<42), mean(42..<48), all.landmarks[30], all.landmarks[48], all.landmarks[54]]
        for (place, landmark) in zip(places, five.landmarks) { #expect(place.distance(to: landmark) < 10) }
        let (a, b) = (try #require(five.angles), try #require(all.angles))
        #expect(abs(a.roll - b.roll) < 10 && abs(a.yaw - b.yaw) < 15 && abs(a.pitch - b.pitch) < 15)
    }

    /// The mesh is where another network sees the features, however much of it is reported.
    @Test(.enabled(if: hasNetworks, networksReason)) func landmarksOfTheMesh() throws {
        let frame = try photo(RealData.folder + "/faces/cvface_227943776_1.jpg")
        let row = try #require(try RealData.table("faces/cvface_227943776_1.yunet.csv").first).compactMap(Double.init)
        for (name, count) in [("none", 0), ("five", 5), ("contours", 68), ("mesh", 468)] {
            let found = try observations(try stage(#"{"landmarks": "\#(name)"}"#, frame), in: frame)
            let face = try #require(found.first?.finding(as: FaceFinding.self))
            #expect(face.landmarks.count == count)
            #expect(face.angles.map { abs($0.roll) < 5 && abs($0.yaw) < 15 } == true)
            let all = count == 468 ? FaceFeatures.sixtyEightOfMesh.map { face.landmarks[$0] } : face.landmarks
            guard count > 0 else { continue }
            let five = count == 5 ? all : FaceFeatures.fiveOf(all)
            for index in 0..<5 {
                #expect(five[index].distance(to: Point(row[4 + 2 * index], row[5 + 2 * index])) < 0.08 * row[2])
            }
        }
    }

    /// A photo, turned: the landmarks turn with it.
    @Test(.enabled(if: hasOpenVINO, openVINOReason), arguments: [-40.0, -20, 20, 40], [true, false])
    func tiltedFaces(degrees: Double, withModel: Bool) throws {
        guard withModel || hasNetworks else { return }
        let upright = try photo(RealData.folder + "/faces/cvface_227943776_1.jpg")
        let (width, height) = (upright.width, upright.height)
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let middle = Point(Double(width), Double(height)) * 0.5
        let corners = [Point(0, 0), Point(middle.x * 2, 0), middle * 2, Point(0, middle.y * 2)].map { corner in
            let offset = corner - middle
            return middle + Point(c * offset.x + s * offset.y, -s * offset.x + c * offset.y) - Point(0.5, 0.5)
        }
        let grey = ocv_crop_options(
            width: Int32(width), height: Int32(height), channels: OCV_CHANNELS_GRAY, geometry: OCV_GEOMETRY_STRETCH,
            antialias: false, padding: 0)
        var pixels = [UInt8](repeating: 0, count: width * height)
        try upright.crop(corners, grey, into: &pixels, stride: width)
        let buffer = try FrameBuffer(width: width, height: height, format: AV_PIX_FMT_YUV420P)
        for plane in buffer.planes() {
            for y in 0..<plane.height {
                for x in 0..<plane.width {
                    plane.base[y * plane.stride + x] = plane.index == 0 ? pixels[y * width + x] : 128
                }
            }
        }
        let turned = VideoFrame(
            ordinal: 0, pts: MediaTime(ticks: 0, timeBase: Rational(1, 25)), duration: 1, picture: buffer,
            original: nil)
        let options = withModel ? #"{"model": "yunet_n_dynamic.onnx"}"# : "{}"
        let found = try observations(try stage(options, turned), in: turned).first?.finding(as: FaceFinding.self)
        let roll = try #require(found?.angles).roll
        #expect(abs(roll - degrees) < 8, "\(roll)")
    }

    @Test(
        .enabled(if: hasOpenVINO, openVINOReason),
        arguments: [#"{"model": "yunet_n_320_320.onnx"}"#] + (hasNetworks ? ["{}"] : []))
    func onePersonIsOneTrack(options: String) throws {
        let reader = try SourceReader(path: RealData.folder + "/faces/asl_book.mkv")
        var stage: Stage?
        var tracks: Set<Int> = []
        var frames = 0
        while let frame = try reader.next() {
            let running = try stage ?? self.stage(options, frame, isStill: false)
            stage = running
            let found = try observations(running, in: frame)
            #expect(found.count == 1)
            tracks.formUnion(found.compactMap(\.track?.number))
            frames += 1
        }
        #expect(frames == 109)
        #expect(tracks == [1])
    }
}

/// Whole jobs on the clip of one person.
@Suite(.enabled(if: RealData.isThere, RealData.reason), .enabled(if: hasOpenVINO, openVINOReason))
struct FaceJobTests {
    /// Runs a graph of one stage on the clip.
    /// - Returns: the folder with the results.
    private func run(
        _ folder: String, draw: String, encode: String, threads: Int = 2, withModel: Bool = true
    ) throws {
        let model = withModel ? #""model": "\#(RealData.folder)/models/yunet_n_320_320.onnx", "# : ""
        let manifest = """
            {"version": 1, "output": {"directory": "out"}, "jobs": [
              {"input": "\(RealData.folder)/faces/asl_book.mkv", "encode": {"codec": "\(encode)"}, "graph": {"stages": [
                {"id": "faces", "type": "faces", \(model)"rate": 10, "draw": \(draw)}]}}]}
            """
        try Files.makeDirectory(folder)
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: folder + "/m.json"))
        var options = RunOptions()
        options.threads = threads
        let read = try ManifestReader(catalog: .standard).read(folder + "/m.json")
        let outcomes = try BatchRunner(
            manifest: read, options: options, generator: "test 1", cancellation: Cancellation()
        ).run()
        #expect(outcomes.map(\.outcome.status) == [.done])
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "/annotate-faces-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    /// The detector is sure of a face in every frame of the source, over 0.9, and in none of the result, though the stage
    /// ran on every third alone. (The outline of a head is there still, and worth up to 0.6 to it.)
    @Test(arguments: CoverStyle.allCases) func coveredFacesAreGone(style: CoverStyle) throws {
        try withFolder { folder in
            try run(folder, draw: #"{"cover": "\#(style.rawValue)"}"#, encode: "h264")
            let truth = try RealData.table("faces/asl_book.yunet.csv").map { $0.compactMap(Double.init) }
            let detector = try YuNetDetector(
                path: RealData.folder + "/models/yunet_n_640_640.onnx", longestSide: nil)
            let reader = try SourceReader(path: folder + "/out/asl_book.mp4")
            var frames = 0
            while let frame = try reader.next(), frames < truth.count {
                let face = Box(
                    x: truth[frames][1], y: truth[frames][2], width: truth[frames][3], height: truth[frames][4])
                let found = try detector.detect(frame, minimumConfidence: 0.75, minimumSize: 0)
                // Hands may pass for faces; what was covered may not.
                #expect(found.allSatisfy { $0.box.intersectionOverUnion(face) < 0.3 }, "frame \(frames)")
                frames += 1
            }
            #expect(frames == 109)
        }
    }

    @Test(arguments: hasNetworks ? [true, false] : [true]) func threadsChangeNothing(withModel: Bool) throws {
        try withFolder { folder in
            try run(folder + "/1", draw: "false", encode: "none", threads: 1, withModel: withModel)
            try run(folder + "/3", draw: "false", encode: "none", threads: 3, withModel: withModel)
            let name = "/out/asl_book.tracks.jsonl"
            #expect(try Files.read(folder + "/1" + name) == Files.read(folder + "/3" + name))
        }
    }
}

@Suite struct FaceOptionTests {
    /// What is said of options that can't be used.
    private func complaint(_ options: String) throws -> String? {
        do {
            _ = try FacesBlueprint(options: try stageOptions(options, directory: RealData.repository))
            return nil
        } catch let error as StageOptionError {
            return "\(error.option ?? "-"): \(error.message)"
        }
    }

    @Test func complaints() throws {
        #expect(try complaint(#"{"model": "no.onnx"}"#) == "model: no file “no.onnx”; expected an ONNX face detector")
        #expect(
            try complaint(#"{"cascade": "no.xml"}"#)
                == "cascade: cascades are no longer supported; leave it out, and the program's own networks find the "
                + "faces, or name a YuNet “model”")
        #expect(
            try complaint(#"{"trackingConfidence": 0.7}"#)
                == "trackingConfidence: 0.7, over “minimumConfidence” 0.6; expected as much at the most")
    }

    /// A face behind a glove and a cap, at a confidence of a third, is told where faces are covered, unless the manifest says
    /// what is enough.
    @Test(.enabled(if: RealData.isThere, RealData.reason), .enabled(if: hasOpenVINO, openVINOReason))
    func aDoubtfulFaceIsRatherHidden() throws {
        let frame = try photo(RealData.folder + "/detect/000000000872.jpg")
        func found(_ options: String = "{}", hides: Bool) throws -> [Observation] {
            var context = StageContext(id: "f", width: frame.width, height: frame.height, isStill: true)
            context.hides = hides
            let blueprint = try FacesBlueprint(
                options: try stageOptions(options, directory: RealData.repository))
            return try emissions(blueprint.makeStage(context), in: frame, inputs: []).map(\.observation)
        }
        let (shown, hidden) = (try found(hides: false), try found(hides: true))
        #expect(hidden.count > shown.count)
        #expect(shown.allSatisfy { $0.confidence ?? 0 >= 0.6 })
        #expect(hidden.allSatisfy { $0.confidence ?? 0 >= 0.3 })
        #expect(try found(#"{"minimumConfidence": 0.6}"#, hides: true).map(\.box) == shown.map(\.box))
        #expect(try found(#"{"trackingConfidence": 0.6}"#, hides: true).map(\.box) == shown.map(\.box))
    }

    /// Half a face at the picture's edge, in a photo and in a video's first picture and later ones, is told where it is to be
    /// hidden.
    @Test(
        .enabled(if: RealData.isThere, RealData.reason), .enabled(if: hasOpenVINO, openVINOReason),
        arguments: [true, false])
    func aFaceThatTheEdgeCuts(isStill: Bool) throws {
        let whole = try photo(RealData.folder + "/faces/winrt_group1.jpg")
        let left = 376
        let width = whole.width - left
        let pixels = whole.withLuma { luma in
            (0..<luma.height).flatMap { y in (0..<width).map { x in luma.base[y * luma.stride + left + x] } }
        }
        func found(hides: Bool) throws -> [[Box]] {
            var context = StageContext(id: "f", width: width, height: whole.height, isStill: isStill)
            context.hides = hides
            let stage = try FacesBlueprint(options: try stageOptions()).makeStage(context)
            return try (0..<(isStill ? 1 : 3)).map { ordinal in
                let frame = try grayFrame(pixels, width: width, height: whole.height, ordinal: ordinal)
                return try emissions(stage, in: frame, inputs: []).compactMap(\.observation.box).filter { $0.x < -10 }
            }
        }
        // All networks look at a photo.
        if !isStill { #expect(try found(hides: false).allSatisfy(\.isEmpty)) }
        for boxes in try found(hides: true) {
            #expect(boxes.count == 1)
            // Its part in sight is 32 pixels wide.
            #expect(boxes.allSatisfy { $0.right > 18 && $0.right < 46 && $0.y < 125 && $0.bottom > 145 }, "\(boxes)")
        }
    }

    @Test(.enabled(if: RealData.isThere, RealData.reason), .enabled(if: hasOpenVINO, openVINOReason))
    func landmarksOfWhich() throws {
        let model = RealData.folder + "/models/yunet_n_dynamic.onnx"
        #expect(
            try complaint(#"{"model": "\#(model)", "landmarks": "mesh"}"#)
                == "landmarks: with “model”, which has landmarks of its own; expected one of them")
    }

    @Test(.enabled(if: hasOpenVINO, openVINOReason)) func aModelOfAnotherKind() throws {
        #expect(
            try complaint(#"{"model": "manifests/models/shapes.onnx"}"#)?.contains(
                "it has no output “cls_8”; expected a YuNet face detector") == true)
    }
}

@Suite struct HeadPoseTests {
    /// Where five landmarks of a head are that looks straight at a camera 60 head widths away.
    private static let frontal = [
        Point(-35.5, -54.4), Point(35.5, -54.4), Point(0, -13), Point(-27.7, 20.8), Point(27.7, 20.8),
    ]

    private func angles(_ points: [Point]) throws -> ocv_head_angles {
        var angles = ocv_head_angles()
        try check(
            ocv_head_pose(points.map(\.ocv), Int32(points.count), ocv_point(x: 0, y: 0), 6000, &angles), "pose")
        return angles
    }

    @Test func aHeadThatLooksAtTheCamera() throws {
        let angles = try angles(Self.frontal)
        #expect(abs(angles.roll) < 0.5 && abs(angles.yaw) < 0.5 && abs(angles.pitch) < 3)
    }

    @Test(arguments: [-150.0, -60, 20, 90]) func rollIsClockwise(degrees: Double) throws {
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let turned = Self.frontal.map { Point($0.x * cosine - $0.y * sine, $0.x * sine + $0.y * cosine) }
        #expect(abs(try angles(turned).roll - degrees) < 3)
    }

    @Test func yawIsToTheRightAndPitchUp() throws {
        var right = Self.frontal
        right[2].x += 15
        #expect(try angles(right).yaw > 10)
        var up = Self.frontal
        up[2].y -= 12
        #expect(try angles(up).pitch > 8)
    }

    @Test func whatIsNoFace() {
        #expect(throws: VisionError.self) { try angles([]) }
        #expect(throws: VisionError.self) { try angles(Array(repeating: Point(1, 1), count: 5)) }
        #expect(throws: VisionError.self) { try angles(Array(repeating: Point(.nan, 1), count: 68)) }
    }
}
