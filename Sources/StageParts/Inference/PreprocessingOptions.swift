/// The options that say how a picture becomes a network's input, for every stage that takes models from elsewhere.
package struct PreprocessingOptions: Sendable {
    package var channelOrder = Preprocessing.ChannelOrder.rgb
    package var layout = Preprocessing.Layout.nchw
    package var size: [Int] = []
    package var scale: Double
    package var mean: [Double] = [0, 0, 0]
    package var std: [Double] = [1, 1, 1]

    /// The options as they are without a word.
    /// - Parameter scale: Of the values.
    package init(scale: Double = 1) { self.scale = scale }

    /// The members of a stage's options that they are.
    /// - Parameters:
    ///   - part: Where the stage's options have them.
    ///   - channelOrders: Those that the stage can give.
    ///   - largest: Width and height of an input, pixels.
    package static func fields<Options: Record>(
        in part: Member<Options, PreprocessingOptions>, channelOrders: [Preprocessing.ChannelOrder], largest: Int
    ) -> [Field<Options>] {
        [
            Field(
                "channelOrder", part, \.channelOrder, .choice(among: channelOrders), .optional,
                doc: "The order of the model's channels."),
            Field(
                "layout", part, \.layout, .choice(), .optional,
                doc: "The order of the model's dimensions. When left out, it is read from the model's shape."),
            Field(
                "size", part, \.size, .list(.integer(1...largest)), .optional,
                doc: "[width, height] of the input, for a model that leaves them open."),
            Field(
                "scale", part, \.scale, .number(), .optional,
                doc: "input = (value · scale − mean) ÷ std, where value is 0…255."),
            Field(
                "mean", part, \.mean, .list(.number(), count: 1...3), .optional,
                doc: "By channel, in the input's order; one number for all."),
            Field(
                "std", part, \.std, .list(.number(), count: 1...3), .optional,
                doc: "By channel, in the input's order; one number for all."),
        ]
    }

    /// What they say.
    /// - Throws: `StageOptionError` for numbers that don't fit.
    package func preprocessing() throws -> Preprocessing {
        var preprocessing = Preprocessing()
        preprocessing.channelOrder = channelOrder
        preprocessing.layout = layout
        preprocessing.scale = scale
        preprocessing.mean = mean
        preprocessing.std = std
        for (name, values) in [("mean", mean), ("std", std)] where values.count == 2 {
            throw StageOptionError(option: name, "2 numbers; expected 1 or 3")
        }
        if std.contains(0) { throw StageOptionError(option: "std", "a 0; expected numbers to divide by") }
        if !size.isEmpty {
            guard size.count == 2 else {
                throw StageOptionError(option: "size", "\(size.count) numbers; expected [width, height]")
            }
            (preprocessing.width, preprocessing.height) = (size[0], size[1])
        }
        return preprocessing
    }
}
