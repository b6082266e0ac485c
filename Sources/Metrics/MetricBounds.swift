package import Annotate

/// Bounds on figures, which make an evaluation a gate.
package struct MetricBounds: Sendable {
    /// One bound, or several on the same results.
    struct Bound: Sendable {
        var stage: String?
        var label: String?
        var clip: String?
        var ranges: [(figure: MetricFigures.Figure, range: Expectation.Range)]
    }

    private let bounds: [Bound]
    private let path: String

    /// Reads the list under `bounds` of a file.
    /// - Throws: `InvalidFileError` with all problems; `FileError`.
    package init(path: String) throws {
        self.path = path
        let root: JSONNode
        do {
            root = try JSONParser.parse(try Files.read(path))
        } catch let error as JSONSyntaxError {
            throw InvalidFileError(problems: [
                Problem(file: path, position: error.position, path: [], message: error.message)
            ])
        }
        var validator = ShapeValidator(file: path)
        validator.validate(root, against: .object(Self.shape))
        let nodes = root["bounds"]?.elements ?? []
        let names = MetricFigures.all.map(\.name)
        for (index, node) in nodes.enumerated()
        where node.members != nil && !names.contains(where: { node[$0]?["min"] != nil || node[$0]?["max"] != nil })
            && !validator.log.hasProblem(below: [.key("bounds"), .index(index)])
        {
            validator.log.add(
                "it bounds nothing; expected a figure, “recall” say", at: node, path: [.key("bounds"), .index(index)])
        }
        for (index, node) in nodes.enumerated() {
            for name in names {
                guard let range = node[name], let least = range["min"]?.number, let most = range["max"]?.number,
                    least > most
                else { continue }
                validator.log.add(
                    "at least \(plain(least)) and at most \(plain(most)), which nothing is; expected a “min” up to “max”",
                    at: range,
                    path: [.key("bounds"), .index(index), .key(name)])
            }
        }
        for (index, node) in nodes.enumerated() {
            for figure in MetricFigures.all where !figure.isCount {
                guard let range = node[figure.name], let least = range["min"]?.number, least > 1 else { continue }
                validator.log.add(
                    "at least \(plain(least)), and it is 1 at the most; expected a part of 1"
                        + (least >= 2 ? ", such as \(plain(least / 100)) for \(plain(least)) %" : ""),
                    at: range, path: [.key("bounds"), .index(index), .key(figure.name)])
            }
        }
        if let list = root["bounds"], nodes.isEmpty, validator.log.isEmpty {
            validator.log.add(
                "no bounds: everything would hold; expected one at least", at: list, path: [.key("bounds")])
        }
        guard validator.log.isEmpty else { throw InvalidFileError(problems: validator.log.sorted) }
        bounds = nodes.map { node in
            Bound(
                stage: node["stage"]?.string, label: node["class"]?.string, clip: node["clip"]?.string,
                ranges: MetricFigures.all.compactMap { figure in
                    node[figure.name].map { (figure, Expectation.Range($0)) }
                })
        }
    }

    /// What a file of bounds looks like; it may have tolerances too.
    package static let shape = ObjectShape(
        doc: "Bounds on figures.",
        properties: [
            Property("version", .constant(.integer(1)), doc: "1."),
            Property("tolerances", .any, doc: "What compare forgives."),
            Property("bounds", .array(of: .object(bound)), required: true, doc: "Bounds, each on one or more figures."),
        ])

    private static let bound = ObjectShape(
        doc: "Bounds on figures of some results.",
        properties: [
            Property("stage", .string(), doc: "Id of the stage; all that are judged when left out."),
            Property("class", .string(), doc: "The class; all together when left out."),
            Property(
                "clip", .string(),
                doc: "Shell pattern of clips, each of which has to be so; all together when left out."),
        ]
            + MetricFigures.all.map { figure in
                Property(figure.name, .object(Expectation.Range.shape(doc: figure.doc)), doc: figure.doc)
            })

    /// Each bound by a name of its own, with sentences where it doesn't hold.
    package func judgements(of evaluation: Evaluation) -> [(name: String, complaints: [String])] {
        bounds.enumerated().map { index, bound in
            let about = [
                bound.ranges.map(\.figure.name).joined(separator: ", "), bound.stage.map { "stage \($0)" },
                bound.label.map { "class \($0)" }, bound.clip.map { "clip \($0)" },
            ].compactMap(\.self).joined(separator: "; ")
            return ("bound \(index): \(about)".inOneLine, complaints(bound, evaluation))
        }
    }

    private static func clips(_ stage: Evaluation.Stage, _ pattern: String) -> [(
        name: String, figures: MetricFigures, classes: [(name: String, figures: MetricFigures)]
    )] {
        stage.clips.filter { $0.name == pattern || Files.matches($0.name, pattern) }
    }

    private func complaints(_ bound: Bound, _ evaluation: Evaluation) -> [String] {
        let stages = evaluation.stages.filter { bound.stage ?? $0.id == $0.id }
        guard !stages.isEmpty else { return ["bounds: no stage “\(bound.stage ?? "")” is judged"] }
        if let pattern = bound.clip, !stages.contains(where: { !Self.clips($0, pattern).isEmpty }) {
            return ["bounds: no clip “\(pattern.inOneLine)” is judged"]
        }
        var sentences: [String] = []
        for stage in stages {
            var sides: [(name: String, figures: MetricFigures?)] = []
            if let pattern = bound.clip {
                sides = Self.clips(stage, pattern).map { clip in
                    guard let label = bound.label else { return (clip.name.inOneLine, clip.figures) }
                    return (clip.name.inOneLine, clip.classes.first { $0.name == label }?.figures ?? MetricFigures())
                }
                if !sides.contains(where: { $0.figures?.hasThings ?? false }) {
                    let what = bound.label.map { "“\($0.inOneLine)”" } ?? "anything"
                    sentences.append(
                        "bounds: no clip “\(pattern.inOneLine)” has \(what) in stage \(stage.id), in the truth or in the results"
                    )
                    continue
                }
            } else {
                sides = [
                    (
                        "all clips",
                        bound.label.map { name in stage.classes.first { $0.name == name }?.figures } ?? stage.all
                    )
                ]
            }
            for (name, figures) in sides {
                let subject = [name, "stage \(stage.id)", bound.label.map { "class \($0.inOneLine)" }].compactMap(
                    \.self
                )
                .joined(separator: ", ")
                for (figure, range) in bound.ranges {
                    // Where neither side has anything nothing is right or wrong.
                    if bound.clip != nil, !figure.isCount, figures?.hasThings == false { continue }
                    let value = figures.flatMap(figure.value)
                    if let value, range.admits(value) { continue }
                    let wanted = [range.min.map { "at least \(plain($0))" }, range.max.map { "at most \(plain($0))" }]
                        .compactMap(\.self).joined(separator: " and ")
                    let found = value.map { "found " + (figure.isCount ? "\(Int($0))" : Figures.decimals($0, 6)) }
                    let why = figures == nil ? "nothing of it is in the truth or in the results" : "there is none here"
                    sentences.append("\(subject): expected \(figure.title) \(wanted), \(found ?? why)")
                }
            }
        }
        return sentences
    }
}

extension Expectation.Range {
    /// Whether a figure is in the range, to a billionth.
    fileprivate func admits(_ value: Double) -> Bool {
        value >= (min ?? -.infinity) - 0.5e-9 && value <= (max ?? .infinity) + 0.5e-9
    }
}
