import Annotate
import Testing

/// What bash offers for words of which the last is being typed.
@Suite struct CompletionTests {
    private static let commands = ["run", "verify", "status", "help"]

    /// Words that bash offers, in a folder with `lab.json`, `clip.mp4` and the folder `out`.
    private func offered(_ words: String...) throws -> [String] {
        let workspace = try Workspace()
        let script = try annotateBatch("--generate-completion-script", "bash").output
        try workspace.write(script, to: "completion")
        try workspace.write(
            #"""
            cd "$1" && shift
            . ./completion
            COMP_WORDS=(annotate-batch "$@") COMP_CWORD=$# COMP_LINE="annotate-batch $*"
            COMP_POINT=${#COMP_LINE}
            function=$(complete -p annotate-batch | sed 's/.*-F //; s/ .*//')
            $function annotate-batch "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\n' "${COMPREPLY[@]}"
            """#, to: "type")
        for name in ["lab.json", "clip.mp4", "out/report.json"] { try workspace.write("{}", to: name) }
        let outcome = try Program.run("bash", [workspace.path + "/type", workspace.path] + words)
        #expect(outcome.status == 0 && outcome.errors == "")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test func aManifestStandsWhereACommandDoes() throws {
        let first = try offered("")
        #expect(Set(Self.commands + ["lab.json", "out"]).isSubset(of: first))
        #expect(!first.contains("clip.mp4"))
        #expect(try offered("la") == ["lab.json"])
        #expect(try offered("lab.json", "--iso") == ["--isolation"])
        #expect(try offered("--isolation", "") == ["process", "job", "none"])
        #expect(try offered("--isolation", "job", "la") == ["lab.json"])
        #expect(try !offered("lab.json", "").contains("verify"))
    }

    @Test func aCommandHasItsOwnWords() throws {
        #expect(try offered("verif") == ["verify"])
        #expect(try offered("verify", "") == ["out"])
        #expect(try offered("run", "la") == ["lab.json"])
        #expect(try offered("synth", "lab.json", "-o", "cl") == ["clip.mp4"])
        #expect(try offered("networks", "get", "yolox") == ["yolox-nano"])
    }
}
