/// What commands on results read. A report may be anybody's: what it names counts where it is a job's file of its name, or a
/// plain file that a job is said to have read; nothing of that is told to anybody unless it is what the job read.
extension FileAccess {
    /// Reads a run's output folder, and its track files where they lie in a folder of their own.
    /// - Parameters:
    ///   - folder: The output folder's path.
    ///   - withSources: Reads what the jobs read, too.
    ///   - root: A folder that no source may lie outside of; nil for no such bound.
    public mutating func read(results folder: String, withSources: Bool = true, root: String? = nil) {
        read(folder)
        for outcome in Report.places(directory: folder).values { add(outcome, folder, withSources, root) }
    }

    /// Reads a track file, or a folder with such files.
    /// - Parameters:
    ///   - path: The file's, or the folder's.
    ///   - withSource: Reads what its job read, too, as the report beside it says.
    public mutating func read(tracks path: String, withSource: Bool = true) {
        if Files.isDirectory(path) { return read(results: path, withSources: withSource) }
        read(path)
        guard withSource else { return }
        let folder = Files.parent(of: path)
        read(reportsIn: folder)
        let suffix = TracksSink.format.suffix, name = Files.name(of: path)
        let id = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : Files.stem(of: name)
        if let outcome = Report.places(directory: folder)[id] { add(outcome, folder, true, nil) }
    }

    /// Reads the reports in a folder.
    public mutating func read(reportsIn folder: String) {
        list(folder)
        for name in Report.names(in: folder) { read(folder + "/" + name) }
    }

    private mutating func add(_ outcome: JobOutcome, _ folder: String, _ withSource: Bool, _ root: String?) {
        for output in outcome.outputs where !Files.isPlainName(output.file) { read(folder + "/" + output.file) }
        guard withSource, let source = outcome.source else { return }
        let path = source.hasPrefix("/") ? source : folder + "/" + source
        let files = MediaInput(path: path).files
        guard files.allSatisfy(Files.isRegular),
            root.map({ root in files.allSatisfy { Files.isInside($0, root) } }) ?? true
        else { return }
        read(media: path)
    }

    /// Reads what the stages of an output folder's track files name: networks, pictures.
    public mutating func read(stagesOf folder: String, root: String?) {
        let report = Report.places(directory: folder)
        // A folder that can't be listed is told of by who verifies it.
        for path in (try? TrackFiles.list(in: folder)) ?? [] {
            let id = String(Files.name(of: path).dropLast(TracksSink.format.suffix.count))
            guard let line = try? LineReader(path: path).next(), let header = try? JSONParser.parse(line),
                let stages = header["stages"]
            else { continue }
            let manifest = report[id]?.manifest.map { folder + "/" + $0 }
            read(named: stages, from: manifest.map(Files.parent) ?? folder, root: root)
        }
    }
}
