/// How one stage's observations of one kind are drawn: the `draw` options of a manifest's stage.
///
/// Sizes are given for a picture whose shorter side has 1080 pixels and scale with the picture.
public struct DrawStyle: Sendable, Hashable {
    public var outline = true
    public var label = true
    public var confidence = true
    public var track = false
    /// Seconds; 0 for none.
    public var trail = 0.0
    /// Pixels at 1080; nil for the default, 2, but not under 1.5 pixels of the picture.
    public var thickness: Double?
    /// nil for a colour by track.
    public var color: RGB?
    /// Pixels an em at 1080; nil for the default, 24, but not under 10 pixels of the picture.
    public var fontSize: Double?
    /// 0…1; multiplies the opacity of everything.
    public var opacity = 1.0
    public var firstCorner = false
    public var axes = false
    public var cube: CubeStyle?
    /// A picture laid on the thing's polygon, or into its plane where it has a pose, once its file has been read.
    public var image: PictureTexture?
    var imageFile: String?
    package var imageSize: ImageSize?
    /// By how much the picture is larger than the thing.
    public var imageScale = 1.0
    /// A body that stands on a thing with a pose, once its file has been read.
    public var model: SpaceModel?
    var modelFile: String?
    /// The longest extent of the body, metres; nil for the thing's shorter side.
    public var modelSize: Double?
    package var modelUp = ModelUp.y
    /// SHA-256 of the files that the style names.
    package var hashes: [String] = []
    /// The files that those that it names lead to, materials: paths that can be opened.
    package var files: [String] = []
    /// A time constant in seconds, 0 for not at all.
    public var smoothing = 0.0
    public var landmarks = false
    public var mask = true
    /// 0…1; of a mask's pixels.
    public var maskOpacity = 0.35
    public var joints = true
    /// 0…1; joints less sure aren't drawn.
    public var jointConfidence = 0.3
    public var cover: CoverStyle?
    /// How what is drawn so is covered where a manifest asks for a cover and no style of it.
    public var usualCover = CoverStyle.blur
    /// What a filled place is filled with; nil for the mean of what is around it.
    public var coverColor: RGB?
    public var coverShape = CoverShape.box
    /// Seconds.
    public var coverGap = 0.5

    public init() {}

    /// The defaults with a change.
    public init(_ change: (inout DrawStyle) -> Void) { change(&self) }

    /// True where what is drawn needs a pose.
    package var needsPose: Bool { axes || cube != nil || modelFile != nil || model != nil || imageSize != nil }

    /// True where something is drawn in space if there is a pose.
    package var standsInSpace: Bool { needsPose || image != nil }

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

/// How large a picture in space is, metres.
package enum ImageSize: Sendable, Hashable {
    /// The height follows from the picture's proportions.
    case width(Double)
    case sides(SIMD2<Double>)
}

/// How a cube that stands on a marker or board is drawn.
public enum CubeStyle: String, Sendable, CaseIterable {
    /// Its edges, those behind fainter.
    case wire
    /// Its visible faces.
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
