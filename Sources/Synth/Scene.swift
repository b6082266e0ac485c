package import Graph

/// A test clip described in full: what is to be seen, how it moves, and what the camera does to it.
///
/// Lengths are metres in camera coordinates (x right, y down, z forward, origin at the camera), angles degrees, times
/// seconds from the start of the clip, and pixels have their centres at integer coordinates.
package struct Scene: Sendable {
    /// Width in pixels: even, 16…8192. Default 1280.
    package var width = 1280
    /// Height in pixels: even, 16…8192. Default 720.
    package var height = 720
    /// Frames a second. Default 25/1.
    package var frameRate = FrameRate(25)
    /// How many frames the clip has: 1…1 000 000. Default 250.
    package var frames = 250
    /// Seed of all randomness. Default 1.
    package var seed: UInt64 = 1
    /// The matrix and range of the codes. Default BT.709, limited.
    package var colorSpace = ColorSpace(matrix: .bt709, fullRange: false)
    /// The pinhole camera.
    package var camera = Camera()
    /// The background behind all objects.
    package var background = BackgroundStyle()
    /// The light on everything.
    package var lighting = Lighting()
    /// What takes the sharpness from the picture.
    package var blur = Blur()
    /// The sensor's noise.
    package var noise = Noise()
    /// The things to be seen, at most 200. The nearer covers the farther; at one depth the later covers the earlier.
    package var objects: [SceneObject] = []

    package init() {}

    /// The time of a frame in seconds: the middle of its exposure.
    package func time(ofFrame index: Int) -> Double {
        Double(index) * Double(frameRate.denominator) / Double(frameRate.numerator)
    }
}

/// Frames a second as a fraction.
package struct FrameRate: Sendable, Hashable {
    /// 1…1 000 000.
    package var numerator: Int
    /// 1…1 000 000.
    package var denominator: Int

    package init(_ numerator: Int, _ denominator: Int = 1) {
        self.numerator = numerator
        self.denominator = denominator
    }
}

/// The light on the whole picture: factors on the codes above black, after all objects are drawn.
package struct Lighting: Sendable {
    /// A constant factor, 0…4. Default 1.
    package var gain = 1.0
    /// How far the factor swings about `gain`, as a share of it: 0…1. Default 0 (constant light).
    package var amplitude = 0.0
    /// Seconds of one such swing, above 0. Default 4.
    package var period = 4.0
    /// How much darker the corners are than the centre, 0…1. Default 0.
    package var vignette = 0.0
    /// The change of the factor from the centre to the right and to the bottom edge, −1…1 each. Default none.
    package var gradient = SIMD2<Double>(0, 0)
    /// The soft shadow that objects throw on what is behind them.
    package var shadow = Shadow()

    package init() {}

    /// The factor at a time.
    package func gain(at time: Double) -> Double {
        max(gain * (1 + amplitude * turnSine(time / period)), 0)
    }
}

/// The soft shadow of an object, to the lower right of it.
package struct Shadow: Sendable {
    /// How much light it takes, 0 (none) … 1. Default 0.4.
    package var strength = 0.4
    /// How far it is shifted, metres, 0…1. Default 0.006.
    package var offset = 0.006
    /// Half the width of its soft edge, metres, above 0, at most 1. Default 0.01.
    package var softness = 0.01

    package init() {}
}

/// What takes the sharpness from the picture.
package struct Blur: Sendable {
    /// Standard deviation of a Gaussian over the whole picture (defocus), pixels, 0…10. Default 0.
    package var gaussian = 0.0
    /// The share of the time between two frames for which the shutter is open, 0…1; centred on the frame's time, so
    /// that motion blur leaves the middle of things where the truth says. Default 0 (no motion blur).
    package var shutter = 0.0

    package init() {}
}

/// The sensor's noise: Gaussian, new in every frame.
package struct Noise: Sendable {
    /// Standard deviation in luma codes, 0…50. Default 0.
    package var luma = 0.0
    /// Standard deviation in chroma codes, 0…50. Default 0.
    package var chroma = 0.0

    package init() {}
}
