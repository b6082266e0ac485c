internal import CVision

/// A detection network with what was found out about it: a part of a picture in, things out. Several threads may ask at once.
final class ObjectDetector: Sendable {
    let reading: DetectorReading
    let preparation: DetectorPreparation
    let input: DetectorInput
    /// The classes' names, where the model or its list of known ones has them.
    let ownNames: [String]?
    let suppression: DetectionSuppression
    /// What the outputs are, for the header.
    var outputsDescribed: String { model.outputs.map { "\($0.name) \($0)" }.joined(separator: ", ") }
    private let model: InferenceModel
    private let outputs: DetectorOutputs
    private let pool = ResourcePool { Scratch() }

    /// Room for one picture's values.
    private final class Scratch {
        var tensor: [Float] = []
    }

    /// What the manifest says of the model.
    struct Wishes: Sendable {
        var decoder = DetectorLayout.auto
        var layout: Preprocessing.Layout?
        var size: (width: Int, height: Int)?
        var channelOrder: Preprocessing.ChannelOrder?
        var scale: Double?
        var mean: [Double]?
        var std: [Double]?
        var resize: DetectorPreparation.Resize?
        /// How many classes the manifest names.
        var names: Int?
        /// Intersection over union.
        var overlap: Double?
        var isAgnostic = false
    }

    /// Boxes that overlap by more are one thing where the manifest says nothing.
    static let usualOverlap = 0.45

    /// Loads and compiles a model, and finds out how it is read.
    /// - Throws: `InferenceError`, with what doesn't fit; `FileError`.
    init(path: String, _ wishes: Wishes) throws {
        model = try InferenceModel(
            path: path, mostInputs: 3, allowing: "a picture, and maybe its size and how it was scaled")
        let file = try ModelFile(path)
        let (known, metadata) = (KnownDetector.with(file.sha256), try NetworkMetadata(of: file))
        let first = try DetectorInput(
            model.inputs,
            DetectorInput.Wishes(
                layout: wishes.layout, size: wishes.size, usual: known?.size ?? metadata.imageSize, multiple: nil))
        ownNames = known?.names ?? metadata.names
        let isLite = path.hasSuffix(".tflite")
        let scales = isLite ? try TFLiteFile(Files.read(path))?.outputs ?? [:] : [:]
        outputs = DetectorOutputs(
            model: model, quantization: model.outputs.map { $0.element.hasSuffix("8") ? scales[$0.name] : nil })
        var evidence = try Self.look(outputs, first, metadata, wishes.names ?? ownNames?.count)
        evidence.isLite = isLite
        let decoder = wishes.decoder == .auto ? known?.decoder ?? .auto : wishes.decoder
        var reading = try DetectorRecognition(evidence: evidence.withoutBesides).reading(decoder)
        if let known, wishes.decoder == .auto { reading.reasons = ["its hash: \(known.name)"] }
        self.reading = reading

        var preparation = reading.layout.preparation
        if let black = first.black {
            (preparation.scale, preparation.mean, preparation.std) = (
                1, Array(repeating: -Double(black), count: 3), [1, 1, 1]
            )
        }
        if let resize = reading.resize { preparation.resize = resize }
        if let resize = try wishes.resize ?? metadata.resize() { preparation.resize = resize }
        metadata.adjust(&preparation)
        if let order = wishes.channelOrder { preparation.channelOrder = order }
        if let scale = wishes.scale {
            guard scale != 0 else {
                throw InferenceError("with a “scale” of 0 every picture is the same to it; expected another number")
            }
            preparation.scale = scale
        }
        if let mean = wishes.mean { preparation.mean = mean }
        if let std = wishes.std { preparation.std = std }
        guard first.channels == 3 || wishes.channelOrder == nil || wishes.channelOrder == .gray else {
            throw InferenceError(
                "its input is \(first.described), 1 channel; “channelOrder” “\(preparation.channelOrder.rawValue)” gives 3"
            )
        }
        if first.channels == 1 {
            for (key, numbers) in [("mean", wishes.mean), ("std", wishes.std)] where Set(numbers ?? []).count > 1 {
                throw InferenceError("its input is \(first.described), 1 channel; “\(key)” has 3 numbers: expected one")
            }
            preparation.channelOrder = .gray
        }
        guard first.channels == 1 || preparation.channelOrder != .gray else {
            throw InferenceError("its input is \(first.described), 3 channels; “channelOrder” “gray” gives 1")
        }
        self.preparation = preparation
        // Pictures of what size it likes: no more than it takes, save where the picture fills it anyway.
        let multiple = preparation.resize == .stretch ? nil : max(32, metadata.stride ?? 32)
        input = try DetectorInput(
            model.inputs,
            DetectorInput.Wishes(
                layout: wishes.layout, size: wishes.size, usual: known?.size ?? metadata.imageSize, multiple: multiple))
        suppression = DetectionSuppression(
            overlap: wishes.overlap ?? metadata.overlap ?? Self.usualOverlap, isAgnostic: wishes.isAgnostic,
            areTurned: reading.angle != nil)
        suppresses = reading.isRaw || wishes.overlap != nil
    }

    /// Whether what is read from the outputs still has to be suppressed.
    let suppresses: Bool

    /// What the network gives for a picture that is made up: one with structure, neither black nor white.
    private static func look(
        _ outputs: DetectorOutputs, _ input: DetectorInput, _ metadata: NetworkMetadata, _ names: Int?
    ) throws -> DetectorEvidence {
        let (width, height) =
            switch input.size {
            case .fixed(let width, let height), .open(let width, let height, _): (width, height)
            }
        let scale: Float = input.black == nil ? 1 / 255 : 1
        let black = Float(input.black ?? 0)
        let values: [Float] = (0..<width * height * input.channels).map { (index: Int) -> Float in
            let value: Int = index / 3 % 211 + index / 977 % 45
            return Float(value) * scale + black
        }
        let runs = try outputs.run(input.tensors(values, width: width, height: height)) { views in
            views.map { InferenceModel.Output(values: Array($0.values), shape: $0.shape) }
        }
        return DetectorEvidence(
            outputs: outputs.model.outputs, inputs: outputs.model.inputs, runs: runs, width: width, height: height,
            metadata: metadata,
            names: names)
    }

    // MARK: A part of a picture

    /// What is seen in a part of a frame.
    /// - Returns: the surest first; the best score of anything, exact from `ScoreLimits.telling` on; and what was cut.
    func things(
        in frame: VideoFrame, _ part: FramePart, _ limits: ScoreLimits
    ) throws -> (things: [DetectedThing], best: Float, cut: DetectionCut?) {
        let box = Letterbox(width: part.width, height: part.height, into: input.size, preparation.resize)
        return try pool.withResource { scratch in
            try fill(scratch, frame, part, box)
            let tensors = input.tensors(scratch.tensor, width: box.width, height: box.height)
            return try outputs.run(tensors) { outputs in
                let found = try DetectorDecoder(reading: reading).candidates(
                    outputs, width: box.width, height: box.height, limits)
                try found.check(reading.layout)
                let (kept, cut) =
                    suppresses
                    ? suppression.surest(found.all) : DetectionSuppression.surest(ofSingle: found.all)
                let placing = ThingPlacing(
                    reading: reading, box: box, part: part, width: frame.width, height: frame.height)
                return (try kept.compactMap { try placing.thing($0, outputs) }, found.best, cut)
            }
        }
    }

    private func fill(_ scratch: Scratch, _ frame: VideoFrame, _ part: FramePart, _ box: Letterbox) throws {
        let count = box.width * box.height * input.channels
        if scratch.tensor.count != count { scratch.tensor = [Float](repeating: 0, count: count) }
        var options = ocv_input_options(
            x: Int32(part.x), y: Int32(part.y), boxWidth: Int32(part.width), boxHeight: Int32(part.height),
            width: Int32(box.width), height: Int32(box.height), left: Int32(box.left), top: Int32(box.top),
            across: Int32(box.across), down: Int32(box.down),
            channels: preparation.channelOrder == .gray
                ? OCV_CHANNELS_GRAY : preparation.channelOrder == .rgb ? OCV_CHANNELS_RGB : OCV_CHANNELS_BGR,
            padding: UInt8(clamping: preparation.padding),
            normalization: ocv_normalization(
                layout: input.layout == .nchw ? OCV_LAYOUT_NCHW : OCV_LAYOUT_NHWC, scale: Float(preparation.scale),
                mean: Self.three(preparation.mean), std: Self.three(preparation.std)))
        func run(_ picture: ocv_picture) throws {
            var picture = picture
            try check(ocv_fill_input(&picture, &options, &scratch.tensor), "prepare the network's input")
        }
        // The source's own colours, where its planes are another format's.
        if frame.hasRicherOriginal {
            try frame.bgr().withPixels { try run(ocv_picture(bgr: $0)) }
        } else {
            try frame.withPicture { try run(ocv_picture($0)) }
        }
    }

    private static func three(_ values: [Double]) -> (Float, Float, Float) {
        let all = values.count == 1 ? [values[0], values[0], values[0]] : values
        return (Float(all[0]), Float(all[1]), Float(all[2]))
    }
}
