import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Files of many clips and photos, of which each job's part is found without going through all of it.
@Suite struct ImportIndexTests {
    private let folder: ImportFolder

    init() throws { folder = try ImportFolder() }

    /// Left edges of a clip's boxes by their frames, in the file's order.
    private func lefts(
        _ format: ImportFormat, _ path: String, _ video: String?, images: String? = nil
    ) throws -> [Int64: [Double]] {
        var request = ImportRequest(
            format: format, path: path, by: nil, firstFrame: format == .labelStudio ? 1 : 0, classes: [], stages: [],
            video: video)
        request.images = images
        var rows = try request.read()
        rows.place(in: PictureSize(width: 100, height: 100))
        return Dictionary(grouping: rows.rows(in: .min ... .max), by: \.key).mapValues { $0.map { $0.box?.x ?? -1 } }
    }

    /// Annotations of many images, in no order, with other text between them.
    private func coco(photos: Int) throws -> String {
        var random = SystemRandomNumberGenerator()
        let images = (0..<photos).map { #"{"id": \#($0 + 1), "file_name": "p\#($0)x.jpg"}"# }
        let boxes = (0..<photos * 3).map {
            #"{"image_id": \#($0 % photos + 1), "category_id": 1, "bbox": [\#($0 / photos), 0, 5, 5], "note": "}],{\""}"#
        }
        let shuffled = boxes.shuffled(using: &random)
        return try folder.write(
            "{\"annotations\": [\(shuffled.joined(separator: ",\n   "))],\n\"images\": [\(images.joined(separator: " , "))], \"categories\": [{\"id\": 1, \"name\": \"car\"}]}",
            "many.json")
    }

    @Test func annotationsOfEachPhoto() throws {
        let path = try coco(photos: 40)
        for photo in 0..<40 {
            #expect(try lefts(.coco, path, "p\(photo)x").mapValues { $0.sorted() } == [0: [0, 1, 2]], "\(photo)")
        }
        #expect(throws: ImportError.self) { try lefts(.coco, path, "p40x") }
    }

    @Test func resultsOfEachPhoto() throws {
        let images = try coco(photos: 40)
        let results = (0..<80).map { #"{"image_id": \#($0 % 40 + 1), "bbox": [\#($0 / 40), 1, 2, 3], "score": 0.5}"# }
        let path = try folder.write("[" + results.shuffled().joined(separator: ",\n") + "]", "results.json")
        for photo in 0..<40 {
            let own = try lefts(.coco, path, "p\(photo)x", images: images)
            #expect(own.mapValues { $0.sorted() } == [0: [0, 1]], "\(photo)")
        }
    }

    /// A file that is written anew is read anew.
    @Test func filesThatChange() throws {
        for left in 1...3 {
            let path = try folder.write(
                #"{"images": [{"id": 1, "file_name": "a.jpg"}], "annotations": [{"image_id": 1, "bbox": [\#(left), 0, 5, 5]}]}"#,
                "changing.json")
            #expect(try lefts(.coco, path, "a") == [0: [Double(left)]])
            // What is old enough is kept.
            if left == 2 { usleep(150_000) }
            #expect(try lefts(.coco, path, "a") == [0: [Double(left)]])
            #expect(try lefts(.coco, path, "a") == [0: [Double(left)]])
        }
    }

    /// Clips by turns and one after the other, cells over several lines, and rows of none, which are everybody's.
    @Test func clipsOfATable() throws {
        let rows = [
            "clip,frame,label,left,top,width,height", "a,0,x,1,0,5,5", "b,0,x,2,0,5,5", "a,1,\"two", "lines\",3,0,5,5",
            "", "a,2,x,4,0,5,5", ",7,x,5,0,5,5", "\"b\",1,\"say \"\"b\"\"\",6,0,5,5", "b,2,x,7,0,5,5", "c,0,x,8,0,5,5",
        ]
        for end in ["\n", "\r\n"] {
            let path = try folder.write("\u{FEFF}" + rows.joined(separator: end) + end, "table.csv")
            #expect(try lefts(.csv, path, "a") == [0: [1], 1: [3], 2: [4], 7: [5]])
            #expect(try lefts(.csv, path, "b") == [0: [2], 1: [6], 2: [7], 7: [5]])
            #expect(try lefts(.csv, path, "c") == [0: [8], 7: [5]])
            #expect(throws: ImportError.self) { try lefts(.csv, path, "d") }
        }
    }

    @Test func linesOfATable() throws {
        let path = try folder.write(
            "clip,frame,left,top,width,height\na,0,1,0,5,5\n\nb,0,2,0,5,5\na,1,wide,0,5,5\n", "wrong.csv")
        #expect(try lefts(.csv, path, "b") == [0: [2]])
        let error = try #require(throws: ImportError.self) { try lefts(.csv, path, "a") }
        #expect(error.line == 5)
    }

    @Test func picturesOfCVAT() throws {
        let path = try folder.write(
            """
            <?xml version="1.0"?><annotations><!-- <image name="no"> -->
            <image id="0" name="p1.jpg" width="100" height="100"><box label="a" xtl="1" ytl="0" xbr="9" ybr="9"></box></image>
            <image id="1" name="empty.jpg" width="50" height="50"/>
            <image id="2" name="q_01.jpg" width="100" height="100">
              <box label="a" xtl="2" ytl="0" xbr="9" ybr="9"/><box label="b" xtl="3" ytl="0" xbr="9" ybr="9"/></image>
            <image id="3" name="q_02.jpg" width="100" height="100"><box label="a" xtl="wide" ytl="0" xbr="9" ybr="9"/></image>
            </annotations>
            """, "pictures.xml")
        #expect(try lefts(.cvat, path, "p1") == [0: [1]])
        #expect(try lefts(.cvat, path, "empty") == [:])
        let error = try #require(throws: ImportError.self) { try lefts(.cvat, path, "q") }
        #expect(error.line == 6)
        let absence = try #require(throws: ImportError.self) { try lefts(.cvat, path, "r") }
        #expect(absence.isAbsence)
    }

    @Test func tasksOfLabelStudio() throws {
        func task(_ image: String, _ x: String) -> String {
            #"{"data": {"image": "/data/upload/1/12345678-\#(image)"},\#n "annotations": [{"result": [{"type": "rectanglelabels",\#n "value": {"x": \#(x), "y": 0, "width": 5, "height": 5, "rectanglelabels": ["a"]}}]}]}"#
        }
        let path = try folder.write(
            "[\n"
                + [task("000001.jpg", "1"), task("000002.jpg", "2"), task("p.jpg", "\"wide\"")].joined(separator: ",\n")
                + "]", "tasks.json")
        #expect(try lefts(.labelStudio, path, "000001") == [0: [1]])
        #expect(try lefts(.labelStudio, path, "000002") == [0: [2]])
        let error = try #require(throws: ImportError.self) { try lefts(.labelStudio, path, "p") }
        #expect(error.line == 10)
    }
}
