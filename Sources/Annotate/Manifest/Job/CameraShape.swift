/// The shape of a camera file, and of a job's `camera` in place.
package enum CameraShape {
    private static let pair = Bounds(0, 1e6, excludesMinimum: true)

    /// The shape: size with focalLength or matrix, or a fieldOfView.
    package static let camera = ObjectShape(
        doc: "A camera: size with focalLength or matrix, or a fieldOfView.", name: "camera",
        properties: [
            Property("$schema", .string(), doc: "Not read."),
            Property(
                "size", .array(of: .integer(1...65535), count: 2...2), unit: "px",
                doc: "[width, height] of the pictures, upright, that the rest is for; scaled to the video's."),
            Property(
                "focalLength", .array(of: .number(pair), count: 2...2), unit: "px", doc: "[x, y]."),
            Property(
                "principalPoint", .array(of: .number(Bounds(-1e6, 1e6)), count: 2...2), unit: "px",
                doc: "[x, y]; integer coordinates are pixel centres. Default: the middle."),
            Property(
                "matrix", .array(of: .array(of: .number(Bounds(-1e6, 1e6)), count: 3...3), count: 3...3), unit: "px",
                doc: "Rows [fx, 0, cx], [0, fy, cy], [0, 0, 1], instead of focalLength and principalPoint."),
            Property(
                "fieldOfView", .number(Bounds(1, 170)), unit: "°",
                doc: "From the left to the right edge, instead of focalLength; the principal point is the middle."),
            Property(
                "distortion", .array(of: .number(Bounds(-1e6, 1e6)), count: 4...8),
                doc: "k1, k2, p1, p2, k3, k4, k5, k6 as OpenCV has them: 4, 5 or 8; none when left out."),
            Property("rms", .number(Bounds(0)), unit: "px", doc: "Of the calibration; not read."),
            Property("views", .array(of: .any), doc: "Those of the calibration; not read."),
        ])
}
