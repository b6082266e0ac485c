extension Comparison {
    /// The comparison as lines of text; one line where all is equal.
    public var lines: [String] {
        var lines = summary
        var told = 0
        for file in isOfFolders ? differing : files {
            switch file.outcome {
            case .compared(let comparison):
                told += 1
                if told <= Self.mostDetails { lines += comparison.lines(name: file.name) }
            // Of several the summary has told.
            case .onlyOld where files.count > 1, .onlyNew where files.count > 1: break
            case .onlyOld: lines.append("\(file.name.inOneLine): only in \(old)")
            case .onlyNew: lines.append("\(file.name.inOneLine): only in \(new)")
            case .unreadable: break
            }
        }
        if told > Self.mostDetails { lines.append("\(told - Self.mostDetails) more differ: see --html or --json") }
        return lines + worstLines
    }

    /// The most files of which everything is told in text.
    private static let mostDetails = 20

    /// The lines about a folder: how many files there are of each sort, then a line for each that differs, the worst first.
    private var summary: [String] {
        guard let sum else {
            return isOfFolders && files.count > 1
                ? counts + differing.map { "  \($0.name.inOneLine): \($0.sentence)" } : []
        }
        guard !differing.isEmpty, files.count > 1 else { return [sum] }
        return counts + differing.map { "  \($0.name.inOneLine): \($0.sentence)" }
    }

    /// The line `5 of 300 track files differ; 294 equal, 1 missing`.
    private var counts: [String] { [headline] }

    /// The line about a folder: `3 of 4 track files: equal`; nil for single files.
    private var sum: String? {
        guard isOfFolders else { return nil }
        func count(_ verdict: TrackFileComparison.Verdict) -> Int { files.count { $0.compared?.verdict == verdict } }
        let parts = [(count(.equal), "equal"), (count(.within), tolerances.words)].filter { $0.0 > 0 }
        guard !parts.isEmpty else { return nil }
        let told = parts.reduce(0) { $0 + $1.0 }
        let all = Words.plural(files.count, "track file")
        let start = told == files.count ? all : "\(told) of \(all)"
        let notes = files.flatMap { $0.compared.map { $0.verdict == .differs ? [] : $0.notes } ?? [] }
            .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let words = parts.count == 1 ? parts[0].1 : parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        // Many files may differ in many ways; one is told.
        let note = notes.count == 1 ? "; \(notes[0])" : ""
        return "\(start): \(words)\(note)"
    }

    private var worstLines: [String] {
        let worst = worst.filter { one in
            files.contains { $0.name == one.file && $0.compared?.verdict == .differs }
        }
        guard !worst.isEmpty else { return [] }
        var table = TextTable([
            .init(title: "file", canShrink: true), .init(title: "frame", isRight: true),
            .init(title: "time", isRight: true),
            .init(title: "stage", canShrink: true), .init(title: "track"), .init(title: "thing", canShrink: true),
            .init(title: "what", canShrink: true),
        ])
        for (file, frame) in worst {
            table.add([
                isOfFolders ? file.inOneLine : "", "\(frame.moment.frame)",
                Figures.decimals(frame.moment.seconds, 3) + " s",
                frame.stage, frame.number, frame.thing?.inOneLine ?? "", frame.what,
            ])
        }
        return ["worst frames:"] + table.lines(indent: 2)
    }
}

extension TrackFileComparison {
    /// The verdict in words: `equal`, `within 0.5 px`, `differs`, with what was compared.
    var title: String {
        let size = "(\(Words.plural(frames, "frame")), \(Words.plural(tracks, "track")))"
        return switch verdict {
        case .equal: "equal \(size)" + ([numbers].compactMap(\.self) + notes).map { "; \($0)" }.joined()
        case .within:
            "\(tolerances.words) \(size)"
                + ([longestWay > 0 ? "moved by \(Figures.decimals(longestWay, 2)) px at most" : nil, numbers]
                .compactMap(\.self) + notes)
                .map { "; \($0)" }.joined()
        case .differs: "differs \(size)"
        }
    }

    /// The line about tracks with other numbers: `tracks numbered otherwise: 1 → 2, 2 → 1`; nil for none.
    private var numbers: String? {
        guard !renumbered.isEmpty else { return nil }
        let told = renumbered.prefix(4).map { "\($0.old) → \($0.new)" }.joined(separator: ", ")
        return "tracks numbered otherwise: \(told)\(renumbered.count > 4 ? ", …" : "")"
    }

    func lines(name: String) -> [String] {
        var lines = TextTable.wrap("\(name.inOneLine): \(title)", indent: 0)
        guard verdict == .differs else { return lines }
        for note in notes + differences { lines += TextTable.wrap(note, indent: 2) }
        for (group, things) in groups {
            lines.append("  stage \(group.stage), \(group.kind)")
            let (equal, others) = (things.filter(\.isWithin).map(\.thing), things.filter { !$0.isWithin }.map(\.thing))
            if !others.isEmpty {
                var table = TextTable(ThingFigures.columns)
                for thing in others { table.add(thing.cells, below: thing.details) }
                lines += table.lines(indent: 4)
            }
            if !equal.isEmpty {
                let how = equal.allSatisfy(\.isEqual) ? "equal" : tolerances.words
                lines.append("    \(equal.count)\(others.isEmpty ? "" : " more") \(how)")
            }
        }
        return lines
    }

    /// Its things by stage and kind.
    var groups: [(group: StageKind, things: [(thing: ThingFigures, isWithin: Bool)])] {
        var groups: [(group: StageKind, things: [(thing: ThingFigures, isWithin: Bool)])] = []
        let intolerable = intolerable
        for (index, thing) in things.enumerated() {
            let group = StageKind(stage: thing.stage, kind: thing.kind)
            let entry = (thing: thing, isWithin: !intolerable.contains(index))
            if groups.last?.group == group {
                groups[groups.count - 1].things.append(entry)
            } else {
                groups.append((group, [entry]))
            }
        }
        return groups
    }
}

extension WorstFrame {
    /// Numbers of its thing's tracks.
    var number: String {
        switch (old, new) {
        case (let old?, let new?): old == new ? "\(old)" : "\(old) → \(new)"
        case (let old?, nil): "\(old) →"
        case (nil, let new?): "→ \(new)"
        case (nil, nil): ""
        }
    }
}
