package import Graph

/// A background: a flat picture behind all objects, parallel to the sensor.
package struct BackgroundStyle: Sendable {
    /// What it shows. Default `structured`.
    package var kind: Kind = .structured
    /// The main colour; of a gradient the top. Default an oak brown, 176 141 104.
    package var color = RGB(176, 141, 104)
    /// The other colour; of a gradient the bottom. Default a darker brown, 112 82 58.
    package var accent = RGB(112, 82, 58)
    /// The size of its elements (planks, squares) as a share of the picture's height, 0.005…2. Default 0.25.
    package var scale = 0.25
    /// How strong the structure is, 0…1. Default 0.6.
    package var contrast = 0.6
    /// How fast it moves to the right and down, pixels a second, −2000…2000 each. The frame and what passes
    /// through it in the whole clip may have 67 million pixels. Default none.
    package var pan = SIMD2<Double>(0, 0)

    package init(kind: Kind = .structured) {
        self.kind = kind
    }

    /// What the background shows.
    package enum Kind: Sendable, Hashable {
        /// A worn desk: planks with grain, stains and scratches, structure at every scale.
        case structured
        /// `color` alone.
        case plain
        /// From `color` at the top to `accent` at the bottom.
        case gradient
        /// Squares of the two colours in turn.
        case checker
        /// A picture from a file, scaled to cover the frame.
        case image(path: String)
    }
}
