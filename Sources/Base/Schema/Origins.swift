/// Where parts of a value really stand that was put together from several places: what is wrong with them is told there.
package struct Origins {
    private var moved: [[PathComponent]: [PathComponent]] = [:]
    private var files: [[PathComponent]: (file: String, path: [PathComponent])] = [:]

    package init() {}

    /// What is at `path` stands at `origin` of the same file.
    package mutating func add(_ path: [PathComponent], from origin: [PathComponent]) { moved[path] = origin }

    /// What is below `path`, which itself names a file, stands in that file.
    /// - Parameter origin: Where in it.
    package mutating func add(below path: [PathComponent], file: String, from origin: [PathComponent]) {
        files[path] = (file, origin)
    }

    /// - Returns: No file for the one that the value is of.
    func place(of path: [PathComponent]) -> (file: String?, path: [PathComponent]) {
        if moved.isEmpty, files.isEmpty { return (nil, path) }
        for count in stride(from: path.count, through: 0, by: -1) {
            let (top, rest) = (Array(path[..<count]), path[count...])
            if !rest.isEmpty, let origin = files[top] { return (origin.file, origin.path + rest) }
            if let origin = moved[top] { return (nil, origin + rest) }
        }
        return (nil, path)
    }

    package func isMoved(_ path: [PathComponent]) -> Bool { moved[path] != nil }
}
