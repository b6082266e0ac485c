/// Reads the files that a stage's `draw` names: a picture, and a model with its materials.
struct DrawFileReader {
    let paths: ManifestPaths
    var log: ProblemLog

    mutating func read(_ draw: JSONNode, path: [PathComponent], into style: inout DrawStyle?) {
        guard draw.members != nil else { return }
        for (key, owner) in [
            ("imageSize", "image"), ("imageScale", "image"), ("modelSize", "model"), ("modelUp", "model"),
        ]
        where draw[owner] == nil {
            guard let node = draw[key] else { continue }
            log.add(
                "“\(key)” without “\(owner)”; expected “\(owner)” beside it, the path of a file", at: node,
                path: path + [.key(key)])
        }
        readImage(draw, path: path, into: &style)
        readModel(draw, path: path, into: &style)
    }

    private mutating func readImage(_ draw: JSONNode, path: [PathComponent], into style: inout DrawStyle?) {
        guard let node = draw["image"], let written = node.string, !written.isEmpty else { return }
        let place = path + [.key("image")]
        guard let file = usable(written, at: node, path: place, expected: "a picture") else { return }
        do {
            let texture = try PictureTexture(file: file)
            style?.image = texture
            style?.hashes.append(try SHA256.hash(file: file))
            style?.outline = draw["outline"]?.bool ?? false
            style?.firstCorner = draw["firstCorner"]?.bool ?? false
            style?.imageScale = draw["imageScale"]?.number ?? 1
            if let width = draw["imageSize"]?.number {
                style?.imageSize = [width, width * Double(texture.height) / Double(texture.width)]
            } else if let sides = draw["imageSize"]?.elements?.compactMap(\.number), sides.count == 2 {
                style?.imageSize = [sides[0], sides[1]]
            }
        } catch let error as FileError {
            log.add("“\(written)” can't be used: \(error.reason); expected a picture", at: node, path: place)
        } catch {
            log.add("“\(written)” can't be used: \(error); expected a picture", at: node, path: place)
        }
    }

    private mutating func readModel(_ draw: JSONNode, path: [PathComponent], into style: inout DrawStyle?) {
        guard let node = draw["model"], let written = node.string, !written.isEmpty else { return }
        let place = path + [.key("model")]
        guard let file = usable(written, at: node, path: place, expected: "a Wavefront OBJ file") else { return }
        let up = draw["modelUp"]?.string.flatMap(ModelUp.init(rawValue:)) ?? .y
        do {
            let reader = self
            let model = try OBJReader.read(try contents(file), up: up) { try reader.materials($0, of: file) }
            style?.model = model
            style?.modelSize = draw["modelSize"]?.number
            style?.hashes += model.hashes
        } catch let error as FileError {
            log.add("“\(written)” can't be used: \(error.reason)", at: node, path: place)
        } catch {
            log.add("“\(written)” can't be used: \(error)", at: node, path: place)
        }
    }

    /// The path that can be opened; nil where there is something to complain of.
    private mutating func usable(
        _ written: String, at node: JSONNode, path: [PathComponent], expected: String
    ) -> String? {
        let file = paths.resolve(written)
        if let complaint = paths.complaint(file, written: written) {
            log.add(complaint, at: node, path: path)
            return nil
        }
        guard Files.exists(file), !Files.isDirectory(file) else {
            // Only for a suggestion: a folder that can't be listed suggests nothing, and the file is missing all the same.
            let near = (try? Files.list(Files.parent(of: file))) ?? []
            log.add(
                "no file “\(written)”; expected \(expected)\(suggestion(Files.name(of: file), near))", at: node,
                path: path)
            return nil
        }
        return file
    }

    private func contents(_ file: String) throws -> [UInt8] {
        // Before it is read: a file may be larger than the memory.
        if let size = Files.status(file)?.size, size > Int64(OBJReader.mostBytes) {
            throw ModelError("it has \(size >> 20) MiB; expected \(OBJReader.mostBytes >> 20) at the most")
        }
        return try Files.read(file)
    }

    /// A material file lies beside its model, or where the model says from there.
    private func materials(_ name: String, of model: String) throws -> [UInt8] {
        let file = name.hasPrefix("/") ? name : Files.parent(of: model) + "/" + name
        if let complaint = paths.complaint(file, written: name) { throw ModelError(complaint) }
        guard Files.exists(file), !Files.isDirectory(file) else {
            throw ModelError("no material file “\(name)”; expected it beside the model, or no “mtllib”")
        }
        return try contents(file)
    }
}
