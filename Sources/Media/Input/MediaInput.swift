/// The source of a job's pictures.
public enum MediaInput: Sendable, Hashable {
    /// A video or photo.
    case file(String)
    /// Numbered pictures of one folder.
    case sequence(ImageSequence)
    /// A stream on standard input, which can be read once.
    case standardInput

    /// The source that a path of a manifest names: `-` (or `pipe:`) is standard input; a name with `%d` or `%04d` that
    /// is no file itself is a sequence; anything else a file.
    public init(path: String) {
        if Self.isStandardInput(path) {
            self = .standardInput
        } else if !Files.exists(path), let sequence = ImageSequence(pattern: path) {
            self = .sequence(sequence)
        } else {
            self = .file(path)
        }
    }

    /// Whether a path means standard input, which no file has to be looked at for.
    package static func isStandardInput(_ path: String) -> Bool { ["-", "pipe:", "pipe:0"].contains(path) }

    /// The files that it consists of, as far as they are there.
    package var files: [String] {
        switch self {
        case .file(let path): [path]
        case .sequence(let sequence): sequence.files
        case .standardInput: []
        }
    }

    /// A name for the job where the manifest has none: that of the file without its extension, or of the sequence; nil for
    /// standard input.
    public var stem: String? {
        switch self {
        case .file(let path): Files.stem(of: path)
        case .sequence(let sequence): sequence.stem
        case .standardInput: nil
        }
    }
}

/// Numbered pictures of one folder, `frames/frame%04d.png`, as FFmpeg's image2 demuxer reads them.
public struct ImageSequence: Sendable, Hashable {
    /// The path with its `%d` or `%04d`.
    public let pattern: String
    private let folder: String
    private let prefix: String
    private let suffix: String
    /// The fewest digits; shorter numbers are padded with zeros.
    private let digits: Int

    /// The sequence that a path means.
    /// - Returns: nil where the file's name has not exactly one `%d` or `%0Nd`.
    public init?(pattern: String) {
        let name = Files.name(of: pattern)
        guard let percent = name.firstIndex(of: "%") else { return nil }
        let rest = name[name.index(after: percent)...]
        guard let letter = rest.firstIndex(where: { !$0.isASCII || !$0.isNumber }), rest[letter] == "d" else {
            return nil
        }
        let width = rest[..<letter]
        guard width.isEmpty || width.first == "0", let digits = width.isEmpty ? 1 : Int(width), digits <= 18 else {
            return nil
        }
        suffix = String(rest[rest.index(after: letter)...])
        guard !suffix.contains("%") else { return nil }
        self.pattern = pattern
        self.digits = max(digits, 1)
        folder = Files.parent(of: pattern)
        prefix = String(name[..<percent])
    }

    /// The pattern as FFmpeg takes it, for whom a “%” in a folder's name would begin a number too.
    var escapedPattern: String {
        let literal = folder.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
        return (folder == "/" ? "" : literal) + "/" + Files.name(of: pattern)
    }

    /// The numbers of the pictures that are there, in order.
    public var numbers: [Int] {
        // A folder that can't be listed has no pictures to be found in it.
        guard let names = try? Files.list(folder) else { return [] }
        return names.compactMap(number).sorted()
    }

    /// Name of the first picture that is missing between two that are there; nil where none is.
    public var gap: String? {
        let numbers = numbers
        return zip(numbers, numbers.dropFirst()).first { $1 != $0 + 1 }.map { name($0.0 + 1) }
    }

    package var files: [String] { numbers.map { folder + "/" + name($0) } }

    package var stem: String {
        let stem = prefix.last.map { "_-. ".contains($0) } == true ? String(prefix.dropLast()) : prefix
        return stem.isEmpty ? Files.name(of: Files.canonical(folder)) : stem
    }

    private func name(_ number: Int) -> String {
        let text = String(number)
        return prefix + String(repeating: "0", count: max(0, digits - text.utf8.count)) + text + suffix
    }

    private func number(_ name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.utf8.count > prefix.utf8.count + suffix.utf8.count
        else { return nil }
        let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
        guard middle.utf8.allSatisfy({ (0x30...0x39).contains($0) }), middle.utf8.count <= 18,
            let number = Int(middle), self.name(number) == name
        else { return nil }
        return number
    }
}
