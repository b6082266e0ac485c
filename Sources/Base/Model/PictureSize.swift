/// Width and height of a picture, pixels.
public struct PictureSize: Sendable, Hashable {
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int

    /// A size in pixels; nothing is checked.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
