internal import CVision

/// Follows one object from a seed; the algorithm behind `track`.
///
/// Its calls come one after another, though not always from the same thread.
protocol ObjectTracker: AnyObject, Sendable {
    /// Learns the object in a box of the frame.
    func seed(_ frame: VideoFrame, box: Box) throws
    /// Finds it in the next frame.
    func update(_ frame: VideoFrame) throws -> TrackedObject
}

/// An object in one frame.
struct TrackedObject: Sendable {
    var box: Box
    /// Confidence, 0…1.
    var confidence: Double
    /// State: `tracked`, `predicted`, `lost` or `recovered`.
    var state: TrackState
}

/// The shim's tracker: correlation filters, or a pair of networks, with an appearance model that has a say in the confidence
/// and finds the object again.
///
/// `@unchecked Sendable`: the shim's tracker may be called from different threads, one after another, as the protocol says.
final class ShimTracker: ObjectTracker, @unchecked Sendable {
    private let handle: OpaquePointer
    private let needsColor: Bool
    private let bridge: SiameseBridge?

    /// - Parameter model: The networks to follow with; nil for correlation filters alone.
    init(_ options: ocv_tracker_options, model: SiameseModel?) throws {
        var handle: OpaquePointer?
        bridge = model.map(SiameseBridge.init)
        if var networks = bridge?.networks {
            try check(ocv_tracker_create(options, &networks, &handle), "make a tracker")
        } else {
            try check(ocv_tracker_create(options, nil, &handle), "make a tracker")
        }
        guard let handle else { throw VisionError(operation: "make a tracker", reason: "no memory") }
        self.handle = handle
        needsColor = ocv_tracker_needs_color(handle) != 0
    }

    deinit { ocv_tracker_destroy(handle) }

    func seed(_ frame: VideoFrame, box: Box) throws {
        try withPlane(frame) { try finish(ocv_tracker_seed(handle, $0, box.ocv), "start tracking") }
    }

    func update(_ frame: VideoFrame) throws -> TrackedObject {
        var result = ocv_tracker_result()
        try withPlane(frame) { try finish(ocv_tracker_update(handle, $0, &result), "track") }
        let state: TrackState =
            switch Int(result.state) {
            case OCV_TRACKER_TRACKED: .tracked
            case OCV_TRACKER_PREDICTED: .predicted
            case OCV_TRACKER_RECOVERED: .recovered
            default: .lost
            }
        return TrackedObject(box: Box(result.box), confidence: min(max(result.confidence, 0), 1), state: state)
    }

    /// Throws where a call failed: with a network's own error where there is one, which goes before what the shim says
    /// of it.
    private func finish(_ status: ocv_status, _ operation: String) throws {
        if let failure = bridge?.takeFailure() { throw failure }
        try check(status, operation)
    }

    private func withPlane(_ frame: VideoFrame, _ body: (ocv_plane) throws -> Void) throws {
        if needsColor {
            try frame.bgr().withPixels { try body(ocv_plane($0)) }
        } else {
            try frame.withLuma { try body(ocv_plane($0)) }
        }
    }
}
