import Graph

/// The background of a clip: drawn once, larger than the frame where it pans, and then copied into each frame.
final class Backdrop {
    private let picture: WorkFrame
    private let scene: Scene
    /// Place of the frame's top left corner in `picture` at time 0.
    private let origin: SIMD2<Double>

    init(_ scene: Scene, coder: ColorCoder, loadImage: (String) throws -> RGBImage) throws {
        self.scene = scene
        let travel = scene.background.pan * scene.time(ofFrame: scene.frames)
        // What moves right comes in from the left. Two pixels more on each side for the interpolation; even numbers, so
        // that chroma stays aligned.
        func margins(_ travel: Double) -> (before: Int, after: Int) {
            guard travel != 0 else { return (0, 0) }
            let length = Int(abs(travel).rounded(.up)) + 5
            return travel > 0 ? (length / 2 * 2, 4) : (4, length / 2 * 2)
        }
        let (x, y) = (margins(travel.x), margins(travel.y))
        origin = SIMD2(Double(x.before), Double(y.before))
        picture = WorkFrame(width: scene.width + x.before + x.after, height: scene.height + y.before + y.after)
        try BackdropArtist(scene, coder: coder, loadImage: loadImage).draw(into: picture)
    }

    /// Copies the part that is seen at a time.
    func copy(at time: Double, into frame: WorkFrame) {
        let shift = origin - scene.background.pan * time
        Self.copy(picture.luma, from: shift, into: frame.luma)
        Self.copy(picture.cb, from: shift / 2, into: frame.cb)
        Self.copy(picture.cr, from: shift / 2, into: frame.cr)
    }

    private static func copy(_ source: Plane, from shift: SIMD2<Double>, into target: Plane) {
        // The scene's limits keep the frame inside; a frame beyond the clip's last stays at the edge.
        let x = min(max(shift.x, 0), Double(source.width - target.width))
        let y = min(max(shift.y, 0), Double(source.height - target.height))
        let (x0, y0) = (Int(x), Int(y))
        let (wx, wy) = (cubicWeights(x - Double(x0)), cubicWeights(y - Double(y0)))
        let whole = x == Double(x0) && y == Double(y0)
        let width = target.width
        // Read with one column before and two after, held at the edges.
        withUnsafeTemporaryAllocation(of: Float.self, capacity: width + 3) { line in
            guard let line = line.baseAddress else { return }
            for row in 0..<target.height {
                let output = target.row(row)
                if whole {
                    output.update(from: source.row(y0 + row) + x0, count: width)
                    continue
                }
                func input(_ offset: Int) -> UnsafeMutablePointer<Float> {
                    source.row(min(max(y0 + row + offset, 0), source.height - 1))
                }
                let rows = (input(-1), input(0), input(1), input(2))
                for k in 0..<width + 3 {
                    let c = min(max(x0 + k - 1, 0), source.width - 1)
                    line[k] = rows.0[c] * wy.x + rows.1[c] * wy.y + rows.2[c] * wy.z + rows.3[c] * wy.w
                }
                for k in 0..<width {
                    output[k] = line[k] * wx.x + line[k + 1] * wx.y + line[k + 2] * wx.z + line[k + 3] * wx.w
                }
            }
        }
    }

    /// Catmull and Rom's cubic at a fraction: as sharp at every phase as an interpolation can be.
    private static func cubicWeights(_ fraction: Double) -> SIMD4<Float> {
        let (t, t2, t3) = (Float(fraction), Float(fraction * fraction), Float(fraction * fraction * fraction))
        return [
            -0.5 * t + t2 - 0.5 * t3, 1 - 2.5 * t2 + 1.5 * t3, 0.5 * t + 2 * t2 - 1.5 * t3, 0.5 * (t3 - t2),
        ]
    }
}
