public import Graph

/// The result of a calibration: a camera, and figures that tell how good it is.
public struct Calibration: Sendable {
    /// A picture of the pattern that counted.
    public struct View: Sendable {
        /// The picture's or video's path.
        public var file: String
        /// Ordinal of the frame in its file, from 0.
        public var frame: Int
        /// Root mean square of the reprojection error, pixels.
        public var rms: Double
        /// How many points of the pattern were seen.
        public var points: Int
    }

    /// The camera that explains the views best.
    public var camera: CameraIntrinsics
    /// Root mean square of the reprojection error over all points of all views, pixels.
    public var rms: Double
    /// The views that counted.
    public var views: [View]
    /// The share of the picture in which points were seen, 0…1.
    public var coverage: Double

    /// The contents of a camera file, as a job's `camera` reads it.
    public var json: JSONValue {
        func rounded(_ value: Double, _ scale: Double) -> JSONValue { .number((value * scale).rounded() / scale) }
        let views = views.map { view in
            JSONNode(
                .members([
                    "file": .string(view.file), "frame": .integer(view.frame), "points": .integer(view.points),
                    "rms": rounded(view.rms, 1000),
                ]))
        }
        guard case .object(let members) = camera.json else { return camera.json }
        return .object(
            members + [
                JSONMember(key: "rms", value: JSONNode(rounded(rms, 1000))),
                JSONMember(key: "views", value: JSONNode(.array(views))),
            ])
    }
}
