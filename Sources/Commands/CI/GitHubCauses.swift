import Annotate

extension GitHub {
    /// Causes of what went wrong: GitHub shows ten annotations of a step, and many jobs may fail for one reason.
    struct Causes {
        struct Cause {
            var level: Level
            /// What all jobs with it have in common.
            fileprivate var key: String
            var line: Int
            fileprivate var what: String
            fileprivate var first: String
            /// Whether other jobs say something else.
            fileprivate var differs = false
            fileprivate var ids: [String] = []
        }

        private(set) var all: [Cause] = []
        private var places: [String: Int] = [:]

        /// Notes what went wrong with a job.
        /// - Parameters:
        ///   - what: In the title, behind the job's id.
        ///   - cause: What is the same for other jobs; nil for the message without the job's own names.
        mutating func add(
            _ level: Level, _ message: String, of job: JobOrder, _ what: String, line: Int, cause: String? = nil
        ) {
            var common = cause ?? message
            // An id may be a letter: it is meant where it stands as one.
            for name in [job.input, Files.name(of: job.input), "/\(job.id).", "“\(job.id)”"] {
                common = common.replacing(name, with: "…")
            }
            let key = "\(level.rawValue) \(line) \(common)"
            guard let place = places[key] else {
                places[key] = all.count
                all.append(Cause(level: level, key: common, line: line, what: what, first: message, ids: [job.id]))
                return
            }
            all[place].ids.append(job.id)
            if cause != nil, message != all[place].first { all[place].differs = true }
        }
    }
}

extension GitHub.Causes.Cause {
    private static let mostNamed = 5

    /// `a, b and 3 more failed`.
    var title: String {
        let named = ids.prefix(Self.mostNamed).joined(separator: ", ")
        let more = ids.count > Self.mostNamed ? " and \(ids.count - Self.mostNamed) more" : ""
        let verb = what == "not as expected" ? (ids.count == 1 ? "is " : "are ") : ""
        return "\(named)\(more)" + (what.isEmpty ? "" : " \(verb)\(what)")
    }

    /// The first job's sentence, and of how many others the like is true.
    var message: String {
        guard ids.count > 1 else { return first }
        let more = ids.count - 1
        return differs
            ? "\(first) (\(ids[0]); \(more) more \(more == 1 ? "doesn't" : "don't") meet it either)"
            : "\(first) (\(ids[0]); the same of \(more) more)"
    }
}
