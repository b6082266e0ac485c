/// A board of markers, as the manifest has it.
struct BoardDeclaration: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// Markers with gaps between them, metres.
        case grid(gap: Double)
        /// A chessboard whose squares have this side, metres; whether it is laid out as OpenCV's were before 4.6.
        case charuco(squareSize: Double, isLegacy: Bool)
    }

    var kind: Kind
    /// Columns of markers, or of squares; `rows` likewise.
    var columns: Int
    var rows: Int
    /// Side of a marker, metres.
    var markerSize: Double
    var firstID: Int
}

extension Format where Value == BoardDeclaration {
    private static var length: Bounds { Bounds(0, 100, excludesMinimum: true) }

    static var board: Format {
        Format(shape, write: write, read: read)
    }

    private static var shape: Shape {
        .tagged(
            TaggedShape(
                tag: "kind", noun: "kind of board",
                common: ObjectShape(
                    doc: "A board of markers.",
                    properties: [
                        Property("kind", .string(), required: true, doc: "grid or charuco."),
                        Property("columns", .integer(1...100), required: true, doc: "Markers, or squares, across."),
                        Property("rows", .integer(1...100), required: true, doc: "Markers, or squares, down."),
                        Property(
                            "markerSize", .number(length), required: true, unit: "m",
                            doc: "Side of a marker's black square."),
                        Property(
                            "firstId", .integer(0...65535), default: .integer(0),
                            doc: "The top left marker's id; the others follow row by row."),
                    ]),
                variants: [
                    .init(
                        name: "grid", doc: "Markers in columns and rows.",
                        properties: [
                            Property(
                                "gap", .number(Bounds(0, 100)), required: true, unit: "m",
                                doc: "Between neighbouring markers.")
                        ]),
                    .init(
                        name: "charuco", doc: "A chessboard with markers in its white squares.",
                        properties: [
                            Property(
                                "squareSize", .number(length), required: true, unit: "m",
                                doc: "Side of a square; the top left one is black."),
                            Property(
                                "legacy", .boolean, default: .bool(false),
                                doc:
                                    "As OpenCV before 4.6 has it: of an even number of rows the top left square is white."
                            ),
                        ]),
                ]))
    }

    private static func write(_ board: BoardDeclaration, _ json: inout JSONWriter) {
        let (kind, own): (String, KeyValuePairs<String, JSONValue>) =
            switch board.kind {
            case .grid(let gap): ("grid", ["gap": .number(gap)])
            case .charuco(let side, false): ("charuco", ["squareSize": .number(side)])
            case .charuco(let side, true): ("charuco", ["squareSize": .number(side), "legacy": .bool(true)])
            }
        let members: KeyValuePairs<String, JSONValue> = [
            "kind": .string(kind), "columns": .integer(board.columns), "rows": .integer(board.rows),
            "markerSize": .number(board.markerSize), "firstId": .integer(board.firstID),
        ]
        let all = Array(members) + Array(own)
        json.value(.object(all.map { JSONMember(key: $0.key, value: JSONNode($0.value)) }))
    }

    private static func read(_ node: JSONNode) -> BoardDeclaration? {
        guard let columns = node["columns"]?.integer, let rows = node["rows"]?.integer,
            (1...100).contains(columns), (1...100).contains(rows), let marker = node["markerSize"]?.number, marker > 0
        else { return nil }
        let kind: BoardDeclaration.Kind
        switch (node["kind"]?.string, node["squareSize"]?.number, node["gap"]?.number) {
        case ("charuco", let side?, _): kind = .charuco(squareSize: side, isLegacy: node["legacy"]?.bool ?? false)
        case ("grid", _, let gap?): kind = .grid(gap: gap)
        default: return nil
        }
        return BoardDeclaration(
            kind: kind, columns: columns, rows: rows, markerSize: marker, firstID: node["firstId"]?.integer ?? 0)
    }
}

extension Board {
    /// The board that a stage's options name.
    ///
    /// - Parameters:
    ///   - count: Markers in the dictionary.
    ///   - dictionary: Its name, for messages.
    init(_ declared: BoardDeclaration, count: Int, dictionary: String) throws {
        let (columns, rows, marker) = (declared.columns, declared.rows, declared.markerSize)
        switch declared.kind {
        case .charuco(let square, let isLegacy):
            guard square > marker else {
                throw StageOptionError(
                    option: "board",
                    "markers of \(marker) m in squares of \(square) m; expected markers smaller than the squares")
            }
            guard columns > 1, rows > 1 else {
                throw StageOptionError(
                    option: "board", "a chessboard of \(columns)×\(rows) squares; expected 2×2 or more")
            }
            self.init(
                columns: columns, rows: rows, squareSize: square, markerSize: marker, firstID: declared.firstID,
                isLegacy: isLegacy)
        case .grid(let gap):
            self.init(columns: columns, rows: rows, markerSize: marker, gap: gap, firstID: declared.firstID)
        }
        guard lastID < count else {
            throw StageOptionError(
                option: "board",
                "\(markers.count) markers from id \(declared.firstID) on, and “\(dictionary)” has ids up to \(count - 1); "
                    + "expected a larger dictionary or a smaller board")
        }
    }
}
