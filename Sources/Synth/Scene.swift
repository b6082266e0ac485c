public import Graph

/// A test clip described in full: what is to be seen, how it moves, and what the camera does to it.
///
/// Lengths are metres in camera coordinates (x right, y down, z forward, origin at the camera), angles degrees, times
/// seconds from the start of the clip, and pixels have their centres at integer coordinates.
public struct Scene: Sendable {
    /// Width in pixels: even, 16…8192. Default 1280.
    public var width = 1280
    /// Height in pixels: even, 16…8192. Default 720.
    public var height = 720
    /// Frames a second. Default 25/1.
    public var frameRate = FrameRate(25)
    /// How many frames the clip has: 1…1 000 000. Default 250.
    public var frames = 250
    /// What all randomness is derived from. Default 1.
    public var seed: UInt64 = 1
    /// The matrix and range of the codes. Default BT.709, limited.
    public var colorSpace = ColorSpace(matrix: .bt709, fullRange: false)
    /// The pinhole camera.
    public var camera = Camera()
    /// What is behind all objects.
    public var background = BackgroundStyle()
    /// The light on everything.
    public var lighting = Lighting()
    /// What takes the sharpness from the picture.
    public var blur = Blur()
    /// What the sensor adds.
    public var noise = Noise()
    /// The things to be seen, at most 200. The nearer covers the farther; at one depth the later covers the earlier.
    public var objects: [SceneObject] = []

    public init() {}

    /// The time of a frame in seconds: the middle of its exposure.
    public func time(ofFrame index: Int) -> Double {
        Double(index) * Double(frameRate.denominator) / Double(frameRate.numerator)
    }
}

/// Frames a second as a fraction.
public struct FrameRate: Sendable, Hashable {
    /// 1…1 000 000.
    public var numerator: Int
    /// 1…1 000 000.
    public var denominator: Int

    public init(_ numerator: Int, _ denominator: Int = 1) {
        self.numerator = numerator
        self.denominator = denominator
    }
}

/// The light on the whole picture: factors on the codes above black, after all objects are drawn.
public struct Lighting: Sendable {
    /// A constant factor, 0…4. Default 1.
    public var gain = 1.0
    /// How far the factor swings about `gain`, as a share of it: 0…1. Default 0 (constant light).
    public var amplitude = 0.0
    /// Seconds of one such swing, above 0. Default 4.
    public var period = 4.0
    /// How much darker the corners are than the centre, 0…1. Default 0.
    public var vignette = 0.0
    /// The change of the factor from the centre to the right and to the bottom edge, −1…1 each. Default none.
    public var gradient = SIMD2<Double>(0, 0)
    /// The soft shadow that objects throw on what is behind them.
    public var shadow = Shadow()

    public init() {}

    /// The factor at a time.
    public func gain(at time: Double) -> Double {
        max(gain * (1 + amplitude * turnSine(time / period)), 0)
    }
}

/// The soft shadow of an object, to the lower right of it.
public struct Shadow: Sendable {
    /// How much light it takes, 0 (none) … 1. Default 0.4.
    public var strength = 0.4
    /// How far it is shifted, metres, 0…1. Default 0.006.
    public var offset = 0.006
    /// Half the width of its soft edge, metres, above 0, at most 1. Default 0.01.
    public var softness = 0.01

    public init() {}
}

/// What takes the sharpness from the picture.
public struct Blur: Sendable {
    /// Standard deviation of a Gaussian over the whole picture (defocus), pixels, 0…10. Default 0.
    public var gaussian = 0.0
    /// The share of the time between two frames for which the shutter is open, 0…1; centred on the frame's time, so
    /// that motion blur leaves the middle of things where the truth says. Default 0 (no motion blur).
    public var shutter = 0.0

    public init() {}
}

/// What the sensor adds: Gaussian noise, new in every frame.
public struct Noise: Sendable {
    /// Standard deviation in luma codes, 0…50. Default 0.
    public var luma = 0.0
    /// Standard deviation in chroma codes, 0…50. Default 0.
    public var chroma = 0.0

    public init() {}
}
