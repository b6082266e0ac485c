/// The words of `decoder`: how a detector's outputs are to be read.
enum DetectorLayout: String, CaseIterable, Sendable {
    case auto
    /// Keras' YOLOv3 with the indices that its suppression keeps, as ONNX's model zoo has it.
    case yolov3
    /// Ultralytics' YOLOv5, YOLOv6, YOLOv7: a row a place, with an objectness.
    case yolov5
    case yolov5Seg = "yolov5-seg"
    /// YOLOv8, 9, 11, 12 and their kin: no objectness, a column a place.
    case yolov8
    case yolov8Seg = "yolov8-seg"
    case yolov8Pose = "yolov8-pose"
    case yolov8Obb = "yolov8-obb"
    /// YOLOv8's heads before they are put together: distances as distributions, logits.
    case yolov8Heads = "yolov8-heads"
    /// YOLOv10, YOLO26, and whatever has its suppression inside: a row a thing.
    case endToEnd
    case endToEndSeg = "endToEnd-seg"
    case endToEndPose = "endToEnd-pose"
    case endToEndObb = "endToEnd-obb"
    /// YOLOv7's own end to end: the picture's number before, class and score behind; YOLO-NAS's flat format, score and class.
    case yolov7EndToEnd = "yolov7-endToEnd"
    /// YOLOv7's points: an objectness, three places a cell.
    case yolov7Pose = "yolov7-pose"
    case yolox
    case yoloxDecoded = "yolox-decoded"
    /// NanoDet and PicoDet.
    case nanodet
    case nanodetPlus = "nanodet-plus"
    case fastestdet
    /// RT-DETR, D-FINE, DEIM with their postprocessor: labels, boxes, scores.
    case rtdetr
    /// The same without it: logits, boxes.
    case rtdetrLogits = "rtdetr-logits"
    case rfdetr
    case detr
    case yolonas
    /// Caffe's and OpenVINO's detection output.
    case ssd
    /// TensorFlow's object detection graphs.
    case tensorflow
    /// Google's own export of EfficientDet.
    case efficientdet
    /// PaddleDetection's: class and score before the box.
    case paddle
    /// torchvision's, which counts classes from 1.
    case torchvision
    /// Boxes, scores and labels, corner to corner: OpenVINO's, Detectron2's, MMDetection's.
    case boxes

    /// What the outputs have to look like, for messages.
    var expectation: String {
        switch self {
        case .auto: "outputs that are known"
        case .yolov3: "boxes [1,N,4] by rows, scores [1,classes,N], indices [M,3]"
        case .yolov5: "[1,N,5+classes]: centre, size, objectness, classes"
        case .yolov5Seg: "[1,N,5+classes+M] and [1,M,h,w]: centre, size, objectness, classes, mask"
        case .yolov8: "[1,4+classes,N]: centre, size, classes"
        case .yolov8Seg: "[1,4+classes+M,N] and [1,M,h,w]: centre, size, classes, mask"
        case .yolov8Pose: "[1,4+classes+3·points,N]: centre, size, classes, points"
        case .yolov8Obb: "[1,4+classes+1,N]: centre, size, classes, angle"
        case .yolov8Heads: "[1,4·bins+classes,h,w] for each stride"
        case .endToEnd: "[1,N,6]: corners, score, class"
        case .endToEndSeg: "[1,N,6+M] and [1,M,h,w]: corners, score, class, mask"
        case .endToEndPose: "[1,N,6+3·points]: corners, score, class, points"
        case .endToEndObb: "[1,N,7]: centre, size, score, class, angle"
        case .yolov7EndToEnd: "[N,7]: picture, corners, class and score"
        case .yolov7Pose: "[1,N,5+classes+3·points]: centre, size, objectness, classes, points"
        case .yolox: "[1,N,5+classes], N being the cells of the strides 8, 16 and 32"
        case .yoloxDecoded: "[1,N,5+classes]: centre, size, objectness, classes"
        case .nanodet: "[1,cells,classes] and [1,cells,4·bins] for each stride"
        case .nanodetPlus: "[1,N,classes+4·bins], N being the cells of the strides 8, 16, 32 and 64"
        case .fastestdet: "[1,5+classes,h,w]"
        case .rtdetr: "labels [1,N], boxes [1,N,4], scores [1,N], or all in [1,N,6]: centre, size, score, class"
        case .rtdetrLogits: "logits [1,N,classes], boxes [1,N,4], or both in [1,N,4+classes]"
        case .rfdetr: "boxes [1,N,4], logits [1,N,classes+1]"
        case .detr: "logits [1,N,classes+1], boxes [1,N,4]"
        case .yolonas: "boxes [1,N,4], scores [1,N,classes]"
        case .ssd: "[1,1,N,7]: picture, class, score, corners"
        case .tensorflow: "boxes [1,N,4], scores [1,N], classes [1,N] and their count"
        case .efficientdet: "[1,N,7]: picture, corners by rows, score, class from 1"
        case .paddle: "[N,6]: class, score, corners, and maybe their count"
        case .torchvision: "boxes [N,4], labels [N] from 1, scores [N]"
        case .boxes:
            "boxes [N,4] and scores [N] or [N,classes] or [classes,N], or boxes with scores [N,5], and maybe labels [N]"
        }
    }

    /// How the family's pictures are made where neither the model nor the manifest says it.
    var preparation: DetectorPreparation {
        switch self {
        case .yolox, .yoloxDecoded:
            DetectorPreparation(channelOrder: .bgr, scale: 1, resize: .fitTopLeft)
        case .nanodet, .nanodetPlus:
            DetectorPreparation(
                channelOrder: .bgr, scale: 1, mean: [103.53, 116.28, 123.675], std: [57.375, 57.12, 58.395],
                resize: .stretch)
        case .fastestdet: DetectorPreparation(channelOrder: .bgr, scale: 1 / 255, resize: .stretch)
        case .rtdetr, .rtdetrLogits: DetectorPreparation(channelOrder: .rgb, scale: 1 / 255, resize: .stretch)
        case .rfdetr, .detr:
            DetectorPreparation(
                channelOrder: .rgb, scale: 1 / 255, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225],
                resize: .stretch)
        case .ssd: DetectorPreparation(channelOrder: .bgr, scale: 1, resize: .stretch)
        case .tensorflow: DetectorPreparation(channelOrder: .rgb, scale: 1 / 255, resize: .stretch)
        case .boxes, .paddle, .torchvision:
            DetectorPreparation(channelOrder: .rgb, scale: 1 / 255, resize: .stretch)
        case .efficientdet:
            DetectorPreparation(
                channelOrder: .rgb, scale: 1 / 255, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225],
                resize: .fitTopLeft, padding: 0)
        case .yolov3: DetectorPreparation(channelOrder: .rgb, scale: 1 / 255, resize: .fit, padding: 128)
        default: DetectorPreparation(channelOrder: .rgb, scale: 1 / 255, resize: .fit)
        }
    }
}

/// How a picture becomes a detector's input.
struct DetectorPreparation: Sendable, Hashable {
    /// How it gets the input's proportions; the rest has the grey of `padding`.
    enum Resize: String, CaseIterable, Sendable {
        /// Each side by its own factor.
        case stretch
        /// As a whole into the middle.
        case fit
        /// As a whole into the top left.
        case fitTopLeft
    }

    var channelOrder: Preprocessing.ChannelOrder
    var scale: Double
    var mean: [Double] = [0, 0, 0]
    var std: [Double] = [1, 1, 1]
    var resize: Resize
    /// 0…255.
    var padding = 114
}

extension DetectorLayout {
    /// What people call layouts after the networks that have them, in small letters: for suggestions.
    static let otherNames: [String: DetectorLayout] = {
        var names: [String: DetectorLayout] = [
            "ultralytics": .yolov8, "end2end": .endToEnd, "end-to-end": .endToEnd, "e2e": .endToEnd, "nms": .endToEnd,
            "rt-detr": .rtdetr, "d-fine": .rtdetr, "dfine": .rtdetr, "deim": .rtdetr, "rf-detr": .rfdetr,
            "yolo-nas": .yolonas, "picodet": .nanodet, "ppyoloe": .paddle, "pp-yoloe": .paddle, "rtmdet": .boxes,
            "mmdetection": .boxes, "mmyolo": .boxes, "mmdeploy": .boxes, "detectron2": .boxes, "openvino": .ssd,
            "ssdlite": .ssd, "mobilenet-ssd": .ssd, "fasterrcnn": .torchvision, "faster-rcnn": .torchvision,
            "maskrcnn": .torchvision, "mask-rcnn": .torchvision, "retinanet": .torchvision, "fcos": .torchvision,
        ]
        /// Every version of a family, with and without its `v`, and what it is trained for.
        func add(_ versions: [Int], _ layouts: [String: DetectorLayout]) {
            for version in versions {
                for (task, layout) in layouts {
                    names["yolo\(version)\(task)"] = layout
                    names["yolov\(version)\(task)"] = layout
                }
            }
        }
        add([5, 6, 7], ["": .yolov5, "-seg": .yolov5Seg])
        add([8, 9, 11, 12, 13], ["": .yolov8, "-seg": .yolov8Seg, "-pose": .yolov8Pose, "-obb": .yolov8Obb])
        add([10, 26], ["": .endToEnd, "-seg": .endToEndSeg, "-pose": .endToEndPose, "-obb": .endToEndObb])
        return names
    }()
}
