extension ObjectDetector {
    /// How its pictures are made, for the track file's header.
    var preparationJSON: JSONValue {
        let (size, multiple) =
            switch input.size {
            case .fixed(let width, let height): ([width, height], 1)
            case .open(let width, let height, let multiple): ([width, height], multiple)
            }
        return .members([
            "width": .integer(size[0]), "height": .integer(size[1]), "multipleOf": .integer(multiple),
            "layout": .string(input.layout.rawValue), "channelOrder": .string(preparation.channelOrder.rawValue),
            "scale": .number(preparation.scale), "mean": .numbers(preparation.mean), "std": .numbers(preparation.std),
            "resize": .string(preparation.resize.rawValue), "padding": .integer(preparation.padding),
        ])
    }

    /// How its outputs are read, for the track file's header.
    var readerJSON: JSONValue {
        .members([
            "decoder": .string(reading.layout.rawValue), "by": .string(reading.reasons.joined(separator: "; ")),
            "outputs": .string(outputsDescribed), "classes": .integer(reading.classes ?? ownNames?.count ?? 0),
            "overlap": .number(suppresses ? suppression.overlap : 1),
        ])
    }
}
