internal import Graph

extension MarkerSheet {
    /// All pages as PDF 1.4 (ISO 32000-1). Its units are points of 1/72 inch, its origin is at the bottom left.
    public func pdf() -> [UInt8] {
        let count = layout.pages.count
        // 1 the catalogue, 2 the pages, 3 the font; then a page and its content each.
        let kids = (0..<count).map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            "<< /Type /Pages /Kids [\(kids)] /Count \(count) >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
        let (width, height) = page.size
        for index in 0..<count {
            objects.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(pt(width)) \(pt(height))] "
                    + "/Resources << /Font << /F1 3 0 R >> >> /Contents \(5 + 2 * index) 0 R >>")
            let content = content(layout.pages[index], height: height)
            objects.append("<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream")
        }
        var file = Array("%PDF-1.4\n".utf8)
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(file.count)
            file += Array("\(index + 1) 0 obj\n\(object)\nendobj\n".utf8)
        }
        let start = file.count
        // Entries of exactly twenty bytes.
        let entries = offsets.map { offset in
            let digits = String(offset)
            return String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        file += Array("xref\n0 \(objects.count + 1)\n0000000000 65535 f \n\(entries.joined())".utf8)
        file += Array(
            "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n".utf8)
        return file
    }

    private func content(_ places: [SheetLayout.Place], height: Double) -> String {
        var lines: [String] = []
        let module = side / Double(modules)
        func rectangle(_ x: Double, _ y: Double, _ side: Double) -> String {
            "\(pt(x)) \(pt(height - y - side)) \(pt(side)) \(pt(side)) re"
        }
        func text(_ text: String, _ x: Double, _ y: Double) -> String {
            "BT /F1 8.5 Tf 0.33 g \(pt(x)) \(pt(height - y)) Td (\(text)) Tj ET"
        }
        for place in places {
            lines.append("0 g \(rectangle(place.x, place.y, side)) f")
            // One path, so that no renderer shows seams between neighbours.
            let cells = (white[place.id] ?? []).map {
                rectangle(place.x + Double($0.column) * module, place.y + Double($0.row) * module, module)
            }
            if !cells.isEmpty { lines.append("1 g \(cells.joined(separator: " ")) f") }
            lines.append(text(caption(place.id), place.x, place.y + side + layout.quiet + 2.5))
        }
        let (left, foot) = (SheetLayout.margin, height - SheetLayout.margin)
        let level = pt(height - foot)
        lines.append(
            "0 G 0.57 w \(pt(left)) \(level) m \(pt(left + 50)) \(level) l S "
                + "\(pt(left)) \(pt(height - foot - 1)) m \(pt(left)) \(pt(height - foot + 1)) l S "
                + "\(pt(left + 50)) \(pt(height - foot - 1)) m \(pt(left + 50)) \(pt(height - foot + 1)) l S")
        lines.append(text(note, left + 54, foot + 1))
        return lines.joined(separator: "\n")
    }

    /// Millimetres in points, to a ten-thousandth.
    private func pt(_ millimetres: Double) -> String {
        var json = JSONWriter()
        json.value(millimetres * 72 / 25.4, decimals: 4)
        return json.text
    }
}
