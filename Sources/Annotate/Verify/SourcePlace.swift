/// Where a job's source lies, by its report.
struct SourcePlace {
    /// Its path, or that of a copy; nil where nobody knows one.
    var path: String?
    /// Where it lies elsewhere; nil for a file.
    var address: String?
    /// Whether the path leads to a copy that has other contents than what the job read.
    var isOther = false

    init(path: String?) { self.path = path }

    /// - Parameters:
    ///   - outcome: What the report says of the job; nil for nothing.
    ///   - directory: The folder with the report.
    ///   - copies: A folder with files of the sources' names; nil for none.
    init(of outcome: JobOutcome?, in directory: String, copies: String?) {
        path = outcome?.source.map { directory + "/" + $0 }
        address = outcome?.address
        if let path, MediaInput(path: path).files.allSatisfy(Files.exists) { return }
        guard let copies, let outcome, let name = path.map(Files.name) ?? address.flatMap(RemoteAddress.init)?.name
        else {
            return
        }
        let copy = copies + "/" + name
        path = copy
        let isThere = MediaInput(path: copy).files.allSatisfy(Files.isRegular)
        isOther = isThere && outcome.contents != nil && !TrackFileSource.isInput(copy, of: outcome)
    }
}
