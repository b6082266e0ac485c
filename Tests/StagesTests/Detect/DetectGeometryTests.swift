import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// What needs no network.
@Suite struct DetectGeometryTests {
    @Test func letterboxes() {
        // YOLOX: cut off, in the top left.
        var box = Letterbox(width: 375, height: 500, into: .fixed(width: 416, height: 416), .fitTopLeft)
        #expect([box.left, box.top, box.across, box.down, box.width, box.height] == [0, 0, 312, 416, 416, 416])
        box = Letterbox(width: 621, height: 640, into: .fixed(width: 416, height: 416), .fitTopLeft)
        #expect([box.across, box.down] == [403, 416])
        // Ultralytics: rounded, in the middle.
        box = Letterbox(width: 621, height: 640, into: .fixed(width: 416, height: 416), .fit)
        #expect([box.left, box.top, box.across, box.down] == [6, 0, 404, 416])
        box = Letterbox(width: 500, height: 302, into: .fixed(width: 416, height: 416), .fit)
        #expect([box.left, box.top, box.across, box.down] == [0, 82, 416, 251])
        // 16:9 at 640 is 640 × 384.
        box = Letterbox(width: 1920, height: 1080, into: .open(width: 640, height: 640, multiple: 32), .fit)
        #expect([box.left, box.top, box.across, box.down, box.width, box.height] == [0, 12, 640, 360, 640, 384])
        box = Letterbox(width: 40, height: 30, into: .fixed(width: 64, height: 64), .stretch)
        #expect([box.width, box.height, box.across, box.down] == [64, 64, 64, 64] && box.scaleX == 1.6)
        #expect(box.place(32, 32) == Point(20, 15))
        // Nothing is too thin.
        box = Letterbox(width: 10_000, height: 3, into: .fixed(width: 64, height: 64), .fit)
        #expect(box.down == 1)
    }

    @Test func tilesCoverAndOverlap() {
        let tiles = DetectTiles(width: 1920, height: 1080, columns: 3, rows: 2)
        #expect(tiles.parts.count == 7)
        let own = tiles.parts.dropFirst()
        #expect(own.first == .init(x: 0, y: 0, width: 739, height: 600))
        #expect(own.map { $0.x + $0.width }.max() == 1920 && own.map { $0.y + $0.height }.max() == 1080)
        #expect(DetectTiles(width: 5, height: 5, columns: 1, rows: 1).parts == [.init(x: 0, y: 0, width: 5, height: 5)])
    }

    @Test func aThingInTwoTilesIsOne() {
        let tiles = DetectTiles(width: 200, height: 100, columns: 2, rows: 1)
        let suppression = DetectionSuppression(overlap: 0.45, isAgnostic: false, areTurned: false)
        func thing(_ label: Int, _ score: Double, _ x: Double, _ width: Double) -> DetectedThing {
            DetectedThing(label: label, score: score, box: Box(x: x, y: 10, width: width, height: 50))
        }
        // The whole, then the tiles: 0…112 and 88…200. The thing at 80…130 is cut by both.
        let whole = thing(1, 0.5, 80, 50)
        let seen = [[whole], [thing(1, 0.9, 80, 32), thing(2, 0.8, 20, 30)], [thing(1, 0.7, 88, 42)]]
        let merged = tiles.merged(seen, suppression)
        #expect(merged.map(\.label) == [2, 1])
        #expect(merged.last?.box == whole.box)
    }

    @Test func suppression() {
        func box(_ left: Float, _ score: Float, _ label: Int32) -> DetectionCandidate {
            DetectionCandidate(
                left: left, top: 0, right: left + 10, bottom: 10, score: score, label: label, item: Int32(left))
        }
        let boxes = [box(0, 0.5, 1), box(1, 0.9, 1), box(2, 0.6, 2), box(30, 0.5, 1), box(0, 0.5, 1)]
        var suppression = DetectionSuppression(overlap: 0.45, isAgnostic: false, areTurned: false)
        #expect(suppression.surest(boxes).things.map(\.score) == [0.9, 0.6, 0.5])
        suppression.isAgnostic = true
        #expect(suppression.surest(boxes).things.map(\.left) == [1, 30])
        suppression.overlap = 1
        #expect(suppression.surest(boxes).things.count == 5)
        #expect(suppression.surest([]).things.isEmpty)
        // Upright boxes that lie upon each other, turned against each other: a cross.
        suppression = DetectionSuppression(overlap: 0.45, isAgnostic: false, areTurned: true)
        var (bar, cross) = (box(0, 0.9, 1), box(0, 0.8, 1))
        (bar.top, bar.bottom, cross.top, cross.bottom) = (4, 6, 4, 6)
        #expect(suppression.surest([bar, cross]).things.count == 1)
        cross.angle = .pi / 2
        #expect(suppression.surest([bar, cross]).things.count == 2)
    }

    /// Of more than there is room for the surest stay, of equal ones the first; and that some were left out is known.
    @Test(arguments: [(1000, nil), (1001, .things), (1500, .things)] as [(Int, DetectionCut?)])
    func theSurestOfTooMany(count: Int, cut: DetectionCut?) {
        let suppression = DetectionSuppression(overlap: 0.45, isAgnostic: false, areTurned: false)
        let boxes = (0..<count).map { index in
            DetectionCandidate(
                left: Float(20 * index), top: 0, right: Float(20 * index + 10), bottom: 10,
                // The last are the surest; but for those nobody is surer than another.
                score: index >= count - 100 ? 0.9 : 0.5, label: 0, item: Int32(index))
        }
        let (things, found) = suppression.surest(boxes)
        #expect(found == cut)
        #expect(things.map { Int($0.item) } == Array(count - 100..<count) + Array(0..<900))
    }

    @Test func metadata() throws {
        #expect(
            NetworkMetadata.names("{0: 'person', 1: \"driver's seat\", 2: 'it\\'s'}") == [
                "person", "driver's seat", "it's",
            ])
        #expect(NetworkMetadata.names("['a', 'b, c']") == ["a", "b, c"])
        #expect(NetworkMetadata.names("{1: 'a'}") == nil)
        #expect(NetworkMetadata.names("{") == nil && NetworkMetadata.names("{0 'a'}") == nil)
        let yaml = NetworkMetadata.yaml(
            Array("task: segment\nimgsz:\n- 384\n- 640\nnames:\n  0: person\n  1: traffic light\nend2end: false\n".utf8)
        )
        let metadata = NetworkMetadata(yaml)
        #expect(metadata.task == "segment" && metadata.names == ["person", "traffic light"])
        #expect(metadata.imageSize?.width == 640 && metadata.imageSize?.height == 384 && metadata.isEndToEnd == false)
        let xml = """
            <net><layers/><rt_info><model_info><iou_threshold value="0.7"/><labels value="person traffic_light"/>
            <model_type value="YOLO"/><pad_value value="114"/><resize_type value="fit_to_window_letterbox"/>
            <reverse_input_channels value="YES"/><scale_values value="255"/></model_info></rt_info></net>
            """
        let info = NetworkMetadata(NetworkMetadata.modelInfo(in: Array(xml.utf8)))
        #expect(info.names == ["person", "traffic_light"] && info.modelType == nil)
        var preparation = DetectorLayout.ssd.preparation
        info.adjust(&preparation)
        #expect(try preparation.channelOrder == .rgb && preparation.std == [255] && info.resize() == .fit)
        #expect(try NetworkMetadata([:]).resize() == nil)
        // What it means is not known, so where its boxes lie isn't either.
        let crop = #expect(throws: InferenceError.self) { try NetworkMetadata(["resize_type": "crop"]).resize() }
        #expect(
            crop?.description
                == "its metadata says “resize_type” “crop”; expected one of “standard”, “fit_to_window”, “fit_to_window_letterbox”, or the stage's “resize”, which comes first"
        )
    }

    @Test func classesByCOCOsNumbers() throws {
        let form = DetectorReading.DenseForm(
            box: .init(output: 0, offset: 0), coding: .centerAndSize, scores: .init(output: 1, offset: 0), count: 91)
        let reading = DetectorReading(layout: .rfdetr, form: .dense(form), classes: 90, isRaw: false)
        let classes = try DetectedClasses(
            names: COCO.names, reading, wanted: ["person", "toothbrush"],
            least: LeastConfidence(all: 0.3, byName: ["person": 0.5]))
        #expect(classes.name(of: 1) == "person" && classes.name(of: 90) == "toothbrush" && classes.name(of: 12) == "12")
        #expect(classes.limits.allows(1, 0.5) && !classes.limits.allows(1, 0.4) && classes.limits.allows(90, 0.31))
        #expect(!classes.limits.allows(3, 0.9))
        // COCO's own numbers, 0 being nothing.
        let list = DetectorReading.ListForm(
            box: .init(output: 0, offset: 0), coding: .corners, score: .init(output: 0, offset: 4), firstLabel: 1)
        let torch = try DetectedClasses(
            names: COCO.names, DetectorReading(layout: .torchvision, form: .list(list), isRaw: false), wanted: [],
            least: LeastConfidence())
        #expect(torch.name(of: 0) == "person" && torch.name(of: 12) == "stop sign")
        let error = #expect(throws: StageOptionError.self) {
            try DetectedClasses(names: ["a", "b"], reading, wanted: ["car"], least: LeastConfidence())
        }
        #expect(error?.message == "“car” is none of the model's 2 classes; expected “a”, “b”")
    }
}
