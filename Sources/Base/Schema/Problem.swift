/// One thing that is wrong with a file that a user wrote.
public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// The file's path as the user gave it.
    public var file: String
    /// Position in the file.
    public var position: SourcePosition
    /// The JSON Pointer's parts, from the document's root.
    public var path: [PathComponent]
    /// The sentence: what was found; what was expected; did you mean ….
    public var message: String

    /// A problem by its place and its sentence, out of which secrets of addresses are taken.
    public init(file: String, position: SourcePosition, path: [PathComponent], message: String) {
        self.file = file
        self.position = position
        self.path = path
        self.message = message.withoutSecrets
    }

    /// `file:line:column: /json/pointer: message`.
    public var description: String {
        let pointer = jsonPointer(path)
        let place = "\(RemoteAddress.shown(file)):\(position.line):\(position.column)"
        return "\(place): \(pointer.isEmpty ? "/" : pointer): \(message)".inOneLine
    }
}

/// Collects the problems of one file, so that all of them are reported at once. Whoever reads a part of the file adds to
/// the same log.
public final class ProblemLog {
    /// The file's path as the user gave it.
    public let file: String
    /// The problems so far, in the order in which they were found.
    public private(set) var problems: [Problem] = []
    private var known: Set<Problem> = []
    /// Remarks on the file that are no problems, each sentence once.
    package private(set) var remarks: [String] = []
    private static let mostRemarks = 100
    /// Places of the first `problems` problems, with all that is above them.
    private var places: (problems: Int, all: Set<[PathComponent]>) = (0, [])
    /// Parts of the file that stand elsewhere than where they are used.
    package var origins = Origins()
    /// Comparisons of words that are left for suggestions: a file of a hundred thousand slips gets no suggestion for
    /// each.
    private var patience = 200_000

    /// A log without problems, of the file of a path as the user gave it.
    public init(file: String) { self.file = file }

    /// Whether there is no problem.
    public var isEmpty: Bool { problems.isEmpty }

    /// Notes a problem at a position; `path` names the value, in the file or where it was put.
    public func add(_ message: String, at position: SourcePosition, path: [PathComponent]) {
        let (file, place) = origins.place(of: path)
        add([Problem(file: file ?? self.file, position: position, path: place, message: message)])
    }

    /// Notes a problem of a value.
    public func add(_ message: String, at node: JSONNode, path: [PathComponent]) {
        add(message, at: node.position, path: path)
    }

    /// Notes a remark, unless it has been made.
    package func remark(_ sentence: String) {
        let sentence = sentence.withoutSecrets
        guard remarks.count < Self.mostRemarks, !remarks.contains(sentence) else { return }
        remarks.append(sentence)
    }

    /// Takes over the problems of another file that this one names.
    public func add(_ others: [Problem]) {
        for problem in others where known.insert(problem).inserted { problems.append(problem) }
    }

    /// Whether there is a problem at a place or below it.
    package func hasProblem(below path: [PathComponent]) -> Bool {
        let path = origins.place(of: path).path
        for problem in problems[places.problems...] {
            var place = problem.path
            while places.all.insert(place).inserted, !place.isEmpty { place.removeLast() }
        }
        places.problems = problems.count
        return places.all.contains(path)
    }

    /// “ did you mean “x”?” with a leading “; ”, or nothing, also where too much has been looked for.
    package func suggestion(_ typed: String, _ words: @autoclosure () -> some Collection<String>) -> String {
        guard patience > 0 else { return "" }
        let words = words().prefix(patience)
        // A folder's list has its price, however short it is.
        patience -= 10 + words.count
        return nearest(to: typed, among: words).map { "; did you mean “\($0)”?" } ?? ""
    }

    /// A suggestion for a word of a known list, which another program may write in another way, or call otherwise.
    func suggestion(_ typed: String, ofChoice words: [String], otherNames: [String: String]) -> String {
        if patience > 0, typed.utf8.count <= 255, let word = otherNames[typed.lowercased()] {
            return "; did you mean “\(word)”?"
        }
        let near = suggestion(typed, words)
        guard near.isEmpty, patience > 0 else { return near }
        return sharingParts(with: typed, among: words).map { "; did you mean “\($0)”?" } ?? ""
    }

    /// The problems in the file's order; those of other files behind them, a file's together.
    public var sorted: [Problem] {
        problems.enumerated().sorted { a, b in
            let (p, q) = (a.element, b.element)
            if p.file != q.file { return p.file == file || (q.file != file && p.file < q.file) }
            return (p.position.line, p.position.column, a.offset) < (q.position.line, q.position.column, b.offset)
        }.map(\.element)
    }
}

/// The error of a file that a user wrote and that can't be used: every problem of it, in the file's order.
public struct InvalidFileError: Error, Sendable, CustomStringConvertible {
    /// The problems, at least one.
    public var problems: [Problem]

    /// An error of these problems: at least one, in the order in which they are told.
    public init(problems: [Problem]) { self.problems = problems }

    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// The word nearest to what was typed, if it is near enough to be a slip (Damerau–Levenshtein distance at most a third
/// of the length, and 3; nothing for a single letter).
public func nearest(to typed: String, among words: some Sequence<String>) -> String? {
    // Nobody mistypes a name of a thousand letters.
    guard typed.count > 1, typed.utf8.count <= 255 else { return nil }
    let limit = min(3, max(1, typed.count / 3))
    let typedLower = typed.lowercased()
    var best: (word: String, distance: Int)?
    for word in words where abs(word.count - typed.count) <= limit {
        let distance = editDistance(typedLower, word.lowercased())
        if distance <= limit, distance < (best?.distance ?? .max) { best = (word, distance) }
    }
    return best?.word
}

/// The word nearest to what somebody typed, or else the first one that begins with it; nil where none does.
public func nearestOrLonger(to typed: String, among words: [String]) -> String? {
    nearest(to: typed, among: words) ?? words.first { typed.count > 2 && $0.hasPrefix(typed.lowercased()) }
}

/// A number for a message: `3`, `0.25`.
package func plain(_ number: Double) -> String {
    var writer = JSONWriter()
    writer.value(number)
    return writer.text
}

/// Damerau–Levenshtein distance (optimal string alignment).
package func editDistance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { rows[i][0] = i }
    for j in 0...b.count { rows[0][j] = j }
    for i in 1...a.count {
        for j in 1...b.count {
            let cost = a[i - 1] == b[j - 1] ? 0 : 1
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost)
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
            }
        }
    }
    return rows[a.count][b.count]
}
