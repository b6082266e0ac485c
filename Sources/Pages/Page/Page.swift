import Annotate
internal import CPages

/// One HTML page that needs nothing else: a file under `Sources/CPages/web` with the style sheets and scripts that it names
/// put in their places, and data.
///
/// A page is written as one would write it for a server, a `<link rel="stylesheet" href="…">` or `<script src="…"></script>`
/// on a line of its own for each file, so that the order of the files stands in the page alone.
struct Page {
    /// From `web/`: "review/review.html".
    private let name: String
    /// Goes where the page says `<!-- data -->`: elements, in this order.
    private var data: [[UInt8]] = []

    init(_ name: String) { self.name = name }

    /// Adds JSON as `<script type="application/json" id="…">`.
    mutating func add(json: String, id: String) {
        // Nothing in it ends the element.
        let safe = json.replacing("<", with: "\\u003c")
        data.append(Array("<script type=\"application/json\" id=\"\(id)\">\(safe)</script>\n".utf8))
    }

    /// The page's pieces in order, handed out one by one: with much data it is large.
    func write(_ write: ([UInt8]) throws -> Void) throws {
        let folder = name.prefix { $0 != "/" }
        for line in try Self.text(of: name).split(separator: "\n", omittingEmptySubsequences: false) {
            let bare = line.drop { $0 == " " }
            if let sheet = Self.quoted(bare, between: "<link rel=\"stylesheet\" href=\"", "\">") {
                try write(Array("<style>\n\(Self.text(of: Self.path(sheet, from: folder)))</style>\n".utf8))
            } else if let script = Self.quoted(bare, between: "<script src=\"", "\"></script>") {
                try write(Array("<script>\n\(Self.text(of: Self.path(script, from: folder)))</script>\n".utf8))
            } else if bare == "<!-- data -->" {
                for piece in data { try write(piece) }
            } else {
                try write(Array("\(line)\n".utf8))
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
