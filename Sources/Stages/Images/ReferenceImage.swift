internal import Annotate
internal import COpenCV

/// A picture that is looked for. Immutable: any thread may use it.
///
/// `@unchecked Sendable`: the shim's reference doesn't change.
final class ReferenceImage: @unchecked Sendable {
    /// Why a picture can't be found in a video: what was found, what is expected.
    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    let handle: OpaquePointer
    /// Pixels of the picture as it was given.
    let width: Int
    let height: Int

    /// Learns a picture from its luma.
    /// - Throws: `Refusal` for one that can't be told from others, or from itself shifted or turned.
    init(_ luma: ocv_plane) throws {
        var handle: OpaquePointer?
        var quality = ocv_image_quality()
        try check(ocv_image_reference_create(luma, &handle, &quality), "learn a picture")
        (width, height) = (Int(luma.width), Int(luma.height))
        guard let handle else { throw Self.refusal(quality, width, height) }
        self.handle = handle
    }

    deinit { ocv_image_reference_destroy(handle) }

    /// Reads and learns a picture file, upright.
    static func read(_ path: String) throws -> ReferenceImage {
        let reader = try SourceReader(path: path)
        guard let frame = try reader.next() else {
            throw MediaError("decode", path: path, reason: "it holds no picture")
        }
        return try frame.withLuma { try ReferenceImage(ocv_plane($0)) }
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
