import Annotate

/// How bright a part of the picture is.
struct BrightnessFinding: Finding {
    static let kind = "brightness"
    static let doc = "How bright the middle of the picture is."
    static let place = Place.box

    /// 0 is black, 1 is white.
    var mean = 0.0

    static let fields: [Field<BrightnessFinding>] = [
        Field("mean", \.mean, .number(Bounds(0, 1), decimals: 4), doc: "The mean luma: 0 is black, 1 is white.")
    ]

    func title(_ head: Observation) -> String? { "\(Int(mean * 100)) %" }
}

/// Measures the middle of each frame.
struct BrightnessBlueprint: StageBlueprint {
    struct Options: Record {
        var share = 0.5

        static let fields: [Field<Options>] = [
            Field(
                "share", \.share, .number(Bounds(0.1, 1)), .optional, unit: "of the picture's width and height",
                doc: "The size of what is measured.")
        ]
    }

    static let contract = StageContract(
        type: "brightness", summary: "Measures how bright the middle of the picture is.", produces: [.regions],
        keepsState: false, emits: [BrightnessFinding.self], options: Options.self)

    private let options: Options

    init(_ options: Options, _ context: OptionContext) throws { self.options = options }

    func makeStage(_ context: StageContext) throws -> Stage {
        Stage(detector: BrightnessDetector(stage: context.id, share: options.share))
    }
}

/// Depends on the frame alone: several frames are measured at once.
private struct BrightnessDetector: Detector {
    let stage: String
    let share: Double

    func detect(_ input: StageInput) throws -> [Observation] {
        let (width, height) = (Double(input.frame.width) * share, Double(input.frame.height) * share)
        let box = Box(
            x: (Double(input.frame.width) - width) / 2, y: (Double(input.frame.height) - height) / 2, width: width,
            height: height)
        // Video's black is 16, its white 235.
        let mean = input.frame.withLuma { luma in
            var sum = 0
            let rows = Int(box.y)..<min(luma.height, Int(box.y + box.height) + 1)
            let columns = Int(box.x)..<min(luma.width, Int(box.x + box.width) + 1)
            for y in rows { for x in columns { sum += Int(luma.base[y * luma.stride + x]) } }
            return Double(sum) / Double(max(1, rows.count * columns.count))
        }
        var finding = BrightnessFinding()
        finding.mean = min(max((mean - 16) / 219, 0), 1)
        return [Observation(finding, stage: stage, box: box)]
    }
}
