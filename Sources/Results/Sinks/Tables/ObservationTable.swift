/// A column of a table.
struct TableColumn: Sendable, Hashable {
    var title: String
    /// What its cells are, written as text.
    var type: CellType
    /// Whether every row has a value there.
    var isAlwaysThere: Bool

    init(_ title: String, _ type: CellType, isAlwaysThere: Bool = false) {
        (self.title, self.type, self.isAlwaysThere) = (title, type, isAlwaysThere)
    }
}

/// A file of a table, row by row.
protocol TableFile: AnyObject {
    /// Takes the next row: a text for each column, nil for no value.
    func write(_ cells: [String?]) throws

    /// Ends the file.
    func finish() throws
}

/// A table of the observations of one clip or several.
final class ObservationTable {
    private typealias Row = (clip: String, frame: FrameRecord, observation: Observation)

    private let file: any TableFile
    /// Columns of the frame and the head.
    private let columns: [Column<Row>]
    /// How many of them are the frame's.
    private let frameColumns: Int
    /// The kinds' own columns; one that kinds share is filled by each of them.
    private let own: [TableColumn]
    /// Titles of the columns of the frame and the head.
    private let taken: Set<String>
    private let writesEmpty: Bool
    private var known: [ObjectIdentifier: [(place: Int, text: (any Finding) -> String?)]] = [:]

    /// - Parameters:
    ///   - kinds: What may come, in the order of their columns.
    ///   - last: Titles of further columns of texts, whose cells are given with each frame.
    ///   - writesEmpty: Whether a frame without observations has a row.
    ///   - makeFile: Makes the file, from its columns.
    init(
        kinds: [any Finding.Type], last: [String] = [], writesEmpty: Bool = false,
        makeFile: ([TableColumn]) throws -> any TableFile
    ) throws {
        let frame = Self.frame
        columns = frame + Self.head
        frameColumns = frame.count
        self.writesEmpty = writesEmpty
        let taken = Set(columns.map(\.name))
        self.taken = taken
        own = kinds.flatMap { $0.columns(besides: taken) }.reduce(into: []) { all, column in
            if let index = all.firstIndex(where: { $0.title == column.title }) {
                all[index].type = all[index].type.joined(column.type)
            } else {
                all.append(column)
            }
        }
        file = try makeFile(
            columns.enumerated().map { TableColumn($1.name, $1.type, isAlwaysThere: $0 < frame.count) } + own
                + last.map { TableColumn($0, .text) })
    }

    /// Writes a frame's rows.
    /// - Parameter last: Cells of the further columns.
    func write(_ frame: FrameRecord, clip: String, last: [String] = []) throws {
        if frame.observations.isEmpty, writesEmpty {
            let row = (clip, frame, Observation(NoFinding(), stage: ""))
            let cells = columns.prefix(frameColumns).map { $0.text(row) }
            let rest = [String?](repeating: nil, count: columns.count - frameColumns + own.count)
            try file.write(cells + rest + last)
        }
        for observation in frame.observations {
            let row = (clip, frame, observation)
            let finding = observation.finding.base
            var cells: [String?] = []
            cells.reserveCapacity(columns.count + own.count + last.count)
            for column in columns { cells.append(column.text(row)) }
            cells.append(contentsOf: repeatElement(nil, count: own.count))
            for (place, text) in cellsOf(type(of: finding)) { cells[columns.count + place] = text(finding) }
            try file.write(cells + last)
        }
    }

    /// What a kind's own columns show, each with its place among all kinds' own: thought out once, since rows are many.
    private func cellsOf(_ kind: any Finding.Type) -> [(place: Int, text: (any Finding) -> String?)] {
        let key = ObjectIdentifier(kind)
        if let known = known[key] { return known }
        let cells = kind.cells(besides: taken).compactMap { title, text in
            own.firstIndex { $0.title == title }.map { (place: $0, text: text) }
        }
        known[key] = cells
        return cells
    }

    func finish() throws { try file.finish() }

    /// Stands where nothing was seen: only the frame's columns are looked at.
    private struct NoFinding: Finding {
        static let kind = ""
        static let doc = ""
        static let fields: [Field<NoFinding>] = []
    }

    // MARK: Columns

    /// Corners that have columns of their own; a polygon with more has the others in one cell.
    private static let corners = 4

    private static var frame: [Column<Row>] {
        [
            Column("clip") { $0.clip }, Column("frame", .integer) { String($0.frame.frame) },
            Column("pts", .integer) { String($0.frame.pts.ticks) },
            Column("time", .number) { row in
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
                    Column(name, column.type) { column.text($0.observation) }
                }
            case "polygon": return polygon
            default:
                return field.columns.map { column in Column(column.name, column.type) { column.text($0.observation) } }
            }
        }
    }

    private static var polygon: [Column<Row>] {
        let point = Format<Point>.point
        let places = (0..<corners).flatMap { index in
            zip(["x", "y"], point.columns).map { name, column in
                Column<Row>("\(name)\(index + 1)", .number) { row in
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
    fileprivate static func columns(besides taken: Set<String>) -> [TableColumn] {
        fields.flatMap { $0.columns.map { TableColumn(own($0.title, taken), $0.type) } }
    }

    private static func own(_ title: String, _ taken: Set<String>) -> String {
        taken.contains(title) ? "\(kind)_\(title)" : title
    }

    /// The kind's own columns by their titles, each with what it shows of a finding of the kind.
    fileprivate static func cells(
        besides taken: Set<String>
    ) -> [(title: String, text: (any Finding) -> String?)] {
        fields.flatMap(\.columns).map { column in
            (own(column.title, taken), { finding in (finding as? Self).flatMap(column.text) })
        }
    }
}
