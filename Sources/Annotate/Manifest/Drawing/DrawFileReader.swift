/// Reads the files that a stage's `draw` names: a picture, and a model with its materials.
struct DrawFileReader {
    let paths: ManifestPaths
    let log: ProblemLog

    /// The files' contents.
    struct Contents {
        var image: PictureTexture?
        var model: SpaceModel?
        var hashes: [String] = []
        /// Further files that the named ones lead to: paths that can be opened.
        var others: [String] = []
    }

    func read(_ draw: JSONNode, path: [PathComponent]) -> Contents {
        var contents = Contents()
        guard draw.members != nil else { return contents }
        for (key, owner) in [
            ("imageSize", "image"), ("imageScale", "image"), ("modelSize", "model"), ("modelUp", "model"),
            // Who says how it is covered means that it is.
            ("coverColor", "cover"), ("coverShape", "cover"), ("coverGap", "cover"),
        ]
        where draw[owner] == nil {
            guard let node = draw[key] else { continue }
            log.add(
                "“\(key)” without “\(owner)”; expected “\(owner)” beside it"
                    + (owner == "cover" ? "" : ", the path of a file"), at: node,
                path: path + [.key(key)])
        }
        load("image", of: draw, path: path, expected: "a picture") { _, file in
            contents.image = try PictureTexture(file: file)
            contents.hashes.append(try SHA256.hash(file: file))
        }
        let up = DrawStyle().with(draw)?.modelUp ?? .y
        load("model", of: draw, path: path, expected: "a Wavefront OBJ file") { reader, file in
            let model = try OBJReader.read(try reader.bytes(of: file), up: up) { name in
                let materials = try reader.materials(name, of: file)
                contents.others.append(materials.file)
                return materials.bytes
            }
            contents.model = model
            contents.hashes += model.hashes
        }
        return contents
    }

    private func load(
        _ key: String, of draw: JSONNode, path: [PathComponent], expected: String,
        _ body: (DrawFileReader, String) throws -> Void
    ) {
        guard let node = draw[key], let written = node.string, !written.isEmpty else { return }
        let place = path + [.key(key)]
        guard let file = usable(written, at: node, path: place, expected: expected) else { return }
        do {
            try body(self, file)
        } catch {
            let reason = (error as? FileError)?.reason ?? "\(error)"
            let hint = key == "image" ? "; expected a picture" : ""
            log.add("“\(written)” can't be used: \(reason)\(hint)", at: node, path: place)
        }
    }

    /// A path as one that can be opened; nil where there is something to complain of.
    private func usable(
        _ written: String, at node: JSONNode, path: [PathComponent], expected: String
    ) -> String? {
        let file = paths.resolve(written)
        if let complaint = paths.complaint(file, written: written) {
            log.add(complaint, at: node, path: path)
            return nil
        }
        guard Files.exists(file), !Files.isDirectory(file) else {
            log.add(
                "no file “\(written)”; expected \(expected)\(log.suggestion(near: file))", at: node,
                path: path)
            return nil
        }
        return file
    }

    private func bytes(of file: String) throws -> [UInt8] {
        // Before it is read: a file may be larger than the memory.
        if let size = Files.status(file)?.size, size > Int64(OBJReader.mostBytes) {
            throw ModelError("it has \(size >> 20) MiB; expected \(OBJReader.mostBytes >> 20) at the most")
        }
        return try Files.read(file)
    }

    /// A material file lies beside its model or below, wherever jobs run.
    private func materials(_ name: String, of model: String) throws -> (file: String, bytes: [UInt8]) {
        let file = name.hasPrefix("/") ? name : Files.parent(of: model) + "/" + name
        guard ModelParts.mayInclude(file, of: model) else {
            throw ModelError(
                "its material file “\(name)” is no .mtl file in the model's own folder or below; expected it there, or no "
                    + "“mtllib”")
        }
        if let complaint = paths.complaint(file, written: name) { throw ModelError(complaint) }
        guard Files.exists(file), !Files.isDirectory(file) else {
            throw ModelError("no material file “\(name)”; expected it beside the model, or no “mtllib”")
        }
        return (file, try bytes(of: file))
    }
}
