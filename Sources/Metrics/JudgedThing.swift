import Annotate

/// One thing in one frame, of the truth or of what was found, as figures are computed from it.
struct JudgedThing: Sendable {
    /// Number of its track; nil for none.
    var track: Int?
    /// Name of its class; nil for none.
    var label: String?
    /// Confidence, 0…1; what has none counts as sure.
    var confidence = 1.0
    /// Box around it, pixels.
    var box: Box
    /// Which pixels are its; nil where nobody says so.
    var mask: RunMask?
    /// Joints; empty for none.
    var joints: [Joint] = []
    /// Whether it is many things, of which any number may be found (COCO's `iscrowd`).
    var isCrowd = false
    /// Area, square pixels: the file's, else its box's.
    var area: Double

    init(box: Box) { (self.box, area) = (box, box.area) }

    /// An observation; nil for one without a place.
    init?(_ observation: Observation) {
        guard observation.isInSight, let box = observation.bounds else { return nil }
        self.init(box: box)
        (track, label) = (observation.track?.number, observation.label)
        confidence = observation.confidence ?? 1
        (mask, joints) = (observation.mask, observation.joints)
    }

    /// Intersection over union of the boxes; over the found box's area alone where the truth is many things. As
    /// pycocotools' `bbIou` has it.
    static func overlap(_ truth: JudgedThing, _ found: JudgedThing) -> Double {
        let (a, b) = (truth.box, found.box)
        let width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
        let height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
        guard width > 0, height > 0 else { return 0 }
        let common = width * height
        return common / (truth.isCrowd ? b.area : a.area + b.area - common)
    }
}

/// Which image of the truth a frame is.
struct JudgedImage: Comparable, Sendable {
    /// The truth's file, by its place among them: ids of two files have nothing to do with each other.
    var file = 0
    /// The image's id in a COCO file; 0 where there is none.
    var id = 0

    static func < (one: JudgedImage, other: JudgedImage) -> Bool { (one.file, one.id) < (other.file, other.id) }
}

/// One frame's things of one class, and how they lie on one another.
struct JudgedFrame {
    /// The frame's number.
    var frame: Int
    var image = JudgedImage()
    var truth: [JudgedThing]
    var found: [JudgedThing]
    /// Pairs that have anything in common, by their places in `truth`, then in `found`.
    var overlaps: [(truth: Int, found: Int, overlap: Double)] = []

    init(frame: Int, image: JudgedImage = JudgedImage(), truth: [JudgedThing], found: [JudgedThing]) {
        (self.frame, self.image, self.truth, self.found) = (frame, image, truth, found)
        for (row, one) in truth.enumerated() {
            for (column, other) in found.enumerated() {
                let overlap = JudgedThing.overlap(one, other)
                if overlap > 0 { overlaps.append((row, column, overlap)) }
            }
        }
    }
}
