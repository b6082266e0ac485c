internal import CVision

/// What a code looked like where it was read, by which it is followed: where the picture shows the same, it says the same.
///
/// `@unchecked Sendable`: what the shim has of it doesn't change.
final class BarcodeLook: @unchecked Sendable {
    private let handle: OpaquePointer

    /// The greatest difference of a piece from the look, a tenth of the code each way, where nothing has changed: a piece in which a
    /// module has turned from dark to light, or that something covers, differs by more, and so does one that is much more blurred.
    /// Of 235 rendered codes of 2 to 4 pixels a module, blurred by up to half of one, with noise, none differed from itself by more
    /// than 0.50, and none from one that says another character by less than 0.83.
    private static let mostDifferent = 0.5

    /// nil where the code is too small or too faint, or too near to the picture's edge.
    init?(of code: FoundBarcode, in frame: VideoFrame) {
        guard code.polygon.count == 4, Homography.isConvex(code.polygon) else { return nil }
        var handle: OpaquePointer?
        let isRow = code.symbology.bit & BarcodeSymbology.rowsOfBars != 0 && !code.symbology.isStacked
        let corners = code.polygon.map(\.ocv)
        let status = frame.withLuma { ocv_code_look_create(ocv_plane($0), corners, isRow, &handle) }
        guard status.code == 0, let handle else { return nil }
        self.handle = handle
    }

    deinit { ocv_code_look_destroy(handle) }

    /// Where it is seen now; nil where nothing looks like it, or another picture is in its place.
    /// - Parameter expected: Corners where it is supposed to be.
    func place(from expected: [Point], in frame: VideoFrame) -> [Point]? {
        guard expected.count == 4, Homography.isConvex(expected) else { return nil }
        var corners = expected.map(\.ocv)
        var difference = 0.0
        let status = frame.withLuma { ocv_code_look_find(handle, ocv_plane($0), &corners, &difference) }
        guard status.code == 0, difference <= Self.mostDifferent else { return nil }
        let place = corners.map { Point($0) }
        return Homography.isConvex(place) ? place : nil
    }
}
