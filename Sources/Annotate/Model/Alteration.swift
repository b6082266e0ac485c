/// What an `alter` stage lays over a quad in one frame.
public struct Alteration: Sendable, Hashable {
    /// The style's name.
    public var style: String
    /// The style before it, while one fades into the other.
    public var from: String?
    /// How much of the style is to be seen while fading, 0…1.
    public var fade: Double?
    /// What is painted; not part of the sidecar.
    public var picture: PictureTexture
    /// The picture of the style before it, while fading.
    public var previous: PictureTexture?

    public init(
        style: String, from: String? = nil, fade: Double? = nil, picture: PictureTexture,
        previous: PictureTexture? = nil
    ) {
        self.style = style
        self.from = from
        self.fade = fade
        self.picture = picture
        self.previous = previous
    }

    /// What is painted, with each picture's share.
    var layers: [PicturePainter.Layer] {
        guard let previous, let fade else { return [.init(texture: picture, weight: 1)] }
        let share = Float(min(max(fade, 0), 1))
        return [.init(texture: previous, weight: 1 - share), .init(texture: picture, weight: share)]
    }
}

/// The picture that a stage looks for, for stages that want its pixels rather than what is seen of it: blue, green and red
/// of each pixel, without gaps between rows. Immutable.
///
/// Two are equal where they are the same object.
public final class ReferencePicture: Sendable, Hashable {
    public let width: Int
    public let height: Int
    public let bgr: [UInt8]

    public init(width: Int, height: Int, bgr: [UInt8]) {
        precondition(width > 0 && height > 0 && bgr.count == width * height * 3, "three bytes a pixel")
        self.width = width
        self.height = height
        self.bgr = bgr
    }

    public static func == (a: ReferencePicture, b: ReferencePicture) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
