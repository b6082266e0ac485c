internal import Annotate
internal import CVision

/// A frame's pixels for the networks, sampled from the picture itself or from it at half, a quarter and so on of its size:
/// each of these is made once, when the first view needs it. For one thread.
final class FaceSource {
    private let frame: VideoFrame
    /// By how often it was halved.
    private var halved: [Int: HalvedPicture] = [:]

    init(_ frame: VideoFrame) { self.frame = frame }

    /// - Returns: `side`² RGB. What of an upright view lies beyond the picture on both sides alike is black; beyond others
    ///   the picture's border goes on.
    func pixels(of view: FaceView, side: Int) throws -> [UInt8] {
        let (corners, geometry) = region(of: view)
        var options = ocv_crop_options(
            width: Int32(side), height: Int32(side), channels: OCV_CHANNELS_RGB, geometry: geometry, antialias: false,
            padding: 0)
        var pixels = [UInt8](repeating: 0, count: side * side * 3)
        var halvings = 0
        while view.side >= Double(side << (halvings + 1)), min(frame.width, frame.height) >> (halvings + 2) > 0 {
            halvings += 1
        }
        // A pixel begins half a pixel before its middle.
        guard halvings > 0 else {
            try frame.crop(corners.map { $0 - Point(0.5, 0.5) }, options, into: &pixels, stride: side * 3)
            return pixels
        }
        let smaller = try picture(halvings)
        let scale = 1 / Double(smaller.factor)
        let places = corners.map { ($0 * scale - Point(0.5, 0.5)).ocv }
        var quad = ocv_quad(corners: (places[0], places[1], places[2], places[3]))
        try smaller.withPicture { source in
            var source = source
            try check(ocv_crop(&source, &quad, &options, &pixels, Int64(side * 3)), "cut a face out of the picture")
        }
        return pixels
    }

    /// The picture at a size 2ⁿ times smaller.
    private func picture(_ halvings: Int) throws -> HalvedPicture {
        if let known = halved[halvings] { return known }
        let made = try frame.withPicture {
            try HalvedPicture($0, noSmallerThan: (frame.width >> halvings, frame.height >> halvings))
        }
        halved[halvings] = made
        return made
    }

    /// The part of the picture that fills a view, and how.
    private func region(of view: FaceView) -> (corners: [Point], geometry: ocv_geometry) {
        let (width, height) = (Double(frame.width), Double(frame.height))
        guard view.angle == 0, view.side > min(width, height) + 1e-6 else {
            return (view.corners, OCV_GEOMETRY_STRETCH)
        }
        let (left, right) = (max(0, view.center.x - view.side / 2), min(width, view.center.x + view.side / 2))
        let (top, bottom) = (max(0, view.center.y - view.side / 2), min(height, view.center.y + view.side / 2))
        // The fitted part is in the middle, as it must be in the view.
        guard abs(left + right - 2 * view.center.x) < 1e-6, abs(top + bottom - 2 * view.center.y) < 1e-6 else {
            return (view.corners, OCV_GEOMETRY_STRETCH)
        }
        return (Box(x: left, y: top, width: right - left, height: bottom - top).corners, OCV_GEOMETRY_FIT)
    }
}
