internal import Glibc

/// A folder as Ultralytics' YOLO has it: `labels/<picture>.txt` for each frame with observations, a line a box, `class x y
/// width height`, its middle and size in parts of the picture's; `data.yaml` and `classes.txt` with the classes' names.
///
/// `tracks/<picture>.txt` has the same lines with the track behind them, as Ultralytics writes them while it tracks; for
/// training a sixth column is a fault. A frame without a file is a background.
package final class YOLOSink: Sink {
    package static let format = SinkFormat(
        name: "yolo", title: "YOLO", suffix: ".yolo",
        doc: "A folder of YOLO labels, a file a frame, with data.yaml for training.", isFolder: true,
        pictures: .inside(folder: "images"))

    private let folder: String
    private let context: SinkContext
    private var names = NameBook()
    private var omissions = Omissions("YOLO", says: .names)

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        folder = file.temporary
        self.context = context
        for name in ["labels", "tracks"] { try Files.makeDirectory("\(folder)/\(name)") }
    }

    package func write(_ frame: FrameRecord) throws {
        var lines: [(text: String, track: Int?)] = []
        for observation in frame.observations {
            guard let placement = omissions.placement(of: observation) else { continue }
            guard let box = inside(placement.box, observation.stage) else { continue }
            let (width, height) = (Double(context.header.source.width), Double(context.header.source.height))
            let parts = [box.center.x / width, box.center.y / height, box.width / width, box.height / height]
            let text = parts.map { $0.text(8) }.joined(separator: " ")
            lines.append(("\(names.number(of: observation.name)) \(text)", observation.track?.number))
        }
        guard !lines.isEmpty else { return }
        let name = context.pictureStem(frame.frame) + ".txt"
        try put(lines.map { $0.text + "\n" }.joined(), into: "labels/" + name)
        try put(lines.map { $0.text + ($0.track.map { " \($0)" } ?? "") + "\n" }.joined(), into: "tracks/" + name)
    }

    /// The part of a box that lies in the picture: readers refuse what goes beyond it.
    private func inside(_ box: Box, _ stage: String) -> Box? {
        let size = context.header.source
        let picture = Box(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        guard let part = box.intersection(picture) else {
            omissions.add("YOLO has no boxes without a part in the picture; left out", stage)
            return nil
        }
        guard part != box else { return box }
        // What differs in the last digits of a number is the same.
        let beyond = [part.x - box.x, part.y - box.y, box.right - part.right, box.bottom - part.bottom].max() ?? 0
        if beyond > 1e-6 { omissions.add("YOLO has no boxes beyond the picture; cut at its edges", stage) }
        return part
    }

    private func put(_ text: String, into name: String) throws {
        let writer = try ByteWriter(path: "\(folder)/\(name)")
        try writer.write(Array(text.utf8))
        try writer.finish()
    }

    package func finish(_ outcome: SourceOutcome, _ summary: SidecarSummary) throws {
        let classes = names.all.enumerated().map { "  \($0.offset): \(Self.quoted($0.element))\n" }.joined()
        try put(
            "train: images\nval: images\nnc: \(names.all.count)\nnames:\(classes.isEmpty ? " {}\n" : "\n" + classes)",
            into: "data.yaml")
        try put(names.all.map { $0.inOneLine + "\n" }.joined(), into: "classes.txt")
    }

    /// A text as YAML has it between double quotes: as JSON does, and nothing in it that can't be printed.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    package var notes: [String] { omissions.sentences }
}
