/// Width and height of a picture, pixels.
public struct PictureSize: Sendable, Hashable {
    /// Width, pixels.
    public var width: Int
    /// Height, pixels.
    public var height: Int

    /// A size in pixels; nothing is checked.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
