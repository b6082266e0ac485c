import Testing

@testable import Annotate

/// A kind with a mask, joints and a turned box, which the program doesn't know.
struct CreatureFinding: MaskedFinding, JointedFinding, TurnedFinding {
    static let kind = "creature"
    static let doc = "A thing with parts."

    var mask: RunMask?
    var joints: [Joint] = []
    var angle: Double?

    static let fields: [Field<CreatureFinding>] =
        [RunMask.field(\.mask), TurnedBox.field(\.angle)] + Joint.fields(\.joints)
}

/// Sees a ring with four joints that goes to the right and is lost from frame 4 on, a turned box, and a spot that reaches
/// beyond the picture, given by its mask alone.
struct CreatureTracker: Tracker {
    static let id = "c"
    static let size = PictureSize(width: 160, height: 120)
    static let skeleton = Skeleton(
        names: ["top", "right", "bottom", "left"], edges: [.init(0, 1), .init(1, 2), .init(2, 3), .init(3, 0)],
        mirrored: [.init(1, 3)])
    static let turned = TurnedBox(center: Point(115, 40.5), width: 40, height: 20, angle: 30)
    static let spot = RunMask(PixelBox(x: 140, y: 100, width: 30, height: 30)) { x, y in x + y > 258 }

    static func center(_ frame: Int) -> Point { Point(45 + 2 * Double(frame), 60) }

    /// Of the whole picture.
    static func ring(_ frame: Int) -> RunMask {
        RunMask(PixelBox(size)) { x, y in
            let distance = Point(Double(x), Double(y)).distance(to: center(frame))
            return distance <= 20 && distance >= 6
        }
    }

    static func box(_ frame: Int) -> Box {
        let center = center(frame)
        return Box(x: center.x - 20.25, y: center.y - 20, width: 41.5, height: 41)
    }

    static func joints(_ frame: Int) -> [Joint] {
        let center = center(frame)
        return [
            Joint(center + Point(0, -15), confidence: 0.9, metres: [0, -0.15, 2]),
            Joint(center + Point(15.25, 0), confidence: 0.8, visibility: 0.25, metres: [0.15, 0, 2]),
            Joint(center + Point(0, 15), confidence: 1),
            Joint(Point(0, 0), confidence: 0),
        ]
    }

    static func observations(_ frame: Int) -> [Observation] {
        var ring = CreatureFinding()
        let isSeen = frame < 4
        if isSeen { (ring.mask, ring.joints) = (Self.ring(frame), joints(frame)) }
        var turned = CreatureFinding()
        turned.angle = Self.turned.angle
        var spot = CreatureFinding()
        spot.mask = Self.spot
        return [
            Observation(
                ring, stage: id, track: TrackReference(stage: id, number: 1), label: "ring", confidence: 0.875,
                state: isSeen ? .tracked : .lost, box: isSeen ? box(frame) : nil),
            Observation(turned, stage: id, label: "bar", polygon: Self.turned.corners),
            Observation(spot, stage: id, label: "spot"),
        ]
    }

    func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
        Self.observations(input.frame.ordinal)
    }
}

struct CreatureBlueprint: StageBlueprint {
    static let contract = StageContract(
        type: "creatures", summary: "Sees creatures.", produces: [.regions, .tracks], keepsState: true,
        emits: [CreatureFinding.self])

    init(_ options: NoOptions, _ context: OptionContext) {}
    var skeleton: Skeleton? { CreatureTracker.skeleton }
    func makeStage(_ context: StageContext) -> Stage { Stage(tracker: CreatureTracker()) }
}

/// Hands on what its input sees, with the input's skeleton.
struct EchoTracker: Tracker {
    func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
        input.observations.filter(\.isInSight).map { seen in
            Observation(
                seen.finding.base, stage: "e", label: seen.label, box: seen.box, polygon: seen.polygon)
        }
    }
}

struct EchoBlueprint: StageBlueprint {
    static let contract = StageContract(
        type: "echo", summary: "Says it again.", consumes: [.regions], produces: [.regions], keepsState: false,
        emits: [CreatureFinding.self])

    init(_ options: NoOptions, _ context: OptionContext) {}
    func makeStage(_ context: StageContext) -> Stage { Stage(tracker: EchoTracker()) }
}

/// A finished run of six grey pictures: its folder has `a.mkv`, and in `out` the results.
struct CreatureRun {
    static let catalog = StageCatalog([CreatureBlueprint.self, EchoBlueprint.self])
    static let frames = 6
    static let formats = [
        "csv", "mot", "coco", "cvat", "cvat-images", "label-studio", "label-studio-images", "yolo", "yolo-seg",
        "yolo-pose", "yolo-obb", "vtt",
        "ass",
    ]

    let folder: TemporaryFolder

    /// - Parameters:
    ///   - draw: The first stage's `draw`, as JSON.
    ///   - stages: Further ones.
    init(draw: String = "{}", stages: String = "", formats: [String] = Self.formats) throws {
        folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "color=gray:s=160x120:r=25", "-frames:v", "\(Self.frames)", "-pix_fmt", "yuv420p",
            "-c:v", "ffv1", folder.file("a.mkv"))
        let words = formats.map { "\"\($0)\"" }.joined(separator: ",")
        let manifest = """
            {"version": 1, "output": {"formats": [\(words)]}, "jobs": [{"input": "a.mkv", "graph": {"stages": [
              {"id": "c", "type": "creatures", "draw": \(draw)}\(stages)]}, "encode": {"crf": 1}}]}
            """
        let read = try ManifestReader(catalog: Self.catalog).read(try folder.write(manifest, to: "m.json"))
        let outcomes = try BatchRunner(
            manifest: read, options: RunOptions(), generator: "test 1", cancellation: Cancellation()
        ).run()
        #expect(outcomes.map(\.outcome.status) == [.done], "\(outcomes.map(\.outcome.notes))")
    }

    var tracks: String { folder.file("out/a.tracks.jsonl") }

    func text(_ name: String) throws -> String {
        String(decoding: try Files.read(folder.file("out/" + name)), as: UTF8.self)
    }

    /// All frames of the track file.
    func records() throws -> [FrameRecord] {
        let reader = try TrackFileReader(path: tracks, kinds: Self.catalog.findings)
        var records: [FrameRecord] = []
        while let frame = try reader.next() { records.append(frame) }
        return records
    }
}
