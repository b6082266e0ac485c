/// Counts what a format can't say of the observations that it is given, by stage, so that a user isn't left to think
/// that it is all there.
struct Omissions {
    /// What a format can say.
    struct Abilities: OptionSet {
        let rawValue: Int

        static let outlines = Abilities(rawValue: 1)
        static let names = Abilities(rawValue: 2)
        static let confidences = Abilities(rawValue: 4)
        static let predictions = Abilities(rawValue: 8)
        static let holding = Abilities(rawValue: 16)
        /// Fields of a kind beyond the head: poses, landmarks, texts.
        static let fields = Abilities(rawValue: 32)
        static let masks = Abilities(rawValue: 64)
        static let joints = Abilities(rawValue: 128)
        static let turnedBoxes = Abilities(rawValue: 256)
        /// Outlines of four corners.
        static let quads = Abilities(rawValue: 512)
    }

    private let format: String
    private let abilities: Abilities
    private var facts: [(sentence: String, stages: [(id: String, count: Int)])] = []
    /// Fields that were left out, by stage.
    private var fields: [(stage: String, names: [String])] = []

    /// - Parameter format: Its name, at the beginning of a sentence.
    init(_ format: String, says abilities: Abilities) {
        (self.format, self.abilities) = (format, abilities)
    }

    /// The place of an observation; notes what the format can't say of it. nil for what the format leaves out.
    mutating func placement(of observation: Observation) -> PixelPlace? {
        guard observation.isInSight else { return nil }
        let stage = observation.stage
        guard let placement = PixelPlace(observation) else {
            add("\(format) says nothing of what has neither box nor outline; left out", stage)
            return nil
        }
        let isSaidTurned = abilities.contains(.turnedBoxes) && observation.turnedBox != nil
        let isSaidAsQuad = abilities.contains(.quads) && placement.polygon?.count == 4
        if placement.polygon != nil, !abilities.contains(.outlines), !isSaidTurned, !isSaidAsQuad {
            add("\(format) has no outlines; written as the boxes around them", stage)
        }
        if observation.label != nil, !abilities.contains(.names) { add("\(format) has no names; left out", stage) }
        if observation.confidence != nil, !abilities.contains(.confidences) {
            add("\(format) has no confidences; left out", stage)
        }
        if observation.state == .predicted, !abilities.contains(.predictions) {
            add("\(format) can't tell predicted places from measured ones; written alike", stage)
        }
        if observation.isHeld, !abilities.contains(.holding) {
            add("\(format) can't tell results carried over from new ones; written alike", stage)
        }
        if !abilities.contains(.fields) { addFields(of: observation) }
        return placement
    }

    /// Counts something under a sentence's beginning.
    mutating func add(_ fact: String, _ stage: String) {
        guard let index = facts.firstIndex(where: { $0.sentence == fact }) else {
            return facts.append((fact, [(stage, 1)]))
        }
        guard let place = facts[index].stages.firstIndex(where: { $0.id == stage }) else {
            return facts[index].stages.append((stage, 1))
        }
        facts[index].stages[place].count += 1
    }

    private mutating func addFields(of observation: Observation) {
        let index = fields.firstIndex { $0.stage == observation.stage } ?? fields.endIndex
        if index == fields.endIndex { fields.append((observation.stage, [])) }
        fields[index].names += observation.finding.base.names(besides: fields[index].names + said(by: observation))
    }

    /// Fields that the format has under words of its own.
    private func said(by observation: Observation) -> [String] {
        let kind = type(of: observation.finding.base)
        var names: [String] = []
        if abilities.contains(.masks), kind is any MaskedFinding.Type { names.append("mask") }
        if abilities.contains(.turnedBoxes), kind is any TurnedFinding.Type { names.append("angle") }
        if abilities.contains(.joints), let jointed = kind as? any JointedFinding.Type {
            names.append(jointed.jointsField)
        }
        return names
    }

    /// The notes, one a fact.
    var sentences: [String] {
        let counted = facts.map { fact in
            let counts = fact.stages.map { "\($0.count) of stage “\($0.id)”" }.joined(separator: ", ")
            return "\(fact.sentence): \(counts)"
        }
        let left = fields.filter { !$0.names.isEmpty }.map { stage, names in
            "\(names.map { "“\($0)”" }.joined(separator: ", ")) of stage “\(stage)”"
        }
        return counted
            + (left.isEmpty
                ? [] : ["\(format) has no fields beyond places and names; left out: \(left.joined(separator: "; "))"])
    }
}

/// Omissions that several files of one data set count together.
final class SharedOmissions {
    var value: Omissions

    init(_ value: Omissions) { self.value = value }
}

extension Finding {
    /// The fields that have a value.
    fileprivate func names(besides known: [String]) -> [String] {
        Self.fields.filter { field in
            !known.contains(field.name) && field.columns.contains { $0.text(self) != nil }
        }.map(\.name)
    }
}
