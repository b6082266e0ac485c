/// Files that a model's file names, and that are a part of it: materials, weights. They lie in its folder or below. A model may
/// be anybody's: it has nothing else read.
enum ModelParts {
    /// Endings of a model's name, and those of its parts. Ultralytics writes `metadata.yaml` beside an OpenVINO model.
    private static let all: [(model: String, endings: [String])] = [
        (".obj", [".mtl"]), (".onnx", ["data", ".bin", ".weights", ".pb"]), (".xml", [".bin", "metadata.yaml"]),
    ]

    /// Endings that the names of a model's parts may have.
    static func endings(of model: String) -> [String] {
        let name = Files.name(of: model).lowercased()
        let endings = all.first { name.hasSuffix($0.model) }?.endings ?? []
        return endings + endings.map { $0.uppercased() }
    }

    /// Whether a file may be a part of a model, by where it lies, links followed, and how it is called.
    static func mayInclude(_ file: String, of model: String) -> Bool {
        let folder = Files.parent(of: model)
        return Files.isSpelledInside(file, folder) && Files.isInside(file, folder)
            && endings(of: model).contains(where: file.hasSuffix)
    }
}
