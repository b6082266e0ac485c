import Testing

@testable import Annotate

/// What is committed and made from the declarations is what they say now.
@Suite struct CommittedFilesTests {
    @Test(arguments: ["manifest", "tracks", "report", "scene", "progress"])
    func schemas(subject: String) throws {
        let file = repository + "/manifests/schema/\(subject).schema.json"
        let committed = String(decoding: try Files.read(file), as: UTF8.self)
        #expect(try annotateBatch("schema", subject).output == committed, "make schemas writes it anew")
    }

    @Test func theManifestsSchemaSaysEverythingOnce() throws {
        let schema = try annotateBatch("schema", "manifest").output
        // A job, what jobs have by default and by exception are three forms of one.
        #expect(schema.split(separator: "\n").count < 3700)
        #expect(schema.contains("\"$defs\""))
    }

    @Test func tracks() throws {
        let committed = String(decoding: try Files.read(repository + "/docs/tracks.md"), as: UTF8.self)
        let tables = try annotateBatch("kinds", "--markdown").output
        #expect(tables.count > 1000 && committed.hasSuffix("-->\n\n" + tables), "make docs writes them anew")
    }

    /// `make image` makes what the examples for Kubernetes run.
    @Test(arguments: ["job", "merge"])
    func images(name: String) throws {
        func text(_ path: String) throws -> String { String(decoding: try Files.read(path), as: UTF8.self) }
        let said = try annotateBatch("--version")
        let version = try #require(said.outputLines.first?.split(separator: " ").last)
        let example = try text(repository + "/docs/examples/kubernetes/\(name).yaml")
        #expect(example.contains("image: annotate-batch:\(version)\n"))
        #expect(try text(repository + "/Makefile").contains("--tag annotate-batch:$(VERSION)"))
    }

    @Test func networks() throws {
        let committed = String(decoding: try Files.read(repository + "/docs/models.md"), as: UTF8.self)
        let table = try annotateBatch("networks", "--markdown").output
        #expect(table.count > 1000 && committed.hasSuffix("-->\n\n" + table), "make docs writes it anew")
    }
}
