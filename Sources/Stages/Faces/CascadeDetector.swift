internal import Annotate
internal import CVision

/// Frontal faces by a cascade of boosted classifiers on luma (Viola and Jones 2001), OpenCV's.
///
/// The confidence is n ÷ (n + 5), where n windows of about one place and size passed the cascade: faces that look at the
/// camera have some 10 to 80 windows, what is no face seldom over 6. The sums of the cascade's last stage, which OpenCV
/// gives as well, tell the two apart far worse. So 0.6 takes 8 windows, and 0.3, for a face that is tracked, the 3 that
/// are the least that counts.
final class CascadeDetector: FaceDetector {
    private let cascades: ResourcePool<Cascade>
    private let longestSide: Int
    let details: [JSONMember]

    /// Where Debian's packages and OpenCV's own installation put their data.
    private static let folders = ["/usr/share/opencv4", "/usr/local/share/opencv4"]

    /// The cascade that comes with OpenCV; nil where it isn't installed.
    static func installed() -> String? {
        folders.map { $0 + "/haarcascades/haarcascade_frontalface_default.xml" }.first(where: Files.exists)
    }

    /// - Parameter longestSide: of the picture that is searched, pixels.
    /// - Throws: `VisionError` for a file that is no cascade.
    init(path: String, longestSide: Int) throws {
        // Made once here so that what can't be read is known before the first frame.
        let stages = try Cascade(path: path).stages
        self.longestSide = longestSide
        cascades = ResourcePool { try Cascade(path: path) }
        details = [
            JSONMember(
                key: "cascade",
                value: JSONNode(
                    .members([
                        "name": .string(Files.name(of: path)), "sha256": .string(try SHA256.hash(file: path)),
                        "stages": .integer(stages),
                    ])))
        ]
    }

    func detect(_ frame: VideoFrame, minimumConfidence: Double, minimumSize: Double) throws -> [FoundFace] {
        let found = try cascades.withResource { cascade in
            try frame.withLuma { luma in
                try cascade.detect(ocv_plane(luma), longestSide: longestSide, minimumSize: minimumSize)
            }
        }
        let faces = found.map { FoundFace(box: Box($0.box), confidence: Self.confidence($0)) }
            .filter { $0.confidence >= minimumConfidence && min($0.box.width, $0.box.height) >= minimumSize }
        return FaceSuppression.surest(faces)
    }

    private static func confidence(_ face: ocv_cascade_face) -> Double {
        Double(face.windows) / (Double(face.windows) + 5)
    }

    /// The shim's cascade with its scratch memory, for one thread at a time.
    private final class Cascade {
        private let handle: OpaquePointer
        private var room = [ocv_cascade_face](repeating: ocv_cascade_face(), count: 64)

        init(path: String) throws {
            var handle: OpaquePointer?
            try check(ocv_cascade_open(path, &handle), "read a face cascade")
            guard let handle else { throw VisionError(operation: "read a face cascade", reason: "no memory") }
            self.handle = handle
        }

        deinit { ocv_cascade_close(handle) }

        var stages: Int { Int(ocv_cascade_stages(handle)) }

        func detect(_ luma: ocv_plane, longestSide: Int, minimumSize: Double) throws -> [ocv_cascade_face] {
            while true {
                var count: Int32 = 0
                try check(
                    ocv_cascade_detect(
                        handle, luma, Int32(longestSide), minimumSize, &room, Int32(room.count), &count),
                    "look for faces")
                if count <= room.count { return Array(room[..<Int(count)]) }
                room = [ocv_cascade_face](repeating: ocv_cascade_face(), count: Int(count))
            }
        }
    }
}
