/// A style of drawing one stage's observations of one kind: the `draw` options of a manifest's stage.
///
/// Sizes are given for a picture whose shorter side has 1080 pixels and scale with the picture.
public struct DrawStyle: Sendable, Hashable {
    /// Whether the box or polygon is drawn.
    public var outline = true
    /// Whether a label is written beside it.
    public var label = true
    /// Whether the label has the confidence.
    public var confidence = true
    /// Whether the label has the track's number.
    public var track = false
    /// How long the path of the thing's centre stays visible, seconds; 0 for none.
    public var trail = 0.0
    /// Thickness of lines, pixels at 1080; nil for the default, 2, but not under 1.5 pixels of the picture.
    public var thickness: Double?
    /// One colour for all; nil for a colour by track.
    public var color: RGB?
    /// Size of labels, pixels an em at 1080; nil for the default, 24, but not under 10 pixels of the picture.
    public var fontSize: Double?
    /// Opacity of everything, 0…1.
    public var opacity = 1.0
    /// Whether the polygon's first corner has a dot: a marker's own top left.
    public var firstCorner = false
    /// Whether the axes of a thing with a pose are drawn: x red, y green, z blue.
    public var axes = false
    /// How a cube that stands on a thing with a pose is drawn; nil for no cube.
    public var cube: CubeStyle?
    /// A picture laid on the thing's polygon, or into its plane where it has a pose, once its file has been read.
    public var image: PictureTexture?
    var imageFile: String?
    package var imageSize: ImageSize?
    /// Size of the picture over that of the thing.
    public var imageScale = 1.0
    /// A body that stands on a thing with a pose, once its file has been read.
    public var model: SpaceModel?
    var modelFile: String?
    /// The longest extent of the body, metres; nil for the thing's shorter side.
    public var modelSize: Double?
    package var modelUp = ModelUp.y
    /// SHA-256 of the files that the style names.
    package var hashes: [String] = []
    /// Paths of files that the style's own files name, materials; they can be opened as they are.
    package var files: [String] = []
    /// Time constant by which the drawn pose is steadied, seconds; 0 for not at all.
    public var smoothing = 0.0
    /// Whether features are drawn, a face's say.
    public var landmarks = false
    /// Whether the pixels of a mask are filled.
    public var mask = true
    /// Opacity of a mask's pixels, 0…1.
    public var maskOpacity = 0.35
    /// Whether joints and the bones between them are drawn.
    public var joints = true
    /// The least confidence of joints that are drawn, 0…1.
    public var jointConfidence = 0.3
    /// How the pixels of the region are taken away; nil for no cover.
    public var cover: CoverStyle?
    /// How what is drawn so is covered where a manifest asks for a cover and no style of it.
    public var usualCover = CoverStyle.blur
    /// The colour of a filled place; nil for the mean of what is around it.
    public var coverColor: RGB?
    /// The part of a region that is covered.
    public var coverShape = CoverShape.box
    /// How long a region is covered before its first and after its last sight, and which gaps between are bridged,
    /// seconds.
    public var coverGap = 0.5
    /// What is done at the end to prove the cover; nil for nothing.
    public var check: CoverCheck?

    public init() {}

    /// The defaults with a change.
    public init(_ change: (inout DrawStyle) -> Void) { change(&self) }

    /// Whether what is covered is looked for in the annotated video.
    package var checksAgain: Bool { cover != nil && check == .again }

    /// Whether something is drawn that needs a pose.
    package var needsPose: Bool { axes || cube != nil || modelFile != nil || model != nil || imageSize != nil }

    /// Whether something is drawn in space if there is a pose.
    package var standsInSpace: Bool { needsPose || image != nil }

    /// Whether anything but covers is drawn.
    package var drawsMarks: Bool {
        outline || label || firstCorner || landmarks || joints || mask || trail > 0 || standsInSpace || imageFile != nil
    }

    /// The width and height that the manifest gives the picture, metres; nil for the thing's own.
    package var imageExtent: SIMD2<Double>? {
        switch imageSize {
        case .width(let width): [width, width * Double(image?.height ?? 1) / Double(image?.width ?? 1)]
        case .sides(let sides): sides
        case nil: nil
        }
    }

    /// The style with what a manifest's `draw` asks for; nil for not at all.
    package func with(_ draw: JSONNode?) -> DrawStyle? {
        if draw?.bool == false { return nil }
        guard let draw else { return self }
        var style = self
        let covers = draw["cover"].map { $0.bool != false } ?? false
        // What is covered, or lies under a picture, has nothing else drawn on it but what is asked for as well.
        if covers || draw["image"] != nil {
            (style.outline, style.firstCorner, style.mask) = (false, false, false)
        }
        if covers { (style.label, style.landmarks, style.joints, style.trail) = (false, false, false, 0) }
        _ = style.read(draw)
        if let isAsked = draw["cover"]?.bool { style.cover = isAsked ? usualCover : nil }
        return style
    }
}

/// The size of a picture in space, metres.
package enum ImageSize: Sendable, Hashable {
    /// The height follows from the picture's proportions.
    case width(Double)
    case sides(SIMD2<Double>)
}

/// A style of a cube that stands on a marker or board.
public enum CubeStyle: String, Sendable, CaseIterable {
    /// The cube's edges, those behind fainter.
    case wire
    /// The cube's visible faces.
    case shaded
}

extension DrawStyle {
    /// The outline's thickness in pixels of a picture.
    package func lineThickness(for size: PictureSize) -> Double {
        let scale = Double(min(size.width, size.height)) / 1080
        guard let thickness, thickness > 0 else { return max(2 * scale, 1.5) }
        return min(max(thickness * scale, 1), 1000)
    }

    /// Whole pixels an em in a picture.
    package func fontPixels(for size: PictureSize) -> Int {
        let scale = Double(min(size.width, size.height)) / 1080
        guard let fontSize, fontSize > 0 else { return Int(max(24 * scale, 10).rounded()) }
        return Int(min(max(fontSize * scale, 6), 512).rounded())
    }
}
