internal import CVision

/// Follows lines from one frame to the next, at half the frame's size.
struct TextFollower {
    private var last: HalfSizeLuma?
    /// The last frame as it is followed from, where lines were followed into it.
    private var followed: FollowedText?

    /// How each line has moved since the frame before; nil where that can't be told. Called for every frame.
    mutating func motions(of lines: [[Point]], into frame: VideoFrame) throws -> [Motion?] {
        let now = try frame.product(HalfSizeLuma.self)
        let known = followed
        followed = nil
        defer { last = now }
        guard let last, last.width == now.width, last.height == now.height, min(now.width, now.height) >= 32,
            !lines.isEmpty
        else {
            return lines.map { _ in nil }
        }
        let before = try known ?? FollowedText(last), after = try FollowedText(now)
        followed = after
        let quads = lines.map { line in
            let corners = line.map { ocv_point(x: ($0.x - 0.5) / 2, y: ($0.y - 0.5) / 2) }
            return ocv_quad(corners: (corners[0], corners[1], corners[2], corners[3]))
        }
        var motions = [ocv_text_motion](repeating: ocv_text_motion(), count: lines.count)
        try check(
            ocv_follow_text(before.handle, after.handle, quads, Int32(quads.count), &motions), "follow lines of text")
        return motions.map { $0.isKnown ? Motion($0) : nil }
    }

    /// An affine motion in the frame.
    struct Motion {
        private let half: ocv_text_motion

        init(_ half: ocv_text_motion) { self.half = half }

        func callAsFunction(_ place: Point) -> Point {
            let m = half.affine
            let (x, y) = ((place.x - 0.5) / 2, (place.y - 0.5) / 2)
            return Point((m.0 * x + m.1 * y + m.2) * 2 + 0.5, (m.3 * x + m.4 * y + m.5) * 2 + 0.5)
        }
    }
}

/// A frame as lines are followed in it.
///
/// `@unchecked Sendable`: what the shim has of it doesn't change.
private final class FollowedText: @unchecked Sendable {
    let handle: OpaquePointer

    init(_ half: HalfSizeLuma) throws {
        var handle: OpaquePointer?
        try half.withPlane { try check(ocv_text_frame_create($0, &handle), "follow lines of text") }
        guard let handle else { throw VisionError(operation: "follow lines of text", reason: "no memory") }
        self.handle = handle
    }

    deinit { ocv_text_frame_destroy(handle) }
}

/// The appearance of a line when it was found.
struct TextAppearance: Sendable {
    private let width: Int
    private let pixels: [UInt8]
    /// Sharpness of its letters: the mean step from pixel to pixel along it over their contrast, times its height.
    let detail: Double
    let ends: TextEnds

    private static let rows = 16

    init?(of line: TextRegion, in frame: VideoFrame) throws {
        guard line.height >= 1, line.width >= 1 else { return nil }
        width = min(max(Int(Double(Self.rows) * line.width / line.height), Self.rows), 24 * Self.rows)
        pixels = try Self.pixels(of: line, in: frame, width, Self.rows)
        // As large as in the picture, up to four times that of the patch: blur shows there.
        let (columns, rows) = (min(4 * width, Int(line.width)), min(4 * Self.rows, Int(line.height)))
        let fine = try Self.pixels(of: line, in: frame, max(columns, 2), max(rows, 1))
        var steps = GreyCounts()
        for row in 0..<max(rows, 1) {
            for column in 1..<max(columns, 2) {
                steps.add(
                    abs(Int(fine[row * max(columns, 2) + column]) - Int(fine[row * max(columns, 2) + column - 1])))
            }
        }
        var greys = GreyCounts()
        for grey in fine { greys.add(Int(grey)) }
        let contrast = Double(greys.value(above: 95) - greys.value(above: 5))
        // The steps at the letters' edges, of those that there are.
        detail = line.height * Double(steps.value(above: 95)) / max(contrast, 8)
        ends = try TextEnds(of: line, in: frame, contrast: contrast)
    }

    private static func pixels(of line: TextRegion, in frame: VideoFrame, _ width: Int, _ height: Int) throws -> [UInt8]
    {
        var pixels = [UInt8](repeating: 0, count: width * height)
        let corners = line.polygon.map(\.ocv)
        try frame.withLuma {
            try check(
                ocv_sample_patch(ocv_plane($0), corners, OCV_PATCH_PLAIN, Int32(width), Int32(height), &pixels),
                "look at a line of text")
        }
        return pixels
    }

    /// Likeness of the line in a frame to this, −1…1.
    func likeness(to line: TextRegion, in frame: VideoFrame) throws -> Double {
        var likeness = 0.0
        let corners = line.polygon.map(\.ocv)
        try frame.withLuma {
            try check(
                ocv_text_likeness(ocv_plane($0), corners, Int32(width), Int32(Self.rows), pixels, &likeness),
                "look at a line of text")
        }
        return likeness
    }

    /// A piece, about a letter wide, that looks less like itself is another letter; so is one that does by far less than
    /// the rest of the line, where that is sure to be seen well.
    private static let (otherPiece, doubtfulPiece) = (0.45, 0.7)
    private static let (outlier, noise) = (6.0, 0.02)

    /// Whether a part of the line seems to say something else, where most of it looks as it did.
    func hasChanged(in line: TextRegion, _ frame: VideoFrame) throws -> Bool {
        var (least, usual) = (1.0, 1.0)
        let corners = line.polygon.map(\.ocv)
        try frame.withLuma {
            try check(
                ocv_text_piece_likeness(
                    ocv_plane($0), corners, Int32(width), Int32(Self.rows), pixels, &least, &usual),
                "look at a line of text")
        }
        return least < Self.otherPiece
            || least < Self.doubtfulPiece && 1 - least > Self.outlier * (1 - usual + Self.noise)
    }
}

/// How many of some values, 0…255, there are of each.
private struct GreyCounts {
    private var counts = [Int](repeating: 0, count: 256)
    private var count = 0

    mutating func add(_ value: Int) {
        counts[value] += 1
        count += 1
    }

    /// The value above so many hundredths of the others; 0 where there are none.
    func value(above hundredths: Int) -> Int {
        var rest = count * hundredths / 100
        return counts.firstIndex {
            rest -= $0
            return rest < 0
        } ?? 0
    }
}
