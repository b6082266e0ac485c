import Annotate
import ArgumentParser

/// The data set that a manifest asks for, written when its jobs are done.
struct BatchDataSet {
    private let batch: Batch
    private let options: DataSetOptions
    private let isAll: Bool

    /// nil where the manifest asks for none.
    /// - Parameter isAll: Whether all of the manifest's jobs are to run: a data set is written of them all alone.
    /// - Throws: `ExitCode` where its folder can't become one; it has been told why.
    init?(_ batch: Batch, isAll: Bool = true) throws {
        guard let options = batch.dataSet else { return nil }
        (self.batch, self.options, self.isAll) = (batch, options, isAll)
        guard isAll, let reason = DataSet.whyUnusable(options.directory) else { return }
        Console.problem("annotate-batch: could not write \(options.directory): \(reason)")
        throw ExitCode.failure
    }

    /// The folder that the data set gets its name in.
    var folders: [String] { [Files.parent(of: options.directory)] }

    /// Writes it, where all jobs are whole.
    /// - Parameters:
    ///   - workers: Who decodes for it; nil for this process.
    ///   - isQuiet: Whether what goes well isn't told.
    /// - Returns: false where it couldn't be written.
    func write(
        after outcomes: [(job: JobOrder, outcome: JobOutcome)], by workers: WorkerPool?, isQuiet: Bool,
        _ cancellation: Cancellation
    ) throws -> Bool {
        guard isAll else {
            Console.error(
                "annotate-batch: \(options.directory) wasn't written: a run of some jobs writes no data set; export --dataset "
                    + "makes one of what is there")
            return true
        }
        let lacking = outcomes.count { !$0.outcome.status.isWhole }
        guard lacking == 0, !cancellation.isCancelled else {
            Console.error(
                "annotate-batch: \(options.directory) wasn't written: \(lacking) of \(plural(outcomes.count, "job")) "
                    + "\(lacking == 1 ? "isn't" : "aren't") whole")
            return true
        }
        do {
            let ids = Set(outcomes.map(\.job.id))
            guard
                let set = try DataSet.of(
                    batch.directory, options, only: ids, kinds: kinds, generator: generator)?.set
            else { return false }
            if try set.isUpToDate(options.directory) {
                // It is newer than what it was made of, as tools that go by files' ages want it.
                DataSet.touch(options.directory)
                if !isQuiet { Console.error("annotate-batch: \(options.directory): up to date") }
            } else {
                try Files.makeDirectory(Files.parent(of: options.directory))
                let sentences =
                    try workers?.writeDataSet(
                        options, of: batch.directory, jobs: ids.sorted(), cancellation: cancellation)
                    ?? set.write(to: options.directory, cancellation: cancellation).sentences
                for sentence in sentences where !isQuiet {
                    Console.error("annotate-batch: \(options.directory): \(sentence)")
                }
            }
            Console.out(options.directory)
            return true
        } catch is CancelledError {
            return true
        } catch let failure as JobFailure where failure.code != .file {
            Console.error("annotate-batch: could not write \(options.directory): \(failure.reason)")
            return false
        } catch {
            Console.error("annotate-batch: \(error)")
            return false
        }
    }
}
