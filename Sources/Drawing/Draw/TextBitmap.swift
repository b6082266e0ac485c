/// One line of rendered text: how much of each pixel the ink covers.
///
/// The origin is the pen's start on the baseline, x right, y down, in pixels.
struct TextBitmap: Sendable, Hashable {
    /// The text, before it was cut.
    var text: String
    /// Coverage by the ink: `height` rows of `width` bytes, 0…255.
    var coverage: [UInt8]
    var width: Int
    var height: Int
    /// Place of the ink's top left pixel, relative to the origin.
    var left: Int
    var top: Int
    /// The logical width, spaces included.
    var advance: Int
    /// True where the text was cut and ends in “…”.
    var isEllipsized: Bool
}
