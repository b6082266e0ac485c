/// Where jobs run, one at a time: in this process, or in a worker of its own.
protocol JobLane: AnyObject, Sendable {
    /// Runs a job; its files wait for their names afterwards, until the next job or `close`.
    func run(_ order: JobOrder, threads: Int, progress: JobProgress) -> JobEnd

    /// No more jobs will come.
    func close()
}

/// How a job ended, before its files have their names.
enum JobEnd: Sendable {
    case whole(JobResult)
    case failed(JobFailure)
    /// The batch was.
    case interrupted
}

/// What a job made.
struct JobResult: Sendable {
    var frames = 0
    var tracks = 0
    /// Damaged pictures that the decoder patched up, and packets that it refused.
    var concealed = 0
    var skipped = 0
    /// What a user should know of a job that went well.
    var notes: [String] = []
    /// In the order of the order's `results`.
    var files: [PendingFile] = []
}

/// Why a job failed.
struct JobFailure: Sendable {
    /// One sentence.
    var reason: String
    /// True where it took its worker with it by a fault of its own: it would again.
    var isCrash = false
    /// True for reasons that may pass by themselves: no space, no memory, a worker that somebody killed.
    var mayPass = false

    init(_ reason: String, isCrash: Bool = false, mayPass: Bool = false) {
        (self.reason, self.isCrash, self.mayPass) = (reason, isCrash, mayPass)
    }

    init(_ error: any Error) {
        reason = "\(error)"
        mayPass = (error as? FileError)?.mayPass ?? false
    }
}
