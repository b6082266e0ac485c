import Foundation
import Glibc
import Testing

@testable import Annotate
@testable import TestSupport

/// The reader of a manifest gets the networks that are kept of its models, and of no others.
@Suite struct KeptNetworksTests {
    private enum Compiler: ModelCompiler {
        static let ownModels: Set<String> = ["own"]
        static func model(ofKey key: String) -> String { String(key.prefix { $0 != "\n" }) }
        static func key(of order: ModelOrder) throws -> String { order.path }
        static func facts(of path: String) throws -> ModelCache.Facts { ModelCache.Facts() }
        static func isOwn(_ path: String) -> Bool { false }
        static func companions(of path: String) -> [String] { [] }
        static func takeOrders() -> [ModelOrder] { [] }
        static func compile(_ order: ModelOrder, into path: String) throws -> String { "" }
    }

    private func write(_ record: some Record, to path: String) throws {
        var json = JSONWriter()
        record.write(into: &json)
        try Files.write(json.text, to: path)
    }

    @Test func thoseOfItsModelsAndTheProgramsOwn() throws {
        let workspace = try TemporaryFolder()
        let cache = ModelCache(folder: workspace.file("cache"), isNamed: true)
        #expect(cache.make())
        let hash = String(repeating: "a", count: 64)
        try workspace.write("a model", to: "m.onnx")
        let stamp = try #require(Files.stamp(workspace.file("m.onnx")))
        var facts = ModelCache.Facts()
        (facts.stamp, facts.sha256) = (stamp.text, hash)
        try write(facts, to: cache.index + "/" + ModelCache.name(of: stamp))
        for (model, file) in [(hash, "mine"), ("own", "bundled"), (String(repeating: "b", count: 64), "another")] {
            var entry = ModelCache.Entry()
            (entry.key, entry.file) = ("\(model)\n1", file)
            try write(entry, to: cache.index + "/" + ModelCache.name(of: entry.key))
        }
        func files(_ manifest: String, root: String? = nil) throws -> Set<String> {
            let grants = ManifestGrants(
                ManifestPaths(directory: workspace.path), try JSONParser.parse(Array(manifest.utf8)))
            return Set(KeptNetworks.files(for: grants, root: root, Compiler.self, in: cache).map(Files.name))
        }
        #expect(try files(#"{"model": "m.onnx"}"#) == ["mine", "bundled"])
        #expect(try files(#"{"model": "n.onnx"}"#) == ["bundled"])
        // What the root keeps from the reader is kept from it in every form, whichever link leads there.
        try Files.makeDirectory(workspace.file("work"))
        try FileManager.default.createSymbolicLink(
            atPath: workspace.file("work/link.onnx"), withDestinationPath: workspace.file("m.onnx"))
        #expect(try files(#"{"model": "m.onnx"}"#, root: workspace.path) == ["mine", "bundled"])
        #expect(try files(#"{"model": "m.onnx"}"#, root: workspace.file("work")) == ["bundled"])
        #expect(try files(#"{"model": "work/link.onnx"}"#) == ["mine", "bundled"])
        #expect(try files(#"{"model": "work/link.onnx"}"#, root: workspace.file("work")) == ["bundled"])
        // A model that has changed is another one.
        try workspace.write("another model", to: "m.onnx")
        #expect(try files(#"{"model": "m.onnx"}"#) == ["bundled"])
    }

    /// However the folder was spelled, and under a root that it doesn't lie in. No job may have them for its input.
    @Test func theReaderMayReadThem() throws {
        let workspace = try TemporaryFolder()
        for name in ["cache/networks/mine", "cache/networks/another", "work/m.json"] {
            try workspace.write("x", to: name)
        }
        let grants = FileGrants()
        let none = ManifestGrants(ManifestPaths(directory: workspace.file("work")), JSONNode(.null))
        grants.set(none, root: workspace.file("work"), compiled: [workspace.file("cache//networks/mine")])
        func isOpened(_ name: String) -> Bool {
            guard let descriptor = grants.open(workspace.file(name), flags: O_RDONLY), descriptor >= 0 else {
                return false
            }
            close(descriptor)
            return true
        }
        #expect(isOpened("cache/networks/mine") && isOpened("cache/./networks/mine"))
        #expect(!isOpened("cache/networks/another"))
        #expect(!grants.covers(workspace.file("cache/networks/mine")))
        // Not a moment longer than its manifest is read.
        grants.revoke()
        #expect(!isOpened("cache/networks/mine"))
    }
}
