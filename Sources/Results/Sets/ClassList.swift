/// The classes of a data set, in the order of their numbers.
struct ClassList {
    let names: [String]
    private let numbers: Set<String>

    init(_ names: [String]) { (self.names, numbers) = (names, Set(names)) }

    func has(_ name: String) -> Bool { numbers.contains(name) }

    /// Reads a file with a class a line.
    /// - Throws: `FileError`, also for a class that is there twice, or an empty line among them.
    init(file path: String) throws {
        let lines = try Files.lines(of: path)
            .map { line in
                var line = line.drop { $0 == " " || $0 == "\t" }
                while line.last.map({ $0 == " " || $0 == "\t" }) ?? false { line.removeLast() }
                return String(line)
            }
        let last = lines.lastIndex { !$0.isEmpty }
        let names = last.map { Array(lines[...$0]) } ?? []
        guard !names.isEmpty else {
            throw FileError("read", path: path, reason: "it has no classes; expected one a line")
        }
        var known: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            guard !name.isEmpty else {
                throw FileError(
                    "read", path: path,
                    reason: "line \(index + 1) is empty, and a class's number is its line; expected a class a line")
            }
            if let other = known.updateValue(index, forKey: name) {
                throw FileError(
                    "read", path: path,
                    reason: "“\(name.inOneLine)” stands in line \(other + 1) and in line \(index + 1); expected it once"
                )
            }
        }
        self.init(names)
    }
}
