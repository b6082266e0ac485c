extension ThingFigures {
    /// What comparing two observations needs to know.
    struct Context {
        let pairs: ObservationPairs
        let size: PictureSize
        /// Skeleton of each stage's joints, by its id.
        var skeletons: [String: Skeleton] = [:]
        /// Counts the frames of the comparison.
        var step = 0
        var moment = Moment(frame: 0, seconds: 0)
        let tolerances: Tolerances
    }

    /// Takes what the files say of it in the next frame.
    mutating func add(_ pair: ObservationPair, _ context: Context, _ worst: inout WorstFrames) {
        let (old, new) = (pair.old, pair.new)
        name = name ?? old?.title ?? new?.title ?? old?.name ?? new?.name
        let isInOld = old?.isInSight ?? false, isInNew = new?.isInSight ?? false
        if isInOld, !isInNew { tell(went.add(at: context.moment, step: context.step), "gone", &worst) }
        if isInNew, !isInOld { tell(came.add(at: context.moment, step: context.step), "came", &worst) }
        if let change = stateChange(old, new) {
            tell(states.add(change, at: context.moment, step: context.step), "state", &worst)
        }
        guard let old, let new, isInOld, isInNew else { return }
        both += 1
        if old.name != new.name {
            let change = "\(Self.quoted(old.name)) → \(Self.quoted(new.name))"
            tell(labels.add(change, at: context.moment, step: context.step), "label", &worst)
        }
        if old.isMeasured, let confidence = old.confidence { oldConfidence.add(confidence) }
        if new.isMeasured, let confidence = new.confidence { newConfidence.add(confidence) }
        var badness = 0.0
        var what: [String] = []
        if old.confidence != new.confidence {
            confidences += 1
            badness = 0.1 * abs((old.confidence ?? 0) - (new.confidence ?? 0))
            what.append("confidence \(Self.text(old.confidence)) → \(Self.text(new.confidence))")
        }
        addPlace(old, new, context, &badness, &what)
        addOwn(old, new, context, &badness, &what)
        guard badness > 0 else { return }
        worst.add(
            WorstFrame(
                moment: context.moment, stage: stage, old: self.old, new: self.new, thing: name,
                what: what.joined(separator: ", "), badness: badness))
    }

    /// Ends what is still so in the last frame.
    mutating func end(_ worst: inout WorstFrames) {
        tell(went.end(), "gone", &worst)
        tell(came.end(), "came", &worst)
        tell(states.end(), "state", &worst)
        tell(labels.end(), "label", &worst)
    }

    // MARK: One frame

    private mutating func addPlace(
        _ old: Observation, _ new: Observation, _ context: Context, _ badness: inout Double, _ what: inout [String]
    ) {
        guard let way = Displacement(old, new) else {
            if (old.bounds == nil) != (new.bounds == nil) { addField("place", other: true, &badness, &what) }
            return
        }
        if let share = way.overlap { overlap.add(share) }
        moved.add(way.mean)
        longestWay = max(longestWay, way.longest)
        guard way.longest > context.tolerances.of(stage, kind).pixels + 1e-6 else { return }
        // By its own size: ten pixels are much for a small thing.
        let side = (old.bounds?.area ?? 0).squareRoot()
        badness = max(badness, min(1, way.longest / max(1, side)))
        let overlap = way.overlap.map { "overlap \(Figures.decimals($0, 3)), " } ?? ""
        what = ["\(overlap)moved by \(Figures.decimals(way.longest, 2)) px"] + what
    }

    private mutating func addOwn(
        _ old: Observation, _ new: Observation, _ context: Context, _ badness: inout Double, _ what: inout [String]
    ) {
        if old.isHeld != new.isHeld { addField("held", other: true, &badness, &what) }
        if old.region != new.region, old.name == new.name { addField("region", other: true, &badness, &what) }
        if !context.pairs.areAboutTheSame(old, new) { addField("of", other: true, &badness, &what) }
        addParts(old, new, context, &what)
        guard old.finding != new.finding else { return }
        if let a = old.pose(in: context.size), let b = new.pose(in: context.size) {
            let way = b.translation - a.translation
            poseDistance.add((way * way).sum().squareRoot())
            poseAngle.add(a.rotation.angle(to: b.rotation))
        }
        for difference in FindingDifference.all(old.finding.base, new.finding.base) {
            addField(
                difference.name, unit: difference.unit, largest: difference.largest, other: difference.isOther,
                &badness, &what)
        }
    }

    /// Masks are told by what they have in common, joints by how near they are, both also where nothing differs.
    private mutating func addParts(
        _ old: Observation, _ new: Observation, _ context: Context, _ what: inout [String]
    ) {
        if let a = old.mask, let b = new.mask {
            let overlap = a == b ? 1 : a.intersectionOverUnion(b)
            maskOverlap.add(overlap)
            if a != b { what.append("mask overlap \(Figures.decimals(overlap, 3))") }
        }
        if let near = old.jointSimilarity(to: new, context.skeletons[stage]) {
            jointSimilarity.add(near)
            if near < 1 { what.append("joints' similarity \(Figures.decimals(near, 3))") }
        }
    }

    private mutating func addField(
        _ name: String, unit: String? = nil, largest: Double = 0, other: Bool, _ badness: inout Double,
        _ what: inout [String]
    ) {
        var field = fields[name] ?? OwnField(unit: unit)
        field.frames += 1
        field.largest = max(field.largest, largest)
        if other { field.others += 1 }
        fields[name] = field
        badness = max(badness, other ? 0.9 : 0.001)
        what.append(other ? "another \(name)" : "\(name) by \(Figures.short(largest))\(unit.map { " " + $0 } ?? "")")
    }

    // MARK: Changes

    /// The change of state in words: `tracked → lost`; nil where there is none. What is in sight in one file alone came
    /// or went.
    private func stateChange(_ old: Observation?, _ new: Observation?) -> String? {
        if old == nil, new?.isInSight ?? true { return nil }
        if new == nil, old?.isInSight ?? true { return nil }
        guard old?.state != new?.state else { return nil }
        func word(_ observation: Observation?) -> String {
            observation.map { $0.state?.rawValue ?? "none" } ?? "nothing"
        }
        return "\(word(old)) → \(word(new))"
    }

    private static func quoted(_ name: String?) -> String { name.map { "“\($0.inOneLine)”" } ?? "none" }
    private static func text(_ confidence: Double?) -> String { confidence.map { Figures.decimals($0, 3) } ?? "none" }

    /// Notes a run that has ended as one of the worst frames, at its first.
    private func tell(_ run: Runs.Run?, _ what: String, _ worst: inout WorstFrames) {
        guard let run else { return }
        let length = run.frames > 1 ? " (to frame \(run.last.frame))" : ""
        let words = run.what.isEmpty ? what : "\(what) \(run.what)"
        worst.add(
            WorstFrame(
                moment: run.first, stage: stage, old: old, new: new, thing: name, what: words + length,
                // Longer is worse; a state is the least of these.
                badness: (what == "state" ? 0 : 1) + (1 - 1 / Double(1 + run.frames)))
        )
    }
}
