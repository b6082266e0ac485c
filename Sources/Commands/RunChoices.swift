import Annotate
import ArgumentParser

/// How many jobs run at once.
enum JobCount: ExpressibleByArgument {
    case auto
    case exactly(Int)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else {
            guard let number = Int(argument), (1...64).contains(number) else { return nil }
            self = .exactly(number)
        }
    }

    /// The number of jobs; nil for as many as the machine bears.
    var number: Int? { if case .exactly(let number) = self { number } else { nil } }

    var defaultValueDescription: String { number.map(String.init) ?? "auto" }
}

/// Which shard of a batch is run.
enum ShardChoice: ExpressibleByArgument {
    case exactly(Shard)
    /// The one that a scheduler's variables name.
    case ofScheduler(of: Int?)

    init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.first == "auto" {
            let count = parts.count == 2 ? Int(parts[1]) : nil
            guard parts.count == 1 || parts.count == 2 && count.map({ $0 >= 1 }) == true else { return nil }
            self = .ofScheduler(of: count)
        } else {
            guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
                let shard = Shard(index: index, count: count)
            else { return nil }
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
