internal import Graph

extension MarkerSheet {
    /// A page as SVG 1.1, whose user units are millimetres.
    ///
    /// - Parameter index: From 0.
    public func svg(page index: Int) -> String {
        let (width, height) = page.size
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(mm(width))mm\" height=\"\(mm(height))mm\" "
                + "viewBox=\"0 0 \(mm(width)) \(mm(height))\">",
            "<rect width=\"\(mm(width))\" height=\"\(mm(height))\" fill=\"#fff\"/>",
        ]
        let module = side / Double(modules)
        for place in layout.pages[index] {
            lines.append(
                "<rect x=\"\(mm(place.x))\" y=\"\(mm(place.y))\" width=\"\(mm(side))\" height=\"\(mm(side))\"/>")
            // One path, so that no renderer shows seams between neighbours.
            let cells = (white[place.id] ?? []).map { cell in
                "M\(mm(place.x + Double(cell.column) * module)) \(mm(place.y + Double(cell.row) * module))h\(mm(module))"
                    + "v\(mm(module))h\(mm(-module))z"
            }
            lines.append("<path fill=\"#fff\" d=\"\(cells.joined())\"/>")
            lines.append(
                "<text x=\"\(mm(place.x))\" y=\"\(mm(place.y + side + layout.quiet + 2.5))\" font-family=\"sans-serif\" "
                    + "font-size=\"3\" fill=\"#555\">\(caption(place.id))</text>")
        }
        let foot = height - SheetLayout.margin
        lines.append(
            "<path d=\"M\(mm(SheetLayout.margin)) \(mm(foot - 1))v2m0-1h50m0-1v2\" stroke=\"#000\" stroke-width=\"0.2\" "
                + "fill=\"none\"/>")
        lines.append(
            "<text x=\"\(mm(SheetLayout.margin + 54))\" y=\"\(mm(foot + 1))\" font-family=\"sans-serif\" font-size=\"3\" "
                + "fill=\"#555\">\(note)</text>")
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    /// A length in millimetres, to a tenth of a micrometre.
    private func mm(_ value: Double) -> String {
        var json = JSONWriter()
        json.value(value, decimals: 4)
        return json.text
    }
}
