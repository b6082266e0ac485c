import Annotate
internal import CPages

/// One HTML page that needs nothing else: a file under `Sources/CPages/web` with the style sheets and scripts that it names
/// put in their places, and data.
///
/// A page is written as one would write it for a server, a `<link rel="stylesheet" href="…">` or `<script src="…"></script>`
/// on a line of its own for each file, so that the order of the files stands in the page alone.
struct Page {
    /// Path of the page's file from `web/`: "review/review.html".
    private let name: String
    /// Elements that go where the page says `<!-- data -->`, in this order.
    private var data: [Piece] = []
    /// Whether scripts with data lie beside the page.
    var loadsScripts = false

    private enum Piece {
        case bytes([UInt8])
        /// A file's bytes without so many at its start and its end.
        case file(String, without: (start: Int, end: Int))
    }

    init(_ name: String) { self.name = name }

    /// Adds JSON as `<script type="application/json" id="…">`.
    mutating func add(json: String, id: String) {
        // Nothing in it ends the element.
        let safe = json.replacing("<", with: "\\u003c")
        data.append(.bytes(Array("\(Self.element(id))\(safe)</script>\n".utf8)))
    }

    /// Adds JSON that stands in a file, between other things; it has no `<`. The file is read while the page is
    /// written.
    mutating func add(jsonOf file: String, id: String, without: (start: Int, end: Int)) {
        data.append(.bytes(Array(Self.element(id).utf8)))
        data.append(.file(file, without: without))
        data.append(.bytes(Array("</script>\n".utf8)))
    }

    private static func element(_ id: String) -> String { "<script type=\"application/json\" id=\"\(id)\">" }

    /// Writes the page under a name that it gets only when it is whole.
    /// - Returns: Its bytes.
    /// - Throws: `FileError`.
    func write(to path: String) throws -> Int {
        let file = OutputFile(target: path)
        defer { file.discard() }
        if let reason = file.whyUnusable { throw FileError("write", path: path, reason: reason) }
        let writer = try ByteWriter(file)
        var count = 0
        try write { bytes in
            count += bytes.count
            try writer.write(bytes)
        }
        try writer.finish()
        try file.commit()
        return count
    }

    /// The page's pieces in order, handed out one by one: with much data it is large.
    func write(_ write: ([UInt8]) throws -> Void) throws {
        let folder = name.prefix { $0 != "/" }
        let policy = try policy(folder)
        for line in try Self.text(of: name).split(separator: "\n", omittingEmptySubsequences: false) {
            let bare = line.drop { $0 == " " }
            if let sheet = Self.quoted(bare, between: "<link rel=\"stylesheet\" href=\"", "\">") {
                try write(Array("<style>\(Self.content(sheet, from: folder))</style>\n".utf8))
            } else if let script = Self.quoted(bare, between: "<script src=\"", "\"></script>") {
                try write(Array("<script>\(Self.content(script, from: folder))</script>\n".utf8))
            } else if bare.hasPrefix("<meta http-equiv=\"Content-Security-Policy\"") {
                try write(Array("\(policy(line))\n".utf8))
            } else if bare == "<!-- data -->" {
                for piece in data { try Self.write(piece, write) }
            } else {
                try write(Array("\(line)\n".utf8))
            }
        }
    }

    /// Replacement of the words in a page's policy: for `{scripts}` and `{styles}` stand the hashes of the page's own,
    /// so that nothing else that may get into it is ever run, beside scripts with data that lie beside the page.
    private func policy(_ folder: Substring) throws -> (Substring) -> String {
        var (scripts, styles): ([String], [String]) = ([], [])
        for line in try Self.text(of: name).split(separator: "\n") {
            let bare = line.drop { $0 == " " }
            if let sheet = Self.quoted(bare, between: "<link rel=\"stylesheet\" href=\"", "\">") {
                styles.append(ContentPolicy.source(of: try Self.content(sheet, from: folder)))
            } else if let script = Self.quoted(bare, between: "<script src=\"", "\"></script>") {
                scripts.append(ContentPolicy.source(of: try Self.content(script, from: folder)))
            }
        }
        if loadsScripts { scripts += ["'self'", "file:"] }
        return { line in
            String(line).replacing("{scripts}", with: scripts.joined(separator: " "))
                .replacing("{styles}", with: styles.joined(separator: " "))
        }
    }

    /// Content between an element's tags.
    private static func content(_ reference: Substring, from folder: Substring) throws -> String {
        "\n" + (try text(of: path(reference, from: folder)))
    }

    private static func write(_ piece: Piece, _ write: ([UInt8]) throws -> Void) throws {
        switch piece {
        case .bytes(let bytes): try write(bytes)
        case .file(let path, let ends):
            let size = Int(Files.status(path)?.size ?? 0)
            var offset = 0
            try Files.forEachPiece(of: path) { bytes in
                let (from, to) = (max(0, ends.start - offset), min(bytes.count, size - ends.end - offset))
                offset += bytes.count
                if from < to { try write(Array(bytes[from..<to])) }
            }
        }
    }

    private static func quoted(_ line: Substring, between start: String, _ end: String) -> Substring? {
        guard line.hasPrefix(start), line.hasSuffix(end) else { return nil }
        return line.dropFirst(start.count).dropLast(end.count)
    }

    private static func path(_ reference: Substring, from folder: Substring) -> String {
        reference.hasPrefix("../") ? String(reference.dropFirst(3)) : "\(folder)/\(reference)"
    }

    private static func text(of name: String) throws -> String {
        guard let file = pages_find(name) else {
            throw FileError("make", path: name, reason: "no such part of a page in the program")
        }
        return String(
            decoding: UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count), as: UTF8.self)
    }
}
