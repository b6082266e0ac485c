internal import Graph

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
    var mask: RunMask?
    var joints: [Joint] = []
}
