/// A file that says how results are drawn, for whatever draws a saved track file.
///
/// The file holds what a manifest's stage has under `draw`, for all stages; or an object with that for stages by their
/// ids, where `false` is not at all and a stage that isn't named is drawn as by default. Paths in it start from its
/// folder.
public struct DrawingFile: Sendable {
    private let path: String
    private let root: JSONNode

    /// Reads a file's form.
    /// - Throws: `InvalidFileError` with all problems of the form; `FileError` for a file that can't be read.
    public init(path: String) throws {
        self.path = path
        if Files.isDirectory(path) {
            throw FileError("read", path: path, reason: "it is a folder; expected a JSON file that says how to draw")
        }
        do {
            root = try JSONParser.parse(try Files.read(path))
        } catch let error as JSONSyntaxError {
            throw InvalidFileError(
                problems: [Problem(file: path, position: error.position, path: [], message: error.message)])
        }
    }

    /// Styles of the kinds of a track file's stages, by the stage's id and the kind; a kind that isn't there isn't
    /// drawn.
    /// - Throws: `InvalidFileError` with all problems.
    public func styles(
        for header: TrackFileHeader, kinds: FindingCatalog
    ) throws -> [String: [String: DrawStyle]] {
        let log = ProblemLog(file: path)
        var styles: [String: [String: DrawStyle]] = [:]
        let parts = parts(of: header, log)
        for stage in header.stages {
            styles[stage.id] = self.styles(
                of: kinds.kinds(of: stage.type) ?? [], parts[stage.id], hasCamera: header.camera != nil, log)
        }
        guard log.isEmpty else { throw InvalidFileError(problems: log.sorted) }
        return styles
    }

    /// The parts of the file about each stage, and where they stand.
    private func parts(
        of header: TrackFileHeader, _ log: ProblemLog
    ) -> [String: (node: JSONNode, path: [PathComponent])] {
        guard let members = root.members else {
            log.add(
                "\(root.value.typeName); expected an object as under “draw” in a manifest, or one with such for stages by "
                    + "their ids", at: root, path: [])
            return [:]
        }
        let ids = header.stages.map(\.id)
        let names = DrawStyle.shape.properties.map(\.name)
        guard members.contains(where: { $0.value.members != nil || !names.contains($0.key) }) else {
            check(root, [], log)
            return Dictionary(ids.map { ($0, (root, [])) }, uniquingKeysWith: { $1 })
        }
        var parts: [String: (node: JSONNode, path: [PathComponent])] = [:]
        for member in members {
            let place: [PathComponent] = [.key(member.key)]
            guard ids.contains(member.key) else {
                let isOption = names.contains(member.key)
                let what =
                    isOption
                    ? "is an option of drawing, beside stages"
                    : "is no stage of the track file, and not said of drawing either"
                let expected = ids.isEmpty ? "options alone: the track file has no stages" : "one of \(list(ids))"
                log.add(
                    "“\(member.key)” \(what); expected \(expected)"
                        + (isOption ? "" : log.suggestion(member.key, ids + names)), at: member.keyPosition, path: place
                )
                continue
            }
            guard member.value.members != nil || member.value.bool != nil else {
                log.add(
                    "\(member.value.value.typeName); expected an object as under “draw” in a manifest, true or false",
                    at: member.value, path: place)
                continue
            }
            if member.value.members != nil { check(member.value, place, log) }
            parts[member.key] = (member.value, place)
        }
        return parts
    }

    private func check(_ node: JSONNode, _ place: [PathComponent], _ log: ProblemLog) {
        var validator = ShapeValidator(file: path)
        validator.validate(node, against: .object(DrawStyle.shape))
        log.add(
            validator.log.problems.map {
                Problem(file: $0.file, position: $0.position, path: place + $0.path, message: $0.message)
            })
    }

    private func styles(
        of kinds: [any Finding.Type], _ part: (node: JSONNode, path: [PathComponent])?, hasCamera: Bool,
        _ log: ProblemLog
    ) -> [String: DrawStyle] {
        guard let part else { return Dictionary(kinds.map { ($0.kind, $0.style) }, uniquingKeysWith: { $1 }) }
        let reader = DrawFileReader(paths: ManifestPaths(directory: Files.parent(of: path)), log: log)
        let files = reader.read(part.node, path: part.path)
        var styles: [String: DrawStyle] = [:]
        for kind in kinds {
            guard var style = kind.style.with(part.node) else { continue }
            (style.image, style.model, style.hashes) = (files.image, files.model, files.hashes)
            if style.needsPose, !hasCamera {
                let key =
                    style.axes ? "axes" : style.cube != nil ? "cube" : style.model != nil ? "model" : "imageSize"
                log.add(
                    "“\(key)” needs poses, and the track file has no camera; expected one of a job with a camera",
                    at: part.node[key] ?? part.node, path: part.path + [.key(key)])
            }
            styles[kind.kind] = style
        }
        return styles
    }
}
