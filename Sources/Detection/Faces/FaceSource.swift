internal import CVision

/// A frame's pixels for the networks, sampled from the picture itself or from it at half, a quarter and so on of its size:
/// each of these is made once, when the first view needs it. For one thread.
final class FaceSource {
    let frame: VideoFrame
    /// Pictures by how often they were halved.
    private var halved: [Int: HalvedPicture] = [:]

    init(_ frame: VideoFrame) { self.frame = frame }

    /// - Parameter isOnBlack: What of the view lies beyond the picture is black.
    /// - Returns: `side`² RGB. What of an upright view lies beyond the picture on both sides alike is black; beyond others
    ///   the picture's border goes on.
    func pixels(of view: FaceView, side: Int, isOnBlack: Bool = false) throws -> [UInt8] {
        let isPadded = isOnBlack || isCentred(view)
        var pixels = [UInt8](repeating: 0, count: side * side * 3)
        var halvings = 0
        while view.side >= Double(side << (halvings + 1)), min(frame.width, frame.height) >> (halvings + 2) > 0 {
            halvings += 1
        }
        while max(frame.width, frame.height) >> halvings > Int(OCV_FACE_VIEW_MOST) { halvings += 1 }
        // A pixel begins half a pixel before its middle.
        func sample(_ source: ocv_picture, scale: Double) throws {
            var source = source
            let corners = view.corners.map { ($0 * scale - Point(0.5, 0.5)).ocv }
            try check(
                ocv_face_view(&source, corners, Int32(side), isPadded, &pixels), "cut a face out of the picture")
        }
        if halvings > 0 {
            let smaller = try picture(halvings)
            try smaller.withPicture { try sample($0, scale: 1 / Double(smaller.factor)) }
        } else {
            try frame.withPicture { try sample(ocv_picture($0), scale: 1) }
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

    /// Whether an upright view is larger than the picture, and has as much of nothing on both sides.
    private func isCentred(_ view: FaceView) -> Bool {
        let (width, height) = (Double(frame.width), Double(frame.height))
        guard view.angle == 0, view.side > min(width, height) + 1e-6 else { return false }
        func isEven(_ center: Double, _ length: Double) -> Bool {
            let (first, last) = (max(0, center - view.side / 2), min(length, center + view.side / 2))
            return abs(first + last - 2 * center) < 1e-6
        }
        return isEven(view.center.x, width) && isEven(view.center.y, height)
    }
}
