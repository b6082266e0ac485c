import CFFmpeg
import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth

/// Pictures followed through rendered clips whose truth is known. What they show is drawn here: blobs of many sizes, so
/// that there is detail at every distance.
@Suite final class ImagesTests {
    /// A picture of random discs and boxes.
    private static func drawing(width: Int, height: Int, seed: UInt64) -> Drawing {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ count: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(count))
        }
        var drawing = Drawing(width: width, height: height, pixels: [UInt8](repeating: 128, count: width * height))
        for size in [60, 40, 24, 16, 10, 6] {
            for _ in 0..<(9000 / (size * size) + 10) {
                let (x, y, value, isRound) = (random(width), random(height), UInt8(random(256)), random(2) == 0)
                for row in max(0, y - size / 2)..<min(height, y + size / 2) {
                    for column in max(0, x - size / 2)..<min(width, x + size / 2) {
                        let (dx, dy) = (column - x, row - y)
                        if !isRound || dx * dx + dy * dy < size * size / 4 {
                            drawing.pixels[row * width + column] = value
                        }
                    }
                }
            }
        }
        return drawing
    }

    private struct Drawing {
        var width: Int
        var height: Int
        var pixels: [UInt8]

        func write(to path: String) throws {
            try Data(Array("P5 \(width) \(height) 255\n".utf8) + pixels).write(to: URL(fileURLWithPath: path))
        }
    }

    private let folder = NSTemporaryDirectory() + "/annotate-images-\(UUID().uuidString)"
    private let drawings = [
        "a": drawing(width: 320, height: 240, seed: 1), "b": drawing(width: 240, height: 300, seed: 2), "c": sibling,
    ]

    /// Three quarters of "a".
    private static var sibling: Drawing {
        var sibling = drawing(width: 320, height: 240, seed: 1)
        let other = drawing(width: 320, height: 240, seed: 3)
        for index in sibling.pixels.indices where index % 320 >= 240 { sibling.pixels[index] = other.pixels[index] }
        return sibling
    }

    init() throws {
        try Files.makeDirectory(folder)
        for (name, drawing) in drawings { try drawing.write(to: folder + "/\(name).pgm") }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A rendered clip with its truth.
    private func clip(_ objects: String, frames: Int) throws -> [(frame: VideoFrame, truth: [Observation])] {
        let text = """
            { "version": 1, "size": [640, 360], "frameRate": [25, 1], "frames": \(frames), "seed": 7,
              "camera": { "focalLength": 560 }, "blur": { "gaussian": 0.4, "shutter": 0.5 },
              "noise": { "luma": 2, "chroma": 1 }, "objects": [\(objects)] }
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/scene.json"))
        let scene = try SceneReader.read(folder + "/scene.json")
        let renderer = try SceneRenderer(scene: scene, markerBits: ClipRenderer.markerBits) { path in
            let drawing = try #require(drawings[Files.stem(of: path)])
            return try RGBImage(
                width: drawing.width, height: drawing.height, pixels: drawing.pixels.flatMap { [$0, $0, $0] })
        }
        return try (0..<frames).map { (try renderer.videoFrame($0), renderer.truth($0)) }
    }

    private func picture(_ file: String, _ width: Double, _ height: Double, _ motion: String) -> String {
        """
        { "kind": "picture", "name": "\(file)", "width": \(width), "height": \(height), "frame": 0, "mat": 0,
          "texture": { "pattern": "image", "image": "\(file).pgm" }, \(motion) }
        """
    }

    /// A stage's observations and the truth, frame by frame.
    private func run(
        _ clip: [(frame: VideoFrame, truth: [Observation])], _ options: String, threads: Int = 1,
        inputs: ((VideoFrame) -> [Observation])? = nil
    ) throws -> [(seen: [Observation], truth: [Observation])] {
        let blueprint = try ImagesBlueprint(options: try stageOptions(options, directory: folder))
        let camera = CameraIntrinsics(
            width: 640, height: 360, focalLength: Point(560, 560), principalPoint: Point(319.5, 179.5))
        let stage = try blueprint.makeStage(
            StageContext(id: "images", width: 640, height: 360, camera: camera, threads: threads))
        return try clip.map { frame, truth in
            let given = inputs.map { [$0(frame).map(\.emission)] } ?? []
            return (try emissions(stage, in: frame, inputs: given).map(\.observation), truth)
        }
    }

    /// Mean corner errors of one picture over the frames in which enough of it is to be seen; nil where it wasn't found.
    private func errors(_ frames: [(seen: [Observation], truth: [Observation])], _ name: String) -> [Double?] {
        frames.compactMap { frame -> Double?? in
            guard let truth = frame.truth.first(where: { $0.region == name }), (truth.confidence ?? 0) >= 0.55,
                let corners = truth.polygon
            else { return nil }
            guard let seen = frame.seen.first(where: { $0.label == name }),
                seen.finding(as: ImageFinding.self)?.isTracked == true,
                let polygon = seen.polygon
            else { return .some(nil) }
            return zip(polygon, corners).map { $0.distance(to: $1) }.reduce(0, +) / 4
        }
    }

    /// Of two that have much in common, the one that isn't there isn't found on the other's place.
    @Test func aSiblingIsNotIt() throws {
        let clip = try clip(
            picture("c", 0.32, 0.24, #""position": [0, 0, 0.9], "sway": { "rotation": [10, 15, 8], "period": 1 }"#),
            frames: 12)
        let frames = try run(clip, #"{ "images": [{ "file": "a.pgm" }, { "file": "c.pgm" }], "maximumTracked": 0 }"#)
        #expect(frames.allSatisfy { $0.seen.map(\.label) == ["c"] }, "\(frames.map { $0.seen.map(\.label) })")
        let errors = errors(frames, "c")
        #expect(errors.count == 12 && errors.allSatisfy { ($0 ?? 99) < 0.6 }, "\(errors)")
    }

    @Test func twoPicturesAreFollowedThroughTiltAndBlur() throws {
        let clip = try clip(
            picture(
                "a", 0.32, 0.24,
                #""position": [-0.2, 0, 1], "sway": { "position": [0.05, 0.05, 0.1], "rotation": [20, 30, 15], "period": 1 }"#
            )
                + ","
                + picture(
                    "b", 0.24, 0.3,
                    #""position": [0.2, 0, 1.1], "sway": { "position": [0, 0.05, 0.1], "rotation": [25, 20, 20], "period": 0.8 }"#
                ), frames: 25)
        let options =
            #"{ "images": [{ "file": "a.pgm", "physicalWidth": 0.32 }, { "file": "b.pgm" }], "maximumTracked": 0 }"#
        let frames = try run(clip, options)
        for name in ["a", "b"] {
            let errors = errors(frames, name)
            #expect(errors.count == 25)
            #expect(errors.allSatisfy { ($0 ?? 99) < 0.6 }, "\(name): \(errors)")
        }
        // Poses are those of the truth's plane; the second picture's width isn't known.
        for frame in frames {
            let (first, second) = (frame.seen.first { $0.label == "a" }, frame.seen.first { $0.label == "b" })
            let (a, b) = (first?.finding(as: ImageFinding.self), second?.finding(as: ImageFinding.self))
            #expect(abs((a?.pose?.pose.translation.z ?? 0) - 1) < 0.15 && b?.pose == nil)
            #expect(first?.track?.number != second?.track?.number)
        }
        // Threads and repetition change nothing; the references are read anew.
        func facts(_ frames: [(seen: [Observation], truth: [Observation])]) -> [[Observation]] {
            frames.map(\.seen)
        }
        #expect(try facts(run(clip, options, threads: 2)) == facts(frames))
    }

    /// A picture that comes into view aslant is seen in the first frame in which it is there, whichever way it is turned.
    @Test(arguments: ["[0, 66, 0]", "[-70, 0, 10]", "[0, -72, 80]", "[0, 70, 40]"])
    func whatIsSeenFromAslantIsSeenAtOnce(rotation: String) throws {
        let clip = try clip(picture("a", 0.32, 0.24, #""position": [0, 0, 0.5], "rotation": \#(rotation)"#), frames: 1)
        let frames = try run(clip, #"{ "images": [{ "file": "a.pgm" }, { "file": "b.pgm" }], "maximumTracked": 0 }"#)
        #expect(frames.map { $0.seen.map(\.label) } == [["a"]])
        let errors = errors(frames, "a")
        #expect(errors.count == 1 && errors.allSatisfy { ($0 ?? 99) < 1 }, "\(errors)")
    }

    @Test func onlyAsManyAsAskedForAreFollowed() throws {
        let clip = try clip(
            picture("a", 0.32, 0.24, #""position": [-0.2, 0, 1]"#) + ","
                + picture("b", 0.24, 0.3, #""position": [0.2, 0, 1.1]"#),
            frames: 6)
        let frames = try run(clip, #"{ "images": [{ "file": "b.pgm" }, { "file": "a.pgm" }] }"#)
        #expect(frames.allSatisfy { $0.seen.map(\.label) == ["b"] })
    }

    @Test func aBarInFrontAndALeaveAreSurvived() throws {
        let clip = try clip(
            picture(
                "a", 0.32, 0.24,
                #""keyframes": [{ "time": 0, "position": [0, 0, 1] }, { "time": 1, "position": [0, 0, 1] }, { "time": 1.5, "position": [1, 0, 1] }, { "time": 2.2, "position": [1, 0, 1] }, { "time": 2.7, "position": [0.1, 0, 1] }]"#
            )
                + #", { "kind": "occluder", "width": 0.1, "height": 1, "keyframes": [{ "time": 0.1, "position": [-0.5, 0, 0.8] }, { "time": 0.9, "position": [0.5, 0, 0.8] }], "interpolation": "linear" }"#,
            frames: 78)
        let frames = try run(clip, #"{ "images": [{ "file": "a.pgm" }] }"#)
        let errors = errors(frames, "a")
        let found = errors.compactMap(\.self)
        // What is lost is searched for in every third frame: it comes back in a blur of 20 pixels, at one such frame or the next.
        #expect(Double(found.count) >= 0.9 * Double(errors.count), "\(found.count) of \(errors.count)")
        #expect(found.reduce(0, +) / Double(found.count) < 0.5 && (found.max() ?? 99) < 3, "\(found)")
        let states = frames.flatMap { $0.seen.compactMap(\.state) }
        #expect(states.contains(.predicted) && states.contains(.lost) && states.contains(.recovered))
        // What is lost has no place; one track all the time.
        for observation in frames.flatMap(\.seen) {
            #expect(observation.track?.number == 1)
            #expect((observation.polygon == nil) == (observation.state == .lost))
            #expect(
                (observation.finding(as: ImageFinding.self)?.isTracked == true)
                    == (observation.state == .tracked || observation.state == .recovered))
        }
        #expect(frames.last?.seen.first?.finding(as: ImageFinding.self)?.isTracked == true)
    }

    /// Corners out of sight are known by what is seen alone, and the confidence says how well.
    @Test func confidenceFallsWithWhatIsInView() throws {
        let way =
            #""keyframes": [{ "time": 0, "position": [0.2, 0, 1] }, { "time": 1.6, "position": [0.68, 0.02, 1] }], "interpolation": "linear""#
        let frames = try run(
            try clip(picture("a", 0.32, 0.24, way), frames: 40), #"{ "images": [{ "file": "a.pgm" }] }"#)
        var (whole, part): ([Double], [Double]) = ([], [])
        for frame in frames {
            guard let truth = frame.truth.first, let seen = frame.seen.first, let corners = truth.polygon,
                let polygon = seen.polygon, seen.finding(as: ImageFinding.self)?.isTracked == true
            else { continue }
            let error = zip(polygon, corners).map { $0.distance(to: $1) }.max() ?? 0
            let confidence = seen.confidence ?? 0
            if (truth.confidence ?? 0) > 0.95 { whole.append(confidence) }
            if (truth.confidence ?? 0) < 0.35 { part.append(confidence) }
            #expect(error < 1.5 || confidence < 0.8, "\(error) px at \(confidence)")
        }
        #expect(whole.count > 10 && (whole.min() ?? 0) > 0.9, "\(whole)")
        #expect(!part.isEmpty && (part.max() ?? 1) < (whole.min() ?? 0), "\(part)")
    }

    @Test func theFirstRectangleBecomesThePicture() throws {
        let clip = try clip(
            picture(
                "a", 0.32, 0.24,
                #""position": [0, 0, 1], "sway": { "position": [0.1, 0.02, 0], "rotation": [10, 20, 5], "period": 1 }"#),
            frames: 30)
        let blank = Observation(
            RectangleFinding(), stage: "r", polygon: [Point(2, 2), Point(60, 2), Point(60, 60), Point(2, 60)])
        let frames = try run(clip, #"{ "inputs": ["r"] }"#) { frame in
            // Seen once, behind one that shows nothing.
            guard frame.ordinal == 0, let truth = clip.first?.truth.first else { return [] }
            return [blank, Observation(RectangleFinding(), stage: "r", polygon: truth.polygon)]
        }
        for frame in frames {
            let (seen, truth) = (frame.seen.first?.polygon ?? [], frame.truth.first?.polygon ?? [])
            #expect(frame.seen.count == 1 && distance(seen, truth) < 1.5)
        }
    }

    @Test func whatHasNoDetailIsRefused() throws {
        let (width, height) = (200, 160)
        let pixels: [(String, (Int, Int) -> UInt8)] = [
            ("white", { _, _ in 255 }),
            ("gradient", { x, _ in UInt8(x * 255 / 199) }),
            ("checks", { x, y in (x / 20 + y / 20) % 2 == 0 ? 30 : 220 }),
            ("stripes", { x, _ in x / 10 % 2 == 0 ? 30 : 220 }),
            ("disc", { x, y in (x - 100) * (x - 100) + (y - 80) * (y - 80) < 2500 ? 30 : 220 }),
        ]
        for (name, value) in pixels {
            let bytes = (0..<height).flatMap { y in (0..<width).map { value($0, y) } }
            try Drawing(width: width, height: height, pixels: bytes).write(to: folder + "/\(name).pgm")
        }
        try Self.drawing(width: 60, height: 40, seed: 3).write(to: folder + "/tiny.pgm")
        try Data("no picture".utf8).write(to: URL(fileURLWithPath: folder + "/text.pgm"))
        func refusal(_ file: String) throws -> String {
            do {
                _ = try ImagesBlueprint(
                    options: try stageOptions(#"{ "images": [{ "file": "\#(file)" }] }"#, directory: folder))
                return "taken"
            } catch let several as StageOptionErrors {
                return several.errors.map(\.message).joined(separator: "\n")
            }
        }
        #expect(try refusal("white.pgm").contains("it is nearly of one tone"))
        #expect(try refusal("gradient.pgm").contains("too little detail"))
        #expect(try refusal("checks.pgm").contains("repeats itself"))
        #expect(try refusal("stripes.pgm") != "taken")
        #expect(try refusal("disc.pgm") != "taken")
        #expect(
            try refusal("tiny.pgm")
                == "“tiny.pgm” can't be found in a video: it is too small: 60×40 pixels; expected 48 or more on the shorter side"
        )
        #expect(try refusal("none.pgm") == "no file “none.pgm”; expected a photo or drawing of the picture")
        #expect(try refusal("text.pgm").contains("“text.pgm” is no picture that can be read"))
        #expect(try refusal("a.pgm") == "taken")
    }

    @Test func whatIsLookedForMustBeSaid() throws {
        #expect(throws: StageOptionError.self) { try ImagesBlueprint(options: try stageOptions("{}")) }
        #expect(throws: StageOptionError.self) {
            try ImagesBlueprint(
                options: try stageOptions(#"{ "inputs": ["r"], "images": [{ "file": "a.pgm" }] }"#, directory: folder))
        }
        #expect(throws: StageOptionErrors.self) {
            try ImagesBlueprint(
                options: try stageOptions(
                    #"{ "images": [{ "file": "a.pgm" }, { "file": "a.pgm" }] }"#, directory: folder))
        }
    }
}
