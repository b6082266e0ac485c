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
        case .clip: "clip with its truth beside it"
        case .truth: "truth of a rendered clip"
        case .export(let format): "export as \(format)"
        }
    }

    /// As much of a file as is looked at, bytes.
    private static let headLength = 4096
    /// The most bytes of a camera file.
    private static let largestCamera: Int64 = 1 << 20

    /// Whether a file is an earlier one of this kind, or empty.
    func mayReplace(_ path: String) -> Bool {
        if Files.status(path)?.size == 0 { return true }
        // What can't be read may be anything.
        guard let kind = FileKind(path: path), let head = try? Files.read(path, from: 0, count: Self.headLength) else {
            return false
        }
        let start = String(decoding: head, as: UTF8.self)
        return switch self {
        case .junit: kind == .text && start.contains("<testsuite")
        case .page: kind == .text && ["<!doctype html", "<html"].contains { start.lowercased().contains($0) }
        case .report: kind == .report
        // Who says --force may have begun one that is no JSON yet.
        case .manifest: kind == .json || kind == .text
        case .camera: kind == .json && Self.isCamera(path)
        case .picture: kind == .picture
        case .video: kind == .video
        case .dependencies: kind == .text
        case .sheet: path.hasSuffix(".pdf") ? kind == .pdf : kind == .text && start.contains("<svg")
        case .clip: kind == .video && OutputKind.truth.mayReplace(ClipRenderer.truthPath(of: path))
        case .truth: kind == .trackFile && start.contains("\"type\":\"\(SceneRenderer.truthType)\"")
        case .export(let format): Self.isExport(format, path, kind, start)
        }
    }

    private static func isCamera(_ path: String) -> Bool {
        // One that is no JSON as a whole is none.
        guard let size = Files.status(path)?.size, size <= largestCamera, let bytes = try? Files.read(path),
            let node = try? JSONParser.parse(bytes)
        else { return false }
        return ["focalLength", "matrix", "fieldOfView"].contains { node[$0] != nil }
    }

    private static func isExport(_ format: String, _ path: String, _ kind: FileKind, _ start: String) -> Bool {
        switch format {
        // Those beside a report are results.
        case "tracks": kind == .trackFile && !Files.exists(Files.parent(of: path) + "/report.json")
        case "parquet": kind == .binary && start.hasPrefix("PAR1")
        // Its first line looks like JSON.
        case "ass": start.hasPrefix("[Script Info]")
        case "vtt": kind == .text && start.hasPrefix("WEBVTT")
        case "cvat", "cvat-images": kind == .text && start.contains("<annotations")
        case "coco": kind == .json && start.hasPrefix("{\"info\":")
        case "label-studio", "label-studio-images":
            kind == .json && ["{\"data\":", "[\n{\"data\":", "[\n]"].contains { start.hasPrefix($0) }
        case "csv", "mot": kind == .text
        // A program's own: whatever is none of this one's files.
        default:
            [.text, .json, .binary].contains(kind) && !["\"graphs\"", "\"jobs\""].contains { start.contains($0) }
        }
    }
}
