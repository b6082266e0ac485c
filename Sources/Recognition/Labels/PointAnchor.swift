internal import CVision

/// A frame's luma as anchors need it, made once a frame for all of them.
///
/// `@unchecked Sendable`: the shim's frame is immutable, and what it makes later it makes behind a lock.
final class AnchorFrame: FrameProduct, @unchecked Sendable {
    fileprivate let handle: OpaquePointer

    init(of frame: VideoFrame) throws {
        var handle: OpaquePointer?
        try frame.withLuma { try check(ocv_anchor_frame_create(ocv_plane($0), &handle), "look at the picture") }
        guard let handle else { throw VisionError(operation: "look at the picture", reason: "no memory") }
        self.handle = handle
    }

    deinit { ocv_anchor_frame_destroy(handle) }
}

/// An anchor's place in one frame.
struct AnchoredPoint: Sendable {
    /// Place, pixels; nil where it is lost.
    var point: Point?
    /// Confidence, 0…1.
    var confidence: Double
    var state: TrackState
}

/// Keeps hold of one physical point: the algorithm behind `labels`.
///
/// `@unchecked Sendable`: its calls come one after another, though not always from the same thread.
final class PointAnchor: @unchecked Sendable {
    private let handle: OpaquePointer
    /// Whether there is something around the point to hold it by; where there isn't, it is lost from the start.
    let isHeld: Bool

    init(_ frame: AnchorFrame, _ point: Point, _ options: ocv_anchor_options) throws {
        var handle: OpaquePointer?
        var isHeld: Int32 = 0
        try check(ocv_anchor_create(frame.handle, point.ocv, options, &isHeld, &handle), "anchor a point")
        guard let handle else { throw VisionError(operation: "anchor a point", reason: "no memory") }
        self.handle = handle
        self.isHeld = isHeld != 0
    }

    deinit { ocv_anchor_destroy(handle) }

    /// - Parameter seconds: The frame's time.
    func update(_ frame: AnchorFrame, at seconds: Double) throws -> AnchoredPoint {
        var result = ocv_anchor_result()
        try check(ocv_anchor_update(handle, frame.handle, seconds, &result), "follow a point")
        let state: TrackState =
            switch Int(result.state) {
            case OCV_ANCHOR_TRACKED: .tracked
            case OCV_ANCHOR_PREDICTED: .predicted
            case OCV_ANCHOR_RECOVERED: .recovered
            default: .lost
            }
        return AnchoredPoint(
            point: state == .lost ? nil : Point(result.point), confidence: min(max(result.confidence, 0), 1),
            state: state)
    }
}
