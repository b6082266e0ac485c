/// Pascal VOC: an XML file a frame with boxes of whole pixels, the first and the last of them, counted from 1.
struct VOCReader {
    private let request: ImportRequest

    init(_ request: ImportRequest) throws {
        guard request.by != .time else {
            throw ImportError(request.path, "VOC's files have frames and no times; expected “by”: “frame”")
        }
        self.request = request
    }

    func read() throws -> ImportedRows {
        var rows = ImportedRows(clock: .frames)
        for file in try FrameFile.all(of: request) { try read(file, into: &rows) }
        return rows
    }

    private func read(_ file: FrameFile, into rows: inout ImportedRows) throws {
        var xml = try XMLElements(path: file.path)
        var open: [String] = []
        var (name, text) = ("", "")
        var edges: [String: Double] = [:]
        var size: [String: Int] = [:]
        while let event = try xml.next() {
            let at = ImportRequest.Place(file.path, xml.line)
            switch event {
            case .begin(let element, _):
                if open.isEmpty, element != "annotation" {
                    throw at.failure("“<\(element.inOneLine)>”; expected VOC's “<annotation>”")
                }
                open.append(element)
                text = ""
                if element == "object" { (name, edges) = ("", [:]) }
            case .text(let part): text += part
            case .end(let element):
                open.removeLast()
                let value = String(text.drop(while: \.isWhitespace))
                switch (element, open.last) {
                case ("name", "object"): name = value
                case (_, "bndbox"): edges[element] = MOTReader.number(value.utf8)
                case (_, "size"): size[element] = MOTReader.number(value.utf8).flatMap { Int(exactly: $0) }
                case ("object", _):
                    guard let left = edges["xmin"], let top = edges["ymin"], let right = edges["xmax"],
                        let bottom = edges["ymax"]
                    else { throw at.failure("an object without a “bndbox” of xmin, ymin, xmax and ymax") }
                    guard right >= left, bottom >= top else {
                        throw at.failure("a “bndbox” whose xmax or ymax is less than its xmin or ymin")
                    }
                    var row = ImportedRow()
                    row.line = xml.line
                    row.key = try file.key(request, line: xml.line)
                    row.label = name.isEmpty ? nil : name
                    row.box = try request.box([left - 1, top - 1, right - left + 1, bottom - top + 1], line: xml.line)
                    rows.append(row)
                default: break
                }
                text = ""
            }
        }
        guard let width = size["width"], let height = size["height"], width > 0, height > 0 else { return }
        let own = try ImportRequest.Place(file.path, xml.line).size(width, height)
        if let other = rows.size, other != own {
            throw ImportError(
                file.path,
                "a picture of \(width) × \(height) pixels, and those before have \(other.width) × \(other.height); expected those "
                    + "of one clip")
        }
        rows.size = own
    }
}
