/// A table with a row a thing and frame: `export --format csv`'s, or any with some of its columns.
struct CSVReader {
    private let request: ImportRequest
    private var records: CSVRecords
    private let columns: [String: Int]
    private let clock: ImportedRows.Clock

    private static let places = ["left", "top", "width", "height"]
    private static let corners = (1...4).flatMap { ["x\($0)", "y\($0)"] }

    init(_ request: ImportRequest) throws {
        self.request = request
        records = try CSVRecords(path: request.path)
        guard let titles = try records.next() else {
            throw request.failure(nil, "it is empty; expected a line with the columns' names")
        }
        let names = titles.map(Self.name)
        columns = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        func has(_ name: String) -> Bool { names.contains(name) }
        let hasPlace = Self.places.allSatisfy(has) || Self.corners.allSatisfy(has)
        let hasTime = has("time") || has("pts")
        guard hasPlace, has("frame") && request.by != .time || hasTime && request.by != .frame else {
            let when = request.by == .time ? "time or pts" : request.by == .frame ? "frame" : "frame, time or pts"
            throw request.failure(
                1, "the columns \(Self.told(names)); expected \(when), and left, top, width and height")
        }
        clock =
            has("frame") && request.by != .time ? .frames : has("time") ? .nanoseconds : .ticks(nil)
        if request.video != nil, !has("clip") {
            throw request.failure(1, "it has no column “clip”; expected one, or no “video”")
        }
    }

    /// The clips that a table is of, in their order; none where it doesn't say.
    static func clips(of path: String) throws -> [String] { try CSVClips.of(path).names.all }

    /// A column's name, however it is spaced.
    static func name(_ title: String) -> String { title.split(separator: " ").joined(separator: " ") }

    private static func told(_ names: [String]) -> String {
        let first = names.prefix(12).map { "“\($0.inOneLine)”" }
        return first.joined(separator: ", ") + (names.count > 12 ? ", …" : "")
    }

    mutating func read() throws -> ImportedRows {
        var rows = ImportedRows(clock: clock)
        // A data set's table, which has a row for every picture of it, also for one without anything.
        if ["clip", "stage", "kind", "picture"].allSatisfy({ columns[$0] != nil }) { rows.listed = [] }
        // Also stages that have seen nothing in the clip that is meant.
        var found: Set<String> = []
        let clips: ImportedNames
        if columns["clip"] != nil {
            let table = try CSVClips.of(request.path)
            (found, clips) = (table.stages, table.names)
            try clips.check(request, "clip", "clips")
            let clip = request.video ?? clips.all.first ?? ""
            for run in table.runs(of: clip) {
                records = try CSVRecords(path: request.path, from: run)
                try read(run.rows, of: clip, into: &rows, &found)
            }
        } else {
            clips = ImportedNames()
            try read(.max, of: nil, into: &rows, &found)
        }
        if let missing = request.stages.first(where: { !found.contains($0) }) {
            var error = request.failure(
                nil, "no row of the stage “\(missing)”; expected one of \(Self.told(found.sorted()))")
            // A clip's own table has no row of a stage that saw nothing.
            error.isAbsence = clips.all.count < 2
            throw error
        }
        rows.stages = found
        return rows
    }

    /// Takes so many rows of a clip and of none, or all that are left.
    /// - Parameter clip: nil for all rows.
    private func read(
        _ count: Int, of clip: String?, into rows: inout ImportedRows, _ found: inout Set<String>
    ) throws {
        var left = count
        while left > 0, let cells = try records.next() {
            // Another clip's rows may lie between.
            if let clip, let name = text("clip", cells), name != clip { continue }
            left -= 1
            guard cells.count == columns.count || cells.count >= (columns.values.max() ?? 0) + 1 else {
                throw request.failure(
                    records.line,
                    "\(cells.count) cells; expected \((columns.values.max() ?? 0) + 1), as the first line has")
            }
            let stage = text("stage", cells)
            if let stage { found.insert(stage) }
            try rows.listed?.insert(key(cells))
            if !request.stages.isEmpty, !request.stages.contains(stage ?? "") { continue }
            if let row = try row(cells, &rows) { rows.append(row) }
        }
    }

    /// A row of the table; nil for what has no place and no track.
    private func row(_ cells: [String], _ rows: inout ImportedRows) throws -> ImportedRow? {
        let line = records.line
        var row = ImportedRow()
        row.line = line
        if let word = text("state", cells) {
            guard let state = TrackState(rawValue: word) else {
                throw request.failure(
                    line,
                    "the state “\(word.inOneLine)”; expected one of \(TrackState.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            row.state = state
        }
        row.id = try (number("track", cells) ?? number("id", cells, where: columns["track"] == nil))
            .flatMap { try request.id($0, line: line) }
        if row.state == nil, columns["state"] == nil, row.id != nil { row.state = .tracked }
        let isInSight = row.state?.isInSight ?? true
        row.polygon = try outline(cells)
        let numbers = try Self.places.map { try number($0, cells) }
        if row.polygon == nil, request.isEmpty(numbers.map { $0 ?? .nan }) {
            rows.emptyBoxes += 1
            return nil
        }
        if numbers.contains(where: { $0 != nil }) {
            row.box = try request.box(numbers.map { $0 ?? .nan }, line: line)
        }
        if row.box == nil, row.polygon == nil, isInSight || row.id == nil { return nil }
        if !isInSight { (row.box, row.polygon) = (nil, nil) }
        row.key = try key(cells)
        row.label = text("label", cells)
        row.region = text("region", cells)
        row.isHeld = text("held", cells) == "true"
        if let confidence = try number("confidence", cells) {
            if (0...1).contains(confidence) { row.confidence = confidence } else { rows.oddConfidences += 1 }
        }
        if let kind = text("kind", cells) {
            rows.kinds.insert(kind)
            if let stage = text("stage", cells) { (row.stage, row.kind) = (stage, kind) }
        }
        row.parts = try parts(cells, row, &rows)
        for (column, name) in [("joints", "joints"), ("angle", "angles"), ("metres_m", "joints' places in metres")]
        where text(column, cells) != nil { rows.omissions.insert(name) }
        return row
    }

    /// Mask, joints and angle of this program's own tables; nil for none.
    private func parts(_ cells: [String], _ row: ImportedRow, _ rows: inout ImportedRows) throws -> ObjectFinding? {
        var parts = ObjectFinding()
        if let angle = try number("angle_deg", cells), row.polygon?.count == 4 { parts.angle = angle }
        if let cell = text("mask", cells),
            let box = (row.box ?? row.polygon.flatMap { Mark.outline($0).bounds })?.pixels
        {
            let node = try? JSONParser.parse(Array(cell.utf8))
            let size = node?["size"]?.elements?.compactMap(\.integer)
            let mask = node?["counts"]?.string.flatMap { RunMask(box: box, counts: $0) }
            if let mask, size == [box.height, box.width] {
                parts.mask = mask
            } else {
                rows.omissions.insert("masks that aren't of their boxes' pixels")
            }
        }
        if let cell = text("joints_px", cells) {
            let numbers = ((try? JSONParser.parse(Array(cell.utf8)))?.elements ?? []).map {
                $0.elements?.compactMap(\.number) ?? []
            }
            // The table doesn't name them.
            rows.skeleton = rows.skeleton ?? Skeleton(names: numbers.indices.map { "joint_\($0 + 1)" })
            if numbers.allSatisfy({ $0.count == 4 }), rows.skeleton?.names.count == numbers.count {
                parts.joints = numbers.map { Joint(Point($0[0], $0[1]), confidence: $0[2], visibility: $0[3]) }
            } else {
                rows.omissions.insert("joints of another skeleton than the first one")
            }
        }
        return parts.mask != nil || !parts.joints.isEmpty || parts.angle != nil ? parts : nil
    }

    private func key(_ cells: [String]) throws -> Int64 {
        let line = records.line
        func needed(_ name: String) throws -> Double {
            guard let value = try number(name, cells) else {
                throw request.failure(line, "no “\(name)”; expected it in every row")
            }
            return value
        }
        switch clock {
        case .frames, .rate: return try request.frame(try needed("frame"), line: line)
        case .nanoseconds: return try request.nanoseconds(try needed("time"), line: line)
        case .ticks:
            let ticks = try needed("pts")
            guard let whole = Int64(exactly: ticks) else {
                throw request.failure(line, "pts \(ticks); expected a whole number")
            }
            return whole
        }
    }

    private func outline(_ cells: [String]) throws -> [Point]? {
        let numbers = try Self.corners.map { try number($0, cells) }
        var corners = stride(from: 0, to: 8, by: 2).compactMap { index -> Point? in
            guard let x = numbers[index], let y = numbers[index + 1] else { return nil }
            return Point(x, y)
        }
        guard !corners.isEmpty else { return nil }
        if let more = text("more_corners", cells) {
            // What is no list of points has too few corners, which is told.
            let points = (try? JSONParser.parse(Array(more.utf8)))?.elements ?? []
            corners += points.compactMap { point in
                let numbers = point.elements?.compactMap(\.number) ?? []
                return numbers.count == 2 ? Point(numbers[0], numbers[1]) : nil
            }
            guard corners.count == 4 + points.count, points.count > 0 else {
                throw request.failure(records.line, "more_corners “\(more.prefix(40))”; expected a list of points")
            }
        }
        return try request.polygon(corners, line: records.line)
    }

    /// A cell's text; nil for an empty cell, and for a column that isn't there.
    private func text(_ name: String, _ cells: [String]) -> String? {
        guard let column = columns[name], column < cells.count, !cells[column].isEmpty else { return nil }
        return cells[column]
    }

    private func number(_ name: String, _ cells: [String], where isWanted: Bool = true) throws -> Double? {
        guard isWanted, let text = text(name, cells) else { return nil }
        guard let number = MOTReader.number(text.utf8) else {
            throw request.failure(
                records.line, "“\(text.prefix(40).description.inOneLine)” under “\(name)”; expected a number")
        }
        return number
    }
}
