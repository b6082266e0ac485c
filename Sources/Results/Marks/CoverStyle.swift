/// A style of covering: how a region's pixels are taken away.
public enum CoverStyle: String, Sendable, CaseIterable {
    /// Blurred: a few mean values, joined smoothly.
    case blur
    /// One colour: what is around, unless another is given. Nothing of the region is left.
    case fill
    /// A few mean values, as squares.
    case pixelate

    /// The larger, the less is left.
    package var strength: Int {
        switch self {
        case .fill: 3
        case .blur: 2
        case .pixelate: 1
        }
    }
}

/// What is done at a job's end to prove its covers.
public enum CoverCheck: String, Sendable, CaseIterable {
    /// Things of the kind are looked for in the annotated video.
    case again
}

/// The part of a region that is covered.
public enum CoverShape: String, Sendable, CaseIterable {
    /// The region's box.
    case box
    /// The pixels of its mask, with a margin of a tenth of its size; its box where it has no mask.
    case mask
}

/// A place of one picture whose pixels are taken away.
public struct Cover: Sendable, Hashable {
    /// The shape of the place, in pixels, where 0 is the picture's left and top edge.
    public enum Spot: Sendable, Hashable {
        /// The pixels that a box reaches into.
        case box(Box)
        /// A polygon's inside by the even-odd rule.
        case polygon([Point])
        /// A mask's pixels and those that are no farther from one of them, across or down, than a margin in pixels.
        case mask(RunMask, margin: Int)

        /// The box around the shape; nil for a polygon without corners.
        package var bounds: Box? {
            switch self {
            case .box(let box): box
            case .polygon(let corners): Box(around: corners)
            case .mask(let mask, let margin):
                Box(
                    x: Double(mask.box.x - margin), y: Double(mask.box.y - margin),
                    width: Double(mask.box.width + 2 * margin), height: Double(mask.box.height + 2 * margin))
            }
        }
    }

    /// The place in the picture.
    public var spot: Spot
    /// How its pixels are taken away.
    public var style: CoverStyle
    /// The colour of a filled place; nil for the mean of what is around it.
    public var color: RGB?

    /// A cover of a box.
    public init(box: Box, style: CoverStyle) { self.init(spot: .box(box), style: style) }

    package init(spot: Spot, style: CoverStyle, color: RGB? = nil) {
        self.spot = spot
        self.style = style
        self.color = color
    }
}
