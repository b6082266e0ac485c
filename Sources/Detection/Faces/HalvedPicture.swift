internal import CVision

/// A picture's planes at half size, quarter size and so on: averaging by halves first is many times cheaper than
/// averaging where the small picture is sampled.
struct HalvedPicture {
    private struct Plane {
        var width: Int
        var height: Int
        var pixels: [UInt8]
    }

    private var planes: [Plane] = []
    private var picture: ocv_picture
    /// Pixels of the full picture for each of this one, along a side.
    private(set) var factor = 1

    /// Halves until the next time would make either side smaller than asked for.
    /// - Parameter view: its planes are read here only.
    init(_ view: PictureView, noSmallerThan size: (width: Int, height: Int)) throws {
        picture = ocv_picture(view)
        guard let luma = view.planes.first else { return }
        while luma.width / factor / 2 >= size.width, luma.height / factor / 2 >= size.height,
            view.planes.allSatisfy({ $0.width / factor / 2 > 0 && $0.height / factor / 2 > 0 })
        {
            planes = try view.planes.indices.map { index in
                guard factor > 1 else { return try Self.half(ocv_plane(view.planes[index])) }
                return try Self.withPlane(planes[index], Self.half)
            }
            factor *= 2
        }
    }

    /// Pixels of the full picture that are in this one: of an odd side the last is left out.
    func covered(_ side: Int) -> Int { side / factor * factor }

    /// The picture as the shim takes it, valid inside the call; the full one where nothing was halved.
    func withPicture(_ body: (ocv_picture) throws -> Void) throws {
        try add(0, to: picture, body)
    }

    private func add(_ index: Int, to picture: ocv_picture, _ body: (ocv_picture) throws -> Void) throws {
        guard index < planes.count else { return try body(picture) }
        try Self.withPlane(planes[index]) { plane in
            var picture = picture
            withUnsafeMutableBytes(of: &picture.planes) { $0.bindMemory(to: ocv_plane.self)[index] = plane }
            try add(index + 1, to: picture, body)
        }
    }

    private static func withPlane<Result>(_ plane: Plane, _ body: (ocv_plane) throws -> Result) rethrows -> Result {
        try plane.pixels.withUnsafeBufferPointer {
            try body(
                ocv_plane(
                    data: $0.baseAddress, width: Int32(plane.width), height: Int32(plane.height),
                    stride: Int64(plane.width)))
        }
    }

    private static func half(_ plane: ocv_plane) throws -> Plane {
        let (width, height) = (Int(plane.width) / 2, Int(plane.height) / 2)
        var pixels = [UInt8](repeating: 0, count: width * height)
        try check(ocv_half_size(plane, &pixels, Int64(width)), "halve the picture")
        return Plane(width: width, height: height, pixels: pixels)
    }
}
