internal import Synchronization

/// Stores what jobs wrote where a manifest wants results besides the output folder, each file once.
final class ResultStore: Sendable {
    private let batch: Batch
    private let address: RemoteAddress
    private let command: [String]?
    private let whyNoCommand: String
    private let cancellation: Cancellation
    /// Seconds that one file may take; nil for no limit.
    private let timeout: Double?
    private let retries: Retries
    private let count = Atomic<Int>(0)

    /// - Returns: nil where the manifest names no such place.
    init?(_ batch: Batch, _ options: RunOptions, cancellation: Cancellation) {
        guard let address = batch.address.flatMap(RemoteAddress.init) else { return nil }
        (self.batch, self.address, self.cancellation) = (batch, address, cancellation)
        timeout = options.timeout
        retries = Retries(count: options.retries, cancellation: cancellation)
        command = options.allowsCommands ? batch.store ?? options.store : options.store
        whyNoCommand =
            batch.store == nil
            ? "expected “store” in config.json of the user's settings, or in the manifest"
            : "the manifest has one, which --allow-commands lets run"
    }

    /// Whether all that a job wrote lies there already.
    func has(_ outcome: JobOutcome) -> Bool {
        // With a slash behind it or without.
        outcome.stored.map { RemoteAddress.inside($0, "") } == address.shownInside("")
    }

    /// Stores what a job wrote, where it is whole and doesn't lie there already. What goes to another folder than the
    /// output folder, track files say, isn't handed out, and is stored nowhere: no address leads out of the one that is
    /// named.
    /// - Returns: How the job ended: where something couldn't be stored it failed, with its files whole here, so that
    ///   another run has only that left to do.
    func store(_ outcome: JobOutcome) -> JobOutcome {
        guard outcome.status.isWhole, !has(outcome) else { return outcome }
        var outcome = outcome
        var failed: JobFailure?
        // Where an earlier run could store some of them.
        let there = Set(outcome.storedFiles)
        do {
            for output in outcome.outputs where Files.isPlainName(output.file) {
                // Of a folder of files, all.
                if there.contains(address.shownInside(output.file)) { continue }
                for (path, place) in try Self.files(batch.output.path(output.file), output.file) {
                    let shown = address.shownInside(place)
                    if there.contains(shown) { continue }
                    try retries.run({ _ in try store(path, place) }, failed: { failed = $0 })
                    outcome.storedFiles.append(shown)
                }
            }
            (outcome.stored, outcome.isUnstored, outcome.storedFiles) = (address.shown, false, [])
            if let failed { outcome.notes.append("it was stored when that was tried again; before, \(failed.reason)") }
        } catch {
            let failure = (error as? JobFailure) ?? JobFailure(error)
            (outcome.status, outcome.failure) = (error is CancelledError ? .interrupted : .failed, failure)
            outcome.isUnstored = true
        }
        return outcome
    }

    /// The files of a result, which may be a folder of them.
    private static func files(_ path: String, _ place: String) throws -> [(path: String, place: String)] {
        guard Files.isDirectory(path) else { return [(path, place)] }
        return try Files.list(path).flatMap { try files(path + "/" + $0, place + "/" + $0) }
    }

    private func store(_ file: String, _ place: String) throws {
        let shown = "could not store \(address.shownInside(place))"
        guard let command else {
            throw JobFailure(.file, "\(shown): there is no command for “\(address.scheme)”; \(whyNoCommand)")
        }
        let url = address.inside(place)
        let words = command.map { $0.replacing("{url}", with: url).replacing("{file}", with: file) }
        let number = count.add(1, ordering: .relaxed).newValue
        let folder = OutputFile(
            target: "\(batch.directory)/\(ResultFolder.fetchName)-store-\(number)", isFolder: true)
        let errors = folder.temporary + "/errors"
        let (begin, before) = (monotonicSeconds(), Files.status(file))
        let status = try ChildProgram.run(words, errors: errors) { [cancellation, timeout] in
            if cancellation.isCancelled { return CancelledError() }
            guard let timeout, monotonicSeconds() - begin > timeout else { return nil }
            return JobFailure(.limit, "\(shown): “\(command[0])” \(RunOptions.tookTooLong(timeout))")
        }
        guard status == 0 else {
            let said = Fetcher.lastWords(in: errors, of: address).map { ": \($0)" } ?? ""
            throw JobFailure(.file, "\(shown): “\(command[0])” ended with status \(status)\(said)", mayPass: true)
        }
        // What lies here is what the report tells of, and the next run counts on.
        let after = Files.status(file)
        guard let before, let after, before == after else {
            let deed = after == nil ? "removed" : "changed"
            throw JobFailure(
                .file, "\(shown): “\(command[0])” \(deed) the file here; expected a command that copies it")
        }
    }
}
