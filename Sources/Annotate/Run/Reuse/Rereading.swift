/// Results that follow from a track file without its video: files of other forms, and judgements of expectations.
extension JobRunner {
    /// Writes the forms that the task names, and holds the job's expectations against the results.
    /// - Throws: `TrackFileError`, also for a track file that isn't what the last run left.
    func reread() throws -> Finished {
        let path = job.path(of: TracksSink.format)
        if let contents = task.contents, try ContentHash.of([path]) != contents {
            throw TrackFileError(path: path, line: nil, message: "it was changed since it was written")
        }
        let reader = try TrackFileReader(path: path, kinds: job.graph.catalog)
        let context = SinkContext(job, header: reader.header)
        let wanted = Set((task.results ?? []).map(Files.name))
        var sinks: [(file: OutputFile, sink: any Sink)] = []
        var judges = job.expectations.map(ExpectationJudge.init)
        do {
            for sink in job.sinks where wanted.contains(Files.name(of: job.path(of: sink.format))) {
                let file = OutputFile(target: job.path(of: sink.format), isFolder: sink.format.isFolder)
                if let reason = file.whyUnusable { throw FileError("write", path: file.target, reason: reason) }
                sinks.append((file, try sink.init(file, context)))
            }
            while let frame = try reader.next() {
                if cancellation.isCancelled { throw CancelledError() }
                for (_, sink) in sinks { try sink.write(frame) }
                for index in judges.indices { judges[index].add(frame) }
                progress.advance()
            }
            for (file, sink) in sinks {
                try sink.finish(reader.outcome, reader.summary ?? TrackFileSummary())
                try file.sync()
            }
        } catch {
            let files = sinks.map(\.file)
            sinks = []
            for file in files { file.discard() }
            throw error
        }
        var result = JobResult()
        result.notes = sinks.flatMap(\.sink.notes)
        result.judgements = try judges.judgements(of: job, covers: reader.summary?.cover, trackFile: path)
        result.reused = task.reused
        return Finished(result: result, files: sinks.map(\.file))
    }
}

extension SinkContext {
    init(_ job: Job, header: TrackFileHeader) {
        self.init(
            header: header, kinds: job.graph.catalog,
            styles: Dictionary(job.graph.nodes.map { ($0.id, $0.styles) }, uniquingKeysWith: { $1 }))
    }
}
