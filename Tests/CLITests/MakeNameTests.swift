import Glibc
import Testing

@testable import Annotate

/// Against make itself.
@Suite struct MakeNameTests {
    /// A result is up to date while what it is made of is older, made again where that is newer, and where it is gone.
    @Test(arguments: [
        "a b", "a#b", "a:b", "a=b", "date=2026-11/a", "a%b", "a|b", "a$b", "a*b?[c]", "[a]", "]a", "~a", "d/~a", "a~",
        "(1)a",
        "clip (1).mp4", "é ü", "a,b'\"`!<>^{}", "include", "define", "-include", "endif", "-a", "@a", "&a", " a", ".a",
        "../w/a b",
    ])
    func makeReadsThem(name: String) throws {
        let workspace = try Workspace()
        let name = name.replacing("../w", with: "../" + Files.name(of: workspace.path))
        let written = try #require(MakeName(name))
        if let end = name.lastIndex(of: "/"), !name.hasPrefix("..") {
            #expect(mkdir(workspace.file(String(name[..<end])), 0o777) == 0)
        }
        func touch(_ name: String, _ time: Int) throws {
            try workspace.write("", to: name)
            let times = [timeval(tv_sec: time, tv_usec: 0), timeval(tv_sec: time, tv_usec: 0)]
            #expect(utimes(workspace.file(name), times) == 0)
        }
        func made(_ rules: String) throws -> String {
            try workspace.write(rules, to: "rules.mk")
            let outcome = try Program.run("make", ["-r", "-s", "-C", workspace.path, "-f", "rules.mk"])
            return outcome.status == 0 ? outcome.output : outcome.errors
        }
        // Beside others, so that an end of it is no end of the line.
        let asSource = "o: \(written.prerequisite) p\n\(written.target):\np:\no:\n\t@echo made\n"
        let asTarget = "all: \(written.prerequisite)\n\(written.target) q: o\n\t@echo made\n"
        for file in ["p", name] { try touch(file, 1000) }
        for file in ["o", "q"] { try touch(file, 2000) }
        #expect(try made(asSource) == "")
        #expect(try made(asTarget) == "made\n")
        try touch(name, 3000)
        #expect(try made(asSource) == "made\n")
        #expect(try made(asTarget) == "")
        Files.remove(workspace.file(name))
        #expect(try made(asSource) == "made\n")
    }

    @Test(arguments: ["a;b", "a\\b", "a\\", "a\nb", "a\tb", "a ", "c(1)", "a&", "~/a", ""])
    func whatMakeCannotName(name: String) { #expect(MakeName(name) == nil) }
}
