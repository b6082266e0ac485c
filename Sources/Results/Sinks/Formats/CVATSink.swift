/// CVAT for video 1.1: a track a thing, with its shape in every frame, each a key frame, so that nothing is drawn between.
///
/// Frames count from 0 at the file's first decoded picture, also under a range. Where a thing isn't in the next frame, a shape
/// with `outside` ends it. A predicted place is `occluded`. What has no track is a track of one frame.
package final class CVATSink: Sink {
    package static let format = SinkFormat(
        name: "cvat", title: "CVAT", suffix: ".cvat.xml",
        doc: "CVAT for video 1.1: tracks of boxes and polygons, every frame a key frame.")

    private struct Shape {
        /// Its element and what it says of its place.
        var element: String
        var place: String
        var frame: Int
        var isOccluded: Bool

        func text(_ frame: Int, isOutside: Bool) -> String {
            "    <\(element) frame=\"\(frame)\" outside=\"\(isOutside ? 1 : 0)\" occluded=\"\(isOccluded ? 1 : 0)\" "
                + "keyframe=\"1\" \(place) z_order=\"0\"></\(element)>\n"
        }
    }

    private let output: OutputFile
    private let header: SidecarHeader
    private let tracks: TrackGathering<Shape>
    private var omissions = Omissions("CVAT", says: [.outlines, .names, .predictions])
    private var names = NameBook()
    /// Tracks that began with a box: a track has shapes of one sort.
    private var sorts: [Int: Bool] = [:]
    private var last = -1

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        output = file
        header = context.header
        tracks = try TrackGathering(beside: file) { shape, next, _ in
            let text = shape.text(shape.frame, isOutside: false)
            guard case .nothing(let frame) = next else { return text }
            return text + shape.text(frame, isOutside: true)
        }
    }

    package func write(_ frame: FrameRecord) throws {
        last = frame.frame
        let placed = frame.observations.compactMap { observation in
            omissions.placement(of: observation).map { (observation, $0) }
        }
        try tracks.begin(frame.frame, with: Set(placed.compactMap(\.0.track?.number)))
        for (observation, placement) in placed {
            let number = observation.track?.number
            let hasOutline = placement.polygon != nil
            let isOutline = number.map { sorts[$0, default: hasOutline] } ?? hasOutline
            if let number { sorts[number] = isOutline }
            if hasOutline, !isOutline {
                omissions.add("CVAT has shapes of one sort in a track; outlines written as boxes", observation.stage)
            }
            let name = observation.name
            if let known = number.flatMap(tracks.name), known != name {
                omissions.add("CVAT has one label for a track; the first written instead of others", observation.stage)
            }
            _ = names.number(of: name)
            let shape =
                isOutline
                ? Shape(
                    element: "polygon", place: Self.points(placement.polygon ?? placement.box.corners),
                    frame: frame.frame,
                    isOccluded: observation.state == .predicted)
                : Shape(
                    element: "box", place: Self.edges(placement.box), frame: frame.frame,
                    isOccluded: observation.state == .predicted)
            try tracks.add(shape, track: number, name: name, frame: frame.frame)
        }
    }

    private static func points(_ polygon: [Point]) -> String {
        "points=\"" + polygon.map { "\($0.x.text(2)),\($0.y.text(2))" }.joined(separator: ";") + "\""
    }

    private static func edges(_ box: Box) -> String {
        "xtl=\"\(box.x.text(2))\" ytl=\"\(box.y.text(2))\" xbr=\"\(box.right.text(2))\" ybr=\"\(box.bottom.text(2))\""
    }

    package func finish(_ outcome: SourceOutcome, _ summary: SidecarSummary) throws {
        try tracks.finish(into: output.temporary, head: head, between: "", tail: "</annotations>\n") { track in
            (
                "  <track id=\"\(track.number)\" label=\"\(track.name.escapedForXML)\" source=\"auto\">\n",
                "  </track>\n"
            )
        }
    }

    private var head: String {
        let source = header.source
        let labels = names.all.map {
            "      <label><name>\($0.escapedForXML)</name><color></color><type>any</type><attributes></attributes></label>\n"
        }
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <annotations>
              <version>1.1</version>
              <meta>
                <task>
                  <name>\(source.name.escapedForXML)</name>
                  <size>\(last &+ 1)</size>
                  <mode>interpolation</mode>
                  <overlap>0</overlap>
                  <bugtracker></bugtracker>
                  <flipped>False</flipped>
                  <start_frame>0</start_frame>
                  <stop_frame>\(max(0, last))</stop_frame>
                  <frame_filter></frame_filter>
                  <labels>
            \(labels.joined())      </labels>
                  <original_size><width>\(source.width)</width><height>\(source.height)</height></original_size>
                  <source>\(source.name.escapedForXML)</source>
                </task>
              </meta>

            """
    }

    package var notes: [String] { omissions.sentences }
}

extension String {
    /// The text between XML's marks, also in an attribute; signs that XML can't have at all are written out.
    fileprivate var escapedForXML: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // As they are, readers make spaces of them.
            case "\n", "\r", "\t": escaped += "&#\(scalar.value);"
            case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\\u{\(String(scalar.value, radix: 16))}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
