import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// What files take from the data set that they lie in, and from one another.
@Suite struct SetPicturesTests {
    private let folder: ImportFolder

    init() throws { folder = try ImportFolder() }

    private func list(_ rows: [String]) throws {
        _ = try folder.write(#"{"format": "annotate-dataset"}"#, "dataset.json")
        _ = try folder.write((["picture,clip,frame"] + rows).joined(separator: "\n") + "\n", "pictures.csv")
    }

    /// A list is read once, however many jobs ask for it, until it changes.
    @Test func readOnce() throws {
        try list(["images/train/a_000001.jpg,a,7"])
        // What was written just now may be written again without a sign of it.
        usleep(150_000)
        let set = try SetPictures.near(folder.path + "/labels/train/a_000001.txt")
        #expect(set?["a_000001.txt"]?.frame == 7)
        #expect(set?["a_00001.txt"] == nil && set?["a_.txt"] == nil)
        #expect(try SetPictures.near(folder.path + "/train.xml") === set)
        try list(["images/train/a_000001.jpg,a,8", "images/train/b.jpg,b,0"])
        let other = try SetPictures.near(folder.path + "/train.xml")
        #expect(other?["a_000001.txt"]?.frame == 8 && other?["b.jpg"]?.clip == "b")
    }

    @Test func framesThatAreNone() throws {
        for frame in ["-1", "1000000000000000", "1e3"] {
            try list(["images/train/a_000001.jpg,a,\(frame)"])
            var told = ""
            do { _ = try SetPictures.near(folder.path + "/train.xml") } catch { told = "\(error)" }
            #expect(
                told
                    == "\(Files.canonicalOfPossible(folder.path))/pictures.csv:2: expected a picture, its clip and its frame"
            )
        }
    }

    /// Of two ids that fit the longer one is meant, and of two as long the same in every run.
    @Test func namesOfClips() throws {
        try list(["images/a-2_000001.jpg,a ?,1", "images/a-3_000001.jpg,a ?_b,1", "images/c_000001.jpg,c:,1"])
        let set = try SetPictures.near(folder.path + "/train.xml")
        let place = Files.canonicalOfPossible(folder.path)
        #expect(set?.renamed(folder.path + "/labels/a ?_*.txt") == place + "/labels/a-2_*.txt")
        #expect(set?.renamed(folder.path + "/labels/a ?_b_*.txt") == place + "/labels/a-3_*.txt")
        #expect(set?.renamed(folder.path + "/c:/a ?.txt") == place + "/c/a ?.txt")
        #expect(set?.renamed(folder.path + "/labels/d_*.txt") == nil)
    }

    /// labelImg's list of classes is no clip.
    @Test func listsAmongLabels() throws {
        _ = try folder.write("0 0.5 0.5 0.1 0.1\n", "a_000003.txt")
        _ = try folder.write("car\n", "classes.txt")
        try list(["images/train/a_000003.jpg,a,3"])
        let path = folder.path + "/*.txt"
        var request = ImportRequest(
            format: .yolo, path: path, by: nil, firstFrame: 0, classes: ["car"], stages: [])
        request.set = try SetPictures.near(path)
        #expect(try FrameFile.all(of: request).map(\.number) == [3])
    }

    /// Joints belong to the box that they lie in.
    @Test func twoPeople() throws {
        func box(_ left: Int) -> String {
            #"<box label="p" xtl="\#(left)" ytl="10" xbr="\#(left + 50)" ybr="90"></box>"#
        }
        func joints(_ left: Int) -> String {
            #"<skeleton label="p"><points label="nose" points="\#(left).5,20.5"></points></skeleton>"#
        }
        func things(_ shapes: String) throws -> [ImportedRow] {
            let path = try folder.write(
                #"<annotations><image id="0" name="a_000000.jpg" width="320" height="240">\#(shapes)</image></annotations>"#,
                "c.xml")
            let request = ImportRequest(format: .cvat, path: path, by: nil, firstFrame: 0, classes: [], stages: [])
            return try request.read().rows(in: .min ... .max)
        }
        let one = try things(box(10) + joints(30))
        #expect(one.count == 1 && one.first?.box?.width == 50 && one.first?.parts?.joints.count == 1)
        // A pixel beside it is its own still.
        #expect(try things(box(10) + joints(60)).count == 1)
        let two = try things(box(10) + joints(230))
        #expect(two.count == 2 && two.first?.parts == nil && two.last?.parts?.joints.count == 1)
    }
}
