/// The shapes of a track file's three kinds of lines: what `schema tracks` prints and a reader checks.
public struct TrackFileShape: Sendable {
    /// The first line.
    public let header: ObjectShape
    /// A frame's line.
    public let frame: ObjectShape
    /// An element of a frame's `observations`.
    let observation: Shape
    /// The last line.
    public let summary: ObjectShape

    /// The shapes of a track file with these kinds of observations.
    public init(_ kinds: FindingCatalog) {
        var header = TrackFileHeader.shape(doc: "The first line: what was read and how.", name: "header")
        for index in header.properties.indices where header.properties[index].name == "stages" {
            header.properties[index].shape = .array(of: .object(TrackFileHeader.Stage.shape(details: kinds.details)))
        }
        self.header = header
        observation = .tagged(kinds.shape)
        frame = ObjectShape(
            doc: "One decoded frame, also where nothing was seen.", name: "frame",
            properties: [
                Property(
                    "frame", .integer(0...Int.mostCounted), required: true,
                    doc: "Ordinal of the presented picture from the start of the file, from 0."),
                Property("pts", .integer(), required: true, unit: "ticks", doc: "The source's own time stamp."),
                Property(
                    "duration", .integer(0...Int.max), required: true, unit: "ticks", doc: "The source's own duration."),
                Property("time", .number(), required: true, unit: "s", doc: "pts in seconds, for people."),
                Property(
                    "observations", .array(of: observation), required: true, doc: "What the stages saw."),
            ])
        summary = ObjectShape(
            doc: "The last line; a track file without it is a broken run.", name: "summary",
            properties: [
                Property(
                    "summary", .object(TrackFileSummary.shape(doc: "The whole.")), required: true, doc: "The whole.")
            ])
    }

    /// The shape of any line.
    public var line: Shape {
        .anyOf([.object(header), .object(frame), .object(summary)], doc: "a header, a frame or a summary")
    }
}
