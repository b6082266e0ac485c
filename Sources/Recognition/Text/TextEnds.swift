internal import CVision

/// What is beyond a line's ends, as it was when the line was looked at last. Where it was plain, letters that are added
/// show, as those of typed text, and letters that went leave the same.
struct TextEnds: Sendable {
    /// Mean grey values left and right of the line; nil where something is to be seen there.
    private let grounds: [Double?]
    /// Between the line's letters and their ground, grey values.
    private let contrast: Double

    /// Width of what is looked at, in the line's heights: a space and most of a letter.
    private static let reach = 0.55
    /// Sampled so large.
    private static let (columns, rows) = (8, 12)
    /// Shares of the line's contrast: the most of what is plain, and the least of a letter's part.
    private static let (plain, letter) = (0.25, 0.5)
    /// Least contrast that isn't noise.
    private static let leastContrast = 24.0

    init(of line: TextRegion, in frame: VideoFrame, contrast: Double) throws {
        self.contrast = max(contrast, Self.leastContrast)
        let most = Self.plain * self.contrast
        grounds = try Self.strips(of: line).map { strip in
            guard let tones = try Self.tones(of: strip, in: frame), tones.spread < most else { return nil }
            return tones.mean
        }
    }

    /// Whether letters seem to have been added to the line.
    func showMore(of line: TextRegion, in frame: VideoFrame) throws -> Bool {
        for (ground, strip) in zip(grounds, Self.strips(of: line)) where ground != nil {
            if let tones = try Self.tones(of: strip, in: frame), tones.spread > Self.letter * contrast { return true }
        }
        return false
    }

    /// Whether there is nothing in a part of the line, from its left or its right end on, but the ground that is beyond.
    /// - Parameter share: of the line's width.
    func areBare(_ share: Double, ofRight isRight: Bool, of line: TextRegion, in frame: VideoFrame) throws -> Bool {
        let length = line.width / max(line.height, 1e-6) * (1 - share)
        guard let ground = grounds[isRight ? 1 : 0],
            let part = line.grown(
                left: isRight ? -length : 0, right: isRight ? 0 : -length, above: -0.1, below: -0.1),
            let tones = try Self.tones(of: part, in: frame)
        else { return false }
        return tones.spread < Self.plain * contrast && abs(tones.mean - ground) < Self.plain * contrast
    }

    /// Left and right of a line; nil where there is none.
    private static func strips(of line: TextRegion) -> [TextRegion?] {
        let length = line.width / max(line.height, 1e-6)
        return [(reach, -length), (-length, reach)].map { left, right in
            line.grown(left: left, right: right, above: -0.1, below: -0.1)
        }
    }

    private static func tones(of strip: TextRegion?, in frame: VideoFrame) throws -> (mean: Double, spread: Double)? {
        guard let strip else { return nil }
        var pixels = [UInt8](repeating: 0, count: columns * rows)
        try frame.withLuma {
            try check(
                ocv_sample_patch(
                    ocv_plane($0), strip.polygon.map(\.ocv), OCV_PATCH_PLAIN, Int32(columns), Int32(rows), &pixels),
                "look beyond a line of text")
        }
        pixels.sort()
        let mean = Double(pixels.reduce(0) { $0 + Int($1) }) / Double(pixels.count)
        // A few pixels may be the line's own last letter's, or noise.
        return (mean, Double(pixels[pixels.count * 92 / 100]) - Double(pixels[pixels.count * 8 / 100]))
    }
}
