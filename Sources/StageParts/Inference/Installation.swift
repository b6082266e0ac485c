internal import COpenVINO

/// The installation: which of the libraries and networks that stages need are there.
public enum Installation {
    /// Files of the program's own networks, by folder.
    private static let networks = [
        ("text", ["detection.onnx", "recognition.onnx", "direction.onnx"], "text"),
        ("faces", ["full-range.tflite", "full-range-sparse.tflite", "short-range.tflite", "mesh.tflite"], "faces"),
        ("people", ["ssdlite.pb"], "detect"),
    ]

    /// Looks for them.
    /// - Returns: For each part whether it is there, and a sentence about it.
    public static func look() -> [(part: String, holds: Bool, sentence: String)] {
        [inference] + networks.map(look)
    }

    private static var inference: (part: String, holds: Bool, sentence: String) {
        do {
            _ = try InferenceRuntime.open()
            return ("networks", true, "OpenVINO in \(BundledFiles.openVINO)")
        } catch {
            return (
                "networks", false,
                "no classify, detect, faces without OpenCV's, text by networks, alter by models: \(error)"
            )
        }
    }

    private static func look(
        _ folder: String, _ files: [String], _ stage: String
    ) -> (part: String, holds: Bool, sentence: String) {
        do {
            let paths = try files.map { try BundledFiles.network(folder, $0) }
            return ("networks", true, "\(stage): \(paths.count) networks in \(Files.parent(of: paths[0]))")
        } catch {
            return ("networks", false, "\(stage): \(error)")
        }
    }
}
