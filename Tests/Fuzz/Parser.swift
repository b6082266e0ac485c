internal import Glibc
internal import Synth

@testable internal import Annotate
@testable internal import Stages

/// What reads files of people.
enum Parser: String, CaseIterable {
    case manifest, tracks, report, model, dictionary, camera, scene

    /// Reads one input. What is wrong with it is an error that nobody needs; a trap, a hang or what doesn't come back as it
    /// was written is a finding.
    /// - Parameter folder: Ends up with the input under a name of its own, and holds what a manifest may name.
    func read(_ bytes: [UInt8], in folder: String) {
        let path = folder + "/" + (self == .report ? Manifest.reportName : "input")
        if self != .model { write(bytes, to: path) }
        switch self {
        case .manifest:
            checkJSON(bytes)
            _ = try? ManifestReader(catalog: .standard, root: folder).read(path)
        case .tracks: checkTracks(path)
        case .report: _ = Report.read(directory: folder)
        // What a model says and what its materials say are other words: one text may be both.
        case .model: _ = try? OBJReader.read(bytes, up: .y) { _ in bytes }
        case .dictionary: _ = try? MarkerDictionary(path: path).count
        case .camera:
            var reader = CameraReader(
                paths: ManifestPaths(directory: folder), files: CameraFiles(), log: ProblemLog(file: "manifest"))
            let camera = reader.read(JSONNode(.string("input")), path: [])
            _ = try? camera?.intrinsics(width: 640, height: 480)
        case .scene: _ = try? SceneReader.read(path)
        }
    }

    /// A value that was written is read again as the same.
    private func checkJSON(_ bytes: [UInt8]) {
        guard let value = try? JSONParser.parse(bytes).value else { return }
        var (once, again) = (JSONWriter(), JSONWriter())
        once.value(value)
        guard let copy = try? JSONParser.parse(once.bytes).value else { fatalError("no JSON: \(once.text)") }
        again.value(copy)
        guard once.bytes == again.bytes else { fatalError("not the same: \(once.text) and \(again.text)") }
    }

    /// A track file that is read and written is whole, and the next time nothing in it changes.
    private func checkTracks(_ path: String) {
        let kinds = StageCatalog.standard.findings
        guard let tracks = TrackFileExport(format: TracksSink.format.name, kinds: kinds) else {
            fatalError("no such format")
        }
        let (once, again) = (path + ".once", path + ".again")
        do {
            try tracks.run(path, to: once)
        } catch {
            // The lines behind one that doesn't fit are read too.
            guard let reader = try? SidecarReader(path: path, kinds: kinds) else { return }
            for _ in 0..<100 where (try? reader.next()) == .some(nil) { return }
            return
        }
        do {
            try tracks.run(once, to: again)
            for format in Sinks.formats {
                try TrackFileExport(format: format.name, kinds: kinds)?.run(once, to: path + format.suffix)
            }
            guard try Files.read(once) == Files.read(again) else { fatalError("not the same when written again") }
        } catch {
            fatalError("what was written can't be read: \(error)")
        }
    }

    private func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "w") else { fatalError("can't write \(path)") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
