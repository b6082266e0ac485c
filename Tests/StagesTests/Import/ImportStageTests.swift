import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

@Suite struct ImportStageTests {
    private let folder: ImportFolder

    init() throws { folder = try ImportFolder() }

    /// A stage on a file, in a video of 64×48 pixels and 25 frames a second.
    private func stage(
        _ text: String, _ options: String = #""format": "mot""#, range: FrameRange? = nil
    ) throws -> Stage {
        _ = try folder.write(text, "a.txt")
        let options = try stageOptions(#"{"file": "a.txt", \#(options)}"#, directory: folder.path)
        return try ImportBlueprint(options: options).makeStage(
            StageContext(id: "seen", width: 64, height: 48, range: range))
    }

    private func run(_ stage: Stage, frames: Int) throws -> [[Observation]] {
        try (0..<frames).map { try observations(stage, in: try emptyFrame($0)) }
    }

    @Test func tracksAndDetections() throws {
        let stage = try stage("1,7,1,1,9,9,0.5\n1,-1,11,1,9,9\n3,7,2,1,9,9\n")
        let seen = try run(stage, frames: 3)
        #expect(seen.map { $0.map(\.kind) } == [["object", "detection"], [], ["object"]])
        #expect(seen[0][0].track == TrackReference(stage: "seen", number: 7))
        #expect(seen[0][0].state == .tracked)
        #expect(seen[0][1].state == nil)
        #expect(stage.trackNumbers == [7])
        #expect(stage.notes == [])
        try stage.finish()
    }

    @Test func whatIsLeftOutIsSaid() throws {
        let stage = try stage("frame,left,top,width,height,mask,angle\n0,1,1,2,2,x,30\n", #""format": "csv""#)
        _ = try run(stage, frames: 1)
        #expect(stage.notes == ["“a.txt”: its angles, masks that aren't of their boxes' pixels were left out"])
    }

    /// Classes of MOT are numbers until somebody names them.
    @Test func classesWithoutNames() throws {
        let two = "1,1,1,1,9,9,1,1\n1,2,11,1,9,9,1,3\n"
        #expect(
            try stage(two).notes.contains(
                "“a.txt”: its 2 classes have no names and were left out; “classes” or “labels” names them"))
        #expect(
            try stage(two, #""format": "mot", "classes": ["a", "b", "c"]"#).notes.allSatisfy { !$0.contains("class") })
        #expect(try stage("1,1,1,1,9,9,1,1\n1,2,11,1,9,9,1,-1\n").notes.allSatisfy { !$0.contains("class") })
    }

    @Test func timesWithinHalfAFrame() throws {
        let text = "time,left,top,width,height\n0.019,1,1,2,2\n0.0201,2,1,2,2\n0.045,3,1,2,2\n9,4,1,2,2\n"
        let stage = try stage(text, #""format": "csv""#)
        let seen = try run(stage, frames: 3)
        #expect(seen.map { $0.compactMap { $0.box?.x } } == [[1], [2, 3], []])
        #expect(stage.notes == ["“a.txt”: 1 row is of a frame behind the video's last one (2)"])
    }

    @Test func anOutlineHasABoxToo() throws {
        let text = "frame,track,x1,y1,x2,y2,x3,y3,x4,y4,left,top,width,height\n0,1,1,2,11,2,11,12,1,12,,,,\n"
        let seen = try run(try stage(text, #""format": "csv""#), frames: 1)
        #expect(seen[0][0].box == Box(x: 1, y: 2, width: 11, height: 11))
        #expect(seen[0][0].polygon?.count == 4)
    }

    @Test func anotherVideosFile() throws {
        func failure(_ body: () throws -> Void) -> String? {
            do {
                try body()
                return nil
            } catch {
                return "\(error)"
            }
        }
        let size = failure {
            _ = try stage(
                #"{"images":[{"id":1,"width":640,"height":48}],"annotations":[]}"#, #""format": "coco""#)
        }
        #expect(
            size
                == "a.txt: it is of pictures of 640 × 48 pixels, and the video's have 64 × 48; expected the file of this video"
        )
        let places = failure { _ = try stage("1,1,500,1,9,9\n") }
        #expect(
            places
                == "a.txt: all its boxes lie outside of the picture of 64 × 48 pixels; expected the file of this video")
        let late = try stage("10,1,1,1,9,9\n11,1,1,1,9,9\n")
        _ = try run(late, frames: 3)
        #expect(
            failure { try late.finish() }
                == "a.txt: none of its 2 rows is of one of the video's 3 frames; expected the file of this video")
        let part = try stage("10,1,1,1,9,9\n", range: FrameRange(start: 0, end: 0.1))
        _ = try run(part, frames: 3)
        #expect(failure { try part.finish() } == nil)
        #expect(part.notes == [])
    }

    @Test func whatIsOddIsTold() throws {
        let stage = try stage("1,0,1,1,9,9,7\n2,0,1,1,9,9,-5\n3,1,900,1,9,9\n9,1,1,1,9,9\n8,1,1,1,9,9\n")
        _ = try run(stage, frames: 3)
        #expect(
            stage.notes == [
                "“a.txt”: 2 confidences aren't between 0 and 1 and were left out",
                "“a.txt”: 1 box lies outside of the picture",
                "“a.txt”: 2 rows are of frames behind the video's last one (2)",
                "“a.txt”: tracks count from 1, and the id 0 got another number",
            ])
        #expect(try self.stage("").notes == ["“a.txt” holds no boxes"])
    }

    @Test(arguments: [
        (#"{"format": "mot", "file": "no.txt"}"#, "file: no file “no.txt”; expected a file of MOTChallenge's lines"),
        (
            #"{"format": "csv", "file": "a.txt", "classes": ["x"]}"#,
            "classes: “classes” is for the format mot, coco, yolo, and this is csv; leave it out"
        ),
        (
            #"{"format": "mot", "file": "a.txt", "stages": ["x"]}"#,
            "stages: “stages” is for the format coco, csv, tracks, and this is mot; leave it out"
        ),
        (
            #"{"format": "tracks", "file": "a.txt", "firstFrame": 1}"#,
            "firstFrame: “firstFrame” is for the format mot, coco, csv, yolo, cvat, label-studio, voc, deeplabcut, and this is tracks; leave it out"
        ),
        (
            #"{"format": "mot", "file": "a.txt"}"#,
            "file: “a.txt” can't be imported: a.txt:1: 1 column; expected frame, "
                + "id, left, top, width, height and perhaps confidence and class, with commas"
        ),
    ])
    func whatCannotBeUsed(json: String, message: String) throws {
        _ = try folder.write("hello\n", "a.txt")
        do {
            _ = try ImportBlueprint(options: try stageOptions(json, directory: folder.path))
            Issue.record("no error")
        } catch let error as StageOptionError {
            #expect("\(error.option ?? ""): \(error.message)".replacing(folder.path + "/", with: "") == message)
        }
    }
}
