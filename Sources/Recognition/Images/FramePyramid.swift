internal import CVision

/// A frame's luma at halving sizes, made once a frame for all stages that follow things by it.
///
/// `@unchecked Sendable`: the shim's pyramid doesn't change.
final class FramePyramid: FrameProduct, @unchecked Sendable {
    let handle: OpaquePointer

    init(of frame: VideoFrame) throws {
        var handle: OpaquePointer?
        try frame.withLuma { try check(ocv_pyramid_create(ocv_plane($0), &handle), "halve the picture") }
        guard let handle else { throw VisionError(operation: "halve the picture", reason: "no memory") }
        self.handle = handle
    }

    deinit { ocv_pyramid_destroy(handle) }
}
