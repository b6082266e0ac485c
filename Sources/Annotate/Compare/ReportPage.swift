/// A web page about figures in one file: tables that sort by a click, parts that fold, pictures side by side or blinking.
package struct ReportPage {
    private let title: String
    private var body: [String] = []

    package init(title: String) { self.title = title }

    /// Adds a piece of HTML.
    package mutating func add(_ html: String) { body.append(html) }

    /// Adds a paragraph.
    /// - Parameter name: Of its class: `equal`, `within`, `differs` or nothing.
    package mutating func add(paragraph text: String, _ name: String = "") {
        body.append("<p\(name.isEmpty ? "" : " class=\"\(name)\"")>\(text.inHTML)</p>")
    }

    /// Adds a part that folds.
    package mutating func add(part title: String, _ name: String = "", isOpen: Bool, _ html: [String]) {
        body.append("<details\(isOpen ? " open" : "")><summary class=\"\(name)\">\(title.inHTML)</summary>")
        body += html
        body.append("</details>")
    }

    /// A column of a table.
    package struct Column {
        package var title: String
        /// Whether it has numbers, which stand at the right and sort by their value.
        package var isRight = false

        package init(_ title: String, isRight: Bool = false) { (self.title, self.isRight) = (title, isRight) }
    }

    /// A table that sorts by a click on a column's head.
    /// - Parameters:
    ///   - rows: Texts, not HTML.
    ///   - below: HTML under a row, across the table; "" for none.
    ///   - names: Of the rows' classes.
    package static func table(
        _ columns: [Column], _ rows: [[String]], below: [String] = [], names: [String] = []
    ) -> String {
        func cells(_ texts: [String]) -> String {
            zip(columns, texts).map { "<td\($0.isRight ? " class=\"right\"" : "")>\($1.inHTML)</td>" }.joined()
        }
        let head = columns.map {
            "<th\($0.isRight ? " class=\"right\"" : "")><button type=\"button\">\($0.title.inHTML)</button></th>"
        }.joined()
        var lines = ["<div class=\"scroll\"><table><thead><tr>\(head)</tr></thead>"]
        // A body for each row keeps what is below it with it.
        for (index, row) in rows.enumerated() {
            let name = index < names.count && !names[index].isEmpty ? " class=\"\(names[index])\"" : ""
            let more = index < below.count ? below[index] : ""
            lines.append("<tbody\(name)><tr>\(cells(row))</tr>")
            if !more.isEmpty { lines.append("<tr><td class=\"more\" colspan=\"\(columns.count)\">\(more)</td></tr>") }
            lines.append("</tbody>")
        }
        return (lines + ["</table></div>"]).joined(separator: "\n")
    }

    /// Two pictures of one place, side by side; a button lays them on each other and shows them by turns.
    package static func pair(_ pictures: [(caption: String, html: String)], _ caption: String) -> String {
        let sides = pictures.map { "<div class=\"side\">\($0.html)<span>\($0.caption.inHTML)</span></div>" }.joined()
        let button = pictures.count > 1 ? "<button type=\"button\" class=\"blink\">blink</button>" : ""
        return "<figure><div class=\"pair\">\(sides)</div><figcaption>\(button) \(caption.inHTML)</figcaption></figure>"
    }

    /// The page.
    package var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src \
        \(ContentPolicy.source(of: "\n" + Self.style + "\n")); script-src \(ContentPolicy.source(of: "\n" + Self.script + "\n"))">
        <title>\(title.inHTML)</title>
        <style>
        \(Self.style)
        </style>
        </head>
        <body>
        <h1>\(title.inHTML)</h1>
        \(body.joined(separator: "\n"))
        <script>
        \(Self.script)
        </script>
        </body>
        </html>

        """
    }

    private static let style = """
        :root { color-scheme: light dark; }
        body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
        h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.1rem; margin: 2rem 0 0.3rem; overflow-wrap: anywhere; }
        h3 { font-size: 1rem; margin: 1rem 0 0.3rem; }
        p { margin: 0.3rem 0; }
        details { margin: 0.8rem 0; }
        summary { cursor: pointer; font-weight: 600; overflow-wrap: anywhere; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th, td { text-align: left; padding: 0.2rem 0.7rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
        th button { all: unset; cursor: pointer; }
        th button:focus-visible { outline: 2px solid; }
        th[aria-sort=ascending] button::after { content: " ▴"; }
        th[aria-sort=descending] button::after { content: " ▾"; }
        .right { text-align: right; }
        .more { font-size: 0.9em; opacity: 0.8; }
        .equal, .within { color: light-dark(#17692f, #6fd08c); }
        .differs { color: light-dark(#a02512, #ff9b85); }
        td { color: CanvasText; }
        .pictures { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: 1.2rem; }
        figure { margin: 0; }
        figcaption { font-size: 0.9em; max-width: 60rem; overflow-wrap: anywhere; }
        .pair { display: flex; gap: 0.4rem; }
        .side { position: relative; }
        .side img { display: block; max-width: 100%; height: auto; }
        .side svg { position: absolute; inset: 0; width: 100%; height: calc(100% - 0.85em * 1.4); fill: none; stroke-width: 2; }
        .side span { display: block; font-size: 0.85em; line-height: 1.4em; }
        svg .old { stroke: #2fb45a; vector-effect: non-scaling-stroke; }
        svg .new { stroke: #ff5a3c; vector-effect: non-scaling-stroke; }
        .pair.turns { display: grid; }
        .pair.turns .side { grid-area: 1 / 1; background: Canvas; }
        .pair.turns .side:last-child { animation: turn 1s steps(1) infinite; }
        @keyframes turn { 50% { opacity: 0; } }
        @media print { details:not([open]) > * { display: block; } th button::after { content: ""; } }
        """

    private static let script = """
        "use strict"
        document.addEventListener("click", event => {
            const button = event.target.closest("button")
            if (!button) return
            if (button.className === "blink") {
                const on = button.closest("figure").querySelector(".pair").classList.toggle("turns")
                button.setAttribute("aria-pressed", on)
                return
            }
            const head = button.closest("th")
            if (!head) return
            const table = head.closest("table"), heads = [...head.parentNode.children], column = heads.indexOf(head)
            // Of numbers the largest comes first, of names the first.
            const isNumber = head.className === "right"
            const before = head.getAttribute("aria-sort")
            const down = before ? before === "ascending" : isNumber
            for (const one of heads) one.removeAttribute("aria-sort")
            head.setAttribute("aria-sort", down ? "descending" : "ascending")
            const text = body => body.rows[0].cells[column].textContent.trim()
            const number = body => { const value = parseFloat(text(body)); return isNaN(value) ? -Infinity : value }
            const bodies = [...table.tBodies]
            bodies.sort((a, b) => (isNumber ? number(a) - number(b) : text(a).localeCompare(text(b))) * (down ? -1 : 1))
            for (const body of bodies) table.append(body)
        })
        """
}

extension String {
    /// The text escaped for a page, in one line.
    package var inHTML: String {
        inOneLine.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}

extension Sequence {
    /// The first ones, of different groups before two of one.
    /// - Parameter group: What an element belongs to.
    package func spread(over group: (Element) -> some Hashable, most: Int) -> [Element] {
        var seen: [AnyHashable: Int] = [:]
        let ranked = enumerated().map { index, element in
            let rank = seen[AnyHashable(group(element)), default: 0]
            seen[AnyHashable(group(element))] = rank + 1
            return (rank: rank, index: index, element: element)
        }
        return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.prefix(most).map(\.element)
    }
}
