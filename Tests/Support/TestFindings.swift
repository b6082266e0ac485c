@testable import Annotate

/// Findings for tests of what knows no stage: small, with the words, fields and styles of the program's own kinds.
enum TestFindings {
    /// The program's stage types with what they emit.
    static let catalog = FindingCatalog(
        [
            ("markers", [MarkerFinding.self, BoardFinding.self]), ("rectangles", [RectangleFinding.self]),
            ("track", [ObjectFinding.self]), ("faces", [FaceFinding.self]),
            ("classify", [ClassificationFinding.self]), ("labels", [AnnotationFinding.self]),
        ],
        details: [
            Property("model", .map(of: .string(), keys: .any, doc: "A model's hash."), doc: "The model.")
        ])
}

struct MarkerFinding: PosedFinding {
    static let kind = "marker"
    static let doc = "A marker."
    static let place = Place.polygon
    static let style = drawStyle {
        $0.confidence = false
        $0.firstCorner = true
    }

    var id = 0
    var pose: EstimatedPose?

    init() {}

    init(id: Int, pose: EstimatedPose? = nil) {
        self.id = id
        self.pose = pose
    }

    static let fields: [Field<MarkerFinding>] = [
        Field("id", \.id, .integer(0...Int.max), doc: "Its id."), EstimatedPose.field(\.pose),
    ]

    var identity: Int? { id }

    func title(_ head: Observation) -> String? { "id \(id)" }

    func marks(_ head: Observation, in size: PictureSize) -> [Mark] {
        head.outline + (pose.map { [.posed($0)] } ?? [])
    }
}

struct BoardFinding: PosedFinding {
    static let kind = "board"
    static let doc = "A board of markers."
    static let style = MarkerFinding.style

    var pose: EstimatedPose?

    init() {}

    static let fields: [Field<BoardFinding>] = [EstimatedPose.field(\.pose)]

    func marks(_ head: Observation, in size: PictureSize) -> [Mark] {
        head.outline + (pose.map { [.posed($0)] } ?? [])
    }
}

struct RectangleFinding: Finding {
    static let kind = "rectangle"
    static let doc = "A quad."
    static let place = Place.polygon
    static let fields: [Field<RectangleFinding>] = []
    static let style = drawStyle {
        $0.confidence = false
        $0.track = true
    }

    init() {}
}

struct ObjectFinding: Finding {
    static let kind = "object"
    static let doc = "A thing that is followed."
    static let place = Place.box
    static let fields: [Field<ObjectFinding>] = []
    static let style = drawStyle { $0.trail = 1 }

    init() {}
}

struct FaceFinding: Finding {
    static let kind = "face"
    static let doc = "A face."
    static let place = Place.box
    static let style = drawStyle {
        $0.color = RGB(0, 255, 0)
        $0.landmarks = true
    }

    var landmarks: [Point] = []

    init() {}

    static let fields: [Field<FaceFinding>] = [
        Field(
            "landmarks", \.landmarks, .list(.point, count: 5...68), .optional, tellsDefault: false, unit: "px",
            doc: "Its features.")
    ]

    func marks(_ head: Observation, in size: PictureSize) -> [Mark] {
        head.outline + (landmarks.isEmpty ? [] : [.dots(landmarks)])
    }
}

struct ClassificationFinding: Finding {
    static let kind = "classification"
    static let doc = "Names."

    /// A name as a track file has it.
    private struct Name: Record, Hashable {
        var label = ""
        var confidence = 0.0

        static let fields: [Field<Name>] = [
            Field("label", \.label, .text(), doc: "Its name."),
            Field("confidence", \.confidence, .number(decimals: 3), doc: "How sure."),
        ]
    }

    var labels: [ScoredLabel] = []

    private var names: [Name] {
        get {
            labels.map { label in
                var name = Name()
                (name.label, name.confidence) = (label.label, label.confidence)
                return name
            }
        }
        set { labels = newValue.map { ScoredLabel(label: $0.label, confidence: $0.confidence) } }
    }

    init() {}

    init(labels: [ScoredLabel]) { self.labels = labels }

    static let fields: [Field<ClassificationFinding>] = [
        Field("labels", \.names, .list(.record(doc: "A class.")), doc: "Classes, the best first.")
    ]

    func title(_ head: Observation) -> String? { nil }

    func marks(_ head: Observation, in size: PictureSize) -> [Mark] { head.outline + [.names(labels)] }
}

struct AnnotationFinding: Finding {
    static let kind = "annotation"
    static let doc = "A text on a point."
    static let place = Place.none
    static let style = drawStyle { $0.confidence = false }

    var point: Point?

    init() {}

    init(point: Point?) { self.point = point }

    static let fields: [Field<AnnotationFinding>] = [
        Field("point", \.point, .point, .inSight, unit: "px", doc: "Where it is.")
    ]

    func title(_ head: Observation) -> String? { head.label ?? "" }

    func marks(_ head: Observation, in size: PictureSize) -> [Mark] { point.map { [.pin($0)] } ?? [] }
}

private func drawStyle(_ change: (inout DrawStyle) -> Void) -> DrawStyle {
    var style = DrawStyle()
    change(&style)
    return style
}

extension DrawnObservation {
    /// An observation with the file's numbers of its tracks.
    init(_ observation: Observation, track: Int?, about: Int? = nil, style: DrawStyle?) {
        var numbered = observation
        numbered.track = track.map { TrackReference(stage: observation.stage, number: $0) }
        numbered.about = about.map { TrackReference(stage: "", number: $0) }
        self.init(numbered, style: style)
    }
}
