internal import Graph

/// The options that say how a picture becomes a network's input, for every stage that takes models from elsewhere.
struct PreprocessingOptions: Sendable {
    let channelOrder: StageOption<Preprocessing.ChannelOrder>
    let layout: StageOption<Preprocessing.Layout>
    let size: StageOption<[Int]>
    let scale: StageOption<Double>
    let mean: StageOption<[Double]>
    let std: StageOption<[Double]>

    /// - Parameters:
    ///   - channelOrders: those that the stage can give.
    ///   - largest: width and height of an input, pixels.
    ///   - scale: the default.
    init(channelOrders: [Preprocessing.ChannelOrder], largest: Int, scale: Double) {
        channelOrder = StageOption(
            "channelOrder", .choice(among: channelOrders), default: .rgb, doc: "The order of the model's channels.")
        layout = StageOption(
            "layout", .choice(), default: .nchw,
            doc: "The order of the model's dimensions. When left out, it is read from the model's shape.")
        size = StageOption(
            "size", .list(.integer(1...largest)), default: [],
            doc: "[width, height] of the input, for a model that leaves them open.")
        self.scale = StageOption(
            "scale", .number(), default: scale, doc: "input = (value · scale − mean) ÷ std, where value is 0…255.")
        mean = StageOption(
            "mean", .list(.number(), count: 1...3), default: [0, 0, 0],
            doc: "By channel, in the input's order; one number for all.")
        std = StageOption(
            "std", .list(.number(), count: 1...3), default: [1, 1, 1],
            doc: "By channel, in the input's order; one number for all.")
    }

    var properties: [Property] {
        [channelOrder.property, layout.property, size.property, scale.property, mean.property, std.property]
    }

    /// - Throws: `StageOptionError` for numbers that don't fit.
    func preprocessing(_ options: StageOptions) throws -> Preprocessing {
        var preprocessing = Preprocessing()
        preprocessing.channelOrder = options[channelOrder]
        preprocessing.layout = options[layout]
        preprocessing.scale = options[scale]
        preprocessing.mean = options[mean]
        preprocessing.std = options[std]
        for (name, values) in [("mean", preprocessing.mean), ("std", preprocessing.std)] where values.count == 2 {
            throw StageOptionError(option: name, "2 numbers; expected 1 or 3")
        }
        if preprocessing.std.contains(0) { throw StageOptionError(option: "std", "a 0; expected numbers to divide by") }
        let size = options[size]
        if !size.isEmpty {
            guard size.count == 2 else {
                throw StageOptionError(option: "size", "\(size.count) numbers; expected [width, height]")
            }
            (preprocessing.width, preprocessing.height) = (size[0], size[1])
        }
        return preprocessing
    }
}
