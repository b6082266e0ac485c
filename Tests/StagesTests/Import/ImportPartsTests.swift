import Foundation
import Testing

@testable import Annotate
@testable import Results
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Masks and key points of other programs' files.
@Suite struct ImportPartsTests {
    private let folder: ImportFolder

    init() throws { folder = try ImportFolder() }

    private func rows(_ text: String, _ format: ImportFormat) throws -> ImportedRows {
        try ImportRequest(
            format: format, path: try folder.write(text, "a"), by: nil, firstFrame: 0, classes: [], stages: []
        ).read()
    }

    /// Outlines of several parts, and what `pycocotools.mask.merge(frPyObjects(…, 15, 20))` makes of them.
    @Test(arguments: [
        ("[[2.5,3,12,3.5,11.2,9.7,3,10],[2.5,3,12,3.5,11.2,9.7,3,10]]", "`17800000000000001Lg3"),
        ("[[1,1,6,1,6,6,1,6],[4,4,14.5,4,14.5,11,4,11]]", "`05:00005K03M0000000000000000W2"),
        ("[[-3,5,8,-2,25,8,9,18.5],[1,1,3,1,2,4]]", #"3673O1O1N2O1O\20dM001O0O2O1N1O2OK"#),
        ("[[15,2,19.9,2,19.9,14.9,15,14.9],[2,10,6,10,4,14]]", "X11>2N00NQ4<eK0000000"),
    ])
    func outlinesOfSeveralParts(outlines: String, counts: String) throws {
        let rows = try rows(
            """
            {"images": [{"id": 1, "width": 20, "height": 15}], "categories": [{"id": 1, "name": "cup"}],
             "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "segmentation": \(outlines)}]}
            """, .coco)
        let row = try #require(rows.rows(in: 0...0).first)
        let mask = try #require(row.parts?.mask)
        #expect(mask.inPicture(PictureSize(width: 20, height: 15)).counts == counts)
        #expect(row.polygon == nil && rows.omissions.isEmpty)
        let bounds = try #require(mask.bounds)
        #expect(row.box == bounds.box)
    }

    /// An outline of more corners than a result has, in parts of the picture: the same mask as that of COCO's.
    @Test func longOutlinesBecomeMasks() throws {
        let size = PictureSize(width: 200, height: 100)
        let corners = (0..<100).map { index in
            let angle = Double(index) / 50 * Double.pi
            return Point(90 + 60 * cos(angle), 50 + 30 * sin(3 * angle))
        }
        let numbers = corners.flatMap { [$0.x, $0.y] }.map { "\($0)" }.joined(separator: ",")
        var coco = try rows(
            """
            {"images": [{"id": 1, "width": 200, "height": 100}], "categories": [{"id": 1, "name": "cup"}],
             "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "segmentation": [[\(numbers)]]}]}
            """, .coco)
        coco.place(in: size)
        let expected = try #require(coco.rows(in: 0...0).first)
        let line = corners.map { "\($0.x / 200) \($0.y / 100)" }.joined(separator: " ")
        for (behind, id, confidence) in [("", nil, nil), (" 7", 7, nil), (" 0.25 7", 7, 0.25)]
            as [(String, Int?, Double?)]
        {
            _ = try folder.write("0 \(line)\(behind)\n", "p_000000.txt")
            var yolo = try ImportRequest(
                format: .yolo, path: folder.path + "/p_*.txt", by: nil, firstFrame: 0, classes: ["cup"], stages: []
            ).read()
            yolo.place(in: size)
            let row = try #require(yolo.rows(in: 0...0).first)
            #expect(row.polygon == nil && row.id == id && row.confidence == confidence)
            #expect(row.parts?.mask == expected.parts?.mask && row.parts?.mask != nil)
            #expect(row.box == expected.box && row.box != nil)
        }
    }

    /// Names that begin alike may be of other clips; what is no clip's own number is taken where nothing else is there.
    @Test func filesOfClipsThatBeginAlike() throws {
        func frames(_ pattern: String) throws -> [Int] {
            try FrameFile.all(
                of: ImportRequest(
                    format: .yolo, path: folder.path + "/" + pattern, by: nil, firstFrame: 0, classes: ["cup"],
                    stages: [])
            ).map(\.number)
        }
        for name in ["cam_1", "cam_3", "cam_1_7", "cam_x_8", "c*m_4", "cut_a_5", "cut_a_6"] {
            _ = try folder.write("0 0.5 0.5 0.5 0.5\n", "\(name).txt")
        }
        #expect(try frames("cam_*.txt") == [1, 3])
        #expect(try frames("cam_1_*.txt") == [7])
        #expect(try frames("c\\*m_*.txt") == [4])
        #expect(try frames("cut_*.txt") == [5, 6])
        let error = try #require(throws: ImportError.self) { try frames("c*.txt") }
        #expect(error.description.contains("expected files of one clip"), "\(error)")
    }

    /// As Ultralytics and `export` write key points while they track.
    @Test(
        arguments: [
            ("", nil, nil), (" 7", 7, nil), (" 0.25", nil, 0.25), (" 0.25 7", 7, 0.25),
            (" 1e300", Int(inRange: 1e300), nil),
        ] as [(String, Int?, Double?)])
    func whatStandsBehindKeyPoints(behind: String, id: Int?, confidence: Double?) throws {
        _ = try folder.write("0 0.5 0.5 0.5 0.5 0.4 0.4 2 0.6 0.6 1 0 0 0\(behind)\n", "p_000000.txt")
        var request = ImportRequest(
            format: .yolo, path: folder.path + "/p_*.txt", by: nil, firstFrame: 0, classes: ["cup"], stages: [])
        request.joints = 3
        let row = try #require(try request.read().rows(in: 0...0).first)
        #expect(row.id == id && row.confidence == confidence)
        #expect(row.parts?.joints.map(\.confidence) == [1, 1, 0])
    }

    /// A mask of pictures of another size than the others' is none of this video's.
    @Test func masksOfAnotherSize() throws {
        func list(_ second: String) -> String {
            """
            [{"image_id": 0, "category_id": 1, "score": 1, "segmentation": {"size": [15, 20], "counts": [30, 5, 265]}},
             {"image_id": 0, "category_id": 1, "score": 1, "segmentation": {"size": \(second), "counts": [30, 5, 265]}}]
            """
        }
        #expect(try rows(list("[15, 20]"), .coco).size == PictureSize(width: 20, height: 15))
        let error = #expect(throws: ImportError.self) { try rows(list("[20, 15]"), .coco) }
        #expect(
            error?.description.hasSuffix("a mask of 15 × 20 pixels; expected 20 × 15, as before") == true,
            "\(error as Any)")
    }

    @Test func anOutlineOfOnePartStaysOne() throws {
        let rows = try rows(
            """
            {"images": [{"id": 1, "width": 20, "height": 15}], "categories": [{"id": 1, "name": "cup"}],
             "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 5, 5], "segmentation": [[1,1,6,1,6,6,1,6]]}]}
            """, .coco)
        #expect(rows.rows(in: 0...0).first?.polygon?.count == 4)
        #expect(rows.rows(in: 0...0).first?.parts?.mask == nil)
    }

    private func brush(_ mask: RunMask, _ size: PictureSize) -> String {
        """
        {"id": "0-0", "type": "brushlabels", "original_width": \(size.width), "original_height": \(size.height), "score": 0.5,
         "value": {"format": "rle", "brushlabels": ["cup"], "rle": \(BrushCode(mask.inPicture(size)).bytes)}}
        """
    }

    private func task(_ regions: String) -> String {
        #"[{"data": {"image": "a_000000.jpg"}, "predictions": [{"result": [\#(regions)]}]}]"#
    }

    /// Brushes are the masks that they were written from, whatever the lengths of their runs.
    @Test(arguments: [(7, 5), (20, 15), (640, 480), (1300, 900)]) func brushesAreMasks(width: Int, height: Int) throws {
        let size = PictureSize(width: width, height: height)
        var state = UInt32(3)
        let mask = RunMask(PixelBox(size)) { x, y in
            state = state &* 1_664_525 &+ 1_013_904_223
            return x > 0 && (y * 3 + x) % 97 < 40 && (y > height / 2 || state >> 28 != 0)
        }
        let rows = try rows(task(brush(mask, size)), .labelStudio)
        let row = try #require(rows.rows(in: 0...0).first)
        #expect(row.parts?.mask?.inPicture(size) == mask)
        #expect((row.label, row.confidence) == ("cup", 0.5))
        #expect(rows.size == size)
    }

    @Test func keyPointsBelongToTheirRegion() throws {
        func point(_ name: String, _ x: Double, of parent: String) -> String {
            #"{"id": "k", "parentID": "\#(parent)", "type": "keypointlabels", "value": {"x": \#(x), "y": 50, "width": 0.5, "keypointlabels": ["\#(name)"]}}"#
        }
        func box(_ id: String) -> String {
            #"{"id": "\#(id)", "type": "rectanglelabels", "value": {"x": 10, "y": 10, "width": 20, "height": 20, "rectanglelabels": ["cup"]}}"#
        }
        var rows = try rows(
            task(
                [
                    box("a"), point("nose", 10, of: "a"), point("foot", 30, of: "a"), box("b"),
                    point("nose", 40, of: "b"),
                    point("knee", 50, of: "b"), point("foot", 60, of: "b"), box("c"), point("nose", 70, of: "gone"),
                ].joined(separator: ",")), .labelStudio)
        // What is found between two is between them for all.
        #expect(rows.skeleton?.names == ["nose", "knee", "foot"])
        rows.place(in: PictureSize(width: 100, height: 50))
        let things = rows.rows(in: 0...0)
        #expect(
            things.map { $0.parts?.joints.map(\.isFound) ?? [] } == [[true, false, true], [true, true, true], []])
        #expect(things[1].parts?.joints.map(\.point.x) == [39.5, 49.5, 59.5])
        #expect(rows.omissions == ["key points that belong to no region"])
    }

    @Test func aBrokenBrushIsRefused() throws {
        let size = PictureSize(width: 20, height: 15)
        let text = brush(RunMask(filling: PixelBox(size)), size).replacing(
            "\"original_height\": 15", with: "\"original_height\": 16")
        #expect(throws: ImportError.self) { try rows(task(text), .labelStudio) }
    }
}
