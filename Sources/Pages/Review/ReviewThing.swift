import Annotate

/// One lane of a review: a track, what is told of a track, or what a stage saw without a track of its own.
struct ReviewThing {
    /// The key by which it is one thing.
    enum Key: Hashable {
        case track(Int)
        case about(stage: String, kind: String, track: Int)
        case untracked(stage: String, kind: String)

        init(_ observation: Observation) {
            self =
                observation.track.map { .track($0.number) }
                ?? observation.about.map {
                    .about(stage: observation.stage, kind: observation.kind, track: $0.number)
                } ?? .untracked(stage: observation.stage, kind: observation.kind)
        }
    }

    let stage: String
    let kind: String
    let track: Int?
    let about: Int?
    private(set) var name: String
    private(set) var label: String?
    private(set) var region: String?
    /// Runs of frames with one state, by their index.
    private var runs = StateRuns()
    /// Confidences in per mille, one for each frame of the runs; -1 for none.
    private var confidences: [Int16] = []
    /// The middle's coordinates in whole pixels, as differences, one for each frame of the runs.
    private var xs: [Int32] = []
    private var ys: [Int32] = []
    private var counts: [Int32] = []
    private var middle: (x: Int32, y: Int32) = (0, 0)
    private var hasPlace = false
    private var hasConfidence = false
    private var hasPose = false

    init(_ observation: Observation) {
        (stage, kind) = (observation.stage, observation.kind)
        (track, about) = (observation.track?.number, observation.about?.number)
        let title = observation.title?.inOneLine ?? ""
        name = observation.track == nil || title.isEmpty ? observation.kind : title
    }

    mutating func add(_ observation: Observation, at index: Int) {
        // An annotation's text may come later than its point.
        if let said = observation.label ?? observation.title, track != nil, label == nil, !said.isEmpty {
            (label, name) = (observation.label, observation.title?.inOneLine ?? name)
        }
        region = region ?? observation.region
        // Several without a track in one frame are told together.
        if runs.last == index {
            counts[counts.count - 1] += 1
            return
        }
        runs.add(index, observation)
        counts.append(1)
        let confidence = observation.confidence.map { Int16(($0 * 1000).rounded()) }
        hasConfidence = hasConfidence || confidence != nil
        hasPose = hasPose || (observation.finding.base as? any PosedFinding)?.pose != nil
        confidences.append(confidence ?? -1)
        var next = middle
        if let box = observation.bounds, let x = Int32(exactly: (box.x + box.width / 2).rounded()),
            let y = Int32(exactly: (box.y + box.height / 2).rounded())
        {
            next = (x, y)
            hasPlace = true
        }
        xs.append(next.x &- middle.x)
        ys.append(next.y &- middle.y)
        middle = next
    }

    /// A colour as `#rrggbb`.
    private static func hexadecimal(_ color: RGB) -> String {
        [color.red, color.green, color.blue].reduce("#") { $0 + ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    }

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("stage", stage)
            json.member("kind", kind)
            if let track { json.member("track", track) }
            if let about { json.member("of", about) }
            json.member("name", name)
            if let label { json.member("label", label) }
            if let region { json.member("region", region) }
            json.member("color", Self.hexadecimal(Palette.color(track: track ?? about)))
            json.key("runs")
            runs.write(into: &json)
            if hasConfidence {
                json.key("confidence")
                json.array { json in
                    for value in confidences { value < 0 ? json.null() : json.value(Int(value)) }
                }
            }
            if hasPlace, track != nil {
                json.member("x", xs)
                json.member("y", ys)
            }
            // Where exactly it is stands with the frames, which plots read.
            if hasPose { json.member("posed", true) }
            if track == nil, counts.contains(where: { $0 != 1 }) { json.member("counts", counts) }
        }
    }
}
