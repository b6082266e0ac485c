import Testing

@testable import Annotate
@testable import TestSupport

/// What the report says at each moment of a batch.
@Suite struct ReportLedgerTests {
    private let folder: TemporaryFolder
    private let orders: [JobOrder]
    private let ledger: ReportLedger

    init() throws {
        folder = try TemporaryFolder()
        orders = ["a", "b", "c"].map { id in
            var order = JobOrder()
            (order.id, order.input, order.results) = (id, "\(id).mp4", ["\(id).mkv", "\(id).tracks.jsonl"])
            return order
        }
        ledger = ReportLedger(
            Batch(manifest: "m.json", output: OutputPlaces(folder.path), jobs: orders), generator: "test 1")
    }

    private func done(_ name: String) -> JobOutcome {
        var outcome = JobOutcome(.done)
        outcome.outputs = [.init(file: name, bytes: 7)]
        return outcome
    }

    private var report: [String: JobOutcome] { Report.read(directory: folder.path) }

    @Test func nothingIsClaimedBeforeItIsThere() throws {
        try ledger.open(known: [], toRun: [(orders[0], done("a.mp4")), (orders[1], nil)])
        // A kill from here on leaves this.
        #expect(report.mapValues(\.status) == ["a": .notRun, "b": .notRun])
        #expect(report["a"]?.outputs == [])
        // What was there, and what may be by then.
        #expect(report["a"]?.replaces == ["a.mkv", "a.tracks.jsonl", "a.mp4"])
        ledger.note(orders[0], done("a.mkv"))
        try ledger.close(untouched: [(orders[1], JobOutcome(.notRun), nil)])
        #expect(report.mapValues(\.status) == ["a": .done, "b": .notRun])
        #expect(report["a"]?.outputs.map(\.file) == ["a.mkv"])
        #expect(report["a"]?.replaces == [])
        var validator = ShapeValidator(file: Manifest.reportName)
        let written = try Files.read(folder.file(Manifest.reportName))
        validator.validate(try JSONParser.parse(written), against: Report.shape)
        #expect(validator.log.problems == [])
    }

    @Test func whatWasNotTouchedIsWhatItWas() throws {
        let earlier = [done("a.mkv"), JobOutcome(JobFailure(.other, "no")), done("c.mkv")]
        try ledger.open(known: [(orders[2], earlier[2])], toRun: [(orders[0], earlier[0]), (orders[1], earlier[1])])
        try ledger.close(untouched: [
            (orders[0], JobOutcome(.interrupted), earlier[0]), (orders[1], JobOutcome(.interrupted), earlier[1]),
        ])
        #expect(report.mapValues(\.status) == ["a": .done, "b": .interrupted, "c": .done])
    }

    /// What came one by one: whatever is claimed of a job is taken back before it runs, and of new ones nothing is claimed.
    @Test func aKillAmongJobsThatComeLeavesNothingFalse() throws {
        try ledger.open(known: [(orders[0], done("a.mkv"))], toRun: [])
        try ledger.add(orders[0], earlier: done("a.mkv"))
        // A kill from here on leaves this.
        #expect(report.mapValues(\.status) == ["a": .notRun])
        try ledger.add(orders[1], earlier: nil)
        #expect(report["b"]?.status ?? .notRun == .notRun)
        ledger.add(orders[1], known: done("b.mkv"))
        try ledger.close(untouched: [])
        #expect(report.mapValues(\.status) == ["a": .notRun, "b": .done])
        #expect(report["b"]?.outputs.map(\.file) == ["b.mkv"])
    }

    /// Two runs of one manifest, each with its own jobs.
    @Test func anotherRunsEntriesStay() throws {
        let other = ReportLedger(
            Batch(manifest: "m.json", output: OutputPlaces(folder.path), jobs: orders), generator: "test 1")
        try ledger.open(known: [], toRun: [(orders[0], nil)])
        try other.open(known: [], toRun: [(orders[1], nil)])
        other.note(orders[1], done("b.mkv"))
        ledger.note(orders[0], done("a.mkv"))
        try other.close(untouched: [])
        try ledger.close(untouched: [])
        #expect(report.mapValues(\.status) == ["a": .done, "b": .done])
    }
}
