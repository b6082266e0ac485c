/// CVAT for images 1.1: a picture a frame with its shapes, for a task of pictures.
package final class CVATImagesSink: Sink {
    package static let format = SinkFormat(
        name: "cvat-images", title: "CVAT for images", suffix: ".cvat-images.xml",
        doc: "CVAT for images 1.1: a picture a frame with its boxes, polygons, masks and skeletons.", pictures: .beside)

    private let output: OutputFile
    private let context: SinkContext
    private let file: CVATImagesFile
    private let omissions = CVATImagesFile.makeOmissions()

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        output = file
        self.context = context
        self.file = try CVATImagesFile(beside: file.target, omissions: omissions)
    }

    package func write(_ frame: FrameRecord) throws {
        try file.add(frame, id: frame.frame, name: context.pictureName(frame.frame), context.header)
    }

    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws {
        try file.finish(into: output.temporary, name: context.header.source.name)
    }

    package var notes: [String] { omissions.value.sentences }
}

/// A file of CVAT for images, of one clip or several. Shapes of one track have its number as their group: CVAT has no tracks
/// there.
final class CVATImagesFile {
    private let body: OutputFile
    private let writer: ByteWriter
    private let omissions: SharedOmissions
    private var labels: CVATLabels
    private var count = 0

    static func makeOmissions() -> SharedOmissions {
        SharedOmissions(
            Omissions("CVAT for images", says: [.outlines, .names, .predictions, .masks, .joints, .turnedBoxes]))
    }

    /// - Parameters:
    ///   - target: The file's path; pictures are written beside it first.
    ///   - names: Names of labels that come first; more are added as they come.
    ///   - skeletons: Skeletons of labels, by their names; of others they are added as they come.
    init(beside target: String, names: [String] = [], _ skeletons: [String: Skeleton] = [:], omissions: SharedOmissions)
        throws
    {
        body = OutputFile(target: target + ".images")
        writer = try ByteWriter(path: body.temporary)
        labels = CVATLabels(names, skeletons)
        self.omissions = omissions
    }

    /// Adds a picture.
    /// - Parameters:
    ///   - id: Its number, from 0.
    ///   - firstGroup: What is added to tracks' numbers.
    func add(_ frame: FrameRecord, id: Int, name: String, _ header: TrackFileHeader, firstGroup: Int = 0) throws {
        let size = PictureSize(width: header.source.width, height: header.source.height)
        var text =
            "  <image id=\"\(id)\" name=\"\(name.escapedForXML)\" width=\"\(size.width)\" height=\"\(size.height)\">\n"
        for observation in frame.observations {
            guard let placement = omissions.value.placement(of: observation) else { continue }
            let skeleton = header.skeletons[observation.stage]
            labels.add(observation.name, observation.skeleton(skeleton))
            var shapes = CVATShape.all(of: observation, at: placement, skeleton, in: size)
            // A skeleton says nothing of the thing around its joints, and many readers know its points alone.
            if let first = shapes.first, first.sort == .skeleton {
                shapes.insert(.box(placement.box, isOccluded: first.isOccluded), at: 0)
            }
            for shape in shapes {
                let group = observation.track.map { $0.number &+ firstGroup } ?? 0
                text += shape.text(label: observation.name, group: group)
            }
        }
        try writer.write(Array((text + "  </image>\n").utf8))
        count += 1
    }

    /// Writes the whole file.
    func finish(into path: String, name: String) throws {
        try writer.finish()
        let whole = try ByteWriter(path: path)
        try whole.write(Array(head(name).utf8))
        try Files.forEachPiece(of: body.temporary, whole.write)
        try whole.write(Array("</annotations>\n".utf8))
        try whole.finish()
        body.discard()
    }

    private func head(_ name: String) -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <annotations>
          <version>1.1</version>
          <meta>
            <task>
              <name>\(name.escapedForXML)</name>
              <size>\(count)</size>
              <mode>annotation</mode>
              <labels>
        \(labels.text)      </labels>
            </task>
          </meta>

        """
    }
}
