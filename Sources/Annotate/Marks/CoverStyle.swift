/// How a region's pixels are taken away.
public enum CoverStyle: String, Sendable, CaseIterable {
    /// A few mean values, joined smoothly.
    case blur
    /// A few mean values, as squares.
    case pixelate
}

/// What of a region is covered.
public enum CoverShape: String, Sendable, CaseIterable {
    case box
    /// The pixels of its mask.
    case mask
}

/// A place of one picture whose pixels are taken away.
public struct Cover: Sendable, Hashable {
    /// In pixels, where 0 is the picture's left and top edge.
    public enum Spot: Sendable, Hashable {
        case box(Box)
        /// Inside by the even-odd rule.
        case polygon([Point])

        /// nil for a polygon without corners.
        var bounds: Box? {
            switch self {
            case .box(let box): box
            case .polygon(let corners): Box(around: corners)
            }
        }
    }

    public var spot: Spot
    public var style: CoverStyle

    public init(box: Box, style: CoverStyle) { self.init(spot: .box(box), style: style) }

    init(spot: Spot, style: CoverStyle) {
        self.spot = spot
        self.style = style
    }
}
