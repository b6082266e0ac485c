import Annotate

/// The jobs of an output folder.
enum ReviewFolder {
    /// - Throws: `FileError` for a folder that can't be listed or has no results.
    static func jobs(of directory: String) throws -> [ReviewJob] {
        let names = try Files.list(directory).filter { !$0.hasPrefix(".") }
        let report = Report.read(directory: directory)
        let suffix = ".tracks.jsonl"
        let alone = names.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
            .filter { report[$0] == nil }
        let here = Set(names)
        let jobs = (report.keys + alone).sorted().map { id in
            let outcome = report[id]
            // What a job that came to nothing left is of an earlier run.
            let isWhole = outcome?.status.isWhole ?? true
            let tracks = isWhole && here.contains(id + suffix) ? "\(directory)/\(id)\(suffix)" : nil
            let videos = outcome?.outputs.map(\.file) ?? ["mp4", "mkv"].map { "\(id).\($0)" }
            let annotated = videos.first { isPicture($0, of: id) && here.contains($0) }
            return ReviewJob(
                id: id, outcome: outcome, tracks: tracks, annotated: annotated.map { "\(directory)/\($0)" },
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
