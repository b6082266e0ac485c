import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// A folder for one test.
final class ImportFolder {
    let path = NSTemporaryDirectory() + "/annotate-import-\(UUID().uuidString)"

    init() throws { try Files.makeDirectory(path) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, _ name: String) throws -> String {
        try Files.write(text, to: path + "/" + name)
        return path + "/" + name
    }
}

@Suite struct ImportReaderTests {
    private let folder: ImportFolder

    init() throws { folder = try ImportFolder() }

    private func rows(
        _ text: String, _ format: ImportFormat, by: ImportKey? = nil, firstFrame: Int? = nil, classes: [String] = [],
        stages: [String] = [], video: String? = nil
    ) throws -> (rows: [ImportedRow], all: ImportedRows) {
        var request = ImportRequest(
            format: format, path: try folder.write(text, "a"), by: by,
            firstFrame: firstFrame ?? (format == .mot ? 1 : 0),
            classes: classes, stages: stages, video: video)
        request.kinds = StageCatalog.standard.findings
        let all = try request.read()
        return (all.rows(in: Int64.min...Int64.max), all)
    }

    /// The error, without the folder; nil for none.
    private func failure(
        _ text: String, _ format: ImportFormat, by: ImportKey? = nil, classes: [String] = [], stages: [String] = [],
        video: String? = nil
    ) -> String? {
        do {
            _ = try rows(text, format, by: by, classes: classes, stages: stages, video: video)
            return nil
        } catch {
            return "\(error)".replacing(folder.path + "/", with: "")
        }
    }

    // MARK: MOT

    @Test func mot() throws {
        let text = "\u{FEFF}2,7,101,51,20,10,0.5,1,-1,-1\r\n1, 7 ,1,1,20,10\r\n\r\n1,-1,31.5,41.25,2,3,-1,2\n"
        let rows = try rows(text, .mot, classes: ["person", "car"])
        #expect(rows.rows.map(\.key) == [0, 0, 1])
        #expect(rows.rows.map(\.id) == [7, nil, 7])
        #expect(
            rows.rows.map(\.box) == [
                Box(x: 0, y: 0, width: 20, height: 10), Box(x: 30.5, y: 40.25, width: 2, height: 3),
                Box(x: 100, y: 50, width: 20, height: 10),
            ])
        #expect(rows.rows.map(\.confidence) == [nil, nil, 0.5])
        #expect(rows.rows.map(\.label) == [nil, "car", "person"])
        #expect(rows.rows.map(\.state) == [.tracked, nil, .tracked])
        #expect(rows.all.ids == [7])
    }

    @Test func framesFromNought() throws {
        #expect(try rows("0,1,1,1,2,2\n", .mot, firstFrame: 0).rows.map(\.key) == [0])
    }

    @Test func scoresThatAreNoConfidences() throws {
        let rows = try rows("1,1,1,1,2,2,57.3\n1,2,1,1,2,2,1\n", .mot)
        #expect(rows.rows.map(\.confidence) == [nil, 1])
        #expect(rows.all.oddConfidences == 1)
    }

    @Test(arguments: [
        (
            "1,1,1,1,2\n",
            "a:1: 5 columns; expected frame, id, left, top, width, height and perhaps confidence and class, with commas"
        ),
        (
            "1 1 1 1 2 2\n",
            "a:1: 1 column; expected frame, id, left, top, width, height and perhaps confidence and class, with commas"
        ),
        ("1,1,1,1,2,2\n1,x,1,1,2,2\n", "a:2: “x” in column 2; expected a number"),
        ("1,1,nan,1,2,2\n", "a:1: “nan” in column 3; expected a number"),
        ("1,1,0x10,1,2,2\n", "a:1: “0x10” in column 3; expected a number"),
        ("0,1,1,1,2,2\n", "a:1: frame 0; expected 1 or more: 1 is the first (“firstFrame” says which)"),
        ("1.5,1,1,1,2,2\n", "a:1: frame 1.5; expected a whole number from 1"),
        ("1,1,1,1,-2,2\n", "a:1: the box 0, 0, -2, 2; expected left, top, and a width and height over 0, in pixels"),
        (
            "1,1,1,1,1e9,2\n",
            "a:1: the box 0, 0, 1000000000, 2; expected left, top, and a width and height over 0, in pixels"
        ),
        ("1,1.5,1,1,2,2\n", "a:1: the id 1.5; expected a whole number from 0, or -1 for none"),
        (
            "1,7,1,1,2,2\n2,7,1,1,2,2\n1,7,1,1,2,2\n",
            "a:3: the id 7 is there twice in one frame, first in line 1; expected each once"
        ),
        ("frame,id,left,top,width,height\n", "a:1: “frame” in column 1; expected a number"),
    ])
    func brokenMOT(text: String, message: String) { #expect(failure(text, .mot) == message) }

    @Test func motHasNoTimes() {
        #expect(
            failure("1,1,1,1,2,2\n", .mot, by: .time) == "a: a MOT file has frames and no times; expected “by”: “frame”"
        )
        #expect(
            failure("1,1,1,1,2,2,1,9\n", .mot, classes: ["a"])
                == "a:1: class 9.0; expected one of 1 to 1, for which “classes” has names")
    }

    @Test func anEmptyMOTFileIsOneWithoutBoxes() throws { #expect(try rows("", .mot).rows.isEmpty) }

    // MARK: CSV

    @Test func aTableOfSomebodyElse() throws {
        let text = "\u{FEFF}time,left,top,width,height,id,label\r\n0.04,1,2,3,4,12,\"a, \"\"b\"\"\"\r\n0,5,6,7,8,,\r\n"
        let rows = try rows(text, .csv)
        #expect(rows.all.clock == .nanoseconds)
        #expect(rows.rows.map(\.key) == [0, 40_000_000])
        #expect(rows.rows.map(\.id) == [nil, 12])
        #expect(rows.rows.map(\.label) == [nil, "a, \"b\""])
        #expect(rows.rows[0].box == Box(x: 5, y: 6, width: 7, height: 8))
    }

    @Test func ourOwnTable() throws {
        let text = """
            clip,frame,pts,time,stage,kind,track,of,region,label,confidence,state,left,top,width,height,x1,y1,x2,y2,x3,y3,x4,y4,more_corners,held
            a.mp4,3,9,0.3,cards,rectangle,2,,,,0.9,,,,,,1,2,11,2,11,12,1,12,"[[0,5]]",
            a.mp4,3,9,0.3,cups,object,1,,cup,mug,0.5,lost,,,,,,,,,,,,,,true
            a.mp4,3,9,0.3,names,classification,,1,,,,,,,,,,,,,,,,,,
            """
        let rows = try rows(text, .csv).rows
        #expect(rows.count == 2)
        #expect(rows[0].polygon == [Point(1, 2), Point(11, 2), Point(11, 12), Point(1, 12), Point(0, 5)])
        #expect(rows[0].state == nil)
        #expect(rows[1].state == .lost)
        #expect(rows[1].box == nil)
        #expect(rows[1].region == "cup")
        #expect(rows[1].isHeld)
        #expect(try self.rows(text, .csv, by: .time).all.clock == .nanoseconds)
        #expect(try self.rows(text, .csv, stages: ["cups"]).rows.map(\.id) == [1])
    }

    @Test(arguments: [
        ("", "a: it is empty; expected a line with the columns' names"),
        (
            "frame,x,y\n",
            "a:1: the columns “frame”, “x”, “y”; expected frame, time or pts, and left, top, width and height"
        ),
        (
            "left,top,width,height\n",
            "a:1: the columns “left”, “top”, “width”, “height”; expected frame, time or pts, and left, top, width and height"
        ),
        ("frame,left,top,width,height\n1,2,3\n", "a:2: 3 cells; expected 5, as the first line has"),
        ("frame,left,top,width,height\n1,2,3,four,5\n", "a:2: “four” under “width”; expected a number"),
        ("frame,left,top,width,height\n,2,3,4,5\n", "a:2: no “frame”; expected it in every row"),
        (
            "frame,left,top,width,height\n1,2,3,,5\n",
            "a:2: the box 2, 3, nan, 5; expected left, top, and a width and height over 0, in pixels"
        ),
        (
            "frame,left,top,width,height,state\n1,2,3,4,5,gone\n",
            "a:2: the state “gone”; expected one of seeded, tracked, predicted, lost, recovered, ended"
        ),
        (
            "frame,left,top,width,height,label\n1,2,3,4,5,\"x\n",
            "a:2: a cell in quotes that doesn't end; expected a closing quote"
        ),
        ("time,left,top,width,height\n1e99,2,3,4,5\n", "a:2: time 1e+99; expected seconds"),
    ])
    func brokenTables(text: String, message: String) { #expect(failure(text, .csv) == message) }

    // MARK: COCO

    private static let coco = """
        {"videos":[{"id":1,"name":"a.mp4"}],"categories":[{"id":3,"name":"cup"}],
        "annotations":[{"id":1,"image_id":12,"category_id":3,"track_id":9,"bbox":[1,2,3,4],"score":0.5,
          "segmentation":[[0.5,1.5,10.5,1.5,10.5,11.5]]},
         {"id":2,"image_id":11,"category_id":3,"bbox":[5,6,7,8],"iscrowd":0,"segmentation":{"size":[1,1],"counts":"x"}}],
        "images":[{"id":11,"video_id":1,"frame_index":4,"width":64,"height":48,"time":0.16},
         {"id":12,"video_id":1,"frame_index":5,"width":64,"height":48,"time":0.2}]}
        """

    @Test func coco() throws {
        let rows = try rows(Self.coco, .coco)
        #expect(rows.all.size == PictureSize(width: 64, height: 48))
        #expect(rows.rows.map(\.key) == [4, 5])
        #expect(rows.rows.map(\.id) == [nil, 9])
        #expect(rows.rows.map(\.label) == ["cup", "cup"])
        #expect(rows.rows.map(\.confidence) == [nil, 0.5])
        #expect(rows.rows.map(\.polygon) == [nil, [Point(0, 1), Point(10, 1), Point(10, 11)]])
        #expect(try self.rows(Self.coco, .coco, by: .time).rows.map(\.key) == [160_000_000, 200_000_000])
    }

    @Test func ofSeveralVideosOneIsNamed() throws {
        let two = Self.coco.replacing(
            #"[{"id":1,"name":"a.mp4"}]"#, with: #"[{"id":1,"name":"a.mp4"},{"id":2,"name":"b.mp4"}]"#
        )
        .replacing(#""video_id":1,"frame_index":5"#, with: #""video_id":2,"frame_index":5"#)
        #expect(failure(two, .coco) == "a: it is of 2 videos; expected “video” to name one of “a.mp4”, “b.mp4”")
        #expect(failure(two, .coco, video: "c") == "a: no video “c”; expected one of “a.mp4”, “b.mp4”")
        #expect(try rows(two, .coco, video: "b.mp4").rows.map(\.key) == [5])
    }

    @Test(arguments: [
        ("", "could not read a: line 1: it is empty; expected an object"),
        ("7", "could not read a: line 1: it is no JSON object; expected one with arrays"),
        ("{}", "a: it has no “images”; expected COCO’s images, annotations and categories"),
        (
            #"{"images":[{"id":1}],"annotations":["#,
            "could not read a: line 1: it ends in the middle; expected a whole JSON file"
        ),
        (#"{"images":[{"id":1}],"annotations":[{"image_id":2}]}"#, "a:1: the image_id 2, which no image has"),
        (
            "{\"images\":[{\"id\":1}],\n\"annotations\":[\n{\"image_id\":1}]}",
            "a:3: an annotation without a “bbox” of four numbers; expected left, top, width and height"
        ),
        (#"{"images":[{"id":1},{"id":1}]}"#, "a:1: a second image with the id 1; expected an id of its own for each"),
        ("{\"images\":[{\"id\":1},\n{\"id\":}]}", "could not read a: line 2: “}” where a value was expected"),
        (#"{"images":[{"id":1},,{"id":2}]}"#, "could not read a: line 1: “,” where a value was expected"),
        (#"{"images":[{"id":1}]}{"#, "could not read a: line 1: text after the end of the document"),
        (
            #"{"images":[{"id":1,"width":5,"height":5},{"id":2,"width":6,"height":5}]}"#,
            "a:1: an image of 6 × 5 pixels, and those before have 5 × 5; expected those of one clip, or a “video” that says which is meant: “{name}” of photos"
        ),
        (
            #"{"images":[{"id":1}],"annotations":[{"image_id":1,"bbox":[1,2,3,4],"category_id":8}]}"#,
            "a:1: the category_id 8, which no category has"
        ),
    ])
    func brokenCOCO(text: String, message: String) { #expect(failure(text, .coco) == message) }

    // MARK: Track files

    /// Of a detection and an object with all parts, and one of another skeleton.
    @Test func partsOfATrackFile() throws {
        let one = #"{"names":["a","b"],"edges":[],"mirrored":[]}"#
        let other = #"{"names":["c"],"edges":[],"mirrored":[]}"#
        let text = """
            {"format":"annotate-tracks","version":1,"generator":"t","source":{"name":"a.mp4","width":64,"height":48,"rotation":0,"timeBase":[1,50]},"stages":[{"id":"d","type":"detect","skeleton":\(one)},{"id":"e","type":"detect","skeleton":\(other)}]}
            {"frame":0,"pts":0,"duration":2,"time":0,"observations":[{"stage":"d","kind":"detection","confidence":0.5,"box":[1,1,2,2],"polygon":[[1,1],[2,1],[2,2],[1,2]],"angle":0,"mask":{"size":[2,2],"counts":"112"},"joints":[[1,1,1,1],[2,2,0.5,0.5]]},{"stage":"e","kind":"detection","confidence":0.5,"box":[5,5,2,2],"joints":[[6,6,1,1]]}]}
            {"summary":{"frames":1,"complete":true,"tracks":[]}}

            """
        let (rows, all) = try rows(text, .tracks)
        let parts = try #require(rows.first?.parts)
        #expect(parts.mask?.counts == "112" && parts.mask?.box == PixelBox(x: 1, y: 1, width: 2, height: 2))
        #expect(parts.joints.map(\.point) == [Point(1, 1), Point(2, 2)] && parts.angle == 0)
        #expect(all.skeleton?.names == ["a", "b"])
        #expect(rows.count == 2 && rows[1].parts == nil)
        #expect(all.omissions == ["joints of another skeleton than the first one"])
    }

    @Test func partsThatAreLeftOut() throws {
        let coco = """
            {"images":[{"id":1}],"annotations":[{"image_id":1,"bbox":[1,1,5,5],"keypoints":[1,1,2],"segmentation":{"size":[9,9],"counts":"a"}}]}
            """
        let left = try rows(coco, .coco)
        #expect(left.all.omissions == ["masks whose counts aren't those of their size"])
        #expect(left.rows.first?.parts?.joints == [Joint(Point(1, 1), confidence: 1, visibility: 1)])
        let plain = #"{"images":[{"id":1}],"annotations":[{"image_id":1,"bbox":[1,1,5,5],"segmentation":[]}]}"#
        #expect(try rows(plain, .coco).all.omissions.isEmpty)
        #expect(
            try rows("frame,left,top,width,height,angle\n0,1,1,2,2,30\n1,1,1,2,2,\n", .csv).all.omissions == ["angles"])
    }

    private static let tracks = """
        {"format":"annotate-tracks","version":1,"generator":"t","source":{"name":"a.mp4","width":64,"height":48,"rotation":0,"timeBase":[1,50]},"stages":[{"id":"m","type":"markers"},{"id":"f","type":"track"}]}
        {"frame":3,"pts":6,"duration":2,"time":0.12,"observations":[{"stage":"m","kind":"marker","track":2,"polygon":[[0,0],[9,0],[9,9],[0,9]],"id":4},{"stage":"f","kind":"object","track":1,"state":"lost","confidence":0}]}
        {"summary":{"frames":1,"complete":true,"tracks":[]}}
        """

    @Test func trackFiles() throws {
        let rows = try rows(Self.tracks, .tracks)
        #expect(rows.rows.map(\.id) == [2, 1])
        #expect(rows.rows.map(\.key) == [3, 3])
        #expect(rows.rows.map(\.state) == [nil, .lost])
        #expect(rows.rows[0].polygon?.count == 4)
        #expect(rows.all.kinds == ["marker", "object"])
        #expect(try self.rows(Self.tracks, .tracks, by: .time).all.clock == .ticks(Rational(1, 50)))
        #expect(failure(Self.tracks, .tracks, stages: ["x"]) == "a:1: no stage “x”; expected one of “m”, “f”")
    }
}
