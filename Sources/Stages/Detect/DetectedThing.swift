internal import Annotate

/// A thing that a network sees, in the picture.
struct DetectedThing: Sendable {
    /// The class's number.
    var label: Int
    /// 0…1.
    var score: Double
    /// Clipped to the picture; its edges run from 0 to the picture's width and height.
    var box: Box
    /// A turned box's own corners, clockwise from its own top left: integer coordinates are pixel centres.
    var corners: [Point]?
    /// Of a turned box's upper side, clockwise, degrees.
    var angle: Double?
    /// What of the box is the thing: of whole pixels, in runs down its columns.
    var mask: DetectedMask?
    /// Integer coordinates are pixel centres.
    var joints: [DetectedJoint] = []
}

/// Runs of what isn't and what is the thing in turn, down the columns of a box of whole pixels.
struct DetectedMask: Sendable, Hashable {
    var left: Int
    var top: Int
    var width: Int
    var height: Int
    var runs: [Int]
}

struct DetectedJoint: Sendable, Hashable {
    var point: Point
    /// 0…1; 1 where the network gives none.
    var confidence: Double
}
