/// How a region's pixels are taken away.
public enum CoverStyle: String, Sendable, CaseIterable {
    /// A few mean values, joined smoothly.
    case blur
    /// A few mean values, as squares.
    case pixelate
}

/// A place of one picture whose pixels are taken away.
public struct Cover: Sendable, Hashable {
    public var box: Box
    public var style: CoverStyle

    public init(box: Box, style: CoverStyle) {
        self.box = box
        self.style = style
    }
}
