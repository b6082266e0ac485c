import Annotate
import ArgumentParser

/// How many jobs run at once.
enum JobCount: Sendable {
    case auto
    case exactly(Int)

    /// - Throws: `ValidationError`, behind the parser's own words.
    init(_ word: String) throws {
        if word == "auto" {
            self = .auto
        } else {
            guard let number = Int(word), (1...64).contains(number) else {
                throw ValidationError("expected a number from 1 to 64, or auto.")
            }
            self = .exactly(number)
        }
    }

    /// The number of jobs; nil for as many as the machine bears.
    var number: Int? { if case .exactly(let number) = self { number } else { nil } }
}

/// Which shard of a batch is run.
enum ShardChoice: Sendable {
    case exactly(Shard)
    /// The one that a scheduler's variables name.
    case ofScheduler(of: Int?)

    /// - Throws: `ValidationError`, behind the parser's own words.
    init(_ word: String) throws {
        let wrong = ValidationError("expected I/N, shard I of 1 to N, or auto, or auto/N.")
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.first == "auto" {
            let count = parts.count == 2 ? Int(parts[1]) : nil
            guard parts.count == 1 || parts.count == 2 && count.map({ $0 >= 1 }) == true else { throw wrong }
            self = .ofScheduler(of: count)
        } else {
            guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
                let shard = Shard(index: index, count: count)
            else { throw wrong }
            self = .exactly(shard)
        }
    }

    /// - Throws: `ValidationError` where no scheduler says which one it is.
    func shard() throws -> Shard {
        switch self {
        case .exactly(let shard): return shard
        case .ofScheduler(let count):
            let values = ArrayTask.variables.compactMap { name in Console.environment(name).map { (name, $0) } }
            do {
                let task = try ArrayTask(Dictionary(values, uniquingKeysWith: { $1 }), of: count)
                Console.tell("annotate-batch: shard \(task.shard.index) of \(task.shard.count), by \(task.source)")
                return task.shard
            } catch let error as ArrayTask.UnknownShardError {
                throw ValidationError(error.description)
            }
        }
    }
}
