/// A thing's figures as text.
extension ThingFigures {
    static let columns: [TextTable.Column] = [
        .init(title: "track"), .init(title: "thing", canShrink: true), .init(title: "both", isRight: true),
        .init(title: "gone", isRight: true), .init(title: "came", isRight: true),
        .init(title: "overlap", isRight: true), .init(title: "least", isRight: true),
        .init(title: "moved px", isRight: true), .init(title: "most", isRight: true),
        .init(title: "labels", isRight: true), .init(title: "states", isRight: true),
        .init(title: "confidence"),
    ]

    /// Its track's number: `3`, `3 → 4`, `3 →` for one that is gone.
    var number: String {
        switch (old, new) {
        case (let old?, let new?): old == new ? "\(old)" : "\(old) → \(new)"
        case (let old?, nil): "\(old) →"
        case (nil, let new?): "→ \(new)"
        case (nil, nil): "none"
        }
    }

    /// Cells, one for each of `columns`; empty where nothing differs.
    var cells: [String] {
        func count(_ value: Int) -> String { value == 0 ? "" : "\(value)" }
        func figure(_ value: Double?, _ decimals: Int) -> String { value.map { Figures.decimals($0, decimals) } ?? "" }
        let hasMoved = longestWay > 0
        return [
            number, name?.inOneLine ?? "", "\(both)", count(went.frames), count(came.frames),
            hasMoved ? figure(overlap.mean, 3) : "", hasMoved && overlap.count > 0 ? figure(overlap.least, 3) : "",
            hasMoved ? figure(moved.mean, 2) : "", hasMoved ? figure(longestWay, 2) : "", count(labels.frames),
            count(states.frames), confidenceText,
        ]
    }

    private var confidenceText: String {
        func text(_ tally: Tally) -> String { tally.mean.map { Figures.decimals($0, 3) } ?? "none" }
        guard oldConfidence.count + newConfidence.count > 0 else { return "" }
        let (a, b) = (text(oldConfidence), text(newConfidence))
        return a == b ? a : "\(a) → \(b)"
    }

    /// When it came and went, and what else differs, a line each.
    var details: [String] {
        var lines: [String] = []
        if went.frames > 0 { lines.append("gone \(Self.spans(went))") }
        if came.frames > 0 { lines.append("came \(Self.spans(came))") }
        if states.frames > 0 { lines.append("state \(Self.spans(states))") }
        if labels.frames > 0 { lines.append("label \(Self.spans(labels))") }
        if let distance = poseDistance.mean, let angle = poseAngle.mean, poseDistance.most + poseAngle.most > 0 {
            func millimetres(_ value: Double) -> String { Figures.short(value * 1000) + " mm" }
            func degrees(_ value: Double) -> String { Figures.short(value * 180 / .pi) + "°" }
            lines.append(
                "pose by \(millimetres(distance)) and \(degrees(angle)) in the mean, \(millimetres(poseDistance.most)) "
                    + "and \(degrees(poseAngle.most)) at most")
        }
        func parts(_ name: String, _ tally: Tally) {
            guard let mean = tally.mean, tally.least < 1 else { return }
            lines.append(
                "\(name) \(Figures.decimals(mean, 3)) in the mean, \(Figures.decimals(tally.least, 3)) at least")
        }
        parts("overlap of masks", maskOverlap)
        parts("similarity of joints (OKS)", jointSimilarity)
        let others = fields.sorted { $0.key < $1.key }.map { name, field in
            let unit = field.unit.map { $0 == "°" ? "°" : " " + $0 } ?? ""
            let most = field.largest > 0 ? " by \(Figures.short(field.largest))\(unit) at most" : ""
            return "\(name)\(most) in \(Words.plural(field.frames, "frame"))"
        }
        if !others.isEmpty { lines.append("differs in \(others.joined(separator: "; "))") }
        if confidences > 0, others.isEmpty, lines.isEmpty, longestWay == 0 {
            lines.append("another confidence in \(Words.plural(confidences, "frame"))")
        }
        return lines
    }

    private static let mostTold = 5

    /// Runs of frames: `120–131, 140 and 3 more times`.
    private static func spans(_ runs: Runs) -> String {
        let told = runs.kept.prefix(mostTold).map { run in (run.what.isEmpty ? "" : run.what + " ") + Figures.span(run)
        }
        let rest = runs.count - told.count
        return told.joined(separator: ", ") + (rest > 0 ? " and \(Words.plural(rest, "more time"))" : "")
    }
}
