extension Comparison {
    private static let style = """
        :root { color-scheme: light dark; }
        body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
        h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.1rem; margin: 2rem 0 0.3rem; overflow-wrap: anywhere; }
        h3 { font-size: 1rem; margin: 1rem 0 0.3rem; }
        p { margin: 0.3rem 0; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th, td { text-align: left; padding: 0.2rem 0.7rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
        .right { text-align: right; }
        .more { font-size: 0.9em; opacity: 0.8; }
        .equal, .within { color: light-dark(#17692f, #6fd08c); }
        .differs { color: light-dark(#a02512, #ff9b85); }
        td { color: CanvasText; }
        """

    /// The comparison as a web page in one file.
    public var html: String {
        let title = "\(old) → \(new)"
        var body = ["<h1>\(title.inHTML)</h1>", "<p class=\"\(verdict.rawValue)\">\(headline.inHTML)</p>"]
        body += worstTable
        for file in files {
            switch file.outcome {
            case .compared(let comparison): body += section(file.name, comparison)
            case .onlyOld: body.append("<h2>\(file.name.inHTML)</h2><p class=\"differs\">only in \(old.inHTML)</p>")
            case .onlyNew: body.append("<h2>\(file.name.inHTML)</h2><p class=\"differs\">only in \(new.inHTML)</p>")
            case .unreadable(let reason):
                body.append("<h2>\(file.name.inHTML)</h2><p class=\"differs\">\(reason.inHTML)</p>")
            }
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \(ContentPolicy.source(of: "\n" + Self.style + "\n"))">
            <title>\(title.inHTML)</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            \(body.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private var headline: String {
        func count(_ matches: (File) -> Bool, _ what: String) -> String? {
            let count = files.count(where: matches)
            return count == 0 ? nil : "\(Words.plural(count, "track file")) \(what)"
        }
        let parts = [
            count({ $0.compared?.verdict == .differs }, "with differences"),
            count({ $0.compared?.verdict == .within }, "within \(plain(tolerance)) px"),
            count({ $0.compared?.verdict == .equal }, "equal"),
            count({ if case .onlyOld = $0.outcome { true } else { false } }, "in the old folder alone"),
            count({ if case .onlyNew = $0.outcome { true } else { false } }, "in the new folder alone"),
            count({ if case .unreadable = $0.outcome { true } else { false } }, "that can’t be read"),
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private var worstTable: [String] {
        guard !worst.isEmpty else { return [] }
        let titles = ["file", "frame", "time", "stage", "track", "thing", "what"]
        let rows = worst.map { file, frame in
            [
                file, "\(frame.moment.frame)", Figures.decimals(frame.moment.seconds, 3) + " s", frame.stage,
                frame.number, frame.thing ?? "", frame.what,
            ]
        }
        return ["<h2>Worst frames</h2>"] + table(titles.map { ($0, $0 == "frame" || $0 == "time") }, rows)
    }

    private func section(_ name: String, _ comparison: TrackFileComparison) -> [String] {
        var lines = ["<h2>\(name.inHTML)</h2>"]
        lines.append("<p class=\"\(comparison.verdict.rawValue)\">\(comparison.title.inHTML)</p>")
        if comparison.verdict == .differs {
            lines += (comparison.notes + comparison.differences).map { "<p>\($0.inHTML)</p>" }
        }
        let columns = ThingFigures.columns.map { ($0.title, $0.isRight) }
        for (group, things) in comparison.groups where comparison.verdict != .equal {
            lines.append("<h3>stage \(group.stage.inHTML), \(group.kind.inHTML)</h3>")
            lines += table(columns, things.map(\.cells), below: things.map(\.details))
        }
        return lines
    }

    private func table(
        _ columns: [(title: String, isRight: Bool)], _ rows: [[String]], below: [[String]] = []
    ) -> [String] {
        func cells(_ texts: [String], _ tag: String) -> String {
            zip(columns, texts).map { column, text in
                "<\(tag)\(column.isRight ? " class=\"right\"" : "")>\(text.inHTML)</\(tag)>"
            }.joined()
        }
        var lines = ["<div class=\"scroll\"><table>", "<tr>\(cells(columns.map(\.title), "th"))</tr>"]
        for (index, row) in rows.enumerated() {
            lines.append("<tr>\(cells(row, "td"))</tr>")
            let more = index < below.count ? below[index].map(\.inHTML).joined(separator: "<br>") : ""
            if !more.isEmpty {
                lines.append("<tr><td></td><td class=\"more\" colspan=\"\(columns.count - 1)\">\(more)</td></tr>")
            }
        }
        return lines + ["</table></div>"]
    }
}

extension String {
    /// The text escaped for a page, in one line.
    fileprivate var inHTML: String {
        inOneLine.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}
