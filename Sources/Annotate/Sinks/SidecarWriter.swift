internal import Glibc

/// Writes a sidecar, `<id>.tracks.jsonl`: a header, a line a frame, a summary.
///
/// The header carries the number of frames, which only decoding tells, so the frames' lines go to a file of their own
/// first and are copied behind the header at the end.
public final class SidecarWriter {
    private let output: OutputFile
    private let bodyPath: String
    private let body: OutputFile
    private let writer: ByteWriter
    private let header: SidecarHeader
    private var json = JSONWriter()
    private var frames = 0
    private var tracks: [Int: TrackSummary] = [:]

    private struct TrackSummary {
        var stage: String
        var kind: ObservationKind
        var label: String?
        var first: Int
        var last: Int
        var observations = 0
        var confidence = 0.0
        var measured = 0
    }

    /// - Parameters:
    ///   - path: the final name; nothing stands there before `finish`.
    public init(path: String, header: SidecarHeader) throws {
        output = OutputFile(target: path)
        body = OutputFile(target: path + ".body")
        bodyPath = body.temporary
        writer = try ByteWriter(path: bodyPath)
        self.header = header
    }

    /// Writes one frame's line.
    public func write(
        frame: Int, pts: MediaTime, duration: Int64, observations: [NumberedObservation]
    ) throws {
        json.removeAll()
        json.object { json in
            json.key("frame")
            json.value(frame)
            json.key("pts")
            json.value(pts.ticks)
            json.key("duration")
            json.value(duration)
            json.key("time")
            json.value(pts.seconds, decimals: 6)
            json.key("observations")
            json.array { json in
                for observation in observations { Self.write(observation, into: &json) }
            }
        }
        json.endLine()
        try writer.write(json.bytes)
        frames += 1
        for observation in observations { summarize(observation, frame: frame) }
    }

    private func summarize(_ numbered: NumberedObservation, frame: Int) {
        guard let track = numbered.track else { return }
        let observation = numbered.observation
        let isSeen = observation.state != .lost && observation.state != .ended
        var summary =
            tracks[track]
            ?? TrackSummary(
                stage: observation.stage, kind: observation.kind, label: observation.label, first: frame, last: frame)
        // An annotation's text may come later than its point.
        summary.label = summary.label ?? observation.label
        if isSeen {
            summary.last = frame
            summary.observations += 1
            if let confidence = observation.confidence, !observation.held {
                summary.confidence += confidence
                summary.measured += 1
            }
        }
        tracks[track] = summary
    }

    private static func write(_ numbered: NumberedObservation, into json: inout JSONWriter) {
        let observation = numbered.observation
        json.object { json in
            func member(_ key: String, _ text: String?) {
                guard let text else { return }
                json.key(key)
                json.value(text)
            }
            func member(_ key: String, _ number: Int?) {
                guard let number else { return }
                json.key(key)
                json.value(number)
            }
            func point(_ point: Point, _ json: inout JSONWriter) {
                json.array {
                    $0.value(point.x, decimals: 2)
                    $0.value(point.y, decimals: 2)
                }
            }
            member("stage", observation.stage)
            member("kind", observation.kind.rawValue)
            member("track", numbered.track)
            member("of", numbered.of)
            member("region", observation.region)
            member("label", observation.label)
            member("id", observation.id)
            if let box = observation.box {
                json.key("box")
                json.array { json in
                    for value in [box.x, box.y, box.width, box.height] { json.value(value, decimals: 2) }
                }
            }
            if let polygon = observation.polygon {
                json.key("polygon")
                json.array { json in for corner in polygon { point(corner, &json) } }
            }
            if let pose = observation.pose { Self.write(pose, into: &json) }
            if let confidence = observation.confidence {
                json.key("confidence")
                json.value(confidence, decimals: 3)
            }
            member("state", observation.state?.rawValue)
            if !observation.labels.isEmpty {
                json.key("labels")
                json.array { json in
                    for label in observation.labels {
                        json.object { json in
                            json.key("label")
                            json.value(label.label)
                            json.key("confidence")
                            json.value(label.confidence, decimals: 3)
                        }
                    }
                }
            }
            if !observation.landmarks.isEmpty {
                json.key("landmarks")
                json.array { json in for landmark in observation.landmarks { point(landmark, &json) } }
            }
            if let angles = observation.angles {
                json.key("angles")
                json.object { json in
                    for (key, value) in [("roll", angles.roll), ("yaw", angles.yaw), ("pitch", angles.pitch)] {
                        json.key(key)
                        json.value(value, decimals: 1)
                    }
                }
            }
            if let isTracked = observation.isTracked {
                json.key("isTracked")
                json.value(isTracked)
            }
            if let alteration = observation.alteration {
                json.key("alteration")
                json.object { json in
                    json.key("style")
                    json.value(alteration.style)
                    if let from = alteration.from, let fade = alteration.fade {
                        json.key("from")
                        json.value(from)
                        json.key("fade")
                        json.value(fade, decimals: 3)
                    }
                }
            }
            member("text", observation.text)
            if !observation.parts.isEmpty {
                json.key("parts")
                json.array { json in for part in observation.parts { Self.write(part, into: &json) } }
            }
            switch observation.payload {
            case .text(let text): member("payload", text)
            case .bytes(let bytes): member("payloadBase64", Base64.text(bytes))
            case nil: break
            }
            if let horizon = observation.horizon {
                json.key("horizon")
                json.object { json in
                    json.key("angle")
                    json.value(horizon.angle, decimals: 2)
                    json.key("offset")
                    json.value(horizon.offset, decimals: 2)
                }
            }
            if let place = observation.point {
                json.key("point")
                point(place, &json)
            }
            if observation.held {
                json.key("held")
                json.value(true)
            }
        }
    }

    private static func write(_ part: TextPart, into json: inout JSONWriter) {
        json.object { json in
            json.key("text")
            json.value(part.text)
            json.key("polygon")
            json.array { json in
                for corner in part.polygon {
                    json.array {
                        $0.value(corner.x, decimals: 2)
                        $0.value(corner.y, decimals: 2)
                    }
                }
            }
            json.key("confidence")
            json.value(part.confidence, decimals: 3)
        }
    }

    private static func write(_ estimate: EstimatedPose, into json: inout JSONWriter) {
        func members(_ pose: Pose, _ json: inout JSONWriter) {
            func vector(_ key: String, _ vector: SIMD3<Double>, decimals: Int) {
                json.key(key)
                json.array { json in for axis in 0..<3 { json.value(vector[axis], decimals: decimals) } }
            }
            vector("rotation", pose.rotation.rodrigues, decimals: 5)
            vector("translation", pose.translation, decimals: 6)
            json.key("reprojectionError")
            json.value(pose.reprojectionError, decimals: 3)
        }
        json.key("pose")
        json.object { json in
            members(estimate.pose, &json)
            guard let alternative = estimate.alternative else { return }
            json.key("alternative")
            json.object { json in members(alternative, &json) }
        }
    }

    /// Writes header and summary and gives the file its name.
    /// - Returns: what the summary says of the whole.
    @discardableResult
    public func finish() throws -> (frames: Int, tracks: Int) {
        try prepare()
        try commit()
        return (frames, tracks.count)
    }

    /// Lines written and tracks seen so far.
    var counts: (frames: Int, tracks: Int) { (frames, tracks.count) }

    /// Assembles the file under its temporary name.
    /// - Parameter outcome: what is known of the source only when it has been read.
    func prepare(_ outcome: SourceOutcome = SourceOutcome()) throws {
        try writer.finish()
        let whole = try ByteWriter(path: output.temporary)
        try whole.write(header.line(frames: frames, outcome))
        let source = open(bodyPath, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw systemError("read", bodyPath) }
        defer { close(source) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw systemError("read", bodyPath) }
            if count == 0 { break }
            try whole.write(Array(buffer[..<count]))
        }
        try whole.write(summaryLine(outcome))
        try whole.finish()
        body.discard()
    }

    func commit() throws { try output.commit() }

    func discard() {
        body.discard()
        output.discard()
    }

    private func summaryLine(_ outcome: SourceOutcome) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("summary")
            json.object { json in
                json.key("frames")
                json.value(frames)
                json.key("complete")
                json.value(true)
                json.key("concealed")
                json.value(outcome.concealed)
                json.key("skipped")
                json.value(outcome.skipped)
                if outcome.isCutOff {
                    json.key("cutOff")
                    json.value(true)
                }
                json.key("tracks")
                json.array { json in
                    for (number, track) in tracks.sorted(by: { $0.key < $1.key }) {
                        json.object { json in
                            json.key("track")
                            json.value(number)
                            json.key("stage")
                            json.value(track.stage)
                            json.key("kind")
                            json.value(track.kind.rawValue)
                            if let label = track.label {
                                json.key("label")
                                json.value(label)
                            }
                            json.key("first")
                            json.value(track.first)
                            json.key("last")
                            json.value(track.last)
                            json.key("observations")
                            json.value(track.observations)
                            if track.measured > 0 {
                                json.key("meanConfidence")
                                json.value(track.confidence / Double(track.measured), decimals: 3)
                            }
                        }
                    }
                }
            }
        }
        json.endLine()
        return json.bytes
    }
}
