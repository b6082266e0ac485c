internal import Glibc

/// A folder as Ultralytics' YOLO has it: `labels/<picture>.txt` for each frame with observations, a line a thing, in parts of
/// the picture's size; `data.yaml` and `classes.txt` with the classes' names. A subclass is a task: what the lines say.
///
/// `tracks/<picture>.txt` has the same lines with the track behind them, as Ultralytics writes them while it tracks; for
/// training a sixth column is a fault. A frame without a file is a background.
package class YOLOSink: Sink {
    package class var format: SinkFormat { format("yolo", "YOLO", "boxes") }

    /// Parts of observations that lines have besides boxes.
    class var abilities: Omissions.Abilities { .names }

    /// Whether a thing that lies in the picture has a line.
    class func says(_ thing: Observation, of header: TrackFileHeader) -> Bool { true }

    static func format(_ name: String, _ title: String, _ things: String) -> SinkFormat {
        SinkFormat(
            name: name, title: title, suffix: "." + name,
            doc: "A folder of \(title) labels, \(things), a file a frame, with data.yaml for training.", isFolder: true,
            pictures: .inside(folder: "images"))
    }

    private let folder: String
    /// What is known of the clip that is written.
    var context: SinkContext
    private var names = NameBook()
    /// The picture's size, pixels.
    var size: PictureSize { PictureSize(width: context.header.source.width, height: context.header.source.height) }
    var omissions: Omissions

    package required init(_ file: OutputFile, _ context: SinkContext) throws {
        folder = file.temporary
        self.context = context
        omissions = Omissions(Self.format.title, says: Self.abilities)
        for name in ["labels", "tracks"] { try Files.makeDirectory("\(folder)/\(name)") }
    }

    /// Lines alone, of one clip after another: no files.
    /// - Parameter classes: Names in the order of their numbers.
    required init(classes: [String]) {
        folder = ""
        context = SinkContext(header: TrackFileHeader(), kinds: FindingCatalog([]))
        names = NameBook(classes)
        omissions = Omissions(Self.format.title, says: Self.abilities)
    }

    /// A picture's lines, one an observation; nil where the format can't say all that is in it.
    func text(of frame: FrameRecord) -> String? {
        let lines = lines(of: frame)
        // What lies beyond the picture isn't in it.
        let inside = frame.observations.filter { observation in
            PixelPlace(observation)?.box.intersection(PixelBox(size).box) != nil
        }
        return lines.count < inside.count ? nil : lines.map { $0.text + "\n" }.joined()
    }

    private func lines(of frame: FrameRecord) -> [(text: String, track: Int?)] {
        frame.observations.compactMap { observation in
            guard let placement = omissions.placement(of: observation) else { return nil }
            guard let numbers = numbers(of: observation, placement) else { return nil }
            let text = numbers.map { $0.text(8) }.joined(separator: " ")
            return ("\(names.number(of: observation.name)) \(text)", observation.track?.number)
        }
    }

    package func write(_ frame: FrameRecord) throws {
        let lines = lines(of: frame)
        guard !lines.isEmpty else { return }
        let name = context.pictureStem(frame.frame) + ".txt"
        try put(lines.map { $0.text + "\n" }.joined(), into: "labels/" + name)
        try put(lines.map { $0.text + ($0.track.map { " \($0)" } ?? "") + "\n" }.joined(), into: "tracks/" + name)
    }

    /// Numbers of an observation's line behind the class; nil for one that has no line.
    func numbers(of observation: Observation, _ placement: PixelPlace) -> [Double]? {
        inside(placement.box, observation.stage).map(numbers)
    }

    /// Further lines of `data.yaml`, behind the classes' names.
    /// - Parameter classes: How many classes there are.
    func settings(classes: Int) -> String { "" }

    private func put(_ text: String, into name: String) throws {
        let writer = try ByteWriter(path: "\(folder)/\(name)")
        try writer.write(Array(text.utf8))
        try writer.finish()
    }

    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws {
        let classes = names.all.enumerated().map { "  \($0.offset): \(Self.quoted($0.element))\n" }.joined()
        try put(
            "train: images\nval: images\nnc: \(names.all.count)\nnames:\(classes.isEmpty ? " {}\n" : "\n" + classes)"
                + settings(classes: names.all.count),
            into: "data.yaml")
        try put(names.all.map { $0.inOneLine + "\n" }.joined(), into: "classes.txt")
    }

    /// A text as YAML has it between double quotes: as JSON does, and nothing in it that can't be printed.
    static func quoted(_ text: String) -> String {
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
