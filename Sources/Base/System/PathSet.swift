/// A set of paths, each by its bytes, as the system tells files apart. Swift takes two texts for equal that say the same in other
/// bytes, é as one character and as e with an accent: these are two files.
public struct PathSet: Sendable, Hashable, Sequence, ExpressibleByArrayLiteral {
    private struct Path: Hashable {
        let text: String

        static func == (a: Path, b: Path) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private var paths: Set<Path>

    /// A set of some paths.
    public init(_ paths: some Sequence<String>) { self.paths = Set(paths.map(Path.init)) }
    /// A set of the paths named.
    public init(arrayLiteral paths: String...) { self.init(paths) }

    /// How many there are.
    public var count: Int { paths.count }
    /// Whether there is none.
    public var isEmpty: Bool { paths.isEmpty }

    /// Whether a path is in it, byte by byte.
    public func contains(_ path: String) -> Bool { paths.contains(Path(text: path)) }

    /// Adds a path.
    /// - Returns: false where it was in it.
    @discardableResult
    public mutating func insert(_ path: String) -> Bool { paths.insert(Path(text: path)).inserted }

    /// Adds some paths.
    public mutating func formUnion(_ others: some Sequence<String>) {
        for path in others { insert(path) }
    }

    /// The set with some paths more.
    public func union(_ others: some Sequence<String>) -> PathSet {
        var all = self
        all.formUnion(others)
        return all
    }

    /// All of them in the order of their bytes.
    public func sorted() -> [String] { map(\.self).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    /// All of them, in no order.
    public func makeIterator() -> AnyIterator<String> {
        var iterator = paths.makeIterator()
        return AnyIterator { iterator.next()?.text }
    }
}
