import Annotate
import Synth

/// What a command writes, as an earlier one is known by its contents.
enum OutputKind {
    case junit, page, report, manifest, camera, picture, video
    /// A file of dependencies, for make.
    case dependencies
    /// Markers as SVG, or as PDF by its name's ending.
    case sheet
    /// A clip that `synth` rendered, which has its truth beside it.
    case clip
    /// The truth of such a clip.
    case truth
    /// Of a format, by its name.
    case export(String)

    /// What it is, behind “no”.
    var words: String {
        switch self {
        case .junit: "JUnit report"
        case .page: "HTML page"
        case .report: "report of a run"
        case .manifest: "manifest"
        case .camera: "camera file"
        case .picture: "picture"
        case .video: "video"
        case .dependencies: "file of dependencies"
        case .sheet: "sheet of markers"
        case .clip: "clip that synth rendered"
        case .truth: "truth of a rendered clip"
        case .export(let format): "export as \(format)"
        }
    }

    /// What of a file is looked at, bytes: the first line of a table may be long, and so may a rule of make's.
    private static let headLength = 1 << 16
    /// Where a word has to be that says what a file is, bytes from its beginning.
    private static let wordsWithin = 4096
    /// The most bytes of a camera file.
    private static let largestCamera: Int64 = 1 << 20
    /// The most bytes of a manifest.
    private static let largestManifest: Int64 = 1 << 28

    /// Why a file that is there isn't written over, and what to do about that.
    func refusal(of path: String) -> String {
        let found = FileKind(path: path)
        let truth = ClipRenderer.truthPath(of: path)
        if case .clip = self, found == .video, !Files.exists(truth) {
            return "a video without \(truth.inOneLine), the truth by which a clip that synth rendered is known; "
                + "remove the video if it may go, or name another file."
        }
        return "a file that is no \(words), but \(found?.words ?? "one that can't be read"); "
            + "name another file, or move that away."
    }

    /// Whether a file is an earlier one of this kind, or empty.
    func mayReplace(_ path: String) -> Bool {
        if Files.status(path)?.size == 0 { return true }
        // What can't be read may be anything.
        guard let kind = FileKind(path: path), let head = try? Files.read(path, from: 0, count: Self.headLength) else {
            return false
        }
        let start = String(decoding: head.prefix(Self.wordsWithin), as: UTF8.self)
        return switch self {
        case .junit: kind == .text && start.contains("<testsuite")
        case .page: kind == .text && ["<!doctype html", "<html"].contains { start.lowercased().contains($0) }
        case .report: kind == .report
        case .manifest: [.json, .text].contains(kind) && Self.isManifest(path, start)
        case .camera: kind == .json && Self.isCamera(path)
        case .picture: kind == .picture
        case .video: kind == .video
        // A name that a brace begins is taken for JSON.
        case .dependencies:
            [.text, .json].contains(kind) && DependencyFile.isOne(beginning: String(decoding: head, as: UTF8.self))
        case .sheet: path.hasSuffix(".pdf") ? kind == .pdf : kind == .text && start.contains("<svg")
        case .clip: kind == .video && OutputKind.truth.mayReplace(ClipRenderer.truthPath(of: path))
        case .truth: kind == .trackFile && start.contains("\"type\":\"\(SceneRenderer.truthType)\"")
        case .export("tracks"): kind == .trackFile && !Self.isResult(path)
        case .export("mot"): kind == .text && Self.isMOT(head)
        case .export(let format): Self.isExport(format, kind, start)
        }
    }

    private static func isCamera(_ path: String) -> Bool {
        // One that is no JSON as a whole is none.
        guard let size = Files.status(path)?.size, size <= largestCamera, let bytes = try? Files.read(path),
            let node = try? JSONParser.parse(bytes)
        else { return false }
        return ["focalLength", "matrix", "fieldOfView"].contains { node[$0] != nil }
    }

    /// Whether it is a manifest, or was one: who says --force may have made an edit by which it is no JSON any more.
    private static func isManifest(_ path: String, _ start: String) -> Bool {
        guard let size = Files.status(path)?.size, size <= largestManifest, let bytes = try? Files.read(path) else {
            return false
        }
        guard let node = try? JSONParser.parse(bytes) else {
            // Graphs stand before the jobs, which may begin further on.
            return start.contains("\"version\"") && ["\"jobs\"", "\"graphs\""].contains { start.contains($0) }
        }
        // Reports and decisions have a version, too, and say which format they are of.
        return node["version"]?.integer != nil && node["jobs"]?.elements != nil && node["format"] == nil
    }

    /// Whether a report beside it names it as what a job wrote.
    private static func isResult(_ path: String) -> Bool {
        let name = Files.name(of: path)
        return Report.places(directory: Files.parent(of: path)).values.contains { outcome in
            outcome.outputs.contains { $0.file == name }
        }
    }

    /// Whether all lines are such as the sink writes: ten numbers, the last three always the same. Those of detections
    /// that MOTChallenge hands out have ten, too.
    private static func isMOT(_ head: [UInt8]) -> Bool {
        var lines = head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The last one is cut off, or there is nothing behind the end of the one before.
        let rest = lines.removeLast()
        guard !lines.isEmpty, rest.isEmpty || head.count == headLength else { return false }
        return lines.allSatisfy { line in
            let cells = String(decoding: line, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
            return cells.count == 10 && cells.allSatisfy { Double($0) != nil }
                && cells.suffix(3).elementsEqual(["1", "-1", "-1"])
        }
    }

    private static func isExport(_ format: String, _ kind: FileKind, _ start: String) -> Bool {
        switch format {
        // All tables begin so, whatever kinds of things are in them; what is in a row may be taken for binary.
        case "csv": start.hasPrefix("clip,frame,pts,time,stage,kind,")
        case "parquet": kind == .binary && start.hasPrefix("PAR1")
        // Its first line looks like JSON.
        case "ass": start.hasPrefix("[Script Info]\nScriptType: v4.00+\nPlayResX: ")
        // Without a cue, or with cues of JSON: anybody's subtitles begin with the same word.
        case "vtt":
            kind == .text
                && (start == "WEBVTT\n" || start.hasPrefix("WEBVTT\n\n") && start.contains("\n{\"frame\":"))
        // What CVAT itself writes, which may be somebody's work, has an id before the name.
        case "cvat", "cvat-images":
            kind == .text && start.contains("<annotations>\n") && start.contains("    <task>\n      <name>")
        case "coco":
            kind == .json && start.hasPrefix("{\"info\":{\"description\":") && start.contains("\"contributor\":")
        case "label-studio", "label-studio-images":
            kind == .json && ["{\"data\":", "[\n{\"data\":", "[\n]"].contains { start.hasPrefix($0) }
        // A program's own: whatever is none of this one's files.
        default:
            [.text, .json, .binary].contains(kind) && !["\"graphs\"", "\"jobs\""].contains { start.contains($0) }
        }
    }
}
