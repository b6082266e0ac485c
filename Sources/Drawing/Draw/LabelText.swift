/// The words of labels.
enum LabelText {
    /// The text of an observation's own label; nil where there is none.
    static func title(of observation: Observation, style: DrawStyle) -> String? {
        let title = observation.title
        // Nothing to be said for now.
        if title?.isEmpty == true { return nil }
        var words = [title].compactMap(\.self)
        if let number = observation.track?.number, style.track || words.isEmpty { words.insert("#\(number)", at: 0) }
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

    /// A number with two decimals, whatever the locale.
    static func decimal(_ value: Double) -> String {
        let hundredths = Int(min(max((value * 100).rounded(), -1e12), 1e12))
        let magnitude = hundredths.magnitude
        let fraction = magnitude % 100
        return "\(hundredths < 0 ? "-" : "")\(magnitude / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
