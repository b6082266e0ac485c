/// The picture that a stage looks for, for stages that want its pixels rather than what is seen of it: blue, green and red
/// of each pixel, without gaps between rows. Immutable.
///
/// Two are equal where they are the same object.
public final class ReferencePicture: Sendable, Hashable {
    /// Width, pixels a row.
    public let width: Int
    /// Height, rows.
    public let height: Int
    /// Blue, green and red of each pixel, 0…255, row by row from the top left.
    public let bgr: [UInt8]

    /// A picture of three bytes a pixel. Another number of bytes than the size takes, or a size of 0, is a programmer's
    /// error and ends the process.
    public init(width: Int, height: Int, bgr: [UInt8]) {
        precondition(width > 0 && height > 0 && bgr.count == width * height * 3, "three bytes a pixel")
        self.width = width
        self.height = height
        self.bgr = bgr
    }

    public static func == (a: ReferencePicture, b: ReferencePicture) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
