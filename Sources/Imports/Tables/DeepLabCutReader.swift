/// DeepLabCut's table of a clip (`analyze_videos` with `save_as_csv`, or `CollectedData_….csv` of people's labels): above the
/// frames three or four lines that say whose body part a column is of, then `x`, `y` and `likelihood` of each, pixels whose centres
/// are whole numbers.
struct DeepLabCutReader {
    /// A body part of an animal, and the columns it has.
    private struct Part {
        var animal: Int
        var joint: Int
        var x: Int?
        var y: Int?
        var likelihood: Int?
    }

    /// Above it a joint counts as found for the box: the `pcutoff` of DeepLabCut's own plots.
    static let cutoff = 0.6
    /// The most body parts, and animals.
    private static let most = 1000

    private let request: ImportRequest
    private let records: CSVRecords
    private let skeleton: Skeleton
    /// Names of animals in the table's order; one without a name where the table has no line of them.
    private let animals: [String?]
    private let parts: [Part]
    /// Cells before the first body part's.
    private let lead: Int
    private let width: Int

    init(_ request: ImportRequest) throws {
        guard request.by != .time else {
            throw ImportError(request.path, "DeepLabCut's tables have frames and no times; expected “by”: “frame”")
        }
        guard !Self.isHDF5(request.path) else {
            throw ImportError(
                request.path,
                "an HDF5 file; expected the table as CSV, which analyze_videos writes with save_as_csv=True")
        }
        self.request = request
        records = try CSVRecords(path: request.path)
        var header: [String: [String]] = [:]
        while header["coords"] == nil {
            guard let cells = try records.next(), let word = cells.first,
                ["scorer", "individuals", "bodyparts", "coords"].contains(word), header[word] == nil
            else {
                throw request.failure(
                    max(records.line, 1),
                    "no line of DeepLabCut's; expected those of scorer, bodyparts and coords above the frames")
            }
            header[word] = cells
        }
        guard let names = header["bodyparts"], let coordinates = header["coords"] else {
            throw request.failure(records.line, "no line “bodyparts” above “coords”; expected one")
        }
        let owners = header["individuals"]
        guard names.count == coordinates.count, owners.map({ $0.count == names.count }) ?? true else {
            throw request.failure(
                records.line, "\(coordinates.count) cells; expected \(names.count), as the lines above have")
        }
        width = coordinates.count
        lead = coordinates.dropFirst().prefix { $0.isEmpty }.count + 1
        var (joints, animals, parts): ([String], [String?], [Part]) = ([], [], [])
        var places: [SIMD2<Int>: Int] = [:]
        for column in lead..<max(width, lead) {
            let joint = Self.index(of: names[column], in: &joints)
            let animal = Self.index(of: owners?[column], in: &animals)
            // Every animal has a place for every joint, in each frame.
            guard joints.count <= Self.most, animals.count <= Self.most else {
                throw request.failure(records.line, "over \(Self.most) body parts or animals; expected fewer")
            }
            let place = places[SIMD2(animal, joint)] ?? parts.count
            places[SIMD2(animal, joint)] = place
            if place == parts.count { parts.append(Part(animal: animal, joint: joint)) }
            switch coordinates[column] {
            case "x": parts[place].x = column
            case "y": parts[place].y = column
            case "likelihood": parts[place].likelihood = column
            default:
                throw request.failure(
                    records.line, "the column “\(coordinates[column].inOneLine)”; expected x, y or likelihood")
            }
        }
        if let odd = parts.first(where: { $0.x == nil || $0.y == nil }) {
            throw request.failure(
                records.line, "“\(joints[odd.joint].inOneLine)” has no column x or none y; expected both")
        }
        guard !parts.isEmpty else { throw request.failure(records.line, "no body parts; expected columns x and y") }
        (skeleton, self.animals, self.parts) = (Skeleton(names: joints), animals, parts)
    }

    func read() throws -> ImportedRows {
        var rows = ImportedRows(clock: .frames)
        rows.skeleton = skeleton
        var listed: Set<Int64> = []
        while let cells = try records.next() {
            guard cells.count == width else {
                throw request.failure(
                    records.line, "\(cells.count) cells; expected \(width), as the lines above have")
            }
            guard let key = try frame(cells) else { continue }
            guard listed.insert(key).inserted else {
                throw request.failure(
                    records.line, "frame \(key + Int64(request.firstFrame)) a second time; expected each once")
            }
            try read(cells, at: key, into: &rows)
        }
        rows.listed = listed
        return rows
    }

    /// A row's frame from 0; nil for a picture of another clip.
    private func frame(_ cells: [String]) throws -> Int64? {
        // People's labels name pictures, labeled-data/clip/img0012.png, in one cell or in three.
        let name = cells[..<lead].joined(separator: "/")
        if let number = MOTReader.number(name.utf8) { return try request.frame(number, line: records.line) }
        let names = name.split { $0 == "/" || $0 == "\\" }.map(String.init)
        if let video = request.video, names.dropLast().last != video { return nil }
        guard let number = names.last.flatMap(FrameFile.number(in:)) else {
            throw request.failure(
                records.line,
                "“\(name.prefix(60).description.inOneLine)”; expected a frame's number or a picture's name with one")
        }
        return try request.frame(Double(number), line: records.line)
    }

    private func read(_ cells: [String], at key: Int64, into rows: inout ImportedRows) throws {
        var found = animals.map { _ in
            [Joint](repeating: Joint(Point(0, 0), confidence: 0), count: skeleton.names.count)
        }
        for part in parts {
            guard let x = try number(part.x, cells), let y = try number(part.y, cells) else { continue }
            guard abs(x) <= 1e6, abs(y) <= 1e6 else {
                throw request.failure(records.line, "the place \(x), \(y); expected pixels")
            }
            var likelihood = 1.0
            if part.likelihood != nil {
                likelihood = try number(part.likelihood, cells) ?? 0
                if !(0...1).contains(likelihood) {
                    (likelihood, rows.oddConfidences) = (min(max(likelihood, 0), 1), rows.oddConfidences + 1)
                }
            }
            found[part.animal][part.joint] = Joint(Point(x, y), confidence: likelihood)
        }
        for (animal, joints) in found.enumerated() {
            let sure = joints.filter { $0.confidence >= Self.cutoff }
            // A table has a place for every part in every frame: where none is sure, the animal isn't in sight.
            guard let hull = Mark.outline(sure.map(\.point)).bounds else { continue }
            var row = ImportedRow()
            (row.key, row.line) = (key, records.line)
            (row.id, row.state, row.label) = (animal + 1, .tracked, animals[animal])
            row.box = hull
            row.confidence = sure.reduce(0) { $0 + $1.confidence } / Double(sure.count)
            var own = ObjectFinding()
            own.joints = joints
            row.parts = own
            rows.append(row)
        }
    }

    /// A cell's number; nil for an empty one, which is a part that nobody saw.
    private func number(_ column: Int?, _ cells: [String]) throws -> Double? {
        guard let column, !cells[column].isEmpty, cells[column].lowercased() != "nan" else { return nil }
        guard let number = MOTReader.number(cells[column].utf8) else {
            throw request.failure(
                records.line, "“\(cells[column].prefix(40).description.inOneLine)”; expected a number or nothing")
        }
        return number
    }

    private static func index<Name: Equatable>(of name: Name, in names: inout [Name]) -> Int {
        if let index = names.firstIndex(of: name) { return index }
        names.append(name)
        return names.count - 1
    }

    private static func isHDF5(_ path: String) -> Bool {
        (try? Files.read(path, from: 0, count: 4)) == [0x89, 0x48, 0x44, 0x46]
    }
}
