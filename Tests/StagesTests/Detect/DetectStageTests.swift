import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

private let hasOpenVINO =
    Files.isDirectory(RealData.repository + "/.deps/openvino")
    || ProcessInfo.processInfo.environment["ANNOTATE_OPENVINO"] != nil
private let hasPeople = hasOpenVINO && Files.exists(BundledFiles.networks + "/people/ssdlite.pb")

@Suite(.enabled(if: hasOpenVINO, "OpenVINO is neither in .deps/openvino nor where ANNOTATE_OPENVINO says"))
struct DetectStageTests {
    /// A stage with a tiny network in a folder of its own.
    private func blueprint(
        _ options: String, _ network: ONNXWriter = TinyDetectors.yolov8(), labels: String? = nil
    ) throws -> DetectBlueprint {
        let folder = NSTemporaryDirectory() + "/detect-\(UUID().uuidString)"
        try Files.makeDirectory(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try network.write(to: folder)
        if let labels { try Data(labels.utf8).write(to: URL(fileURLWithPath: folder + "/names.txt")) }
        return try DetectBlueprint(options: stageOptions(options, directory: folder))
    }

    private func frame(_ side: Int = 64) throws -> VideoFrame {
        try grayFrame([UInt8](repeating: 90, count: side * side), width: side, height: side)
    }

    private func stage(_ blueprint: DetectBlueprint, _ side: Int = 64) throws -> Stage {
        try blueprint.makeStage(StageContext(id: "found", width: side, height: side))
    }

    @Test func detectionsAreTold() throws {
        let blueprint = try blueprint(#"{"model": "tiny.onnx", "labels": "names.txt"}"#, labels: "a\nb\ncar\n")
        let seen = try observations(stage(blueprint), in: frame())
        #expect(seen.map(\.label) == ["car", "a"])
        #expect(seen.map(\.confidence) == [0.9, 0.6].map { Double(Float($0)) })
        let corners = try #require(seen[0].box).corners
        #expect(distance(corners, Box(x: 4, y: 6, width: 16, height: 20).corners) < 0.01)
        #expect(seen.allSatisfy { $0.kind == "detection" && $0.track == nil })
        let reader = blueprint.details.first { $0.key == "reader" }?.value
        #expect(
            reader?["decoder"]?.string == "yolov8"
                && reader?["by"]?.string == "shape; boxes in the input's pixels")
    }

    @Test func whatIsWanted() throws {
        let labels = "a\nb\ncar\n"
        func seen(_ options: String) throws -> [String?] {
            let text = #"{"model": "tiny.onnx", "labels": "names.txt", "# + options + "}"
            return try observations(stage(blueprint(text, labels: labels)), in: frame()).map(\.label)
        }
        #expect(try seen(#""classes": ["car", "b"]"#) == ["car"])
        #expect(try seen(#""minimumConfidence": 0.7"#) == ["car"])
        #expect(try seen(#""minimumConfidence": {"car": 0.95, "a": 0.5}"#) == ["a"])
        #expect(try seen(#""minimumConfidence": {"car": 0.95}, "classes": ["car"]"#) == [])
    }

    /// A label that is asked of a stage is one of those that are known before a frame is.
    @Test(arguments: [
        (#"{"model": "tiny.onnx", "labels": "names.txt"}"#, LabelSources(names: ["a", "b", "car"])),
        (#"{"model": "tiny.onnx", "labels": "names.txt", "classes": ["car"]}"#, LabelSources(names: ["car"])),
        (#"{"model": "tiny.onnx"}"#, LabelSources(hasNumbers: true)),
        (#"{"model": "tiny.onnx", "classes": ["2"]}"#, LabelSources(names: ["2"])),
    ]) func labelsThatAreKnown(options: String, labels: LabelSources) throws {
        #expect(try blueprint(options, labels: "a\nb\ncar\n").labels == labels)
    }

    /// A layout by the name of a network that has it.
    @Test(
        arguments: [
            ("yolo11", "yolov8"), ("YOLOv11-seg", "yolov8-seg"), ("yolov9", "yolov8"), ("yolo26-obb", "endToEnd-obb"),
            ("yolov6", "yolov5"), ("mask-rcnn", "torchvision"), ("RT-DETR", "rtdetr"), ("yolov8-se", "yolov8-seg"),
            ("something", nil),
        ] as [(String, String?)])
    func layoutsByOtherNames(name: String, meant: String?) throws {
        let decoder = try #require(DetectBlueprint.contract.options.first { $0.name == "decoder" })
        var validator = ShapeValidator(file: "m")
        validator.validate(JSONNode(.string(name)), against: decoder.shape)
        let told = validator.log.problems.first?.message ?? ""
        #expect(meant.map { told.hasSuffix("; did you mean “\($0)”?") } ?? !told.contains("did you mean"), "\(told)")
    }

    @Test func regionsAreLookedInto() throws {
        let blueprint = try blueprint(#"{"model": "tiny.onnx", "inputs": ["cars"], "resize": "stretch"}"#)
        let region = Observation(
            DetectionFinding(), stage: "cars", track: TrackReference(stage: "cars", number: 3),
            box: Box(x: 64, y: 0, width: 128, height: 64))
        let gone = Observation(DetectionFinding(), stage: "cars", box: Box(x: 300, y: 0, width: 20, height: 20))
        let seen = try emissions(
            stage(blueprint, 200), in: frame(200), inputs: [[Emission(region), Emission(gone)]]
        ).map(\.observation)
        #expect(seen.count == 2)
        // Twice as wide as the input, at its place in the frame.
        #expect(
            seen[0].box.map { distance($0.corners, Box(x: 72, y: 6, width: 32, height: 20).corners) < 0.01 } == true)
        #expect(seen.allSatisfy { $0.about == TrackReference(stage: "cars", number: 3) })
    }

    @Test func aJobThatSeesNothingSaysSo() throws {
        let reading = DetectorReading(layout: .yolov8, form: .fastest(output: 0), classes: 1, isRaw: true)
        let classes = try DetectedClasses(names: ["a"], reading, wanted: [], least: LeastConfidence())
        var teller = ThingTeller(id: "found", classes: classes)
        #expect(teller.notes.isEmpty)
        _ = teller.update(ThingDetector.Detection(best: 0.03), StageInput(frame: try emptyFrame(0)))
        #expect(
            teller.notes == [
                "“found” gave nothing a score of 0.05 or more in the first seconds; see whether “channelOrder”, “scale”, “mean”, "
                    + "“std” and “size” are what the network was trained with"
            ])
        _ = teller.update(ThingDetector.Detection(best: 0.3), StageInput(frame: try emptyFrame(50)))
        #expect(teller.notes.isEmpty)
    }

    /// Scores over 1 are none: numbers that are read in another order than they stand in.
    @Test func scoresOverOneAreToldOf() throws {
        let reading = DetectorReading(layout: .yolov8, form: .fastest(output: 0), classes: 1, isRaw: true)
        let classes = try DetectedClasses(names: ["a"], reading, wanted: [], least: LeastConfidence())
        var teller = ThingTeller(id: "found", classes: classes)
        for (frame, best) in [1, 1.004, 2, 0.4, 7].map(Float.init).enumerated() {
            _ = teller.update(ThingDetector.Detection(best: best), StageInput(frame: try emptyFrame(frame)))
        }
        #expect(teller.notes.count == 1)
        #expect(
            teller.notes.first?.hasPrefix("“found” was given scores over 1, 2.0 first: in 2 frames, first in 2; ")
                == true)
    }

    /// What is left out is told of once, with the first frame.
    @Test func tooManyThingsAreToldOf() throws {
        let reading = DetectorReading(layout: .yolov8, form: .fastest(output: 0), classes: 1, isRaw: true)
        let classes = try DetectedClasses(names: ["a"], reading, wanted: [], least: LeastConfidence())
        var teller = ThingTeller(id: "found", classes: classes)
        func look(_ ordinal: Int, _ cut: DetectionCut?) throws {
            _ = teller.update(ThingDetector.Detection(best: 0.5, cut: cut), StageInput(frame: try emptyFrame(ordinal)))
        }
        try look(0, nil)
        #expect(teller.notes.isEmpty)
        try look(1, .things)
        let advice = "where these aren't all that is wanted, raise “minimumConfidence”, or name the “classes” that are"
        let sentence = "“found” saw more than 1000 things in a picture, of which the 1000 surest were taken: "
        #expect(teller.notes == ["\(sentence)in frame 1; \(advice)"])
        try look(2, .things)
        try look(3, nil)
        #expect(teller.notes == ["\(sentence)in 2 frames, first in 1; \(advice)"])
        // A stored look says the same.
        let stored = ThingDetector.Detection(best: 0.5, cut: .things)
        var json = JSONWriter()
        stored.store(into: &json)
        #expect(ThingDetector.Detection(stored: try JSONParser.parse(json.bytes))?.cut == .things)
    }

    /// Names that begin a number too early, or are too few, are told of.
    @Test func aClassWithoutANameIsToldOf() throws {
        let reading = DetectorReading(layout: .ssd, form: .fastest(output: 0), classes: nil, isRaw: false)
        let classes = try DetectedClasses(names: ["a", "b"], reading, wanted: [], least: LeastConfidence())
        var teller = ThingTeller(id: "found", classes: classes)
        func look(_ ordinal: Int, _ label: Int) throws {
            let thing = DetectedThing(label: label, score: 0.9, box: Box(x: 1, y: 1, width: 9, height: 9))
            _ = teller.update(
                ThingDetector.Detection(found: [.init(thing: thing)], best: 0.9),
                StageInput(frame: try emptyFrame(ordinal)))
        }
        try look(0, 1)
        #expect(teller.notes.isEmpty)
        try look(4, 2)
        #expect(
            teller.notes == [
                "“found” saw things of a class that none of the 2 names is of, 2 first: in frame 4; expected a name for each class, "
                    + "with “background” before them where the model counts from 1"
            ])
    }

    // MARK: Refusals

    @Test(arguments: [
        (
            #"{"model": "no.onnx"}"#,
            "model: no file “no.onnx”; expected an ONNX, OpenVINO, TensorFlow Lite or TensorFlow model"
        ),
        (
            #"{"model": "tiny.onnx", "labels": "no.txt"}"#,
            "labels: no file “no.txt”; expected a text file with a class a line"
        ),
        (
            #"{"model": "tiny.onnx", "labels": "names.txt"}"#,
            "labels: “names.txt” has 2 classes and the model 3; expected as many"
        ),
        (
            #"{"model": "tiny.onnx", "classes": ["car"]}"#,
            "classes: “car”, and the model doesn't name its classes; expected “labels”, or their numbers from 0"
        ),
        (
            #"{"model": "tiny.onnx", "classes": ["3"]}"#,
            "classes: “3”, and the model doesn't name its classes; expected “labels”, or their numbers from 0"
        ),
        (#"{"model": "tiny.onnx", "mean": [1, 2]}"#, "mean: 2 numbers; expected 1 or 3"),
        (#"{"model": "tiny.onnx", "std": [0]}"#, "std: a 0; expected numbers to divide by"),
        (
            #"{"model": "tiny.onnx", "tiles": [2, 2], "inputs": ["a"]}"#,
            "tiles: tiles, and regions as “inputs”; expected one of both: the frame is what is looked at in tiles"
        ),
        (
            #"{"model": "tiny.onnx", "decoder": "ssd"}"#,
            "model: “tiny.onnx” can't be used: its outputs are output0 f32 [1,7,84]; “decoder” “ssd” expects [1,1,N,7]: picture, class, score, corners"
        ),
        (
            #"{"model": "tiny.onnx", "decoder": "yolov5", "labels": "names.txt"}"#,
            "labels: “names.txt” has 2 classes and the model 79; expected as many, or another “decoder”: the outputs are output0 f32 "
                + "[1,7,84], and “yolov5” reads them as [1,N,5+classes]: centre, size, objectness, classes"
        ),
    ]) func refusals(options: String, message: String) throws {
        let error = #expect(throws: StageOptionError.self) { try blueprint(options, labels: "a\nb") }
        #expect(error.map { "\($0.option ?? "-"): \($0.message)" } == message)
    }

    @Test func damagedModels() throws {
        let folder = NSTemporaryDirectory() + "/damaged-\(UUID().uuidString)"
        try Files.makeDirectory(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (onnx, lite) = (TinyDetectors.yolov8().bytes(), TinyDetectors.yolov8Lite().bytes())
        let words = Array("no model at all, whatever its name says".utf8)
        for (name, bytes, reason) in [
            ("cut.onnx", Array(onnx.prefix(onnx.count / 2)), "is damaged or cut off; expected a whole ONNX file"),
            (
                "cut.tflite", Array(lite.prefix(lite.count / 2)),
                "is damaged or cut off; expected a whole TensorFlow Lite file"
            ),
            (
                "words.pt", words,
                "is damaged, cut off or in another format; expected a whole ONNX, OpenVINO, TensorFlow Lite or frozen "
                    + "TensorFlow file"
            ),
        ] {
            let path = folder + "/" + name
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: StageOptionError.self) {
                try DetectBlueprint(options: stageOptions("{\"model\": \"\(path)\"}"))
            }
            #expect(error?.message == "“\(path)” can't be used: model “\(path)” \(reason)")
        }
    }

    @Test func namesThatDoNotFit() throws {
        var network = TinyDetectors.yolov8()
        network.metadata = [("task", "detect"), ("stride", "32"), ("names", "{0: 'a', 1: 'b'}")]
        let folder = NSTemporaryDirectory() + "/names-\(UUID().uuidString)"
        try Files.makeDirectory(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try network.write(to: folder)
        let error = #expect(throws: StageOptionError.self) {
            try DetectBlueprint(options: stageOptions("{\"model\": \"\(path)\"}"))
        }
        #expect(
            error?.message
                == "“\(path)” names 2 classes and its outputs have 3; expected as many, or a file of names as “labels”")
    }

    @Test(.enabled(if: hasPeople, "the network for people is not in .deps/networks"))
    func withoutAModelThereArePeopleAlone() throws {
        let error = #expect(throws: StageOptionError.self) {
            try DetectBlueprint(options: stageOptions(#"{"classes": ["person", "car"]}"#))
        }
        #expect(error?.option == "classes")
        #expect(
            error?.message
                == "“car”, and without a “model” people are found alone; expected “person”, or a “model” that knows it")
        let blueprint = try DetectBlueprint(options: stageOptions(#"{"classes": ["person"]}"#))
        #expect(blueprint.details.first { $0.key == "reader" }?.value["decoder"]?.string == "tensorflow")
        #expect(try observations(stage(blueprint), in: frame()).isEmpty)
    }

    @Test(
        .enabled(if: hasPeople, "the network for people is not in .deps/networks"),
        .enabled(if: RealData.isThere, RealData.reason))
    func peopleOnAPhoto() throws {
        let frame = try photo(RealData.folder + "/detect/000000001000.jpg")
        let stage = try DetectBlueprint(options: stageOptions()).makeStage(
            StageContext(id: "people", width: frame.width, height: frame.height))
        let seen = try observations(stage, in: frame).filter { $0.confidence ?? 0 > 0.8 }
        #expect(seen.count >= 8 && seen.allSatisfy { $0.label == "person" })
        // A child in front.
        let child = Box(x: 261, y: 91, width: 96, height: 331)
        #expect(seen.contains { $0.box.map { $0.intersectionOverUnion(child) > 0.8 } ?? false })
    }
}
