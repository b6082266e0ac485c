internal import Glibc

/// One track of an `alter` stage: where it is, what it looks like from straight ahead, and its altered pictures.
struct AlteredTrack {
    /// Time at which it was first seen, seconds.
    let firstShown: Double
    /// Time since which a picture has been shown, seconds.
    private(set) var shownSince = Double.infinity
    private(set) var lastSeen: Double
    /// Corners, pixels, clockwise from the one that was the first when the track began.
    private(set) var quad: [Point] = []
    /// Altered pictures by their style's number.
    private(set) var pictures: [Int: PictureTexture] = [:]
    /// The styles that were shown last; nil for none.
    var moment: StyleSequence.Moment?

    private var references: [PictureSize: ReferencePicture] = [:]
    /// Sizes that the styles wanted when the references were taken, and the quad of that moment.
    private var sizes: [PictureSize] = []
    private var lookedAt: [Point] = []
    private var sharpness = 0.0
    private var lastLook = -Double.infinity
    private var isGiven = false
    private(set) var firstQuad: [Point] = []
    private var liveSizes: [Int: PictureSize] = [:]
    /// Live pictures' running means by style, in 256ths.
    private var means: [Int: (values: [UInt16], size: PictureSize, time: Double)] = [:]

    /// Time for which a quad that is partly outside of the picture is waited for, seconds.
    private static let patience = 0.5
    /// Time between two looks for a better view, seconds.
    private static let lookInterval = 0.25

    init(firstShown: Double) {
        self.firstShown = firstShown
        lastSeen = firstShown
    }

    var isReady: Bool { !sizes.isEmpty }

    var byteCount: Int { pictures.values.reduce(0) { $0 + $1.byteCount } }

    func has(_ moment: StyleSequence.Moment) -> Bool {
        pictures[moment.style] != nil && moment.from.map { pictures[$0] != nil } ?? true
    }

    mutating func dropWhatIsNotShown() {
        pictures = pictures.filter { $0.key == moment?.style || $0.key == moment?.from }
    }

    /// Moves to the quad of this frame. A detector that names the corners by where they are in the picture changes the
    /// first one when the thing turns: then the corners are taken in the order that is nearest to the last one.
    mutating func follow(_ target: AlterTracker.Target, at time: Double) {
        lastSeen = time
        if firstQuad.isEmpty { firstQuad = target.quad }
        guard target.mayTurn, quad.count == 4 else {
            quad = target.quad
            return
        }
        func turned(_ by: Int) -> [Point] { (0..<4).map { target.quad[($0 + by) % 4] } }
        func distance(_ other: [Point]) -> Double { zip(quad, other).reduce(0) { $0 + $1.0.distance(to: $1.1) } }
        let turn = (0..<4).min { distance(turned($0)) < distance(turned($1)) } ?? 0
        quad = turned(turn)
    }

    // MARK: Made once

    /// Takes the pictures that styles are made from: the input's own where it has one; else the quad's content as soon as
    /// it is wholly in the picture, and again for later styles where it is larger or sharper.
    mutating func look(
        at frame: VideoFrame, _ target: AlterTracker.Target, settings: AlterSettings, picture: Box
    ) throws {
        let time = frame.seconds
        if isReady {
            guard !isGiven, settings.sequence.changes, time - lastLook >= Self.lookInterval else { return }
        }
        let isInside = quad.allSatisfy {
            $0.x >= picture.x && $0.y >= picture.y && $0.x <= picture.right && $0.y <= picture.bottom
        }
        guard isInside || !isReady && time - firstShown >= Self.patience || target.reference != nil else { return }
        let seen = AlterTracker.area(quad)
        // While it is no larger, only a view that is much sharper is better.
        let area = isReady ? AlterTracker.area(lookedAt) : 0
        guard seen > 0.8 * area else { return }
        lastLook = time
        let wanted =
            isReady ? sizes : settings.styles.map { $0.size(for: quad, resolution: settings.options.resolution) }
        let distinct = wanted.reduce(into: [PictureSize]()) { if !$0.contains($1) { $0.append($1) } }
        var taken: [PictureSize: ReferencePicture] = [:]
        for size in distinct {
            taken[size] =
                try target.reference.map { try $0.resized(to: size) } ?? frame.rectified(quad, to: size)
        }
        guard let first = taken[wanted[0]] else { return }
        let sharp = try first.sharpness()
        let isBetter = seen > 1.3 * area && sharp > 0.7 * sharpness || sharp > 1.6 * sharpness
        guard !isReady || isBetter else { return }
        if !isReady { shownSince = time }
        (references, sizes, lookedAt, sharpness) = (taken, wanted, quad, sharp)
        isGiven = target.reference != nil
    }

    /// Makes a style's picture unless it is there.
    mutating func make(_ number: Int, settings: AlterSettings) throws {
        guard pictures[number] == nil, let reference = references[sizes[number]] else { return }
        let altered = try settings.styles[number].apply(to: reference, on: lookedAt)
        pictures[number] = PictureTexture(width: altered.width, height: altered.height, bgr: altered.bgr)
    }

    // MARK: Live

    /// The size at which a style's live pictures are made: the same as long as the track lasts.
    mutating func liveSize(for style: AlterStyle, _ number: Int, resolution: Int) -> PictureSize {
        if let size = liveSizes[number] { return size }
        let size = style.size(for: firstQuad, resolution: resolution)
        liveSizes[number] = size
        return size
    }

    /// Forgets the live pictures of other styles.
    mutating func keepLive(_ styles: [Int]) {
        pictures = pictures.filter { styles.contains($0.key) }
        means = means.filter { styles.contains($0.key) }
    }

    /// Goes a share 1 − e^(−t/τ) of the way from the last live picture of a style to this one, t being the time since.
    mutating func blend(_ picture: ReferencePicture, style: Int, timeConstant: Double, at time: Double) {
        let size = PictureSize(width: picture.width, height: picture.height)
        var pixels = picture.bgr
        var mean = means[style]
        means[style] = nil
        if timeConstant > 0, let last = mean, last.size == size, time >= last.time, time - last.time <= 1 {
            let share = UInt32((65536 * (1 - exp(-(time - last.time) / timeConstant))).rounded())
            mean?.values.withUnsafeMutableBufferPointer { values in
                pixels.withUnsafeMutableBufferPointer { pixels in
                    for index in pixels.indices {
                        let sum = UInt32(values[index]) &* (65536 &- share) &+ UInt32(pixels[index]) &* 256 &* share
                        let value = (sum &+ 32768) &>> 16
                        values[index] = UInt16(truncatingIfNeeded: value)
                        pixels[index] = UInt8(truncatingIfNeeded: min((value &+ 128) &>> 8, 255))
                    }
                }
            }
            mean?.time = time
            means[style] = mean
        } else if timeConstant > 0 {
            means[style] = (pixels.map { UInt16($0) &* 256 }, size, time)
        }
        pictures[style] = PictureTexture(width: picture.width, height: picture.height, bgr: pixels)
    }
}
