/// The words of labels.
enum LabelText {
    /// An observation's own label; nil where there is nothing to say.
    static func title(of item: NumberedObservation, style: DrawStyle) -> String? {
        let observation = item.observation
        let number = item.track.map { "#\($0)" }
        var words: [String] = []
        switch observation.kind {
        case .marker:
            words.append(contentsOf: [observation.id.map { "id \($0)" } ?? observation.label].compactMap(\.self))
        case .text:
            words.append(contentsOf: [observation.text].compactMap(\.self))
        case .barcode:
            words.append(contentsOf: [observation.payload.map(payload) ?? observation.label].compactMap(\.self))
        case .horizon:
            guard let angle = observation.horizon?.angle else { return nil }
            return "\(tenths(angle))°"
        case .annotation:
            // Nothing until the text is known.
            guard let text = observation.label, !text.isEmpty else { return nil }
            words.append(text)
        default:
            words.append(contentsOf: [observation.label ?? observation.region].compactMap(\.self))
        }
        if let number, style.track || words.isEmpty { words.insert(number, at: 0) }
        if observation.state == .lost {
            words.append("lost")
        } else if style.confidence, let confidence = observation.confidence, confidence.isFinite {
            words.append(decimal(confidence))
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// A class and its confidence: “cup 91 %”.
    static func text(of label: ScoredLabel, style: DrawStyle) -> String {
        style.confidence ? "\(label.label) \(score(label.confidence))" : label.label
    }

    /// A probability as a percentage; a raw score outside 0…1 as a number.
    static func score(_ confidence: Double) -> String {
        guard (0...1).contains(confidence) else { return confidence.isFinite ? decimal(confidence) : "?" }
        return "\(Int((confidence * 100).rounded())) %"
    }

    /// A code's payload on one line.
    private static func payload(_ payload: Payload) -> String {
        switch payload {
        case .text(let text): String(text.map { $0.isNewline ? " " : $0 })
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }

    /// One decimal, whatever the locale.
    static func tenths(_ value: Double) -> String {
        let tenths = Int(min(max((value * 10).rounded(), -1e12), 1e12))
        return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }

    /// Two decimals, whatever the locale.
    static func decimal(_ value: Double) -> String {
        let hundredths = Int(min(max((value * 100).rounded(), -1e12), 1e12))
        let magnitude = hundredths.magnitude
        let fraction = magnitude % 100
        return "\(hundredths < 0 ? "-" : "")\(magnitude / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
