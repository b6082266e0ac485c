/// MOTChallenge's lines: `frame,id,left,top,width,height[,confidence[,class[,…]]]`. Left and top count from 1.
struct MOTReader {
    private let request: ImportRequest
    private let names: ClassNames
    /// Frames by their numbers in the file, which are those of a data set's pictures; nil where they are the video's.
    private let frames: [Int: Int]?

    init(_ request: ImportRequest) throws {
        self.request = request
        names = try ClassNames(request, first: 1)
        frames = request.set?.frames(of: request.path)
        guard request.by != .time else {
            throw ImportError(request.path, "a MOT file has frames and no times; expected “by”: “frame”")
        }
    }

    func read() throws -> ImportedRows {
        var rows = ImportedRows(clock: .frames)
        rows.listed = frames.map { Set($0.values.map { Int64($0) }) }
        if !names.isEmpty { rows.classes = names.all }
        let lines = try LineReader(path: request.path)
        while let bytes = try lines.next() {
            let number = lines.number
            // Some editors put a mark before the first line, some a return behind each.
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) && number == 1 ? bytes.dropFirst(3) : bytes[...]
            let cells = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            if cells.count == 1, cells[0].allSatisfy({ $0 <= 0x20 }) { continue }
            guard cells.count >= 6 else {
                throw request.failure(
                    number,
                    "\(cells.count == 1 ? "1 column" : "\(cells.count) columns"); expected frame, id, left, top, width, height and perhaps "
                        + "confidence and class, with commas")
            }
            let numbers = try cells.prefix(8).enumerated().map { index, cell in
                try Self.number(cell)
                    ?? {
                        throw request.failure(
                            number,
                            "“\(String(decoding: cell, as: UTF8.self).inOneLine)” in column \(index + 1); expected a number"
                        )
                    }()
            }
            var row = ImportedRow()
            row.line = number
            row.key = try frame(numbers[0], line: number)
            row.id = try request.id(numbers[1], line: number)
            let box = [numbers[2] - 1, numbers[3] - 1, numbers[4], numbers[5]]
            if request.isEmpty(box) {
                rows.emptyBoxes += 1
                continue
            }
            row.box = try request.box(box, line: number)
            row.state = row.id == nil ? nil : .tracked
            if numbers.count > 6, numbers[6] != -1 {
                if (0...1).contains(numbers[6]) { row.confidence = numbers[6] } else { rows.oddConfidences += 1 }
            }
            if numbers.count > 7 {
                if !names.isEmpty {
                    row.label = try label(numbers[7], line: number)
                } else if numbers[7] != -1, row.confidence != 0, let index = Int(exactly: numbers[7]) {
                    // Rows with the flag 0 may be of classes that nobody is to judge.
                    rows.namelessClasses.insert(index)
                }
            }
            rows.append(row)
        }
        return rows
    }

    private func frame(_ number: Double, line: Int) throws -> Int64 {
        guard let frames else { return try request.frame(number, line: line) }
        guard let frame = Int(exactly: number).flatMap({ frames[$0] }) else {
            throw request.failure(
                line, "frame \(number); expected one of 1 to \(frames.count), the pictures of the clip in the data set")
        }
        return Int64(frame)
    }

    private func label(_ number: Double, line: Int) throws -> String? {
        if number == -1 { return nil }
        // Compared before anything is taken away: a file may say the least of all numbers.
        guard let index = Int(exactly: number), index >= 1, index <= names.all.count else {
            let source = request.labels.map(Files.name) ?? "classes"
            throw request.failure(
                line, "class \(number); expected one of 1 to \(names.all.count), for which “\(source)” has names")
        }
        return names.all[index - 1]
    }

    /// The number in a cell; nil for anything else.
    static func number(_ cell: some Collection<UInt8>) -> Double? {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        var text = String(decoding: cell.drop(while: isBlank), as: UTF8.self)
        while text.utf8.last.map(isBlank) ?? false { text.unicodeScalars.removeLast() }
        // Hexadecimal and “infinity” are numbers to Swift.
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }) else {
            return nil
        }
        return Double(text)
    }
}
