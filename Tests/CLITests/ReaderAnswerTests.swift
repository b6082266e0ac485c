import Annotate
import Foundation
import Testing

/// What the process that reads a manifest says when a video has taken it over: it is believed about the manifest's jobs, not
/// about anybody's files.
@Suite(.serialized) struct ReaderAnswerTests {
    /// A library that goes before FFmpeg's, and answers in the reader's place.
    private static let hook: Workspace? = {
        guard let workspace = try? Workspace() else { return nil }
        let source = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <unistd.h>
            int avformat_find_stream_info(void *context, void *options) {
                int (*real)(void *, void *) = dlsym(RTLD_NEXT, "avformat_find_stream_info");
                char *words = getenv("ANNOTATE_LIES");
                if (!words) return real(context, options);
                // One message a line, each behind its length.
                for (char *word; (word = strsep(&words, "\\n"));) {
                    const unsigned length = strlen(word);
                    if (write(3, &length, 4) != 4 || write(3, word, length) != (ssize_t)length) _exit(9);
                }
                for (;;) pause();
            }
            """
        guard (try? workspace.write(source, to: "hook.c")) != nil,
            let outcome = try? Program.run(
                "cc", ["-shared", "-fPIC", "-O0", "-o", workspace.file("hook.so"), workspace.file("hook.c"), "-ldl"]),
            outcome.status == 0
        else { return nil }
        return workspace
    }()

    /// A manifest of one job, whose video its reader opens.
    /// - Parameter lies: Messages, with HERE for the manifest's folder.
    private func run(_ lies: [String], _ command: String...) throws -> (Workspace, Outcome) {
        let hook = try #require(Self.hook, "no C compiler")
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        let path = try workspace.manifest(
            [#""input": "a.mp4", "regions": [{"id": "r", "box": [10, 10, 50, 50]}]"#],
            stages: #"{"id": "t", "type": "track"}"#)
        let outcome = try Program.run(
            Program.annotateBatch, command + [path, "--timeout", "20"],
            environment: [
                "LD_PRELOAD": hook.file("hook.so"),
                "ANNOTATE_LIES": lies.joined(separator: "\n").replacing("HERE", with: workspace.path),
            ])
        return (workspace, outcome)
    }

    private static let files = #""results": ["a.mp4", "a.tracks.jsonl"]"#
    private static let end = #"{"problemCount": 0}"#

    @Test(arguments: [
        #""id": "a", \#(files), "input": "/etc/passwd""#, #""id": "a", \#(files), "input": "-""#,
        #""id": "a", \#(files), "input": "/dev/zero""#, #""id": "a", \#(files), "input": "a.mp4""#,
        #""id": "a", \#(files), "input": "HERE/a.mp4", "dependencies": ["/etc/passwd"]"#,
        #""id": "a", \#(files), "input": "HERE/a.mp4", "dependencies": ["HERE/../x"]"#,
        #""id": "a", "results": [], "input": "HERE/a.mp4""#,
        #""id": "b", "results": ["a.mp4", "a.tracks.jsonl"], "input": "HERE/a.mp4""#,
        #""id": "a", "results": ["../a.mp4", "a.tracks.jsonl"], "input": "HERE/a.mp4""#,
        #""id": "a", \#(files), "input": "HERE/a.mp4", "recipe": "{}, \"status\": \"done\"""#,
    ])
    func jobsThatAreNoneOfTheManifests(order: String) throws {
        for command in ["run", "validate"] {
            let (workspace, outcome) = try run([#"{"order": {\#(order)}}"#, Self.end], command)
            #expect(outcome.status == 1)
            #expect(
                outcome.errors.hasSuffix("m.json: its reader gave an answer that is none\n"), "\(outcome.errors)")
            #expect(!Files.exists(workspace.file("out")))
        }
    }

    /// The same way, but true.
    @Test func aJobOfTheManifestsIsBelieved() throws {
        let order = #"{"order": {"id": "a", \#(Self.files), "input": "HERE/a.mp4", "recipe": "{}"}}"#
        let (_, outcome) = try run([order, Self.end], "validate")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// It has no say in where results go.
    @Test func resultsGoWhereTheManifestHasThem() throws {
        let victim = try Workspace()
        try victim.write("precious", to: "report.json")
        let (workspace, outcome) = try run(
            [#"{"problemCount": 0, "directory": "\#(victim.path)", "tracks": "\#(victim.path)"}"#], "run", "--prune")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try victim.text("report.json") == "precious")
        #expect(victim.names(in: "") == ["report.json"])
        #expect(workspace.names() == ["report.json"])
    }

    /// Nothing of what it says commands a terminal.
    @Test(arguments: [
        #"{"problems": ["\u001b]0;owned\u0007", "\u009b31m"], "problemCount": 2}"#,
        #"{"problemCount": 0, "remarks": ["\u001b]0;owned\u0007\u009b31m"]}"#,
    ])
    func wordsCommandNoTerminal(lie: String) throws {
        let (_, outcome) = try run([lie], "run")
        #expect(outcome.errors.contains(#"\u{1b}]0;owned\u{7}"#), "\(outcome.errors)")
        let isControl = outcome.errors.unicodeScalars.contains {
            $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value)
        }
        #expect(!isControl, "\(outcome.errors)")
    }
}
