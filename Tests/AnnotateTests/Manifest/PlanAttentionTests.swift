import Synchronization
import Testing

@testable import Annotate
@testable import TestSupport

/// Who watches a manifest's reader is told of every file that it reads.
@Suite struct PlanAttentionTests {
    private func read(
        skipping skipped: (TemporaryFolder) -> Set<String> = { _ in [] }
    ) throws -> (looked: Set<String>, problems: [String]) {
        let folder = try TemporaryFolder()
        try folder.write(Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 48), to: "a.pgm")
        try folder.write(#"[{"id": "cup", "box": [1, 2, 30, 20]}]"#, to: "seeds.json")
        try folder.write(#"{"fieldOfView": 60}"#, to: "camera.json")
        try folder.write("cup\n", to: "classes.txt")
        let path = try folder.write(
            """
            {"version": 1, "output": {"dataset": {"format": "yolo", "directory": "set", "classes": "classes.txt"}},
             "jobs": [{"input": "a.pgm", "regions": "seeds.json", "camera": "camera.json",
                       "graph": {"stages": [{"id": "s", "type": "follow"}]}}]}
            """, to: "m.json")
        let looked = Looked()
        let reader = ManifestReader(catalog: TestCatalog.catalog, skipped: skipped(folder)) { looked.add($0) }
        var problems: [String] = []
        do {
            let manifest = try reader.read(path)
            _ = Batch(manifest, generator: "test", attention: reader.attention)
        } catch let error as InvalidFileError {
            problems = error.problems.map(\.message)
        }
        return (Set(looked.all.map { Files.name(of: $0) }), problems)
    }

    private final class Looked: Sendable {
        private let subjects = Mutex<Set<String>>([])
        func add(_ subject: String) { _ = subjects.withLock { $0.insert(subject) } }
        var all: Set<String> { subjects.withLock { $0 } }
    }

    @Test func everyFileIsTold() throws {
        let (looked, problems) = try read()
        #expect(problems == [])
        #expect(looked.isSuperset(of: ["seeds.json", "camera.json", "classes.txt", "a.pgm"]), "\(looked)")
    }

    @Test(arguments: ["seeds.json", "camera.json", "classes.txt"])
    func whatIsNotToBeReadIsNot(name: String) throws {
        let (looked, problems) = try read { [$0.file(name)] }
        #expect(!looked.contains(name))
        #expect(problems.contains { $0.contains("it took too much time or memory") }, "\(problems)")
    }
}
