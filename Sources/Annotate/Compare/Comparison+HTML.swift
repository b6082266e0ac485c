extension Comparison {
    /// The comparison as a web page in one file: what differs first, then what is equal.
    /// - Parameters:
    ///   - kinds: With which pictures of the worst frames are taken; nil for none.
    ///   - cancellation: Ends the taking of those pictures; nil where nothing does.
    public func html(kinds: FindingCatalog? = nil, cancellation: Cancellation? = nil) -> String {
        var page = ReportPage(title: "\(old) → \(new)")
        page.add(paragraph: headline, verdict.rawValue)
        let differing = differing
        let others = files.filter { !$0.differs }
        if isOfFolders, !differing.isEmpty {
            page.add(
                ReportPage.table(
                    [
                        .init("file"), .init("what"), .init("gone", isRight: true), .init("came", isRight: true),
                        .init("moved px", isRight: true),
                    ],
                    differing.map(\.cells)))
        }
        if !worst.isEmpty {
            page.add("<h2>Worst frames</h2>")
            page.add(worstTable)
            if let kinds {
                let (pictures, notes) = WorstPictures(self, kinds: kinds, cancellation: cancellation).html
                if !pictures.isEmpty { page.add("<div class=\"pictures\">\(pictures.joined(separator: "\n"))</div>") }
                for note in notes { page.add(paragraph: note) }
            }
        }
        for file in differing {
            page.add(part: "\(file.name): \(file.sentence)", "differs", isOpen: differing.count <= 10, section(file))
        }
        if !others.isEmpty, isOfFolders {
            let rows = others.map { [$0.name, $0.compared?.title ?? ""] }
            page.add(
                part:
                    "\(Words.plural(others.count, "track file")) \(others.allSatisfy { $0.compared?.verdict == .equal } ? "equal" : "equal or \(tolerances.words)")",
                "equal", isOpen: differing.isEmpty, [ReportPage.table([.init("file"), .init("what")], rows)])
        } else {
            for file in others { for line in section(file) { page.add(line) } }
        }
        return page.html
    }

    /// How many files there are of each sort.
    var headline: String {
        func count(_ matches: (File) -> Bool) -> Int { files.count(where: matches) }
        let all = Words.plural(files.count, "track file")
        let differ = count { $0.compared?.verdict == .differs }
        let parts = [
            (count { $0.compared?.verdict == .equal }, "equal"),
            (count { $0.compared?.verdict == .within }, tolerances.words),
            (count { if case .onlyOld = $0.outcome { true } else { false } }, "missing in the new folder"),
            (count { if case .onlyNew = $0.outcome { true } else { false } }, "in the new folder alone"),
            (count { if case .unreadable = $0.outcome { true } else { false } }, "that can’t be read"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard isOfFolders else {
            return files.first.map { $0.differs ? "differs: \($0.sentence)" : $0.compared?.title ?? "" } ?? ""
        }
        guard differ > 0 else { return "\(all): \(parts.joined(separator: ", "))" }
        return (["\(differ) of \(all) \(differ == 1 ? "differs" : "differ")"] + parts).joined(separator: ", ")
    }

    private var worstTable: String {
        let columns = ["file", "frame", "time", "stage", "track", "thing", "what"]
        let rows = worst.map { file, frame in
            [
                file, "\(frame.moment.frame)", Figures.decimals(frame.moment.seconds, 3) + " s", frame.stage,
                frame.number, frame.thing ?? "", frame.what,
            ]
        }
        return ReportPage.table(columns.map { .init($0, isRight: $0 == "frame" || $0 == "time") }, rows)
    }

    /// What is told of one file, as HTML.
    private func section(_ file: File) -> [String] {
        guard let comparison = file.compared else { return [] }
        var lines = ["<p class=\"\(comparison.verdict.rawValue)\">\(file.name.inHTML): \(comparison.title.inHTML)</p>"]
        if comparison.verdict == .differs {
            lines += (comparison.notes + comparison.differences).map { "<p>\($0.inHTML)</p>" }
        }
        let columns = ThingFigures.columns.map { ReportPage.Column($0.title, isRight: $0.isRight) }
        for (group, things) in comparison.groups where comparison.verdict != .equal {
            lines.append("<h3>stage \(group.stage.inHTML), \(group.kind.inHTML)</h3>")
            lines.append(
                ReportPage.table(
                    columns, things.map(\.thing.cells),
                    below: things.map { $0.thing.details.map(\.inHTML).joined(separator: "<br>") }))
        }
        return lines
    }
}

extension Comparison.File {
    fileprivate var cells: [String] {
        guard let comparison = compared else { return [name, sentence, "", "", ""] }
        func sum(_ figure: (ThingFigures) -> Int) -> String {
            let sum = comparison.things.reduce(0) { $0 + figure($1) }
            return sum > 0 ? "\(sum)" : ""
        }
        let way = comparison.things.map(\.longestWay).max() ?? 0
        return [
            name, sentence, sum { $0.went.frames }, sum { $0.came.frames },
            way > 0 ? Figures.decimals(way, 2) : "",
        ]
    }
}
