/// YOLO's labels, a file a frame: `class x y width height`, in parts of the picture; behind it a confidence, a track, both, or
/// key points; or `class x1 y1 x2 y2 …`, an outline.
struct YOLOReader {
    private let request: ImportRequest
    private let names: ClassNames

    init(_ request: ImportRequest) throws {
        guard request.by != .time else {
            throw ImportError(request.path, "YOLO's files have frames and no times; expected “by”: “frame”")
        }
        self.request = request
        names = try ClassNames(request, first: 0)
    }

    func read() throws -> ImportedRows {
        var rows = ImportedRows(clock: .frames)
        rows.isInParts = true
        if let count = request.joints { rows.skeleton = Skeleton(names: (1...count).map { "joint_\($0)" }) }
        var found: [(row: ImportedRow, sixth: Double)] = []
        for file in try FrameFile.all(of: request) {
            let lines = try LineReader(path: file.path)
            while let bytes = try lines.next() {
                // Some editors put a mark before the first line.
                let isMarked = lines.number == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
                let cells = bytes.dropFirst(isMarked ? 3 : 0).split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
                if cells.isEmpty { continue }
                let at = ImportRequest.Place(file.path, lines.number)
                let numbers = try cells.map { cell in
                    try MOTReader.number(cell)
                        ?? {
                            throw at.failure(
                                "“\(String(decoding: cell, as: UTF8.self).inOneLine)”; expected numbers")
                        }()
                }
                var (row, sixth) = try row(numbers, at)
                row.key = try file.key(request, line: lines.number)
                row.line = lines.number
                found.append((row, sixth))
            }
        }
        // Behind outlines too both may stand, which then look like a corner more; no corner lies so far outside.
        let haveBoth = found.contains { one in
            one.row.polygon?.last.map { $0.y >= 2 && $0.y == $0.y.rounded() } ?? false
        }
        // A sixth number is a track as Ultralytics' trackers and this program write it, or a confidence.
        let areTracks = found.allSatisfy { $0.sixth.isNaN || $0.sixth == $0.sixth.rounded() && $0.sixth >= 1 }
        for (row, sixth) in found {
            var row = row
            if let box = row.box, box.width == 0 || box.height == 0 {
                rows.emptyBoxes += 1
                continue
            }
            if haveBoth, sixth.isNaN, let last = row.polygon?.popLast() {
                (row.confidence, row.id) = (min(max(last.x, 0), 1), Int(inRange: last.y))
            }
            // The corners of a turned box lie on the pixels' edges: so does the box around them.
            if let corners = row.polygon, corners.count == 4, let box = Box(around: corners), box.width > 0,
                box.height > 0
            {
                row.box = box
            }
            if !sixth.isNaN {
                if areTracks { row.id = Int(inRange: sixth) } else { row.confidence = min(max(sixth, 0), 1) }
            }
            if row.id != nil { row.state = .tracked }
            rows.append(row)
        }
        return rows
    }

    private func row(_ numbers: [Double], _ at: ImportRequest.Place) throws -> (ImportedRow, sixth: Double) {
        var row = ImportedRow()
        guard numbers[0] != -1 else { throw at.failure("class -1; expected a whole number from 0") }
        row.label = try names.name(numbers[0], at)
        let rest = Array(numbers.dropFirst())
        guard rest.count >= 4 else {
            throw at.failure("\(numbers.count) numbers; expected a class and a box of four, or an outline")
        }
        func box() throws -> Box {
            guard rest[2] >= 0, rest[3] >= 0, rest[..<4].allSatisfy({ abs($0) <= 16 }) else {
                throw at.failure(
                    "a box \(rest[..<4].map { "\($0)" }.joined(separator: " ")); expected parts of the picture")
            }
            return Box(x: rest[0] - rest[2] / 2, y: rest[1] - rest[3] / 2, width: rest[2], height: rest[3])
        }
        if let joints = request.joints {
            let more = rest.count - 4
            // Behind them may stand what stands behind boxes.
            let forms = [(3, 0), (2, 0), (3, 1), (2, 1), (3, 2), (2, 2)]
            guard let (step, others) = forms.first(where: { more == $0.0 * joints + $0.1 }) else {
                throw at.failure("\(more) numbers behind the box; expected those of \(joints) key points")
            }
            var parts = ObjectFinding()
            parts.joints = (0..<joints).map { index in
                let at = 4 + index * step
                let seen = step == 3 ? rest[at + 2] : rest[at] == 0 && rest[at + 1] == 0 ? 0 : 2
                return Joint(
                    Point(rest[at], rest[at + 1]), confidence: seen > 0 ? 1 : 0, visibility: seen > 1 ? 1 : 0)
            }
            (row.box, row.parts) = (try box(), parts)
            if others == 2 {
                (row.confidence, row.id) = (min(max(rest[rest.count - 2], 0), 1), Int(inRange: rest[rest.count - 1]))
            }
            return (row, others == 1 ? rest[rest.count - 1] : .nan)
        }
        // Six: a triangle, or a box with a confidence and a track.
        let isTracked = rest.count == 6 && rest[5] == rest[5].rounded() && rest[5] >= 1
        if rest.count == 4 || rest.count == 5 || isTracked {
            row.box = try box()
            if isTracked { (row.confidence, row.id) = (min(max(rest[4], 0), 1), Int(inRange: rest[5])) }
            return (row, rest.count == 5 ? rest[4] : .nan)
        }
        // An odd one is a confidence or a track.
        let corners = rest.count / 2
        guard (3...ImportRequest.mostCorners).contains(corners) else {
            throw at.failure("\(numbers.count) numbers; expected a class, and a box or an outline of 3 corners or more")
        }
        row.polygon = (0..<corners).map { Point(rest[2 * $0], rest[2 * $0 + 1]) }
        return (row, rest.count % 2 == 0 ? .nan : rest[rest.count - 1])
    }
}

/// Names of classes that a file has numbers of.
struct ClassNames {
    /// In the order of the classes; none where nobody names them.
    let all: [String]
    private let first: Int

    /// - Parameter first: The first class's number.
    init(_ request: ImportRequest, first: Int) throws {
        self.first = first
        guard let file = request.labels else {
            all = request.classes
            return
        }
        var lines = try Files.lines(of: file).map(\.trimmed)
        while lines.last?.isEmpty == true { lines.removeLast() }
        all = lines
    }

    var isEmpty: Bool { all.isEmpty }

    /// The name of a class; nil for −1. Its number where there are no names.
    func name(_ number: Double, _ at: ImportRequest.Place) throws -> String? {
        if number == -1 { return nil }
        guard let whole = Int(exactly: number), whole >= 0 else {
            throw at.failure("class \(number); expected a whole number")
        }
        if all.isEmpty { return String(whole) }
        guard all.indices.contains(whole - first) else {
            throw at.failure(
                "class \(whole); expected one of \(first) to \(all.count - 1 + first), for which there are names")
        }
        return all[whole - first]
    }
}

extension String {
    /// Without spaces around it.
    fileprivate var trimmed: String {
        func isSpace(_ sign: Character) -> Bool { sign == " " || sign == "\t" || sign == "\u{FEFF}" }
        var rest = drop(while: isSpace)
        while rest.last.map(isSpace) ?? false { rest.removeLast() }
        return String(rest)
    }
}
