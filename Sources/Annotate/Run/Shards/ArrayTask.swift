/// A task of a scheduler's array of tasks, as the scheduler's own variables in its environment tell of it.
///
/// The variables are those of the schedulers' manuals: sbatch(1) “Output environment variables”, Kubernetes “Indexed Job for
/// Parallel Processing”, AWS Batch “Array jobs”, Google Cloud Batch “Predefined environment variables”, qsub(1) of Grid
/// Engine and of PBS.
public struct ArrayTask: Sendable, Hashable {
    /// Names of a scheduler's variables.
    private struct Scheduler {
        /// The scheduler's name, for people.
        var name: String
        /// The task's number.
        var task: String
        /// The number of the first task; nil where tasks are counted from 0.
        var first: String?
        /// The number of the last one; nil where none is told.
        var last: String?
        /// The distance from one number to the next; nil for 1.
        var step: String?
        /// How many there are; nil where none is told.
        var count: String?
        /// Whether a user says which numbers there are, so that a shard's number can be the task's.
        var isNumberedByUser = false

        static let all = [
            Scheduler(
                name: "Slurm", task: "SLURM_ARRAY_TASK_ID", first: "SLURM_ARRAY_TASK_MIN", last: "SLURM_ARRAY_TASK_MAX",
                step: "SLURM_ARRAY_TASK_STEP", count: "SLURM_ARRAY_TASK_COUNT", isNumberedByUser: true),
            Scheduler(name: "Kubernetes", task: "JOB_COMPLETION_INDEX"),
            Scheduler(name: "AWS Batch", task: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE"),
            Scheduler(name: "Google Batch", task: "BATCH_TASK_INDEX", count: "BATCH_TASK_COUNT"),
            Scheduler(
                name: "Grid Engine", task: "SGE_TASK_ID", first: "SGE_TASK_FIRST", last: "SGE_TASK_LAST",
                step: "SGE_TASK_STEPSIZE", isNumberedByUser: true),
            Scheduler(name: "PBS", task: "PBS_ARRAY_INDEX", isNumberedByUser: true),
            Scheduler(name: "PBS", task: "PBS_ARRAYID", isNumberedByUser: true),
        ]
    }

    /// Names of all variables that are looked at.
    public static var variables: [String] {
        Scheduler.all.flatMap { [$0.task, $0.first, $0.last, $0.step, $0.count].compactMap(\.self) }
    }

    /// The shard that the task is.
    public let shard: Shard
    /// The scheduler and the variable that say so.
    public let source: String

    /// The error of an environment that doesn't tell which shard a task is.
    public struct UnknownShardError: Error, CustomStringConvertible, Equatable {
        /// One sentence.
        public let description: String
    }

    /// Finds out which shard this task is.
    /// - Parameters:
    ///   - environment: The variables.
    ///   - count: How many shards there are; nil for as many as the array has tasks.
    /// - Throws: `UnknownShardError` where no scheduler says it, or two things that don't go together are said.
    public init(_ environment: [String: String], of count: Int?) throws {
        // Grid Engine says “undefined” outside an array.
        let present = Scheduler.all.filter { ![nil, "", "undefined"].contains(environment[$0.task]) }
        guard let scheduler = present.first else {
            let names = Scheduler.all.map(\.task).joined(separator: ", ")
            throw UnknownShardError(
                description: "--shard auto finds none of \(names): this is no task of an array; say --shard I/N")
        }
        let found = try present.map { try Self.shard($0, environment, of: count) }
        for (other, shard) in zip(present, found) where shard != found[0] {
            throw UnknownShardError(
                description:
                    "--shard auto finds two schedulers that contradict each other: \(scheduler.task) means shard "
                    + "\(found[0].index) of \(found[0].count), \(other.task) \(shard.index) of \(shard.count); say --shard I/N"
            )
        }
        (shard, source) = (found[0], "\(scheduler.name)'s \(scheduler.task)")
    }

    private static func shard(
        _ scheduler: Scheduler, _ environment: [String: String], of wanted: Int?
    ) throws -> Shard {
        func value(_ name: String) throws -> Int? {
            guard let text = environment[name], !text.isEmpty, text != "undefined" else { return nil }
            guard let number = Int(text), (0...1 << 40).contains(number) else {
                throw UnknownShardError(
                    description: "--shard auto: \(name) is “\(text.inOneLine)”; expected a whole number")
            }
            return number
        }
        func said(_ names: [String?]) -> String {
            names.compactMap { name in name.flatMap { environment[$0] }.map { "\(name ?? "")=\($0.inOneLine)" } }
                .joined(separator: ", ")
        }
        let words = [scheduler.task, scheduler.first, scheduler.last, scheduler.step, scheduler.count]
        guard let task = try value(scheduler.task) else { throw contradiction(scheduler, said(words), "") }
        let (first, last) = (try scheduler.first.map(value) ?? 0, try scheduler.last.flatMap(value))
        let (step, told) = (try scheduler.step.flatMap(value) ?? 1, try scheduler.count.flatMap(value))
        if let wanted {
            // A part of the shards that is submitted again has their numbers.
            let index = scheduler.isNumberedByUser ? task : task + 1
            if !scheduler.isNumberedByUser, let told, told != wanted {
                throw contradiction(
                    scheduler, said(words), "; expected \(wanted) tasks, as --shard auto/\(wanted) says")
            }
            guard let shard = Shard(index: index, count: wanted) else {
                let range = scheduler.isNumberedByUser ? "1 to \(wanted)" : "0 to \(wanted - 1)"
                throw contradiction(
                    scheduler, said(words), "; expected a task from \(range) for --shard auto/\(wanted)")
            }
            return shard
        }
        let spanned = first.flatMap { first in last.map { step > 0 && $0 >= first ? ($0 - first) / step + 1 : 0 } }
        guard let count = told ?? spanned else {
            throw UnknownShardError(
                description:
                    "--shard auto: \(scheduler.name) doesn't tell how many tasks there are; say --shard auto/N, with as many "
                    + "shards as tasks")
        }
        let isPart = spanned.map { $0 != count } ?? false
        guard !isPart, let first, step > 0, task >= first, (task - first) % step == 0,
            let shard = Shard(index: (task - first) / step + 1, count: count)
        else {
            let advice = scheduler.isNumberedByUser ? "; where it is a part of an array, say --shard auto/N" : ""
            throw contradiction(scheduler, said(words), advice)
        }
        return shard
    }

    private static func contradiction(_ scheduler: Scheduler, _ said: String, _ advice: String) -> UnknownShardError {
        UnknownShardError(
            description: "--shard auto: what \(scheduler.name) says doesn't go together (\(said))\(advice)")
    }
}
