/// A table with a row an observation: the frame, the head, then the fields of every kind that the stages emit, as they are
/// declared (RFC 4180; UTF-8).
///
/// Texts are no formulas, whatever they begin with: `CSVCell`. A number with a unit other than pixels of place names it: `pose_translation_x_m`. A list is one cell of JSON.
package final class CSVSink: Sink {
    package static let format = SinkFormat(
        name: "csv", title: "CSV", suffix: ".csv",
        doc: "A table with a row an observation, for spreadsheets and data frames.")

    private let clip: String
    private let table: CSVTable

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        clip = context.header.source.name
        table = try CSVTable(
            try ByteWriter(file), kinds: context.header.stages.flatMap { context.kinds.kinds(of: $0.type) ?? [] },
            keepsFormulas: context.keepsFormulas, writesEmpty: context.writesEmpty)
    }

    package func write(_ frame: FrameRecord) throws { try table.write(frame, clip: clip) }

    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws { try table.finish() }
}

/// A table of the observations of one clip or several.
final class CSVTable {
    private typealias Row = (clip: String, frame: FrameRecord, observation: Observation)

    private let writer: ByteWriter
    /// Columns of the frame and the head.
    private let columns: [Column<Row>]
    /// How many of them are the frame's.
    private let frameColumns: Int
    /// The titles of the kinds' own columns; one that kinds share is filled by each of them.
    private let titles: [String]
    /// Titles of the columns of the frame and the head.
    private let taken: Set<String>
    private let keepsFormulas: Bool
    private let writesEmpty: Bool

    /// - Parameters:
    ///   - kinds: What may come, in the order of their columns.
    ///   - last: Titles of further columns, whose cells are given with each frame.
    ///   - writesEmpty: Whether a frame without observations has a row.
    init(
        _ writer: ByteWriter, kinds: [any Finding.Type], last: [String] = [], keepsFormulas: Bool = false,
        writesEmpty: Bool = false
    ) throws {
        self.writer = writer
        let frame = Self.frame
        columns = frame + Self.head
        frameColumns = frame.count
        (self.keepsFormulas, self.writesEmpty) = (keepsFormulas, writesEmpty)
        let taken = Set(columns.map(\.name))
        self.taken = taken
        titles = kinds.flatMap { $0.titles(besides: taken) }.reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
        try writer.write(Self.line(columns.map(\.name) + titles + last))
    }

    /// Writes a frame's rows.
    /// - Parameter last: Cells of the further columns.
    func write(_ frame: FrameRecord, clip: String, last: [String] = []) throws {
        if frame.observations.isEmpty, writesEmpty {
            let row = (clip, frame, Observation(NoFinding(), stage: ""))
            let cells = columns.prefix(frameColumns).map { $0.text(row) ?? "" }
            let rest = [String](repeating: "", count: columns.count - frameColumns + titles.count)
            try put(cells + rest + last)
        }
        for observation in frame.observations {
            let row = (clip, frame, observation)
            let own = observation.finding.base.cells(besides: taken)
            try put(columns.map { $0.text(row) ?? "" } + titles.map { own[$0] ?? "" } + last)
        }
    }

    private func put(_ cells: [String]) throws {
        try writer.write(Self.line(keepsFormulas ? cells : cells.map(CSVCell.guarded)))
    }

    func finish() throws { try writer.finish() }

    /// Stands where nothing was seen: only the frame's columns are looked at.
    private struct NoFinding: Finding {
        static let kind = ""
        static let doc = ""
        static let fields: [Field<NoFinding>] = []
    }

    /// A row's bytes.
    static func line(_ cells: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            let needsQuotes = cell.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
            if needsQuotes {
                bytes += "\"\(cell.replacing("\"", with: "\"\""))\"".utf8
            } else {
                bytes += cell.utf8
            }
        }
        return bytes + [0x0A]
    }

    // MARK: Columns

    /// Corners that have columns of their own; a polygon with more has the others in one cell.
    private static let corners = 4

    private static var frame: [Column<Row>] {
        [
            Column("clip") { $0.clip }, Column("frame") { String($0.frame.frame) },
            Column("pts") { String($0.frame.pts.ticks) },
            Column("time") { row in
                var json = JSONWriter()
                json.value(row.frame.pts.seconds, decimals: 6)
                return json.text
            },
        ]
    }

    private static var head: [Column<Row>] {
        Observation.head.flatMap { field -> [Column<Row>] in
            switch field.name {
            // Not by their member's name: everybody knows these.
            case "box":
                return zip(["left", "top", "width", "height"], field.columns).map { name, column in
                    Column(name) { column.text($0.observation) }
                }
            case "polygon": return polygon
            default: return field.columns.map { column in Column(column.name) { column.text($0.observation) } }
            }
        }
    }

    private static var polygon: [Column<Row>] {
        let point = Format<Point>.point
        let places = (0..<corners).flatMap { index in
            zip(["x", "y"], point.columns).map { name, column in
                Column<Row>("\(name)\(index + 1)") { row in
                    guard let polygon = row.observation.polygon, index < polygon.count else { return nil }
                    return column.text(polygon[index])
                }
            }
        }
        let rest = Column<Row>("more_corners") { row in
            guard let polygon = row.observation.polygon, polygon.count > corners else { return nil }
            return Format<[Point]>.list(point).columns[0].text(Array(polygon[corners...]))
        }
        return places + [rest]
    }
}

extension Column {
    /// Name and unit.
    fileprivate var title: String {
        guard let unit else { return name }
        let letters = unit == "°" ? "deg" : unit.filter { $0.isASCII && $0.isLetter }
        return letters.isEmpty ? name : "\(name)_\(letters)"
    }
}

extension Finding {
    /// - Parameter taken: Titles of what every row has: a column of the kind's own by such a name gets the kind before it.
    fileprivate static func titles(besides taken: Set<String>) -> [String] {
        fields.flatMap { $0.columns.map { own($0.title, taken) } }
    }

    private static func own(_ title: String, _ taken: Set<String>) -> String {
        taken.contains(title) ? "\(kind)_\(title)" : title
    }

    /// The cells of the kind's own columns by their titles.
    fileprivate func cells(besides taken: Set<String>) -> [String: String] {
        var cells: [String: String] = [:]
        for field in Self.fields {
            for column in field.columns { cells[Self.own(column.title, taken)] = column.text(self) }
        }
        return cells
    }
}
