/// What the metadata says of a detector.
extension NetworkMetadata {
    /// Ultralytics' word: detect, segment, pose, obb.
    var task: String? { values["task"]?.lowercased() }

    /// Whether its suppression is inside; nil where nothing says it.
    var isEndToEnd: Bool? {
        if let word = values["end2end"], let flag = Self.flag(word), flag { return true }
        if let arguments = values["args"], arguments.contains("'nms': True") { return true }
        return values["end2end"].flatMap(Self.flag)
    }

    var isUltralytics: Bool { task != nil || (values["stride"] != nil && values["names"] != nil) }

    var isRTDETR: Bool {
        [values["head"], values["description"], values["model_name"]].contains {
            $0?.lowercased().contains("rtdetr") ?? false
        }
    }

    /// Whether it narrows down how the outputs are read.
    var tells: Bool { task != nil || modelType != nil }

    /// OpenVINO's Model API's word, in lower case; nil also for the one that Ultralytics puts there, which says nothing.
    var modelType: String? { values["model_type"].map { $0.lowercased() }.flatMap { $0 == "yolo" ? nil : $0 } }

    /// The classes' names, in their order.
    var names: [String]? {
        if let names = values["names"], let parsed = Self.names(names), !parsed.isEmpty { return parsed }
        guard let labels = values["labels"] else { return nil }
        // Spaces part them; where a name has one, it has an underscore there.
        let parts = labels.split(whereSeparator: \.isWhitespace).map(String.init)
        return parts.isEmpty ? nil : parts
    }

    /// Intersection over union from which on boxes are one thing.
    var overlap: Double? {
        values["iou_threshold"].map(Self.numbers)?.first.flatMap { (0...1).contains($0) ? $0 : nil }
    }

    /// The largest step of its grids, pixels.
    var stride: Int? { values["stride"].flatMap { Self.numbers($0).max() }.map(Int.init(inRange:)) }

    /// [height, width], or one number for both.
    var imageSize: (width: Int, height: Int)? {
        guard let numbers = values["imgsz"].map(Self.numbers), let first = numbers.first,
            numbers.allSatisfy({ (1...8192).contains($0) })
        else { return nil }
        return (Int(numbers.count > 1 ? numbers[1] : first), Int(first))
    }

    /// How many points, and how many numbers each.
    var keyPoints: (count: Int, numbers: Int)? {
        guard let numbers = values["kpt_shape"].map(Self.numbers), numbers.count == 2,
            (1...1000).contains(numbers[0]), (2...3).contains(numbers[1])
        else { return nil }
        return (Int(numbers[0]), Int(numbers[1]))
    }

    /// The Model API's words for how pictures get their size.
    private static let resizes: KeyValuePairs<String, DetectorPreparation.Resize> = [
        "standard": .stretch, "fit_to_window": .fitTopLeft, "fit_to_window_letterbox": .fit,
    ]

    /// How pictures get their size; nil where nothing is said.
    /// - Throws: `InferenceError` for a word that isn't known: boxes would lie elsewhere.
    func resize() throws -> DetectorPreparation.Resize? {
        guard let word = values["resize_type"]?.lowercased(), !word.isEmpty else { return nil }
        if let known = Self.resizes.first(where: { $0.key == word })?.value { return known }
        throw InferenceError(
            "its metadata says “resize_type” “\(word)”; expected one of \(list(Self.resizes.map { $0.key })), or the stage's “resize”, which comes first"
        )
    }

    /// What it says of how pictures are made for it but for their size, put over what its family does.
    func adjust(_ preparation: inout DetectorPreparation) {
        if let padding = values["pad_value"].map(Self.numbers)?.first, (0...255).contains(padding) {
            preparation.padding = Int(padding)
        }
        // The Model API's pictures are BGR.
        if let reverse = values["reverse_input_channels"].flatMap(Self.flag) {
            preparation.channelOrder = reverse ? .rgb : .bgr
        }
        // (value − mean) ÷ scale, on 0…255.
        let (means, scales) = (
            values["mean_values"].map(Self.numbers) ?? [], values["scale_values"].map(Self.numbers) ?? []
        )
        let known = [1, 3]
        guard known.contains(means.count) || known.contains(scales.count) else { return }
        preparation.scale = 1
        preparation.mean = known.contains(means.count) ? means : [0, 0, 0]
        preparation.std = known.contains(scales.count) && !scales.contains(0) ? scales : [1, 1, 1]
    }

    private static func flag(_ word: String) -> Bool? {
        switch word.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0", "none", "": false
        default: nil
        }
    }

    /// All numbers in a text.
    static func numbers(_ text: String) -> [Double] {
        text.split { !"0123456789.-+eE".contains($0) }.compactMap { Double($0) }
    }

    /// A dictionary or a list as Python writes it: `{0: 'person', 1: "driver's seat"}`, `['person', 'car']`; the same without
    /// quotes, as in YAML.
    static func names(_ text: String) -> [String]? {
        var rest = Substring(text).drop { $0.isWhitespace }
        guard let open = rest.first, open == "{" || open == "[" else { return nil }
        rest = rest.dropFirst()
        var names: [Int: String] = [:]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            guard let next = rest.first, next != "}", next != "]" else { break }
            var index = names.count
            if open == "{" {
                guard let colon = rest.firstIndex(of: ":"),
                    let number = Int(rest[..<colon].filter { !$0.isWhitespace && $0 != "'" && $0 != "\"" })
                else { return nil }
                index = number
                rest = rest[rest.index(after: colon)...].drop { $0.isWhitespace }
            }
            names[index] = name(&rest)
        }
        guard !names.isEmpty, (0..<names.count).allSatisfy({ names[$0] != nil }) else { return nil }
        return (0..<names.count).compactMap { names[$0] }
    }

    /// Takes one name off, in quotes or not.
    private static func name(_ rest: inout Substring) -> String {
        guard let quote = rest.first, quote == "'" || quote == "\"" else {
            let name = rest.prefix { !",}]".contains($0) }
            rest = rest.dropFirst(name.count)
            return String(name).trimmed
        }
        rest = rest.dropFirst()
        var name = ""
        while let next = rest.popFirst(), next != quote {
            if next == "\\", let escaped = rest.popFirst() { name.append(escaped) } else { name.append(next) }
        }
        return name
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }
}
