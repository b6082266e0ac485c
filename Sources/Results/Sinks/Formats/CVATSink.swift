/// CVAT for video 1.1: a track a thing, with its shape in every frame, each a key frame, so that nothing is drawn between.
///
/// Frames count from 0 at the file's first decoded picture, also under a range. Where a thing isn't in the next frame, a shape
/// with `outside` ends it. A predicted place is `occluded`. What has no track is a track of one frame; so is a mask, since CVAT
/// follows none: its track's number is its group.
package final class CVATSink: Sink {
    package static let format = SinkFormat(
        name: "cvat", title: "CVAT", suffix: ".cvat.xml",
        doc: "CVAT for video 1.1: tracks of boxes, polygons and skeletons, every frame a key frame; masks.")

    private struct Shape {
        var shape: CVATShape
        var frame: Int
    }

    private let output: OutputFile
    private let header: TrackFileHeader
    private let tracks: TrackGathering<Shape>
    private var omissions = Omissions(
        "CVAT", says: [.outlines, .names, .predictions, .masks, .joints, .turnedBoxes])
    private var labels = CVATLabels()
    /// The sort of shape that each track began with: a track has shapes of one sort.
    private var sorts: [Int: CVATShape.Sort] = [:]
    /// Tracks whose masks are shapes of their own.
    private var grouped: Set<Int> = []
    private var last = -1

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        output = file
        header = context.header
        tracks = try TrackGathering(beside: file) { shape, next, _ in
            let text = shape.shape.text(frame: shape.frame, isOutside: false)
            guard case .nothing(let frame) = next else { return text }
            return text + shape.shape.text(frame: frame, isOutside: true)
        }
    }

    package func write(_ frame: FrameRecord) throws {
        last = frame.frame
        let placed = frame.observations.compactMap { observation in
            omissions.placement(of: observation).map { (observation, $0) }
        }
        let size = PictureSize(width: header.source.width, height: header.source.height)
        let shown = placed.map { observation, placement in
            let skeleton = header.skeletons[observation.stage]
            labels.add(observation.name, observation.skeleton(skeleton))
            let shapes = CVATShape.all(of: observation, at: placement, skeleton, in: size)
            if shapes.first?.sort == .skeleton {
                omissions.add("CVAT has no boxes beside skeletons in a track; left out", observation.stage)
            }
            return (observation, placement, shapes)
        }
        let tracked = shown.filter { $0.2.contains { $0.sort != .mask } }
        try tracks.begin(frame.frame, with: Set(tracked.compactMap(\.0.track?.number)))
        for (observation, placement, shapes) in shown {
            for shape in shapes { try add(shape, of: observation, placement, frame.frame) }
        }
    }

    private func add(
        _ shape: CVATShape, of observation: Observation, _ placement: PixelPlace, _ frame: Int
    ) throws {
        let (number, name) = (observation.track?.number, observation.name)
        guard shape.sort != .mask else {
            if let number {
                grouped.insert(number)
                omissions.add(
                    "CVAT has no tracks of masks; each a shape of its own, its track its group", observation.stage)
            }
            return try tracks.add(
                Shape(shape: shape, frame: frame), track: nil, name: name, group: number, frame: frame)
        }
        var shape = shape
        if let number, let sort = sorts[number], sort != shape.sort {
            guard sort != .skeleton else {
                return omissions.add(
                    "CVAT has shapes of one sort in a track; a gap in one of skeletons where no joint was found",
                    observation.stage)
            }
            if shape.sort != .box {
                omissions.add(
                    "CVAT has shapes of one sort in a track; \(shape.sort == .skeleton ? "joints" : "outlines") written as "
                        + "\(sort == .polygon ? "outlines" : "boxes")", observation.stage)
            }
            shape =
                sort == .polygon
                ? .polygon(placement.polygon ?? placement.box.corners, isOccluded: shape.isOccluded)
                : .box(placement.box, isOccluded: shape.isOccluded)
        } else if let number {
            sorts[number] = shape.sort
        }
        if let known = number.flatMap(tracks.name), known != name {
            omissions.add("CVAT has one label for a track; the first written instead of others", observation.stage)
        }
        try tracks.add(Shape(shape: shape, frame: frame), track: number, name: name, frame: frame)
    }

    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws {
        try tracks.finish(into: output.temporary, head: head, between: "", tail: "</annotations>\n") { track in
            (
                "  <track id=\"\(track.number)\" label=\"\(track.name.escapedForXML)\" source=\"auto\"\(group(of: track))>\n",
                "  </track>\n"
            )
        }
    }

    private func group(of track: TrackGathering<Shape>.Track) -> String {
        let group = track.group ?? (track.isTracked && grouped.contains(track.number) ? track.number : nil)
        return group.map { " group_id=\"\($0)\"" } ?? ""
    }

    private var head: String {
        let source = header.source
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
            \(labels.text)      </labels>
                  <original_size><width>\(source.width)</width><height>\(source.height)</height></original_size>
                  <source>\(source.name.escapedForXML)</source>
                </task>
              </meta>

            """
    }

    package var notes: [String] { omissions.sentences }
}
