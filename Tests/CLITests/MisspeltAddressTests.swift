import Annotate
import Testing

/// Addresses that are none, or stand where none can: what is secret of them is told to nobody.
@Suite struct MisspeltAddressTests {
    private static let behind = "joe:SECRETPW@h.org/a.mp4?sig=SECRETSIG"
    private static let address = "http://" + behind

    private func manifest(_ workspace: Workspace, _ job: String, output: String = "") throws -> String {
        try workspace.write(
            #"{"version": 1, \#(output)"graphs": {"g": {"stages": []}}, "jobs": [{\#(job), "graph": "g"}]}"#,
            to: "m.json")
    }

    private func refuse(_ path: String, _ sentence: String) throws {
        let outcome = try annotateBatch("validate", path)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
        #expect(!(outcome.errors + outcome.output).contains("SECRET"), "\(outcome.errors)")
    }

    @Test(arguments: ["http:/", "1http://", "ht tp://", "https;//", "http//", ""])
    func inputs(scheme: String) throws {
        let workspace = try Workspace()
        try refuse(
            try manifest(workspace, #""input": "\#(scheme)\#(Self.behind)""#), "is neither an address nor a file")
    }

    @Test(arguments: [
        ("h.org/a.mp4?X-Amz-Signature=SECRET", "no file matches the glob “h.org/a.mp4”"),
        ("joe:SECRET/PW@h/a.mp4", "no file “h/a.mp4”"),
    ])
    func inputsLikePaths(input: String, sentence: String) throws {
        let workspace = try Workspace()
        try refuse(try manifest(workspace, #""input": "\#(input)""#), sentence)
    }

    @Test func aSignatureInThePath() throws {
        let workspace = try Workspace()
        let path = try manifest(workspace, #""input": "http://h/a.mp4;sig=SECRET""#)
        let outcome = try annotateBatch("run", path, "--dry-run")
        #expect(outcome.output == "a: would run: new\n")
        #expect(!outcome.errors.contains("SECRET"), "\(outcome.errors)")
    }

    /// A folder that is still to be made may have any name.
    @Test func foldersLikeAddresses() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 1)
        for folder in ["out", "new/x:/y", "x:/y"] {
            let path = try workspace.write(
                #"{"version": 1, "output": {"directory": "\#(folder)"}, "graphs": {"g": {"stages": []}}, "#
                    + #""jobs": [{"input": "../a.mp4", "graph": "g"}]}"#, to: "x:/m.json")
            let outcome = try annotateBatch("validate", path)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }

    @Test(arguments: ["regions", "camera"]) func filesOfAJob(key: String) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 1)
        try refuse(
            try manifest(workspace, #""input": "a.mp4", "\#(key)": "\#(Self.address)""#),
            "an address has to be fetched first")
    }

    @Test func places() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 1)
        let job = #""input": "a.mp4""#
        for key in ["directory", "tracks"] {
            let output = #""output": {"\#(key)": "\#(Self.address)"}, "#
            try refuse(try manifest(workspace, job, output: output), "“http://h.org/a.mp4” is an address")
        }
        try refuse(
            try manifest(workspace, job, output: #""output": {"address": "\#(Self.behind)"}, "#),
            "“h.org/a.mp4” is no address")
    }

    @Test(arguments: [
        ["probe", address], ["init", address], ["frame", address, "--output", "/dev/null/a.png"], ["run", address],
        ["validate", address], ["verify", address],
    ])
    func commands(words: [String]) throws {
        let outcome = try Program.run(Program.annotateBatch, words)
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("an address has to be fetched first"), "\(outcome.errors)")
        #expect(!(outcome.errors + outcome.output).contains("SECRET"), "\(outcome.errors)")
    }

    @Test func wrongWords() throws {
        let outcome = try Program.run(Program.annotateBatch, ["doctor", Self.address])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("h.org") && !outcome.errors.contains("SECRET"), "\(outcome.errors)")
    }

    @Test(arguments: [
        ("http:///a.mp4", "“http:///a.mp4” names no host"),
        ("http://h:99999/a.mp4", "expected a number from 1 to 65535"),
    ])
    func addressesOfNoServer(address: String, sentence: String) throws {
        let workspace = try Workspace()
        try refuse(try manifest(workspace, #""input": "\#(address)""#), sentence)
    }

    @Test func whatIsLeftOutOfOneFile() throws {
        let workspace = try Workspace()
        try refuse(
            try manifest(workspace, #""input": "http://h.org/a.mp4", "exclude": ["b.mp4"]"#),
            "“exclude” beside one file; expected it beside a glob")
    }

    @Test func aNameThatNoFileCanHave() throws {
        let workspace = try Workspace()
        try workspace.clip("clip.mp4", frames: 5)
        let bytes = try workspace.bytes("clip.mp4")
        let server = try WebServer { _ in .init(body: bytes) }
        defer { server.stop() }
        let input = server.address(String(repeating: "a", count: 300) + ".mp4")
        let path = try workspace.manifest([#""input": "\#(input)""#], encode: #"{"codec": "none"}"#)
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(workspace.names() == ["input.tracks.jsonl", "report.json"])
    }
}
