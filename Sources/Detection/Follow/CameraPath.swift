internal import CVision
internal import Glibc

/// A frame's luma, small enough for the camera's motion.
struct CameraView: Sendable {
    let width: Int
    let height: Int
    /// Pixels of the frame a pixel.
    let scale: Double
    private let pixels: [UInt8]

    /// Pixels of the longer side.
    private static let side = 480

    init(_ frame: VideoFrame) throws {
        _ = openCVIsInitialized
        let scale = max(1, Double(max(frame.width, frame.height)) / Double(Self.side))
        let width = max(1, Int((Double(frame.width) / scale).rounded()))
        let height = max(1, Int((Double(frame.height) / scale).rounded()))
        var pixels = [UInt8](repeating: 0, count: width * height)
        let (w, h) = (Double(frame.width) - 0.5, Double(frame.height) - 0.5)
        let corners = [Point(-0.5, -0.5), Point(w, -0.5), Point(w, h), Point(-0.5, h)].map(\.ocv)
        try frame.withLuma {
            try check(
                ocv_sample_patch(ocv_plane($0), corners, OCV_PATCH_PLAIN, Int32(width), Int32(height), &pixels),
                "make the picture smaller")
        }
        (self.width, self.height, self.scale, self.pixels) = (width, height, scale, pixels)
    }

    /// How the background moved from an earlier frame to this one, in the frames' pixels.
    /// - Parameter things: Boxes in the earlier frame that aren't background.
    func motion(since earlier: CameraView, besides things: [Box]) throws -> Similarity {
        guard width == earlier.width, height == earlier.height else { return Similarity() }
        var motion = ocv_similarity()
        let boxes = things.map { box in
            ocv_box(x: box.x / scale, y: box.y / scale, width: box.width / scale, height: box.height / scale)
        }
        try earlier.withPlane { first in
            try withPlane { second in
                try check(ocv_camera_motion(first, second, boxes, Int32(boxes.count), &motion), "follow the camera")
            }
        }
        return Similarity(a: motion.a, b: motion.b, x: motion.tx * scale, y: motion.ty * scale)
    }

    private func withPlane<Result>(_ body: (ocv_plane) throws -> Result) rethrows -> Result {
        try pixels.withUnsafeBufferPointer { buffer in
            try body(
                ocv_plane(data: buffer.baseAddress, width: Int32(width), height: Int32(height), stride: Int64(width)))
        }
    }
}

/// Turns, scales and moves the plane: (x, y) goes to (a·x − b·y + x₀, b·x + a·y + y₀).
struct Similarity: Sendable, Hashable {
    var a = 1.0
    var b = 0.0
    var x = 0.0
    var y = 0.0

    var zoom: Double { hypot(a, b) }

    func callAsFunction(_ point: Point) -> Point {
        Point(a * point.x - b * point.y + x, b * point.x + a * point.y + y)
    }

    /// An upright box with its centre moved and its sides scaled.
    func callAsFunction(_ box: Box) -> Box {
        let (center, zoom) = (self(box.center), zoom)
        let (width, height) = (box.width * zoom, box.height * zoom)
        return Box(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
    }

    /// This one after another one.
    func after(_ first: Similarity) -> Similarity {
        let origin = self(Point(first.x, first.y))
        return Similarity(
            a: a * first.a - b * first.b, b: a * first.b + b * first.a, x: origin.x, y: origin.y)
    }

    var inverse: Similarity {
        let square = a * a + b * b
        let (ia, ib) = (a / square, -b / square)
        return Similarity(a: ia, b: ib, x: -(ia * x - ib * y), y: -(ib * x + ia * y))
    }
}

/// Where the camera looks: from the first frame's picture to each later one's.
struct CameraPath {
    private(set) var current = Similarity()
    private var last: (view: CameraView, things: [Box])?

    /// - Parameter things: What isn't background in the frame.
    mutating func follow(_ view: CameraView?, besides things: [Box]) throws {
        guard let view else { return }
        if let last { current = try view.motion(since: last.view, besides: last.things).after(current) }
        last = (view, things)
    }

    /// A box as the first frame's camera would have seen it.
    func steady(_ box: Box) -> Box { current.inverse(box) }
}
