package import Annotate

extension Evaluation {
    /// Figures that a table for people has.
    static let told = [
        "truth", "precision", "recall", "f1", "ap50", "ap", "meanIoU", "oks", "hota", "mota", "idf1", "switches",
    ]

    static func text(_ figure: MetricFigures.Figure, of figures: MetricFigures) -> String {
        guard let value = figure.value(figures) else { return "" }
        return figure.isCount ? "\(Int(value))" : Figures.decimals(value, 3)
    }

    /// Rows of a stage: all, then by class, then by clip.
    static func rows(_ stage: Stage) -> [(name: String, figures: MetricFigures)] {
        let classes = stage.classes.count > 1 ? stage.classes.map { ("class \($0.name)", $0.figures) } : []
        let clips = stage.clips.count > 1 ? stage.clips.map { ("clip \($0.name)", $0.figures) } : []
        // Of what is neither in the truth nor in the results there is nothing to tell.
        return [("all", stage.all)] + (classes + clips).filter { $0.1.hasThings }
    }

    /// The figures as lines of text.
    package var lines: [String] {
        var lines = notes.map { "note: \($0)" }
        for stage in stages {
            let classes = stage.classes.isEmpty ? "" : ", \(Words.plural(stage.classes.count, "class"))"
            lines.append("stage \(stage.id), \(stage.kind): \(Words.plural(stage.clips.count, "clip"))\(classes)")
            let figures = MetricFigures.all.filter { Self.told.contains($0.name) }
            var table = TextTable(
                [.init(title: "", canShrink: true)] + figures.map { .init(title: $0.title, isRight: true) }, width: 140)
            for row in Self.rows(stage) {
                table.add([row.name.inOneLine] + figures.map { Self.text($0, of: row.figures) })
            }
            lines += table.lines(indent: 2)
        }
        return lines
    }

    /// The figures as one JSON object; docs/compare.md has its members.
    package var json: JSONValue {
        JSONValue { json in
            json.object { json in
                json.key("truth")
                json.value(truth)
                json.key("results")
                json.value(results)
                json.key("notes")
                json.array { json in for note in notes { json.value(note) } }
                json.key("failures")
                json.array { json in for failure in failures { json.value(failure) } }
                json.key("stages")
                json.array { json in for stage in stages { stage.write(into: &json) } }
            }
        }
    }
}

extension Evaluation.Stage {
    /// The most faults that are told.
    private static let mostFaults = 1000

    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.key("stage")
            json.value(id)
            json.key("kind")
            json.value(kind)
            json.key("all")
            all.write(into: &json)
            json.key("classes")
            Self.write(classes, into: &json)
            json.key("clips")
            json.array { json in
                for clip in clips {
                    json.object { json in
                        json.key("clip")
                        json.value(clip.name)
                        json.key("all")
                        clip.figures.write(into: &json)
                        json.key("classes")
                        Self.write(clip.classes, into: &json)
                    }
                }
            }
            json.key("faults")
            json.array { json in for fault in faults.prefix(Self.mostFaults) { fault.write(into: &json) } }
        }
    }

    private static func write(_ classes: [(name: String, figures: MetricFigures)], into json: inout JSONWriter) {
        json.object { json in
            for one in classes {
                json.key(one.name)
                one.figures.write(into: &json)
            }
        }
    }
}

extension MetricFigures {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            for figure in Self.all {
                guard let value = figure.value(self) else { continue }
                json.key(figure.name)
                if figure.isCount { json.value(Int(value)) } else { json.value(value, decimals: 9) }
            }
        }
    }
}

extension Fault {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.key("what")
            json.value(what.rawValue)
            json.key("clip")
            json.value(clip)
            if let label {
                json.key("class")
                json.value(label)
            }
            if let track {
                json.key("track")
                json.value(track)
            }
            json.key("first")
            json.value(first)
            json.key("last")
            json.value(last)
            if let confidence {
                json.key("confidence")
                json.value(confidence, decimals: 3)
            }
            json.key("box")
            json.array { json in for value in [box.x, box.y, box.width, box.height] { json.value(value, decimals: 2) } }
        }
    }
}
