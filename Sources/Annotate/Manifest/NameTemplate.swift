/// A text of a manifest that may hold `{name}`, `{folder}` and `{n}`, which stand for something else in each job.
struct NameTemplate {
    let text: String
    private let parts: [Part]

    private enum Part {
        case plain(Substring)
        case word(Substring)
    }

    private static let words = ["name", "folder", "n"]

    init(_ text: String) {
        self.text = text
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            // Of “{{name}” the inner one counts.
            let start = rest[open..<close].lastIndex(of: "{") ?? open
            parts.append(.plain(rest[..<start]))
            parts.append(.word(rest[rest.index(after: start)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        self.parts = parts + [.plain(rest)]
    }

    private var used: [String] { parts.compactMap { if case .word(let word) = $0 { String(word) } else { nil } } }

    /// Whether it may say something else in each job.
    var varies: Bool { !used.isEmpty }

    /// The problem with it, in words; nil for none.
    var complaint: String? {
        guard let word = used.first(where: { !Self.words.contains($0) }) else { return nil }
        return
            "“{\(word)}” stands for nothing; expected “{name}”, the input's name without its extension, “{folder}”, its "
            + "folder's, or “{n}”, its number"
    }

    func filled(for input: InputName) -> String { filled(for: input) { $0 } }

    /// The path with an input's name in it: where it is a pattern of files, the name's own signs are none of a pattern's.
    func filledPath(for input: InputName) -> String {
        let isPattern = parts.enumerated().contains { index, part in
            guard case .plain(var text) = part else { return false }
            // At the end it says that there may be none.
            if index == parts.count - 1, text.hasSuffix("?") { text.removeLast() }
            return Files.isPattern(text)
        }
        return filled(for: input) { isPattern ? Files.literal($0) : $0 }
    }

    private func filled(for input: InputName, _ change: (String) -> String) -> String {
        parts.map { part in
            switch part {
            case .plain(let text): String(text)
            case .word("name"): change(input.name)
            case .word("folder"): change(input.folder)
            case .word: input.number
            }
        }.joined()
    }
}

/// An input's name, for templates.
struct InputName {
    /// File name without its extension.
    var name: String
    var folder: String
    /// Number among the inputs of its entry, from 1, with as many digits as the last one has.
    var number: String

    /// - Returns: nil for standard input, which has no name.
    init?(_ input: String, number: Int, of count: Int) {
        if let address = RemoteAddress(input) {
            (name, folder) = (Files.stem(of: address.name), address.folder)
        } else {
            guard let name = MediaInput(path: input).stem else { return nil }
            self.name = name
            folder = Files.name(of: Files.canonical(Files.parent(of: input)))
        }
        let (digits, width) = (String(number), String(count).utf8.count)
        self.number = String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
