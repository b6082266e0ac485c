import Annotate
import ArgumentParser
import Stages

struct Doctor: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tells what of confinement, codecs, networks and memory holds on this machine.",
        discussion: """
            Starts a worker as “run” does and says what the kernel granted. Exit status: 0 where everything holds, 1 where \
            something doesn't.
            """)

    @Flag(help: "Print JSON: each finding, and the system calls that a worker may make.")
    var json = false

    var access: CommandAccess {
        .everything(because: .startsWorkers)
    }

    func run() throws {
        let workers = try startWorkers()
        defer { workers.close() }
        var settings = WorkerSettings()
        settings.generator = generator
        workers.set(settings, log: .init(debug: { _ in }, warning: { _ in }))
        let diagnosis = Diagnosis(workers: workers)
        let findings = diagnosis.findings + Installation.look().map { .init($0.part, holds: $0.holds, $0.sentence) }
        Console.out(json ? text(of: findings) : findings.map(Self.line).joined(separator: "\n"))
        if findings.contains(where: { !$0.holds }) { throw ExitCode.failure }
    }

    private static func line(_ finding: Diagnosis.Finding) -> String {
        "\(finding.holds ? "holds  " : "MISSING")  \(finding.part): \(finding.sentence)"
    }

    private func text(of findings: [Diagnosis.Finding]) -> String {
        func member(_ key: String, _ value: JSONValue) -> JSONMember { JSONMember(key: key, value: JSONNode(value)) }
        let list = findings.map { finding in
            JSONNode(
                .object([
                    member("part", .string(finding.part)), member("holds", .bool(finding.holds)),
                    member("sentence", .string(finding.sentence)),
                ]))
        }
        return prettyJSON(
            .object([
                member("findings", .array(list)),
                member("calls", .array(Diagnosis.calls.map { JSONNode(.string($0)) })),
            ]))
    }
}
