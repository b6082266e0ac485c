import Annotate
import Foundation
import Testing

@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Options that don't go together, or name what can't be used.
@Suite struct BlueprintOptionTests {
    private func failure<Blueprint: StageBlueprint>(
        _ blueprint: Blueprint.Type, _ json: String, directory: String = "."
    ) throws -> String? {
        do {
            _ = try Blueprint(options: try stageOptions(json, directory: directory))
            return nil
        } catch let error as StageOptionError {
            return "\(error.option ?? "-"): \(error.message)"
        }
    }

    @Test(
        arguments: [
            ("{}", nil), (#"{"ids": [0, 49]}"#, nil), (#"{"windows": [3, 13, 23]}"#, nil),
            (#"{"ids": [49, 50, 60]}"#, "ids: the id 50, which “aruco-4x4-50” has not; expected ids from 0 to 49"),
            (
                #"{"dictionary": "aruco-original", "ids": [1024]}"#,
                "ids: the id 1024, which “aruco-original” has not; expected ids from 0 to 1023"
            ),
            (
                #"{"dictionary": "aruco-original", "dictionaryFile": "x.yml"}"#,
                "dictionaryFile: “dictionary” and “dictionaryFile” together; expected one of them"
            ),
            (
                #"{"dictionaryFile": "no-such.yml"}"#,
                "dictionaryFile: no file “no-such.yml”; expected a dictionary file"
            ),
            (#"{"windows": [3, 5, 7, 9, 11, 13, 15, 17, 19]}"#, "windows: 9 windows; expected 8 at most"),
        ] as [(String, String?)])
    func markers(json: String, expected: String?) throws {
        #expect(try failure(MarkersBlueprint.self, json) == expected)
    }

    /// OpenCV's names, in any way in which they are written.
    @Test(
        arguments: [
            ("DICT_6X6_250", "aruco-6x6-250"), ("dict_4x4_50", "aruco-4x4-50"),
            ("cv2.aruco.DICT_7X7_1000", "aruco-7x7-1000"),
            ("cv::aruco::DICT_5X5_100", "aruco-5x5-100"), ("DICT_ARUCO_ORIGINAL", "aruco-original"),
            ("cv2.aruco.DICT_ARUCO_ORIGINAL", "aruco-original"), ("DICT_APRILTAG_16h5", "apriltag-16h5"),
            ("DICT_APRILTAG_36h11", "apriltag-36h11"), ("cv2.aruco.DICT_APRILTAG_36H10", "apriltag-36h10"),
            ("aruco-4x4-5", "aruco-4x4-50"), ("DICT_ARUCO_MIP_36h12", nil), ("DICT", nil), ("6x6", nil),
        ] as [(String, String?)])
    func dictionariesByOtherNames(name: String, expected: String?) throws {
        let complaint = MarkerDictionary.complaint(about: name)
        #expect(complaint.hasPrefix("no dictionary “\(name)”; expected one of aruco-original, aruco-4x4-50, "))
        #expect(expected.map { complaint.hasSuffix("; did you mean “\($0)”?") } ?? !complaint.contains("did you mean"))
        let dictionary = try #require(MarkersBlueprint.contract.options.first { $0.name == "dictionary" })
        var validator = ShapeValidator(file: "m")
        validator.validate(JSONNode(.string(name)), against: dictionary.shape)
        let told = validator.log.problems.first?.message ?? ""
        #expect(told.hasPrefix("“\(name)”; expected one of “"))
        #expect(expected.map { told.hasSuffix("; did you mean “\($0)”?") } ?? !told.contains("did you mean"))
    }

    /// Files that OpenCV's own reader would crash on, or unpack without end.
    @Test(arguments: [
        "{\"nmarkers\":1,\"markersize\":4,\"marker_0\":" + String(repeating: "[", count: 200_000),
        "<?xml version=\"1.0\"?>" + String(repeating: "<a>", count: 200_000),
        "%YAML:1.0\nnmarkers: " + String(repeating: "[", count: 200_000), "\u{1F}\u{8B}\u{8}\u{0}",
        "nmarkers: 99999999999",
    ])
    func hostileFiles(text: String) throws {
        let path = NSTemporaryDirectory() + "/annotate-hostile-\(UUID().uuidString).xml"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(
            try failure(MarkersBlueprint.self, "{\"dictionaryFile\": \"\(path)\"}")?.contains("is no marker dictionary")
                == true)
    }

    /// The same dictionary in each of OpenCV's forms.
    @Test(arguments: [
        "%YAML:1.0\n---\nnmarkers: 2\nmarkersize: 3\nmarker_0: \"101010111\"\nmarker_1: \"000111010\"\n",
        "{ \"nmarkers\": 2, \"markersize\": 3, \"marker_0\": \"101010111\", \"marker_1\": \"000111010\" }",
        "<?xml version=\"1.0\"?><opencv_storage><nmarkers>2</nmarkers><markersize>3</markersize>"
            + "<marker_0>\"101010111\"</marker_0><marker_1>\"000111010\"</marker_1></opencv_storage>",
    ])
    func dictionaryForms(text: String) throws {
        let path = NSTemporaryDirectory() + "/annotate-dictionary-\(UUID().uuidString).yml"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try failure(MarkersBlueprint.self, "{\"dictionaryFile\": \"\(path)\", \"ids\": [1]}") == nil)
        #expect(
            try failure(MarkersBlueprint.self, "{\"dictionaryFile\": \"\(path)\", \"ids\": [2]}")?.contains(
                "expected ids from 0 to 1") == true)
    }

    @Test func aFileThatIsNoDictionary() throws {
        let found = try failure(
            MarkersBlueprint.self, #"{"dictionaryFile": "Package.swift"}"#, directory: RealData.repository)
        #expect(
            found?.hasPrefix("dictionaryFile: “Package.swift” is no marker dictionary: ") == true,
            "\(found ?? "accepted")")
        #expect(
            found?.hasSuffix("; expected OpenCV's form with nmarkers, markersize and marker_0, marker_1, …") == true)
    }

    @Test(
        arguments: [
            ("{}", nil), (#"{"minimumAspectRatio": 1, "maximumAspectRatio": 1}"#, nil),
            (
                #"{"minimumAspectRatio": 0.8, "maximumAspectRatio": 0.6}"#,
                "minimumAspectRatio: 0.8 is over “maximumAspectRatio” 0.6; expected no more than that"
            ),
        ] as [(String, String?)])
    func rectangles(json: String, expected: String?) throws {
        #expect(try failure(RectanglesBlueprint.self, json) == expected)
    }

    @Test(arguments: [
        (#"{"model": "no-such.onnx"}"#, "model: no file “no-such.onnx”; expected an ONNX model"),
        (#"{"model": "."}"#, "model: no file “.”; expected an ONNX model"),
        (#"{"model": "Package.swift", "mean": [1, 2]}"#, "mean: 2 numbers; expected 1 or 3"),
        (#"{"model": "Package.swift", "std": [1, 0, 1]}"#, "std: a 0; expected numbers to divide by"),
        (#"{"model": "Package.swift", "size": [224]}"#, "size: 1 numbers; expected [width, height]"),
    ])
    func classify(json: String, expected: String) throws {
        #expect(try failure(ClassifyBlueprint.self, json, directory: RealData.repository) == expected)
    }

    @Test func everyOptionHasATextAndADefaultThatItAccepts() throws {
        #expect(StageCatalog.standard.contracts.count > 10)
        for contract in StageCatalog.standard.contracts {
            #expect(!contract.options.isEmpty && contract.summary.hasSuffix("."))
            #expect(Set(contract.options.map(\.name)).count == contract.options.count)
            for option in contract.options {
                #expect(option.doc.hasSuffix("."), "\(contract.type).\(option.name)")
                guard let value = option.defaultValue else { continue }
                var validator = ShapeValidator(file: "default")
                // An empty list stands for “chosen by the stage”.
                if case .array(let elements) = value, elements.isEmpty { continue }
                validator.validate(JSONNode(value), against: option.shape)
                #expect(validator.log.isEmpty, "\(contract.type).\(option.name): \(validator.log.problems)")
            }
        }
    }
}
