import Glibc
import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct GlobTests {
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in [
            "top.mp4", "a/one.mp4", "a/b/two.mp4", "a/b/c/three.mp4", "a/b/notes.txt", ".hidden/x.mp4", "a/.git/y.mp4",
            "a/.z.mp4", "a.d/four.mp4", "a/b.mp4/inner.mp4",
        ] { try folder.write("x", to: name) }
        // One that leads back, and one elsewhere.
        symlink("..", folder.file("a/b/up"))
        symlink("a", folder.file("link"))
        return folder
    }

    @Test(arguments: [
        (
            "**/*.mp4",
            [
                "a.d/four.mp4", "a/b.mp4/inner.mp4", "a/b/c/three.mp4", "a/b/two.mp4", "a/one.mp4", "top.mp4",
            ]
        ),
        ("a/**/*.mp4", ["a/b.mp4/inner.mp4", "a/b/c/three.mp4", "a/b/two.mp4", "a/one.mp4"]),
        ("a/**/b/**/t*.mp4", ["a/b/c/three.mp4", "a/b/two.mp4"]),
        ("**/b/*.mp4", ["a/b/two.mp4"]), ("a/b/**", ["a/b/c/three.mp4", "a/b/notes.txt", "a/b/two.mp4"]),
        ("**/two.mp4", ["a/b/two.mp4"]), ("**/**/two.mp4", ["a/b/two.mp4"]), ("no/**/*.mp4", []),
        // A link that is named is followed.
        ("link/**/one.mp4", ["link/one.mp4"]), ("*/one.mp4", ["a/one.mp4", "link/one.mp4"]),
        // Only a whole part is special.
        ("a**/*.mp4", ["a.d/four.mp4", "a/one.mp4"]), ("**/[!t]*.txt", ["a/b/notes.txt"]),
    ])
    func matches(pattern: String, expected: [String]) throws {
        let folder = try folder()
        #expect(Files.glob(folder.file(pattern)) == expected.map(folder.file))
    }

    /// One name in two spellings of Unicode's, which Swift takes for the same text: two files.
    @Test func namesThatDifferInTheirBytesAlone() throws {
        let folder = try folder()
        let names = ["a/caf\u{E9}.mp4", "a/cafe\u{301}.mp4"]
        for name in names { _ = try folder.write("", to: name) }
        for pattern in ["a/caf*.mp4", "**/caf*.mp4"] {
            let found = Files.glob(folder.file(pattern))
            #expect(Set(found.map { Array($0.utf8) }) == Set(names.map { Array(folder.file($0).utf8) }), "\(pattern)")
        }
        var access = FileAccess()
        for name in names { access.read(folder.file(name)) }
        #expect(access.read.count == 2)
        #expect(!PathSet([names[0]]).contains(names[1]))
    }

    /// A name that isn't UTF-8 can't be written in a manifest or a report.
    @Test(arguments: ["*.mp4", "**/*.mp4", "**"]) func whatHasNoNameIsToldApart(pattern: String) throws {
        let folder = try folder()
        let name: [CChar] = Array(folder.file("b").utf8CString.dropLast()) + [-1] + Array(".mp4".utf8CString)
        let made = try #require(fopen(name, "w"))
        fclose(made)
        // What it looks like, and has a name.
        try folder.write("x", to: "b\u{FFFD}.mp4")
        let matches = Files.matches(of: folder.file(pattern))
        #expect(matches.nameless == [folder.file("b\u{FFFD}.mp4")])
        #expect(matches.paths.filter { $0.hasSuffix("\u{FFFD}.mp4") } == [folder.file("b\u{FFFD}.mp4")])
    }
}
