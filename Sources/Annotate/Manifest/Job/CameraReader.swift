/// The camera files that a manifest names, each read once.
final class CameraFiles {
    fileprivate var known: [String: CameraDeclaration?] = [:]
}

/// Reads a job's `camera`: an object in place, or the path of a file with one.
struct CameraReader {
    let paths: ManifestPaths
    let files: CameraFiles
    let log: ProblemLog

    /// Reads a camera.
    /// - Returns: nil where there are problems; they are in `log`, those of a camera file with their place in that
    ///   file.
    func read(_ node: JSONNode, path: [PathComponent]) -> CameraDeclaration? {
        guard let written = node.string else { return declaration(node, path: path, in: log) }
        guard !written.isEmpty else { return nil }
        let file = paths.resolve(written)
        if let complaint = paths.complaint(file, written: written) {
            log.add(complaint, at: node, path: path)
            return nil
        }
        guard Files.exists(file) else {
            log.add(
                "no file “\(written)”; expected a camera file, as calibrate writes it"
                    + log.suggestion(near: file), at: node, path: path)
            return nil
        }
        // What is wrong with it has been told.
        if let camera = files.known[file] { return camera }
        var validator = ShapeValidator(file: file)
        defer { log.add(validator.log.problems) }
        do {
            let camera = try JSONParser.parse(try paths.read(file))
            validator.validate(camera, against: .object(CameraShape.camera))
            let declared = declaration(camera, path: [], in: validator.log)
            files.known[file] = .some(declared)
            return declared
        } catch let error as JSONSyntaxError {
            files.known[file] = .some(nil)
            validator.log.add(error.message, at: error.position, path: [])
        } catch {
            let reason = (error as? FileError)?.reason ?? "\(error)"
            log.add("“\(written)” can't be read: \(reason); expected a camera file", at: node, path: path)
        }
        return nil
    }

    /// Makes a camera of what has the right shape, which may still not go together.
    private func declaration(
        _ node: JSONNode, path: [PathComponent], in log: ProblemLog
    ) -> CameraDeclaration? {
        guard node.members != nil else { return nil }
        let before = log.problems.count
        func complain(_ key: String, _ message: String) {
            log.add(message, at: node[key] ?? node, path: node[key] == nil ? path : path + [.key(key)])
        }
        let kinds = ["focalLength", "matrix", "fieldOfView"].filter { node[$0] != nil }
        if kinds.count != 1 {
            let found =
                kinds.isEmpty ? "a camera without a focal length" : kinds.map { "“\($0)”" }.joined(separator: ", ")
            complain(
                kinds.last ?? "", "\(found); expected exactly one of “focalLength”, “matrix” and “fieldOfView”")
            return nil
        }
        if node["principalPoint"] != nil, let kind = kinds.first, kind != "focalLength" {
            complain("principalPoint", "“principalPoint” beside “\(kind)”; expected it beside “focalLength” alone")
        }
        let distortion = node["distortion"]?.elements?.compactMap(\.number) ?? []
        if ![0, 4, 5, 8].contains(distortion.count), (4...8).contains(distortion.count) {
            complain(
                "distortion", "\(distortion.count) distortion coefficients; expected 4, 5 or 8, in OpenCV's order")
        }
        if let degrees = node["fieldOfView"]?.number {
            return log.problems.count == before ? .fieldOfView(degrees, distortion: distortion) : nil
        }
        let size = node["size"]?.elements?.compactMap(\.integer) ?? []
        if node["size"] == nil {
            log.add(
                "“size” is missing; expected the [width, height] of the pictures that the focal length is for",
                at: node, path: path)
        }
        guard size.count == 2, size.allSatisfy({ $0 > 0 }) else { return nil }
        var focal = node["focalLength"]?.elements?.compactMap(\.number) ?? []
        var center = node["principalPoint"]?.elements?.compactMap(\.number) ?? size.map { Double($0 - 1) / 2 }
        let rows = node["matrix"]?.elements?.map { $0.elements?.compactMap(\.number) ?? [] } ?? []
        if rows.count == 3, rows.allSatisfy({ $0.count == 3 }) {
            (focal, center) = ([rows[0][0], rows[1][1]], [rows[0][2], rows[1][2]])
            let rest = [rows[0][1], rows[1][0], rows[2][0], rows[2][1], rows[2][2] - 1]
            if !rest.allSatisfy({ abs($0) < 1e-6 }) || focal.contains(where: { $0 <= 0 }) {
                complain(
                    "matrix", "no camera matrix; expected rows [fx, 0, cx], [0, fy, cy], [0, 0, 1] with fx, fy over 0")
            }
        }
        guard focal.count == 2, center.count == 2 else { return nil }
        if !(0...Double(size[0])).contains(center[0]) || !(0...Double(size[1])).contains(center[1]) {
            complain(
                node["matrix"] == nil ? "principalPoint" : "matrix",
                "the principal point \(plain(center[0])), \(plain(center[1])) lies outside of the "
                    + "\(size[0])×\(size[1]) pixels; expected it inside")
        }
        guard log.problems.count == before else { return nil }
        return .intrinsics(
            CameraIntrinsics(
                width: size[0], height: size[1], focalLength: Point(focal[0], focal[1]),
                principalPoint: Point(center[0], center[1]), distortion: distortion))
    }
}
