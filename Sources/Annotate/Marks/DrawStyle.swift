/// How one stage's observations are drawn: the `draw` options of a manifest's stage.
///
/// Sizes are given for a picture whose shorter side has 1080 pixels and scale with the picture.
public struct DrawStyle: Sendable, Hashable {
    /// The box or polygon.
    public var outline = true
    /// A name beside it.
    public var label = true
    /// The confidence, as part of the label.
    public var confidence = true
    /// The track's number, as part of the label.
    public var track = false
    /// How long the path of the centre stays visible, seconds; 0 for none.
    public var trail = 0.0
    /// The outline's thickness, pixels at 1080; nil for the default, 2, but not under 1.5 pixels of the picture.
    public var thickness: Double?
    /// nil for a colour by track.
    public var color: RGB?
    /// Pixels an em at 1080; nil for the default, 24, but not under 10 pixels of the picture.
    public var fontSize: Double?
    /// 0…1; multiplies the opacity of everything.
    public var opacity = 1.0
    /// A dot on the polygon's first corner: a marker's own top left.
    public var firstCorner = false
    /// A face's features: paths through 68, points for 5.
    public var landmarks = false
    /// How the region's pixels are taken away; nil for not at all.
    public var cover: CoverStyle?
    /// How long a region stays covered before it is first seen and after it is last seen, and which gaps between are
    /// bridged, seconds.
    public var coverGap = 0.5

    /// The axes of a thing with a pose: x red, y green, z blue.
    public var axes = false
    /// A cube on a thing with a pose.
    public var cube: CubeStyle?
    /// A picture laid on the thing's polygon, or into its plane where it has a pose.
    public var image: PictureTexture?
    /// The picture's width and height, metres; nil for the thing's own.
    public var imageSize: SIMD2<Double>?
    /// By how much the picture is larger than the thing.
    public var imageScale = 1.0
    /// A body that stands on a thing with a pose.
    public var model: SpaceModel?
    /// The longest extent of the body, metres; nil for the thing's shorter side.
    public var modelSize: Double?
    /// SHA-256 of the files that the style names.
    var hashes: [String] = []
    /// How strongly the pose that is drawn is steadied: a time constant in seconds, 0 for not at all.
    public var smoothing = 0.0

    public init() {}

    /// True where what is drawn needs a pose.
    var needsPose: Bool { axes || cube != nil || model != nil || imageSize != nil }

    /// True where something is drawn in space if there is a pose.
    var standsInSpace: Bool { needsPose || image != nil }

    /// What a kind of observation is drawn like where the manifest says nothing.
    public init(for kind: ObservationKind) {
        self.init()
        switch kind {
        case .marker, .board:
            confidence = false
            firstCorner = true
        case .rectangle:
            confidence = false
            track = true
        case .object:
            trail = 1
        case .annotation:
            confidence = false
        case .face:
            color = Palette.face
            landmarks = true
        case .alteration:
            outline = false
            label = false
        case .text, .barcode, .horizon:
            confidence = false
        default:
            break
        }
    }

    /// The style with its regions covered, and nothing drawn on them but what is asked for as well.
    mutating func cover(_ style: CoverStyle) {
        cover = style
        outline = false
        label = false
        landmarks = false
        firstCorner = false
        trail = 0
    }
}

extension DrawStyle {
    /// The outline's thickness in pixels of a picture.
    func lineThickness(for canvas: Canvas) -> Double {
        let scale = Double(min(canvas.width, canvas.height)) / 1080
        guard let thickness, thickness > 0 else { return max(2 * scale, 1.5) }
        return min(max(thickness * scale, 1), 1000)
    }

    /// Whole pixels an em in a picture.
    func fontPixels(for canvas: Canvas) -> Int {
        let scale = Double(min(canvas.width, canvas.height)) / 1080
        guard let fontSize, fontSize > 0 else { return Int(max(24 * scale, 10).rounded()) }
        return Int(min(max(fontSize * scale, 6), 512).rounded())
    }
}

/// How a cube that stands on a marker or board is drawn.
public enum CubeStyle: String, Sendable, CaseIterable {
    /// Its edges, those behind fainter.
    case wire
    /// Its visible faces.
    case shaded
}
