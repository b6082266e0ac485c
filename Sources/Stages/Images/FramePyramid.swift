internal import Annotate
internal import CVision

/// A frame's luma at halving sizes, made once a frame for all stages that follow things by it.
///
/// `@unchecked Sendable`: the shim's pyramid doesn't change.
final class FramePyramid: @unchecked Sendable {
    let handle: OpaquePointer

    private init(_ luma: PlaneView) throws {
        var handle: OpaquePointer?
        try check(ocv_pyramid_create(ocv_plane(luma), &handle), "halve the picture")
        guard let handle else { throw VisionError(operation: "halve the picture", reason: "no memory") }
        self.handle = handle
    }

    deinit { ocv_pyramid_destroy(handle) }

    static func of(_ frame: VideoFrame) throws -> FramePyramid {
        try frame.products.value("pyramid") { try frame.withLuma { try FramePyramid($0) } }
    }
}
