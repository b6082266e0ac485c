internal import CVision

/// Follows one reference picture through the frames. Its calls come one after another, though not always from the same
/// thread.
///
/// `@unchecked Sendable`: the stage calls it from `update` alone, which is never run twice at once.
final class ImageTracker: @unchecked Sendable {
    struct Sighting: Sendable {
        /// Corners of the picture's outer edge, pixels, clockwise from its own top left.
        var polygon: [Point]
        /// Confidence, 0…1: the share of its places in the frame that were seen, and how surely they tell where all
        /// corners are.
        var confidence: Double
    }

    let reference: ReferenceImage
    private let handle: OpaquePointer

    init(_ reference: ReferenceImage) throws {
        self.reference = reference
        var handle: OpaquePointer?
        try check(ocv_image_tracker_create(reference.handle, &handle), "make an image tracker")
        guard let handle else { throw VisionError(operation: "make an image tracker", reason: "no memory") }
        self.handle = handle
    }

    deinit { ocv_image_tracker_destroy(handle) }

    /// Looks for the picture in the whole frame.
    func search(_ frame: FramePyramid, _ features: FrameFeatures) throws -> Sighting? {
        var sighting = ocv_image_sighting()
        try check(
            ocv_image_tracker_search(handle, frame.handle, features.handle, &sighting), "look for a picture")
        return Sighting(sighting)
    }

    /// Takes the picture to be at a quad, and aligns it there.
    func place(at polygon: [Point], _ frame: FramePyramid) throws -> Sighting? {
        guard polygon.count == 4 else { return nil }
        var quad = ocv_quad()
        quad.corners = (polygon[0].ocv, polygon[1].ocv, polygon[2].ocv, polygon[3].ocv)
        var sighting = ocv_image_sighting()
        try check(ocv_image_tracker_place(handle, frame.handle, &quad, &sighting), "align a picture")
        return Sighting(sighting)
    }

    /// Follows the picture to the next frame.
    /// - Parameter interval: Frames of the video since the last call.
    func follow(_ frame: FramePyramid, interval: Double) throws -> Sighting? {
        var sighting = ocv_image_sighting()
        try check(ocv_image_tracker_follow(handle, frame.handle, interval, &sighting), "follow a picture")
        return Sighting(sighting)
    }
}

extension ImageTracker.Sighting {
    fileprivate init?(_ sighting: ocv_image_sighting) {
        guard sighting.found else { return nil }
        let (a, b, c, d) = sighting.quad.corners
        self.init(polygon: [a, b, c, d].map { Point($0) }, confidence: min(max(sighting.confidence, 0), 1))
    }
}

/// The features of one frame, for all that look for pictures.
///
/// `@unchecked Sendable`: the shim's features don't change.
final class FrameFeatures: FrameProduct, @unchecked Sendable {
    let handle: OpaquePointer

    init(of frame: VideoFrame) throws {
        var handle: OpaquePointer?
        let pyramid = try frame.product(FramePyramid.self)
        try check(ocv_image_features_create(pyramid.handle, &handle), "describe the picture")
        guard let handle else { throw VisionError(operation: "describe the picture", reason: "no memory") }
        self.handle = handle
    }

    deinit { ocv_image_features_destroy(handle) }
}
