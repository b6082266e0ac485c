import Testing

@testable import Annotate

struct ArrayTaskTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var environment: [String: String]
        var count: Int?
        /// `I/N`, or what the sentence says.
        var expected: String
        var testDescription: String { "\(environment.sorted { $0.key < $1.key }), \(count ?? 0)" }
    }

    private static func slurm(_ id: String, _ least: Int, _ most: Int, _ count: Int, step: Int = 1) -> [String: String]
    {
        [
            "SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_MIN": "\(least)", "SLURM_ARRAY_TASK_MAX": "\(most)",
            "SLURM_ARRAY_TASK_COUNT": "\(count)", "SLURM_ARRAY_TASK_STEP": "\(step)",
        ]
    }

    private static func grid(_ id: String, _ first: String, _ last: String, _ step: String) -> [String: String] {
        ["SGE_TASK_ID": id, "SGE_TASK_FIRST": first, "SGE_TASK_LAST": last, "SGE_TASK_STEPSIZE": step]
    }

    static let cases = [
        Case(environment: slurm("1", 1, 20, 20), expected: "1/20"),
        Case(environment: slurm("0", 0, 19, 20), expected: "1/20"),
        Case(environment: slurm("19", 0, 19, 20), expected: "20/20"),
        Case(environment: slurm("6", 0, 18, 10, step: 2), expected: "4/10"),
        Case(environment: slurm("12", 10, 13, 4), expected: "3/4"),
        // A part that is submitted again.
        Case(environment: slurm("7", 3, 9, 3), count: 20, expected: "7/20"),
        Case(environment: slurm("7", 3, 9, 3), expected: "where it is a part of an array, say --shard auto/N"),
        Case(environment: slurm("21", 1, 21, 21), count: 20, expected: "expected a task from 1 to 20"),
        Case(environment: slurm("0", 0, 19, 20), count: 20, expected: "expected a task from 1 to 20"),
        Case(environment: slurm("5", 0, 18, 10, step: 2), expected: "doesn't go together"),
        Case(environment: slurm("x", 1, 2, 2), expected: "SLURM_ARRAY_TASK_ID is “x”; expected a whole number"),
        Case(environment: slurm("-1", 1, 2, 2), expected: "SLURM_ARRAY_TASK_ID is “-1”; expected a whole number"),
        Case(environment: slurm("3", 1, 2, 2), expected: "doesn't go together"),
        Case(environment: ["JOB_COMPLETION_INDEX": "0"], count: 5, expected: "1/5"),
        Case(environment: ["JOB_COMPLETION_INDEX": "4"], count: 5, expected: "5/5"),
        Case(environment: ["JOB_COMPLETION_INDEX": "5"], count: 5, expected: "expected a task from 0 to 4"),
        Case(environment: ["JOB_COMPLETION_INDEX": "0"], expected: "Kubernetes doesn't tell how many tasks there are"),
        Case(
            environment: ["AWS_BATCH_JOB_ARRAY_INDEX": "2", "AWS_BATCH_JOB_ARRAY_SIZE": "8"], expected: "3/8"),
        Case(environment: ["AWS_BATCH_JOB_ARRAY_INDEX": "2"], count: 8, expected: "3/8"),
        Case(environment: ["AWS_BATCH_JOB_ARRAY_INDEX": "2"], expected: "say --shard auto/N"),
        Case(
            environment: ["AWS_BATCH_JOB_ARRAY_INDEX": "2", "AWS_BATCH_JOB_ARRAY_SIZE": "8"], count: 9,
            expected: "expected 9 tasks"),
        Case(environment: ["BATCH_TASK_INDEX": "0", "BATCH_TASK_COUNT": "1"], expected: "1/1"),
        Case(environment: ["BATCH_TASK_INDEX": "7", "BATCH_TASK_COUNT": "7"], expected: "doesn't go together"),
        Case(environment: grid("3", "1", "9", "2"), expected: "2/5"),
        Case(environment: grid("9", "1", "9", "2"), expected: "5/5"),
        Case(environment: grid("3", "1", "9", "0"), expected: "doesn't go together"),
        Case(
            environment: grid("undefined", "undefined", "undefined", "undefined"),
            expected: "--shard auto finds none of"),
        Case(environment: ["PBS_ARRAY_INDEX": "3"], count: 4, expected: "3/4"),
        Case(environment: ["PBS_ARRAYID": "4"], count: 4, expected: "4/4"),
        Case(environment: ["PBS_ARRAY_INDEX": "3"], expected: "PBS doesn't tell how many tasks there are"),
        Case(environment: [:], expected: "--shard auto finds none of"),
        Case(environment: ["SLURM_ARRAY_TASK_ID": ""], expected: "--shard auto finds none of"),
        Case(environment: ["SLURM_ARRAY_TASK_ID": "1"], expected: "Slurm doesn't tell how many tasks there are"),
        Case(
            environment: slurm("1", 1, 4, 4).merging(["JOB_COMPLETION_INDEX": "1"]) { $1 }, count: 4,
            expected: "SLURM_ARRAY_TASK_ID means shard 1 of 4, JOB_COMPLETION_INDEX 2 of 4"),
        Case(
            environment: slurm("2", 1, 4, 4).merging(["JOB_COMPLETION_INDEX": "1"]) { $1 }, count: 4, expected: "2/4"),
    ]

    @Test(arguments: cases) func schedulersSayWhichShardATaskIs(_ one: Case) throws {
        do {
            let shard = try ArrayTask(one.environment, of: one.count).shard
            #expect("\(shard.index)/\(shard.count)" == one.expected)
        } catch let error as ArrayTask.UnknownShardError {
            #expect(error.description.contains(one.expected), "\(error)")
            #expect(!error.description.contains("\n"))
        }
    }

    @Test(arguments: [1, 7, 20]) func tasksOfAnArrayAreItsShards(_ count: Int) throws {
        let found = try (0..<count).map {
            try ArrayTask(["BATCH_TASK_INDEX": "\($0)", "BATCH_TASK_COUNT": "\(count)"], of: nil).shard.index
        }
        #expect(found == Array(1...count))
    }
}
