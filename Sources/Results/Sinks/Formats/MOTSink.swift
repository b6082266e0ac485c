/// MOTChallenge's text format: a line a box, `frame,id,left,top,width,height,confidence,class,x,y`.
///
/// Frames count from 1 at the file's first picture, also under a range; left and top as well: the first pixel's are 1. The
/// class is 1, as ground truth has to have it, and x and y, which are for places in the world, −1.
package final class MOTSink: Sink {
    package static let format = SinkFormat(
        name: "mot", title: "MOT", suffix: ".mot.txt", doc: "MOTChallenge: a line a box, for evaluators of tracking.")

    private let writer: ByteWriter
    private var omissions = Omissions("MOT", says: .confidences)

    package init(_ file: OutputFile, _ context: SinkContext) throws { writer = try ByteWriter(file) }

    package func write(_ frame: FrameRecord) throws {
        for observation in frame.observations {
            guard let box = omissions.placement(of: observation)?.box else { continue }
            if observation.track == nil {
                omissions.add("MOT knows tracks by their ids; written as detections, with the id -1", observation.stage)
            }
            let places = [box.x + 1, box.y + 1, box.width, box.height].map { $0.text(2) }.joined(separator: ",")
            let confidence = observation.confidence?.text(3) ?? "1"
            try writer.write(
                Array("\(frame.frame &+ 1),\(observation.track?.number ?? -1),\(places),\(confidence),1,-1,-1\n".utf8))
        }
    }

    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws { try writer.finish() }

    package var notes: [String] { omissions.sentences }
}
