import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// COCO files that know pictures and no videos, and shapes between key frames.
@Suite struct ImportPicturesTests {
    private let folder: ImportFolder

    init() throws { folder = try ImportFolder() }

    /// A COCO file of pictures with a box each, whose left edge is the picture's place in the list.
    private func coco(_ names: [String], video: String? = nil, firstFrame: Int = 0) throws -> ImportedRows {
        let images = names.enumerated().map { #"{"id": \#($0 + 1), "file_name": "\#($1)"}"# }
        let boxes = names.indices.map { #"{"image_id": \#($0 + 1), "category_id": 1, "bbox": [\#($0), 0, 5, 5]}"# }
        let text =
            #"{"images": [\#(images.joined(separator: ","))], "annotations": [\#(boxes.joined(separator: ","))], "categories": [{"id": 1, "name": "car"}]}"#
        return try ImportRequest(
            format: .coco, path: folder.write(text, "a"), by: nil, firstFrame: firstFrame, classes: [], stages: [],
            video: video
        ).read()
    }

    private func keys(_ rows: ImportedRows) -> [Int64] { rows.rows(in: Int64.min...Int64.max).map(\.key) }

    /// The numbers in their names are pictures' frames, where they say more than the pictures' order.
    @Test(arguments: [
        (["a_0000.jpg", "a_0005.jpg", "a_0010.jpg"], 0, [0, 5, 10]),
        (["a_0001.jpg", "a_0006.jpg"], 1, [0, 5]),
        // Numbers alone, as ffmpeg's %06d.jpg, are one clip's.
        (["000000.jpg", "000005.jpg"], 0, [0, 5]), (["000001.jpg", "000003.jpg"], 0, [0, 2]),
        (["a_0100.jpg", "a_0101.jpg"], 0, [100, 101]),
        (["a_0002.jpg", "a_0000.jpg", "a_0001.jpg"], 0, [0, 1, 2]),
        (["a_0003.jpg", "a_0001.jpg", "a_0002.jpg"], 0, [0, 1, 2]),
        // Who counts from 0 has a picture 0: one of those that are counted from 1 is missing.
        (["a_0001.jpg", "a_0002.jpg", "a_0004.jpg"], 0, [0, 1, 3]),
        // Whatever the first one is called, it is the first.
        (["a_0001.jpg", "a_0002.jpg", "a_0003.jpg"], 0, [0, 1, 2]), (["left.jpg", "right.jpg"], 0, [0, 1]),
        (["IMG_0123.jpg"], 0, [0]), (["a/1.jpg", "b/1.jpg"], 0, [0, 1]),
    ])
    func numbersOfPictures(names: [String], firstFrame: Int, frames: [Int64]) throws {
        #expect(keys(try coco(names, firstFrame: firstFrame)) == frames)
    }

    @Test func numbersFromOneWithAGap() throws {
        let told = "its pictures' numbers begin with 1 and have gaps; they were taken as counted from 1"
        #expect(try coco(["a_0001.jpg", "a_0003.jpg"]).remarks.first?.hasPrefix(told) == true)
        for names in [["a_0000.jpg", "a_0003.jpg"], ["a_0001.jpg", "a_0002.jpg"], ["a_0002.jpg", "a_0004.jpg"]] {
            #expect(try coco(names).remarks.isEmpty, "\(names)")
        }
    }

    @Test func picturesOfSeveralClips() throws {
        let names = ["a_0000.jpg", "a_0005.jpg", "b_0003.jpg", "b_0004.jpg"]
        let own = try coco(names, video: "b")
        #expect(keys(own) == [3, 4])
        #expect(own.rows(in: 3...3).first?.box?.x == 2)
        #expect(own.remarks.isEmpty)
        // In folders of their own.
        #expect(keys(try coco(["a/000007.jpg", "b/000002.jpg", "b/000009.jpg"], video: "b")) == [2, 9])
        #expect(try coco(names).remarks.first?.hasPrefix("its pictures are called after 2 clips, “a”, “b”") == true)
        let error = #expect(throws: ImportError.self) { try coco(names, video: "c") }
        #expect(error?.isAbsence == true)
        #expect(error?.message == "no clip “c”; expected one of “a”, “b”")
    }

    /// What a click without a drag leaves is left out, and counted; what can't be is refused.
    @Test(arguments: [
        (
            ImportFormat.coco,
            #"{"images": [{"id": 1}], "annotations": [{"image_id": 1, "bbox": [4, 4, 0, 5]}, {"image_id": 1, "bbox": [1, 2, 3, 4]}]}"#
        ), (.coco, #"[{"image_id": 0, "score": 1, "bbox": [4, 4, 7, 0]}, {"image_id": 0, "bbox": [1, 2, 3, 4]}]"#),
        (.mot, "1,1,5,5,0,7,1\n1,2,2,3,3,4,1\n"),
        (.csv, "frame,left,top,width,height\n0,9,9,0,0\n0,1,2,3,4\n"),
        (
            .cvat,
            #"<annotations><image id="0" name="f_0"><box label="a" xtl="5" ytl="5" xbr="5" ybr="9"/><box label="a" xtl="1" ytl="2" xbr="4" ybr="6"/></image></annotations>"#
        ),
    ])
    func boxesWithoutAnArea(format: ImportFormat, text: String) throws {
        func read(_ text: String) throws -> ImportedRows {
            try ImportRequest(
                format: format, path: folder.write(text, "a"), by: nil, firstFrame: format == .mot ? 1 : 0, classes: [],
                stages: []
            ).read()
        }
        let rows = try read(text)
        #expect(rows.emptyBoxes == 1)
        #expect(rows.rows(in: 0...0).map(\.box) == [Box(x: 1, y: 2, width: 3, height: 4)])
    }

    /// What `export --format csv` says of masks, joints and angles comes back.
    @Test func partsOfOurOwnTable() throws {
        let mask = try #require(RunMask(PixelBox(x: 2, y: 3, width: 3, height: 2), bitmap: [1, 0, 1, 0, 1, 1]))
        let text = """
            frame,kind,left,top,width,height,x1,y1,x2,y2,x3,y3,x4,y4,angle_deg,mask,joints_px
            0,detection,2.5,3,2,2,,,,,,,,,,"{""size"":[2,3],""counts"":""\(mask.counts)""}","[[1,2,0.9,1],[3,4,0,0]]"
            1,detection,,,,,10,0,20,10,10,20,0,10,45,,
            2,detection,0,0,4,4,,,,,,,,,,"{""size"":[9,9],""counts"":""a""}","[[1,2,0.9,1]]"
            """
        let all = try ImportRequest(
            format: .csv, path: folder.write(text, "a"), by: nil, firstFrame: 0, classes: [], stages: []
        ).read()
        let rows = all.rows(in: 0...9)
        #expect(rows[0].parts?.mask == mask)
        #expect(
            rows[0].parts?.joints == [
                Joint(Point(1, 2), confidence: 0.9, visibility: 1), Joint(Point(3, 4), confidence: 0, visibility: 0),
            ])
        #expect(rows[1].parts?.angle == 45)
        #expect(rows[2].parts == nil)
        #expect(
            all.omissions == [
                "masks that aren't of their boxes' pixels", "joints of another skeleton than the first one",
            ])
    }

    /// CVAT turns the shorter way, and the box stays the box that it is.
    @Test func turnedBoxesBetweenKeyFrames() throws {
        let shape = #"occluded="0" outside="0" xtl="40" ytl="40" ybr="60""#
        let text =
            #"<annotations><track id="3" label="car"><box frame="0" \#(shape) xbr="80" rotation="350"/><box frame="4" \#(shape) xbr="100" rotation="30"/></track></annotations>"#
        let rows = try ImportRequest(
            format: .cvat, path: folder.write(text, "a"), by: nil, firstFrame: 0, classes: [], stages: []
        ).read().rows(in: 0...4)
        #expect(rows.map { $0.parts?.angle } == [-10, 0, 10, 20, 30])
        for (frame, row) in rows.enumerated() {
            let turned = try #require(TurnedBox(corners: row.polygon ?? []))
            #expect(abs(turned.width - (40 + 5 * Double(frame))) < 1e-9 && abs(turned.height - 20) < 1e-9)
            #expect(abs(turned.center.x - (59.5 + 2.5 * Double(frame))) < 1e-9)
            #expect(abs(turned.angle - (row.parts?.angle ?? 99)) < 1e-9)
        }
    }

    /// Label Studio goes straight from number to number, an angle too, and says on how many frames it was drawn.
    @Test func labelStudioBetweenKeyFrames() throws {
        let frame = #""enabled": true, "x": 10, "y": 20, "height": 20"#
        let text =
            #"[{"data": {"video": "a.mp4"}, "annotations": [{"result": [{"type": "videorectangle", "id": "q", "original_width": 200, "original_height": 100, "value": {"framesCount": 48, "labels": ["car"], "sequence": [{"frame": 1, \#(frame), "width": 10, "rotation": 0}, {"frame": 3, \#(frame), "width": 30, "rotation": 40}]}}]}]}]"#
        var all = try ImportRequest(
            format: .labelStudio, path: folder.write(text, "a"), by: nil, firstFrame: 1, classes: [], stages: []
        ).read()
        #expect(all.frameCount == 48)
        all.place(in: PictureSize(width: 200, height: 100))
        let rows = all.rows(in: 0...9)
        #expect(rows.map(\.key) == Array(0...9))
        #expect(rows.prefix(4).map { $0.parts?.angle } == [nil, 20, 40, 40])
        #expect(rows.prefix(4).map(\.state) == [.tracked, .predicted, .tracked, .predicted])
        let turned = try #require(TurnedBox(corners: rows[1].polygon ?? []))
        #expect(abs(turned.width - 40) < 1e-9 && abs(turned.height - 20) < 1e-9)
        // About its corner, which is where it was.
        let corner = try #require(rows[1].polygon?.first)
        #expect(abs(corner.x - 19.5) < 1e-9 && abs(corner.y - 19.5) < 1e-9)
    }
}
