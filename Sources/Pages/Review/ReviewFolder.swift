import Annotate

/// The jobs of an output folder.
enum ReviewFolder {
    /// The jobs of a folder.
    /// - Throws: `FileError` for a folder that can't be listed or has no results.
    static func jobs(of directory: String) throws -> [ReviewJob] {
        // What links lead to is nobody's result.
        let names = Set(try Files.list(directory).filter { !$0.hasPrefix(".") && !Files.isLink("\(directory)/\($0)") })
        let report = Report.read(directory: directory)
        let suffix = ".tracks.jsonl"
        // They may lie in a folder of their own, which the report names.
        let trackFiles = Dictionary(
            try TrackFiles.list(in: directory).map { (String(Files.name(of: $0).dropLast(suffix.count)), $0) },
            uniquingKeysWith: { _, named in named })
        let jobs = Set(report.keys).union(trackFiles.keys).sorted().map { id in
            let outcome = report[id]
            // What a job that came to nothing left is of an earlier run.
            let isWhole = outcome?.status.isWhole ?? true
            let videos = outcome?.outputs.map(\.file) ?? ["mp4", "mkv"].map { "\(id).\($0)" }
            let annotated = videos.first { isPicture($0, of: id) && names.contains($0) }
            return ReviewJob(
                id: id, outcome: outcome, tracks: isWhole ? trackFiles[id] : nil,
                annotated: annotated.map { "\(directory)/\($0)" },
                source: source(outcome, directory))
        }
        guard !jobs.isEmpty else {
            throw FileError(
                "review", path: directory,
                reason:
                    "there is no report.json that can be read, and no *\(suffix); expected the output folder of a run")
        }
        return jobs
    }

    /// True for the job's own video or photo.
    private static func isPicture(_ name: String, of id: String) -> Bool {
        ["mp4", "mkv", "jpg", "png"].contains { name == "\(id).\($0)" }
    }

    private static func source(_ outcome: JobOutcome?, _ directory: String) -> String? {
        guard let source = outcome?.source else { return nil }
        let path = source.hasPrefix("/") ? source : "\(directory)/\(source)"
        return Files.isRegular(path) ? path : nil
    }
}
