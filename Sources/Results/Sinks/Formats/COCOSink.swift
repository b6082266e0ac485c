/// COCO with `videos` and `tracks`, as TAO has it: an image a frame, also where nothing was seen.
package final class COCOSink: Sink {
    package static let format = SinkFormat(
        name: "coco", title: "COCO", suffix: ".coco.json",
        doc: "COCO with videos and tracks, as in TAO: boxes, outlines, masks, key points, scores.",
        pictures: .beside)

    private let output: OutputFile
    private let context: SinkContext
    private let file: COCOFile
    private let clip: COCOFile.Clip
    private let omissions = COCOFile.makeOmissions()

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        output = file
        self.context = context
        self.file = try COCOFile(beside: file.target, omissions: omissions)
        clip = COCOFile.Clip(number: 1, name: context.header.source.name, header: context.header)
        try self.file.begin(clip)
    }

    package func write(_ frame: FrameRecord) throws {
        try file.add(frame, image: frame.frame &+ 1, name: context.pictureName(frame.frame), isEmpty: nil, of: clip)
    }

    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws {
        try file.finish(
            into: try ByteWriter(output), description: context.header.source.name,
            contributor: context.header.generator)
    }

    package var notes: [String] { omissions.value.sentences }
}

extension JSONWriter {
    /// A member of a flat object.
    enum Member {
        case whole(Int)
        case text(String)
        /// A number and its decimals.
        case number(Double, Int)
        case texts([String])
        case pairs([[Int]])
    }

    mutating func members(_ members: [(String, Member)]) {
        object { json in json.members(inline: members) }
    }

    /// Members of an object that is open.
    mutating func members(inline members: [(String, Member)]) {
        for (key, member) in members {
            self.key(key)
            switch member {
            case .whole(let number): value(number)
            case .text(let text): value(text)
            case .number(let number, let decimals): value(number, decimals: decimals)
            case .texts(let texts): array { json in for text in texts { json.value(text) } }
            case .pairs(let pairs):
                array { json in for pair in pairs { json.array { json in for number in pair { json.value(number) } } } }
            }
        }
    }
}

/// Names in the order in which they came.
struct NameBook {
    private(set) var all: [String] = []
    private var numbers: [String: Int] = [:]

    /// - Parameter names: The first ones; each once.
    init(_ names: [String] = []) { for name in names { _ = number(of: name) } }

    /// The number of a name, from 0; new ones are added.
    mutating func number(of name: String) -> Int {
        if let number = numbers[name] { return number }
        numbers[name] = all.count
        all.append(name)
        return all.count - 1
    }
}
