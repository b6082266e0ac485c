internal import CVision

/// A picture that is looked for. Immutable: any thread may use it.
///
/// `@unchecked Sendable`: the shim's reference doesn't change.
final class ReferenceImage: @unchecked Sendable {
    /// The error of a picture that can't be found in a video: what was found, what is expected.
    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    let handle: OpaquePointer
    /// Width of the picture as it was given, pixels.
    let width: Int
    let height: Int

    private init(handle: OpaquePointer, width: Int, height: Int) {
        (self.handle, self.width, self.height) = (handle, width, height)
    }

    /// - Throws: `Refusal` for one that can't be told from others, or from itself shifted or turned.
    private static func learned(_ luma: ocv_plane) throws -> OpaquePointer {
        var handle: OpaquePointer?
        var quality = ocv_image_quality()
        try check(ocv_image_reference_create(luma, &handle, &quality), "learn a picture")
        guard let handle else { throw refusal(quality, Int(luma.width), Int(luma.height)) }
        return handle
    }

    deinit { ocv_image_reference_destroy(handle) }

    /// Learns a picture by what its pixels weigh in luma (BT.601).
    convenience init(_ picture: ReferencePicture) throws {
        var luma = [UInt8](repeating: 0, count: picture.width * picture.height)
        picture.bgr.withUnsafeBufferPointer { bgr in
            for index in luma.indices {
                let (b, g, r) = (UInt32(bgr[3 * index]), UInt32(bgr[3 * index + 1]), UInt32(bgr[3 * index + 2]))
                luma[index] = UInt8((r * 19595 + g * 38470 + b * 7471 + 32768) >> 16)
            }
        }
        try self.init(luma: luma, width: picture.width, height: picture.height)
    }

    /// - Parameter luma: Rows without gaps.
    convenience init(luma: [UInt8], width: Int, height: Int) throws {
        let plane = luma.withUnsafeBufferPointer { buffer in
            Result {
                try ReferenceImage.learned(
                    ocv_plane(
                        data: buffer.baseAddress, width: Int32(width), height: Int32(height), stride: Int64(width)))
            }
        }
        self.init(handle: try plane.get(), width: width, height: height)
    }

    private static func refusal(_ quality: ocv_image_quality, _ width: Int, _ height: Int) -> Refusal {
        func percent(_ value: Double) -> Int { Int((value * 100).rounded()) }
        let reason =
            switch Int(quality.verdict) {
            case OCV_IMAGE_TINY:
                "it is too small: \(width)×\(height) pixels; expected \(OCV_IMAGE_LEAST_SIDE) or more on the shorter side"
            case OCV_IMAGE_FLAT:
                "it is nearly of one tone, a plain colour say; expected a picture with contrast and detail"
            case OCV_IMAGE_PLAIN:
                "it has too little detail: \(quality.places) places in \(quality.parts) of its 16 parts differ from what "
                    + "is around them; expected detail all over it"
            case OCV_IMAGE_REPEATING:
                "it repeats itself: shifted, it is \(percent(quality.repetition)) % like itself; expected a picture "
                    + "without a regular pattern"
            default:
                "it looks the same when it is turned: \(percent(quality.repetition)) % like itself; expected a picture "
                    + "that tells which way up it is"
            }
        return Refusal(description: reason)
    }
}
