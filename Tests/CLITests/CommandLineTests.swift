import Annotate
import Testing

@Suite struct CommandLineTests {
    private static let commands = ["run", "validate", "stages", "schema", "probe", "synth", "verify"]

    // MARK: Help and usage

    @Test(arguments: [[]] + commands.map { [$0] })
    func help(command: [String]) throws {
        let outcome = try Program.run(Program.annotateBatch, command + ["--help"])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(outcome.output.hasPrefix("OVERVIEW: "))
        #expect(outcome.output.contains("USAGE: annotate-batch"))
        // Every argument and option has a text.
        let lines = outcome.outputLines
        for (line, next) in zip(lines, lines.dropFirst() + [""]) where line.hasPrefix("  -") || line.hasPrefix("  <") {
            #expect(line.split(separator: " ").count > 1 || next.hasPrefix("     "), "\(line)")
        }
    }

    @Test func theOverviewNamesEveryCommandAndExitStatus() throws {
        let overview = try annotateBatch("--help").output
        for command in Self.commands { #expect(overview.contains("\n  \(command) ")) }
        let words = overview.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for status in ["0 ", "1 ", "2 ", "64 ", "65 ", "75 ", "130 "] { #expect(words.contains(status)) }
    }

    @Test func version() throws {
        let outcome = try annotateBatch("--version")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("annotate-batch "))
        #expect(outcome.outputLines.count == 1)
    }

    @Test(arguments: [
        [], ["run"], ["--no-such-option", "m.json"], ["m.json", "--jobs", "0"], ["m.json", "--jobs", "many"],
        ["m.json", "--threads", "65"], ["m.json", "--timeout", "0"], ["m.json", "--timeout", "-1"],
        ["m.json", "--progress", "loud"], ["schema"], ["schema", "video"], ["stages", "no-such-type"], ["probe"],
        ["validate", "a", "b"], ["m.json", "--keep-going", "--fail-fast"],
    ])
    func wrongUsage(arguments: [String]) throws {
        let outcome = try Program.run(Program.annotateBatch, arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(
            outcome.errors.hasPrefix("Error: ") && outcome.errors.uppercased().contains("USAGE: "), "\(outcome.errors)")
    }

    @Test func aWrongTypeOfStageIsGuessed() throws {
        let errors = try annotateBatch("stages", "marker").errors
        #expect(errors.hasPrefix("Error: There is no stage type “marker”. Did you mean “markers”? There are markers, "))
    }

    // MARK: Stages, schemas, probe

    @Test func stages() throws {
        let outcome = try annotateBatch("stages")
        #expect(outcome.status == 0)
        #expect(
            outcome.outputLines.compactMap { $0.split(separator: " ").first }.starts(with: [
                "markers", "rectangles", "track", "images", "faces", "detect", "classify", "labels",
                "text", "barcodes", "horizon", "alter", "import",
            ]))
        let all = try json(try annotateBatch("stages", "--json").output)
        #expect(
            all.elements?.compactMap { $0["type"]?.string }
                == outcome.outputLines.map { String($0.split(separator: " ")[0]) })
    }

    @Test(arguments: [
        "markers", "rectangles", "track", "images", "faces", "detect", "classify", "labels", "text", "barcodes",
        "horizon",
        "alter", "import",
    ])
    func oneStage(type: String) throws {
        let text = try annotateBatch("stages", type)
        #expect(text.status == 0)
        #expect(text.output.hasPrefix("\(type): "))
        let stage = try json(try annotateBatch("stages", type, "--json").output)
        #expect(stage["type"]?.string == type)
        let options = try #require(stage["options"]?.elements)
        #expect(!options.isEmpty)
        for option in options {
            let name = try #require(option["name"]?.string)
            #expect(text.output.contains("\n  \(name)  "))
            #expect(option["doc"]?.string?.isEmpty == false)
            // An option is required or has a default, or says what its absence means.
            #expect(option["expected"]?.string?.isEmpty == false)
        }
    }

    @Test(arguments: ["manifest", "tracks", "report", "scene", "progress"])
    func schemas(subject: String) throws {
        let outcome = try annotateBatch("schema", subject)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let schema = try json(outcome.output)
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["title"]?.string == "annotate-batch \(subject)")
        #expect((schema["properties"] ?? schema["anyOf"] ?? schema["oneOf"]) != nil)
    }

    @Test func probes() throws {
        let workspace = try Workspace()
        let clip = try workspace.clip("a.mp4")
        let text = try annotateBatch("probe", clip)
        #expect(text.status == 0)
        #expect(
            text.outputLines == [
                "\(clip): mov,mp4,m4a,3gp,3g2,mj2", "  video     h264, yuv420p, 160×120 as shown",
                "  time      base 1/12800, 25/1 = 25 frames/s, starts at 0, 1 s, about 25 frames",
                "  colour    matrix not said, primaries not said, transfer not said, range not said",
            ])
        let outcome = try annotateBatch("probe", "--json", clip, workspace.file("no.mp4"))
        #expect(outcome.status == 1)
        #expect(
            outcome.errors == "annotate-batch: could not open \(workspace.file("no.mp4")): No such file or directory\n")
        let found = try #require(try json(outcome.output).elements)
        #expect(found.count == 1)
        #expect(found[0]["codec"]?.string == "h264")
        #expect(found[0]["expectedFrames"]?.integer == 25)
        #expect(found[0]["timeBase"]?.elements?.compactMap(\.integer) == [1, 12800])
    }
}
