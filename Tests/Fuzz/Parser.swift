internal import Glibc
internal import Synth

@testable internal import Annotate
@testable internal import Imports
@testable internal import Pages
@testable internal import Recognition
@testable internal import Results
@testable internal import Stages

/// What reads files of people, and what other processes say.
enum Parser: String, CaseIterable {
    case manifest, tracks, report, remarks, seeds, drawing, model, dictionary, camera, scene, messages
    case mot, coco, csv, trackImport = "import-tracks"
    case yolo, cvat, labelStudio = "label-studio", voc, deeplabcut

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
        case .tracks: TrackFileParser(path).check()
        case .report: checkReport(folder)
        case .remarks: _ = try? Remarks(path: path)
        case .seeds: _ = try? SeedFile(path: path)
        case .drawing: _ = try? DrawingFile(path: path)
        // What a model says and what its materials say are other words: one text may be both.
        case .model: _ = try? OBJReader.read(bytes, up: .y) { _ in bytes }
        case .dictionary: _ = try? MarkerDictionary(path: path).count
        case .camera:
            let reader = CameraReader(
                paths: ManifestPaths(directory: folder), files: CameraFiles(), log: ProblemLog(file: "manifest"))
            let camera = reader.read(JSONNode(.string("input")), path: [])
            _ = try? camera?.intrinsics(width: 640, height: 480)
        case .scene: _ = try? SceneReader.read(path)
        case .messages: checkMessages(bytes)
        case .mot: checkImport(.mot, path)
        case .coco: checkImport(.coco, path)
        case .csv: checkImport(.csv, path)
        case .trackImport: checkImport(.tracks, path)
        case .yolo: checkImport(.yolo, path)
        case .cvat: checkImport(.cvat, path)
        case .labelStudio: checkImport(.labelStudio, path)
        case .voc: checkImport(.voc, path)
        case .deeplabcut: checkImport(.deeplabcut, path)
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

    /// What a report names lies in the folders; one that is merged says the same the next time.
    private func checkReport(_ folder: String) {
        let places = OutputPlaces(folder, tracks: folder + "/tracks")
        for (id, outcome) in Report.read(places) {
            for place in outcome.files where !places.has(place, of: id) { fatalError("\(place) is no file of \(id)") }
            _ = JUnit(folder).xml
        }
        _ = Report.read(directory: folder)
        _ = Report.broken(in: folder)
        _ = Verifier.failures(directory: folder)
        let path = folder + "/" + Manifest.reportName
        guard let once = try? ReportMerge.merge([path], for: folder, generator: "fuzz").text else { return }
        write(Array(once.utf8), to: path)
        guard let again = try? ReportMerge.merge([path], for: folder, generator: "fuzz").text else {
            fatalError("no report: \(once)")
        }
        guard once == again else { fatalError("not the same: \(once) and \(again)") }
    }

    /// A worker that went astray says anything.
    private func checkMessages(_ bytes: [UInt8]) {
        guard let node = try? JSONParser.parse(bytes) else { return }
        var order = JobOrder()
        (order.id, order.results) = ("j", ["j.mp4", "j.tracks.jsonl"])
        let places = OutputPlaces("out")
        if case .whole(_, let files) = JobReply(node).end(of: order, in: places) {
            for file in files where Files.parent(of: file.temporary) != "out" { fatalError("\(file.temporary)") }
        }
        _ = PlanReply(node)
        _ = WorkerSettings(node)
        _ = WorkerRequest(node)
        _ = JobOrder(node)
        _ = JobTask(node)
    }

    private func checkImport(_ format: ImportFormat, _ path: String) {
        for by in ImportKey.allCases {
            let request = ImportRequest(
                format: format, path: path, by: by, firstFrame: 0, classes: ["person", "car"], stages: [], video: nil)
            guard let all = try? request.read() else { continue }
            _ = all.rows(in: Int64.min...Int64.max)
            _ = all.rows(in: 0...0)
            _ = all.count(after: 0)
            _ = all.outside(PictureSize(width: 640, height: 480))
        }
    }

    private func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "w") else { fatalError("can't write \(path)") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
