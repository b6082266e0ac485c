/// CVAT for images 1.1: a picture a frame with its shapes, for a task of pictures. Shapes of one track have its number as their
/// group: CVAT has no tracks there.
package final class CVATImagesSink: Sink {
    package static let format = SinkFormat(
        name: "cvat-images", title: "CVAT for images", suffix: ".cvat-images.xml",
        doc: "CVAT for images 1.1: a picture a frame with its boxes, polygons, masks and skeletons.", pictures: .beside)

    private let output: OutputFile
    private let context: SinkContext
    private let body: OutputFile
    private let writer: ByteWriter
    private var omissions = Omissions(
        "CVAT for images", says: [.outlines, .names, .predictions, .masks, .joints, .turnedBoxes])
    private var labels = CVATLabels()
    private var count = 0

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        output = file
        self.context = context
        body = OutputFile(target: file.target + ".images")
        writer = try ByteWriter(path: body.temporary)
    }

    package func write(_ frame: FrameRecord) throws {
        let source = context.header.source
        let size = PictureSize(width: source.width, height: source.height)
        var text =
            "  <image id=\"\(frame.frame)\" name=\"\(context.pictureName(frame.frame).escapedForXML)\" "
            + "width=\"\(size.width)\" height=\"\(size.height)\">\n"
        for observation in frame.observations {
            guard let placement = omissions.placement(of: observation) else { continue }
            let skeleton = context.header.skeletons[observation.stage]
            labels.add(observation.name, observation.skeleton(skeleton))
            for shape in CVATShape.all(of: observation, at: placement, skeleton, in: size) {
                text += shape.text(label: observation.name, group: observation.track?.number ?? 0)
            }
        }
        try writer.write(Array((text + "  </image>\n").utf8))
        count += 1
    }

    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws {
        try writer.finish()
        let whole = try ByteWriter(path: output.temporary)
        try whole.write(Array(head.utf8))
        try Files.forEachPiece(of: body.temporary, whole.write)
        try whole.write(Array("</annotations>\n".utf8))
        try whole.finish()
        body.discard()
    }

    private var head: String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <annotations>
          <version>1.1</version>
          <meta>
            <task>
              <name>\(context.header.source.name.escapedForXML)</name>
              <size>\(count)</size>
              <mode>annotation</mode>
              <labels>
        \(labels.text)      </labels>
            </task>
          </meta>

        """
    }

    package var notes: [String] { omissions.sentences }
}
