import Foundation
import Testing

@testable import Annotate
@testable import Base
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Imported files that are odd, hostile or change: each is told of, or read as it says, and never as something else.
@Suite struct ImportDoorTests {
    private let folder: ImportFolder

    init() throws { folder = try ImportFolder() }

    private func rows(
        _ format: ImportFormat, _ path: String, _ video: String? = nil, images: String? = nil
    ) throws -> [ImportedRow] {
        var request = ImportRequest(
            format: format, path: path, by: nil, firstFrame: format == .labelStudio ? 1 : 0, classes: [], stages: [],
            video: video)
        request.images = images
        return try request.read().rows(in: .min ... .max)
    }

    private func failure(_ format: ImportFormat, _ text: String, _ video: String? = nil) throws -> String {
        let path = try folder.write(text, "odd")
        let error = try #require(throws: (any Error).self) { try rows(format, path, video) }
        return "\(error)"
    }

    /// Hashes as ids of images: beyond 2⁵³ two are one as numbers with a point.
    @Test func largeIds() throws {
        let images = try folder.write(
            #"{"images": [{"id": 36028797018963968, "file_name": "a_0.jpg"}, {"id": 36028797018963969, "file_name": "b_0.jpg"}]}"#,
            "images.json")
        let list = try folder.write(
            #"[{"image_id": 36028797018963968, "bbox": [1, 2, 3, 4]}, {"image_id": 36028797018963969, "bbox": [5, 6, 7, 8]}]"#,
            "list.json")
        #expect(try rows(.coco, list, "a", images: images).map { $0.box?.x } == [1])
        #expect(try rows(.coco, list, "b", images: images).map { $0.box?.x } == [5])
    }

    @Test func idsThatAreThereTwice() throws {
        let text =
            #"{"images": [{"id": 1, "file_name": "a_0.jpg"}, {"id": 1, "file_name": "b_0.jpg"}], "annotations": []}"#
        #expect(
            try failure(.coco, text, "a").hasSuffix("a second image with the id 1; expected an id of its own for each"))
    }

    /// Who asks only which picture an id is need not have right annotations in that file.
    @Test func imagesOfAFileWithFaults() throws {
        let text =
            #"{"images": [{"id": 1, "file_name": "a_0.jpg"}], "videos": [{}], "annotations": [{"image_id": 7, "bbox": [1, 2, 3, 4]}]}"#
        let images = try folder.write(text, "images.json")
        let list = try folder.write(#"[{"image_id": 1, "bbox": [1, 2, 3, 4]}]"#, "list.json")
        #expect(try rows(.coco, list, "a", images: images).count == 1)
        #expect(try failure(.coco, text, "a").contains("a video without an “id”"))
    }

    /// Some names have an extension, and all a dot.
    @Test func namesWithDots() throws {
        let images = try folder.write(
            #"{"images": [{"id": 1, "file_name": "cam.1_000000.jpg"}, {"id": 2, "file_name": "cam.1_000001"}]}"#,
            "images.json")
        let list = try folder.write(
            #"[{"image_id": 1, "bbox": [1, 2, 3, 4]}, {"image_id": 2, "bbox": [1, 2, 3, 4]}]"#, "list.json")
        #expect(try rows(.coco, list, "cam.1", images: images).map(\.key) == [0, 1])
        let named = try folder.write(
            #"[{"image_id": "cam.1_000000.jpg", "bbox": [1, 2, 3, 4]}, {"image_id": "cam.1_000001", "bbox": [1, 2, 3, 4]}]"#,
            "named.json")
        #expect(try rows(.coco, named, "cam.1").map(\.key) == [0, 1])
        #expect(throws: ImportError.self) { try rows(.coco, named, "cam.2") }
    }

    /// Whatever has no place in a picture would have none where it is drawn or hidden.
    @Test(arguments: [
        (
            ImportFormat.cvat,
            #"<annotations><image id="0" name="a_0.jpg"><box label="x" xtl="1" ytl="1" xbr="9" ybr="9" rotation="1e308"/></image></annotations>"#
        ),
        (
            .labelStudio,
            #"[{"data": {"image": "a_1.jpg"}, "annotations": [{"result": [{"type": "polygonlabels", "value": {"points": [[1, 2], [1e308, 4], [5, 6]]}}]}]}]"#
        ),
        (
            .labelStudio,
            #"[{"data": {"image": "a_1.jpg"}, "annotations": [{"result": [{"id": "r", "type": "rectanglelabels", "value": {"x": 1, "y": 1, "width": 9, "height": 9}}, {"parentID": "r", "type": "keypointlabels", "value": {"x": 1e308, "y": 1, "keypointlabels": ["k"]}}]}]}]"#
        ),
        (
            .coco,
            #"{"images": [{"id": 1, "file_name": "a_0.jpg"}], "annotations": [{"image_id": 1, "bbox": [1, 2, 3, 4], "keypoints": [1e300, 2, 2]}]}"#
        ),
    ])
    func placesBeyondAllPictures(format: ImportFormat, text: String) throws {
        #expect(
            try failure(format, text).hasSuffix(
                "a place or an angle beyond all pictures; expected numbers up to ten million"))
    }

    @Test(arguments: ["nan", "inf", "left"])
    func turnsThatAreNoNumbers(turn: String) throws {
        let text =
            #"<annotations><image id="0" name="a_0.jpg"><box label="x" xtl="1" ytl="1" xbr="9" ybr="9" rotation="\#(turn)"/></image></annotations>"#
        #expect(try failure(.cvat, text).hasSuffix("“<box>” without a number “rotation”"))
    }

    /// Sizes and bones of which products and differences are no numbers.
    @Test func numbersThatOverflow() throws {
        let outline = "[1, 1, 9, 1, 9, 9]"
        let large =
            #"{"images": [{"id": 1, "file_name": "a_0.jpg", "width": 9223372036854775807, "height": 9223372036854775807}], "annotations": [{"image_id": 1, "segmentation": [\#(outline), \#(outline)]}]}"#
        #expect(try failure(.coco, large).contains("a picture of 9223372036854775807 × 9223372036854775807 pixels"))
        #expect(
            RunMask(outlines: [[Point(1, 1), Point(9, 1), Point(9, 9)]], in: PictureSize(width: .max, height: .max))
                == nil)
        let bones =
            #"{"images": [{"id": 1, "file_name": "a_0.jpg"}], "annotations": [], "categories": [{"id": 1, "name": "x", "keypoints": ["a", "b"], "skeleton": [[-9223372036854775808, 1]]}]}"#
        #expect(try rows(.coco, try folder.write(bones, "bones.json")).isEmpty)
    }

    @Test func listsThatEndOtherwise() throws {
        #expect(
            try failure(.coco, #"[{"image_id": 1, "bbox": [1, 2, 3, 4]}}"#).hasSuffix(
                "“}” where another bracket is open"))
        #expect(
            try failure(.coco, #"{"images": [{"id": 1}}, "annotations": []}"#).hasSuffix(
                "“}” where another bracket is open"))
    }

    /// Lines are told as they are where a tag goes over several, and a picture within another one is no picture's end.
    @Test func picturesOfCVAT() throws {
        let text = """
            <annotations>
            <image
              id="0"
              name="a_0.jpg">
            <box label="x"
            xbr="9"/>
            </image>
            <image id="1" name="b_0.jpg"><image id="2" name="b_1.jpg"/><box label="x" xtl="1" ytl="1" xbr="9" ybr="9"/></image>
            </annotations>
            """
        let path = try folder.write(text, "cvat.xml")
        let error = try #require(throws: ImportError.self) { try rows(.cvat, path, "a") }
        #expect(error.line == 6)
        let whole = text.replacingOccurrences(of: "xbr=\"9\"/>", with: "xtl=\"1\" ytl=\"1\" xbr=\"9\" ybr=\"9\"/>")
        let other = try folder.write(whole, "whole.xml")
        #expect(try rows(.cvat, other, "a").count == 1)
        // No error: what is behind the inner picture is the outer one's still.
        _ = try rows(.cvat, other, "b")
    }

    /// A file from an archive may be of any time, also one that no number of nanoseconds says.
    @Test(arguments: [10_413_792_000, -1000, 4_102_444_800])
    func timesOfFiles(seconds: Int) throws {
        let path = try folder.write(#"{"images": [{"id": 1, "file_name": "a_0.jpg"}], "annotations": []}"#, "old.json")
        var times = [timespec(tv_sec: seconds, tv_nsec: 5), timespec(tv_sec: seconds, tv_nsec: 5)]
        try #require(utimensat(AT_FDCWD, path, &times, 0) == 0)
        #expect(try rows(.coco, path).isEmpty)
        usleep(150_000)
        // Kept, whatever time it says its contents are of.
        #expect(Files.stamp(path)?.isSettled == true)
    }

    /// What was wrong is told as often as it is asked for, and looked for once; of many files none falls out.
    @Test func filesThatAreKept() throws {
        struct Failure: Error {}
        let kept = ReadFiles<Int>()
        let paths = try (0..<20).map { try folder.write("\($0)", "kept\($0)") }
        usleep(150_000)
        var looks = 0
        for _ in 0..<3 {
            for (number, path) in paths.enumerated() {
                let value = try? kept.value(of: path) {
                    looks += 1
                    if number % 2 == 1 { throw ImportError(path, "it is odd") }
                    return number
                }
                #expect(value == (number % 2 == 0 ? number : nil))
            }
        }
        #expect(looks == 20)
        // What the system refuses may pass.
        for _ in 0..<2 {
            #expect(throws: Failure.self) { try kept.value(of: folder.write("", "refused")) { throw Failure() } }
        }
    }

    /// Rows of two clips by turns are read at once, not one after the other.
    @Test func clipsByTurns() throws {
        var text = "clip,frame,left,top,width,height\n"
        for row in 0..<60_000 { text += "\(row % 2 == 0 ? "a" : "b"),\(row / 2),\(row % 100),2,3,4\n" }
        let path = try folder.write(text, "turns.csv")
        for (clip, first) in [("a", 0.0), ("b", 1.0)] {
            let found = try rows(.csv, path, clip)
            #expect(found.count == 30_000)
            #expect(found.first?.box?.x == first && Set(found.compactMap(\.box?.x)).count == 50)
        }
        #expect(try CSVClips.of(path).runs(of: "a").count == 1)
    }

    /// Names in a folder with files of many clips are those that a glob finds, also those that come later.
    @Test func namesInAFolder() throws {
        for name in ["a_1.txt", "a_10.txt", "a_2.txt", "a b_1.txt", "ab_1.txt", ".a_1.txt", "a[1]_3.txt", "z.txt"] {
            _ = try folder.write("", name)
        }
        let place = Files.parent(of: try folder.write("", "a_3.txt"))
        try FileManager.default.createDirectory(atPath: place + "/a_9.txt", withIntermediateDirectories: true)
        let patterns = [
            "a_*.txt", "a*.txt", "a_?.txt", "a\\[1\\]_*.txt", "a[_b]*", "*.txt", "b_*.txt", "a_1.txt", ".a_*",
        ]
        for round in 0..<2 {
            for pattern in patterns {
                let whole = place + "/" + pattern
                #expect(FolderNames.glob(whole) == Files.glob(whole), "\(pattern) \(round)")
            }
            usleep(150_000)
            for pattern in patterns { _ = FolderNames.glob(place + "/" + pattern) }
            _ = try folder.write("", "a_4.txt")
        }
        #expect(FolderNames.glob(place + "/none/a_*") == [])
    }

    /// What the track file says a file's hash is, its rows are of.
    @Test func filesThatChangeBetweenPlanAndRun() throws {
        let path = try folder.write("1,1,1,2,3,4,0.9\n", "mot.txt")
        let options = try stageOptions(#"{"file": "mot.txt", "format": "mot"}"#, directory: Files.parent(of: path))
        let blueprint = try ImportBlueprint(options: options)
        let context = StageContext(id: "seen", width: 64, height: 48)
        _ = try blueprint.makeStage(context)
        _ = try folder.write("1,1,5,6,7,8,0.9\n", "mot.txt")
        let error = try #require(throws: ImportError.self) { try blueprint.makeStage(context) }
        #expect(error.message == "it changed while it was read; expected a file that stays as it is")
    }
}
