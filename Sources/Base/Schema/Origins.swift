/// The origins of a value's parts in the user's files, for a value that was put together from several places: a problem
/// with a part is reported at its own.
package struct Origins {
    private var moved: [[PathComponent]: [PathComponent]] = [:]
    private var files: [[PathComponent]: (file: String, path: [PathComponent])] = [:]

    package init() {}

    /// Notes that the part at `path` stands at `origin` of the same file.
    package mutating func add(_ path: [PathComponent], from origin: [PathComponent]) { moved[path] = origin }

    /// Notes that what is below `path`, which itself names a file, stands in that file.
    /// - Parameter origin: Where in that file.
    package mutating func add(below path: [PathComponent], file: String, from origin: [PathComponent]) {
        files[path] = (file, origin)
    }

    /// Where a part stands.
    /// - Returns: `file` is nil for the file that the value itself is of.
    func place(of path: [PathComponent]) -> (file: String?, path: [PathComponent]) {
        if moved.isEmpty, files.isEmpty { return (nil, path) }
        for count in stride(from: path.count, through: 0, by: -1) {
            let (top, rest) = (Array(path[..<count]), path[count...])
            if !rest.isEmpty, let origin = files[top] { return (origin.file, origin.path + rest) }
            if let origin = moved[top] { return (nil, origin + rest) }
        }
        return (nil, path)
    }

    /// Whether the part at `path` stands at another place.
    package func isMoved(_ path: [PathComponent]) -> Bool { moved[path] != nil }
}
