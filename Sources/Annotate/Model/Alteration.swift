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
