package import Graph

/// One flat thing in a scene.
///
/// In its own plane x is right and y is down, with the origin at its middle; unrotated it faces the camera upright.
package struct SceneObject: Sendable {
    /// The truth's `region`, to tell two things of one kind apart. Default none.
    package var name: String?
    /// The truth's `label`. Default: "dictionary/id" of a marker, "picture" of a picture, the shape's name of an object.
    package var label: String?
    /// What it is and looks like.
    package var content: Content
    /// Where it is and how it moves.
    package var motion: Motion
    /// Seconds from which it is there. Default 0.
    package var from = 0.0
    /// Seconds at which it is gone; nil for never. Default nil.
    package var to: Double?
    /// Whether it throws a shadow. Default true.
    package var shadow = true

    package init(_ content: Content, motion: Motion = Motion(), name: String? = nil) {
        self.content = content
        self.motion = motion
        self.name = name
    }

    /// What a thing is and looks like.
    package enum Content: Sendable {
        case marker(MarkerCard)
        case picture(Picture)
        case object(ColoredShape)
        case occluder(Occluder)
    }

    /// Whether it is there at a time.
    package func exists(at time: Double) -> Bool {
        time >= from && time < (to ?? .infinity)
    }
}

/// A fiducial marker printed on a white card.
package struct MarkerCard: Sendable {
    /// The dictionary's name, as the `markers` stage knows it, "aruco-4x4-50" for example.
    package var dictionary: String
    /// The marker's id in the dictionary, 0 or more.
    package var id: Int
    /// The side of the black square in metres, above 0, at most 100. Default 0.1.
    package var size = 0.1
    /// The white margin in modules of the marker, 0…20. Default 1.5.
    package var quietZone = 1.5

    package init(dictionary: String, id: Int, size: Double = 0.1, quietZone: Double = 1.5) {
        self.dictionary = dictionary
        self.id = id
        self.size = size
        self.quietZone = quietZone
    }
}

/// A framed picture: a frame, a mat, and a texture inside.
package struct Picture: Sendable {
    /// Outer width in metres, above 0, at most 100. Default 0.3.
    package var width = 0.3
    /// Outer height in metres, above 0, at most 100. Default 0.2.
    package var height = 0.2
    /// The frame's width in metres, 0 … half the smaller side. Default 0.012.
    package var frame = 0.012
    /// The mat's width inside the frame in metres, 0 … half the smaller side less the frame. Default 0.02.
    package var mat = 0.02
    /// The frame's colour. Default a dark walnut, 52 38 32.
    package var frameColor = RGB(52, 38, 32)
    /// The mat's colour. Default a warm white, 238 234 226.
    package var matColor = RGB(238, 234, 226)
    /// Texture inside the mat.
    package var texture = TextureStyle(pattern: .noise)

    package init() {}
}

/// A coloured thing of a simple shape.
package struct ColoredShape: Sendable {
    /// Its outline.
    package var shape: ShapeKind
    /// The width of the shape in its own plane, metres, above 0, at most 100. Default 0.15.
    package var size = 0.15
    /// Its colours and pattern.
    package var texture: TextureStyle

    package init(shape: ShapeKind, size: Double = 0.15, texture: TextureStyle = TextureStyle()) {
        self.shape = shape
        self.size = size
        self.texture = texture
    }
}

/// The outlines on offer. The raw value is the truth's label.
package enum ShapeKind: String, Sendable, CaseIterable {
    case circle, triangle, square, star, cross, heart
}

/// A bar that hides what is behind it. It is not in the truth.
package struct Occluder: Sendable {
    /// Width in metres, above 0, at most 100. Default 0.1.
    package var width = 0.1
    /// Height in metres, above 0, at most 100. Default 0.5.
    package var height = 0.5
    /// Its colours and pattern. Default a plain grey, 96 98 104.
    package var texture = TextureStyle(pattern: .plain, color: RGB(96, 98, 104))

    package init() {}
}

/// A texture: two colours and how they are laid out.
package struct TextureStyle: Sendable {
    /// How the colours are laid out.
    package var pattern: Pattern
    /// The main colour. Default a brick red, 200 62 52.
    package var color: RGB
    /// The other colour. Default a cream, 244 226 196.
    package var accent: RGB
    /// The size of the pattern's elements as a share of the thing's larger side, 0.01…1. Default 0.125.
    package var scale: Double

    package init(
        pattern: Pattern = .plain, color: RGB = RGB(200, 62, 52), accent: RGB = RGB(244, 226, 196),
        scale: Double = 0.125
    ) {
        self.pattern = pattern
        self.color = color
        self.accent = accent
        self.scale = scale
    }

    /// A layout of two colours.
    package enum Pattern: Sendable, Hashable {
        /// `color` alone.
        case plain
        /// Slanted stripes.
        case stripes
        /// Squares in turn.
        case checks
        /// Discs of `accent`.
        case dots
        /// Clouds between the two colours, with fine grain.
        case noise
        /// One shape of `accent` on `color`.
        case shape(ShapeKind)
        /// A picture from a file; the colours play no part.
        case image(path: String)
    }
}
