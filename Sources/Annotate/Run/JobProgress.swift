internal import Synchronization

/// The progress of a job, for whoever shows it; written by the job's threads, read by others.
public final class JobProgress: Sendable {
    /// Whether the job has begun, and ended.
    public enum Phase: Int, Sendable {
        /// Other jobs come first.
        case waiting
        /// A worker has it.
        case running
        /// It has an outcome.
        case finished
    }

    /// The job's id.
    public let id: String
    private let phaseValue = Atomic<Int>(Phase.waiting.rawValue)
    private let frameCount = Atomic<Int>(0)
    private let lookCount = Atomic<Int>(0)
    private let expected = Atomic<Int>(0)
    /// How many of them are to be written.
    private let whole = Atomic<Int>(0)
    private let result = Mutex<JobOutcome?>(nil)
    /// Parts of the video that are looked at first, with how many frames each has.
    private let parts = Mutex<[(progress: JobProgress, frames: Int)]>([])
    /// Whether nothing but parts is to be looked at, as far as is known.
    private let isInParts = Atomic<Bool>(false)

    /// The page of memory on which a worker's progress is seen by others; nil in a process without one.
    private let status: WorkerStatus?

    /// The progress of a job that waits.
    public convenience init(id: String) { self.init(id: id, status: nil) }

    init(id: String, status: WorkerStatus?) {
        self.id = id
        self.status = status
    }

    /// Whether the job has begun, and ended.
    public var phase: Phase { Phase(rawValue: phaseValue.load(ordering: .acquiring)) ?? .waiting }
    /// How many frames have been written. Those that were looked at before any is written count, too: where a stage has to
    /// see all of them before it says anything, or where the video is looked at in parts.
    public var frames: Int {
        frameCount.load(ordering: .relaxed) + lookCount.load(ordering: .relaxed)
            + parts.withLock { $0.reduce(0) { $0 + min($1.progress.frames, $1.frames) } }
    }
    /// How many frames there are as the container says, an estimate; nil where it says nothing. As many more each time that
    /// they are looked at before any is written.
    public var expectedFrames: Int? {
        let count = expected.load(ordering: .relaxed)
        let looks = parts.withLock { $0.reduce(0) { $0 + $1.frames } }
        let all = count > 0 ? count + looks : isInParts.load(ordering: .relaxed) ? looks : 2 * looks
        return all > 0 ? all : nil
    }
    /// How it ended; nil until then.
    public var outcome: JobOutcome? { result.withLock { $0 } }

    /// Says that the job has begun.
    public func start() { phaseValue.store(Phase.running.rawValue, ordering: .releasing) }

    /// Says that the video is looked at in parts first.
    /// - Parameter isAlone: Whether the job need not run on the whole then.
    /// - Returns: The progress of each.
    func divide(into parts: [JobPart], isAlone: Bool = false) -> [JobProgress] {
        isInParts.store(isAlone, ordering: .relaxed)
        let all = parts.map { (progress: JobProgress(id: id), frames: $0.end - $0.first) }
        self.parts.withLock { $0 = all }
        return all.map(\.progress)
    }

    /// Says how many frames are to be written, as the container says; nil where it says nothing.
    func expect(_ frames: Int?) {
        whole.store(frames ?? 0, ordering: .relaxed)
        expectInAll(frames ?? 0)
    }

    /// Says that all of them are looked at once more before any is written.
    func expectLooks() { expectInAll(expected.load(ordering: .relaxed) + whole.load(ordering: .relaxed)) }

    /// Says that all that are looked at before any is written have been, which may be fewer than were expected.
    func endLooks() {
        let frames = whole.load(ordering: .relaxed)
        if frames > 0 { expectInAll(frames + lookCount.load(ordering: .relaxed)) }
    }

    private func expectInAll(_ frames: Int) {
        expected.store(frames, ordering: .relaxed)
        status?[.expected] = frames
    }

    /// Counts one more frame that was looked at before any is written.
    func look() {
        lookCount.add(1, ordering: .relaxed)
        status?.add(1, to: .looked)
    }

    /// Counts what comes out of another decoder than the one that frames are written from, which goes on when that is done.
    func whileDecodingApart<Result>(_ body: () throws -> Result) rethrows -> Result {
        let before = status?[.decoded] ?? 0
        status?[.decoded] = 0
        let result = try body()
        // Where it failed, the frame at which it did is the one to be told.
        status?[.decoded] = before
        return result
    }

    func advance() {
        frameCount.add(1, ordering: .relaxed)
        status?.add(1, to: .written)
    }

    /// Counts one more frame that has come out of the decoder.
    func decoded() { status?.add(1, to: .decoded) }

    /// Takes over what a worker has written down.
    func follow(_ status: WorkerStatus) {
        // A worker that went astray may have written anything.
        frameCount.store(max(0, status[.written]), ordering: .relaxed)
        lookCount.store(max(0, status[.looked]), ordering: .relaxed)
        expected.store(max(0, status[.expected]), ordering: .relaxed)
    }

    /// Says how the job ended.
    public func finish(_ outcome: JobOutcome) {
        parts.withLock { $0 = [] }
        result.withLock { $0 = outcome }
        phaseValue.store(Phase.finished.rawValue, ordering: .releasing)
    }
}

/// How a job ended, and what became of it since: a `JobResult`, whose members are its own too, with its files and what tells
/// whether it has to run again.
@dynamicMemberLookup
public struct JobOutcome: Sendable {
    /// How the job ended.
    public enum Status: String, Sendable, CaseIterable {
        /// It ran to its end, and its results are whole.
        case done
        /// Nothing has changed since it was done last.
        case upToDate = "up-to-date"
        /// Whole, but not what the manifest expects.
        case unexpected
        /// An error ended it, or somebody stopped it.
        case failed, interrupted
        /// Another job's failure ended the batch before it began, or another shard is to run it.
        case notRun = "not-run"

        /// Whether it doesn't say how the job ended: a copy of it elsewhere may have come further.
        var saysNothing: Bool { [.interrupted, .notRun].contains(self) }

        /// Whether its files are there and true.
        public var isWhole: Bool { [.done, .upToDate, .unexpected].contains(self) }
    }

    /// A file that it wrote.
    public struct Output: Sendable, Hashable {
        /// Name of the file, or its path from the output folder.
        public var file: String
        /// Size of the file, bytes.
        public var bytes: Int64
    }

    /// How the job ended.
    public var status: Status
    /// The reason of its failure; nil where it didn't fail.
    public var failure: JobFailure?
    /// The result of a job that is whole; without anything in it for another.
    public var result = JobResult()
    /// Wall time, seconds.
    public var seconds = 0.0
    /// The files that it wrote.
    public var outputs: [Output] = []
    /// Hash of all that the results depend on besides the input; nil for a stream.
    public var fingerprint: String?
    /// What its results depend on by name, as JSON, and the input's stamp.
    var recipe: String?
    /// Hash of the input's path, size and age.
    var stamp: String?
    /// The input's entity tag, where it lies elsewhere and its server has one.
    var etag: String?
    /// Where its files were stored besides; nil for nowhere.
    var stored: String?
    /// True where it failed for that alone: its files are whole here.
    var isUnstored = false
    /// Of these, the addresses that have their files.
    var storedFiles: [String] = []
    /// True where it failed since its input couldn't be fetched: its files are whole, and those of the run before.
    var isUnfetched = false
    /// What each stage's results depend on, by its id.
    var stages: [String: String] = [:]
    /// The expectations, as JSON.
    var expect: String?
    /// Hash of the places, sizes and ages of what it was held against; nil for nothing.
    var acceptedStamp: String?
    /// True where it need not run.
    public var isUpToDate = false
    /// What became of this shard's share of its parts, in half a sentence, where another one runs the whole, empty where it has
    /// none; nil where this run is to say how the job ends.
    public var share: String?
    /// The manifest that it is a job of, from the output folder, as an earlier run's report has it.
    var manifest: String?
    /// The input's path from the output folder, as an earlier run's report has it.
    public var source: String?
    /// Where its input lies elsewhere, as an earlier run's report has it; nil for a file.
    var address: String?
    /// How many of the notes, from the first on, were told of before anything ran.
    public var foretold = 0
    /// Names of files that may be there of an earlier run, or of one that was killed, and are out of date.
    var replaces: [String] = []
    /// Files that it wrote, by an earlier run's report, in folders that the manifest doesn't name, or no longer.
    public var elsewhere: [String] = []

    /// An end without results or reasons.
    public init(_ status: Status) { self.status = status }

    /// The end of a job that failed.
    public init(_ failure: JobFailure) { (status, self.failure) = (.failed, failure) }

    /// The members of `result`.
    public subscript<Value>(dynamicMember member: WritableKeyPath<JobResult, Value>) -> Value {
        get { result[keyPath: member] }
        set { result[keyPath: member] = newValue }
    }

    /// Why it failed, in a sentence.
    public var error: String? { failure?.reason }
    /// True where it took its worker with it, by a fault that it would have again.
    public var isCrash: Bool { failure?.isCrash ?? false }
    /// True where it failed for a reason that may pass by itself.
    public var mayPass: Bool { failure?.mayPass ?? false }

    /// A sentence on what was taken over from the run before; nil for nothing.
    public var takenOver: String? {
        guard !result.reused.isEmpty else { return nil }
        return result.reused.count == stages.count
            ? "nothing was detected again" : "the results of \(list(result.reused)) were known"
    }

    /// Complaints: expectations that don't hold, a sentence each.
    public var complaints: [String] { result.judgements.flatMap(\.complaints) }

    /// Whether its judgements are those that an order asks for.
    func isJudged(as order: JobOrder) -> Bool { expect == order.expect && acceptedStamp == order.acceptedStamp }

    /// Notes what it was held against.
    mutating func note(judgedAs order: JobOrder) { (expect, acceptedStamp) = (order.expect, order.acceptedStamp) }

    /// The addresses at which a file of its lies besides.
    func addresses(of file: String) -> [String] {
        // One of this name that lay in another folder wasn't stored.
        guard outputs.contains(where: { $0.file == file }) else { return [] }
        if let stored { return Files.isPlainName(file) ? [RemoteAddress.inside(stored, file)] : [] }
        return storedFiles.filter { $0.hasSuffix("/" + file) || $0.contains("/" + file + "/") }
    }

    /// Notes what lies elsewhere still, where some of its files were written anew.
    mutating func keepStored(except written: [String]) {
        storedFiles = outputs.map(\.file).filter { !written.contains($0) }.flatMap { addresses(of: $0) }
        stored = nil
    }

    /// Names of all files that it left.
    var files: [String] { outputs.map(\.file) + replaces }

    /// Takes over what an earlier run's track file was made of, by which stages' results may be taken from it.
    mutating func keepSaved(of earlier: JobOutcome) {
        (stages, result.trackFile) = (earlier.stages, earlier.result.trackFile)
        (result.contents, stamp, etag) = (earlier.result.contents, earlier.stamp, earlier.etag)
    }
}
