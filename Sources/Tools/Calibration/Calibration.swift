public import Graph

/// A camera with what tells how good it is.
public struct Calibration: Sendable {
    public struct View: Sendable {
        public var file: String
        /// Ordinal of the frame in its file, from 0.
        public var frame: Int
        /// Root mean square of the reprojection error, pixels.
        public var rms: Double
        public var points: Int
    }

    public var camera: CameraIntrinsics
    /// Over all points of all views, pixels.
    public var rms: Double
    public var views: [View]
    /// The share of the picture in which points were seen, 0…1.
    public var coverage: Double

    /// A camera file, as a job's `camera` reads it.
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
