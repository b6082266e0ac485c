import Testing

@testable import Annotate
@testable import TestSupport

/// Eight times the manifest takes some eight times the work, and never sixty-four.
@Suite struct ManifestScaleTests {
    private static let plain = #"{"id": "f", "type": "find"}"#

    /// Members of a manifest with so many things.
    private static let manifests: [String: @Sendable (Int) -> String] = [
        "jobs with graphs of their own": { count in
            let graphs = all(count) { #""g\#($0)": {"stages": [\#(plain)]}"# }
            let jobs = all(count) { #"{"id": "j\#($0)", "input": "p.pgm", "graph": "g\#($0)"}"# }
            return #""graphs": {\#(graphs)}, "jobs": [\#(jobs)]"#
        },
        "names of no graph": { count in
            let graphs = all(count) { #""graph-\#($0)": {"stages": [\#(plain)]}"# }
            let jobs = all(count) { #"{"id": "j\#($0)", "input": "p.pgm", "graph": "graph_\#($0)"}"# }
            return #""graphs": {\#(graphs)}, "jobs": [\#(jobs)]"#
        },
        "stages": { count in graph(all(count) { #"{"id": "s\#($0)", "type": "find"}"# }) },
        "stages that contradict themselves": { count in
            graph(all(count) { #"{"id": "s\#($0)", "type": "find", "size": 0.9, "limit": 0.1}"# })
        },
        "stages behind one": { count in
            graph(plain + "," + all(count) { #"{"id": "s\#($0)", "type": "name", "inputs": ["f"]}"# })
        },
        "inputs that aren't there": { count in
            graph(all(count) { #"{"id": "s\#($0)", "type": "name", "inputs": ["t\#($0)"]}"# })
        },
        "a circle": { count in
            graph(all(count) { #"{"id": "s\#($0)", "type": "name", "inputs": ["s\#(($0 + 1) % count)"]}"# })
        },
        "files that aren't there": { count in
            let jobs = all(count) { #"{"id": "j\#($0)", "input": "q\#($0).pgm", "graph": {"stages": []}}"# }
            return #""jobs": [\#(jobs)]"#
        },
        "defaults that don't do": { count in
            let jobs = all(count) { #"{"id": "j\#($0)", "input": "p.pgm"}"# }
            return #""defaults": {"graph": "none", "camera": "none.json", "encode": {"crf": 60}}, "jobs": [\#(jobs)]"#
        },
        "regions": { count in
            let regions = all(count) { #"{"id": "r\#($0)", "box": [9, 0, 9, 9]}"# }
            return
                #""jobs": [{"input": "p.pgm", "graph": {"stages": [{"id": "s", "type": "follow"}]}, "regions": [\#(regions)]}]"#
        },
        "graphs in their jobs": { count in
            let jobs = all(count) { #"{"id": "j\#($0)", "input": "p.pgm", "graph": {"stages": [\#(plain)]}}"# }
            return #""jobs": [\#(jobs)]"#
        },
        "regions outside of the picture": { count in
            let regions = all(count) { #"{"id": "r\#($0)", "box": [99, 0, 9, 9]}"# }
            return #""jobs": [{"input": "p.pgm", "graph": {"stages": [\#(plain)]}, "regions": [\#(regions)]}]"#
        },
    ]

    private static func all(_ count: Int, _ text: (Int) -> String) -> String {
        (0..<count).map(text).joined(separator: ",")
    }

    private static func graph(_ stages: String) -> String {
        #""jobs": [{"input": "p.pgm", "graph": {"stages": [\#(stages)]}}]"#
    }

    private func work(_ members: String, in folder: TemporaryFolder) throws -> Duration {
        let path = try folder.write(#"{"version": 1, \#(members)}"#, to: "m.json")
        return ContinuousClock().measure { _ = try? ManifestReader(catalog: TestCatalog.catalog).read(path) }
    }

    @Test(arguments: manifests.keys.sorted())
    func workGrowsWithTheManifest(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 48), to: "p.pgm")
        let members = try #require(Self.manifests[name])
        let few = try (0..<3).map { _ in try work(members(1000), in: folder) }.min() ?? .zero
        let most = max(few, .milliseconds(10)) * 25
        // On a machine that is busy just then, once more.
        var many = try work(members(8000), in: folder)
        for _ in 0..<2 where many > most { many = min(many, try work(members(8000), in: folder)) }
        #expect(many <= most, "\(name): \(few), eight times as many \(many)")
    }

    /// However many files a glob matches, a region is told of once for each size of picture.
    @Test func pictureSizesAreToldOfOnce() throws {
        let folder = try TemporaryFolder()
        for (name, width) in [("a", 64), ("b", 64), ("c", 32), ("d", 64)] {
            try folder.write(
                Array("P5 \(width) 48 255\n".utf8) + [UInt8](repeating: 90, count: width * 48), to: name + ".pgm")
        }
        let path = try folder.write(
            """
            {"version": 1, "jobs": [{"input": "*.pgm", "graph": {"stages": [{"id": "s", "type": "follow"}]},
             "regions": [{"id": "r", "box": [70, 0, 5, 5]}]}]}
            """, to: "m.json")
        let error = #expect(throws: InvalidFileError.self) {
            try ManifestReader(catalog: TestCatalog.catalog).read(path)
        }
        #expect(
            error?.problems.map(\.message) == [
                "the region lies outside the picture of a.pgm; expected it within 64×48 pixels",
                "the region lies outside the picture of c.pgm; expected it within 32×48 pixels",
            ])
    }

    /// A file over the user's limits fails as a job: nothing is known of its picture before.
    @Test func inputsAreLookedAtWithinTheLimits() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 48), to: "p.pgm")
        let path = try folder.write(
            """
            {"version": 1, "jobs": [{"input": "p.pgm", "graph": {"stages": [{"id": "s", "type": "follow"}]},
             "regions": [{"id": "r", "box": [70, 0, 5, 5]}]}]}
            """, to: "m.json")
        var limits = MediaLimits()
        limits.pixels = 64 * 48 - 1
        #expect(try ManifestReader(catalog: TestCatalog.catalog, limits: limits).read(path).jobs.count == 1)
        limits.pixels = 64 * 48
        #expect(throws: InvalidFileError.self) {
            try ManifestReader(catalog: TestCatalog.catalog, limits: limits).read(path)
        }
    }

    @Test func aLongListIsCut() {
        #expect(list((0..<40).map(String.init)).hasSuffix("“38”, “39”"))
        #expect(list((0..<41).map(String.init)).hasSuffix("“38”, “39”, …"))
    }
}
