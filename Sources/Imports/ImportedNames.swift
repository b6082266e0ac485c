/// Names of the clips or videos that a file tells of.
struct ImportedNames {
    /// In the order in which they come.
    private(set) var all: [String] = []
    private var known: Set<String> = []

    mutating func add(_ name: String) {
        if known.insert(name).inserted { all.append(name) }
    }

    /// Whether what a request means is among them, and which one it means is clear.
    /// - Throws: `ImportError` where it isn't.
    func check(_ request: ImportRequest, _ one: String, _ many: String) throws {
        let told = all.prefix(12).map { "“\($0.inOneLine)”" }.joined(separator: ", ") + (all.count > 12 ? ", …" : "")
        guard let wanted = request.video else {
            guard all.count > 1 else { return }
            throw request.failure(nil, "it is of \(all.count) \(many); expected “video” to name one of \(told)")
        }
        guard !known.contains(wanted) else { return }
        var error = request.failure(
            nil,
            "no \(one) “\(wanted.inOneLine)”; expected " + (all.isEmpty ? "none: the file has none" : "one of \(told)"))
        error.isAbsence = true
        throw error
    }
}
