import Glibc
import Testing

@testable import Annotate

@Suite struct OutputFileTests {
    private func write(_ text: String, to file: OutputFile) throws {
        let writer = try ByteWriter(path: file.temporary)
        try writer.write(Array(text.utf8))
        try writer.finish()
    }

    @Test func nothingStandsUnderTheNameBeforeTheCommit() throws {
        let folder = try TemporaryFolder()
        let file = OutputFile(target: folder.file("a.mp4"))
        try write("whole", to: file)
        #expect(try folder.names == [".a.mp4.partial-\(getpid())"])
        try file.commit()
        #expect(try folder.names == ["a.mp4"])
        #expect(try Files.read(folder.file("a.mp4")) == Array("whole".utf8))
        // What is finished stays.
        file.discard()
        #expect(try folder.names == ["a.mp4"])
        file.remove()
        #expect(try folder.names == [])
    }

    @Test func whatIsDiscardedOrForgottenLeavesTheOldFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "a.mp4")
        do {
            let file = OutputFile(target: folder.file("a.mp4"))
            try write("new", to: file)
            file.discard()
            #expect(try folder.names == ["a.mp4"])
            let forgotten = OutputFile(target: folder.file("a.mp4"))
            try write("newer", to: forgotten)
        }
        #expect(try folder.names == ["a.mp4"])
        #expect(try Files.read(folder.file("a.mp4")) == Array("old".utf8))
    }

    @Test func aFileThatWasNeverWrittenCannotBeFinished() throws {
        let folder = try TemporaryFolder()
        let file = OutputFile(target: folder.file("a.mp4"))
        let error = #expect(throws: FileError.self) { try file.commit() }
        #expect(error?.description == "could not finish \(folder.path)/a.mp4: No such file or directory")
        #expect(try folder.names == [])
    }

    @Test func aFolderThatIsNotThere() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: FileError.self) { _ = try ByteWriter(path: folder.file("no/x")) }
        #expect(error?.description == "could not create \(folder.path)/no/x: No such file or directory")
    }

    @Test func aSweepTakesWhatDeadProcessesLeft() throws {
        // A process that is no more, and whose number nobody has yet.
        var dead = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { free(words[0]) }
        #expect(posix_spawnp(&dead, "true", nil, nil, &words, environ) == 0)
        #expect(waitpid(dead, nil, 0) == dead)
        let folder = try TemporaryFolder()
        let kept = [
            ".a.mp4.partial-\(getpid())", ".a.mp4.partial-1", ".a.mp4.partial-", ".a.mp4.partial-x", ".hidden",
            "a.mp4.partial-\(dead)", "b.mp4",
        ]
        for name in kept + [".a.mp4.partial-\(dead)", ".x y.tracks.jsonl.body.partial-\(dead)"] {
            try folder.write("", to: name)
        }
        OutputFile.sweep(folder.path)
        #expect(try Set(folder.names) == Set(kept))
        OutputFile.sweep(folder.file("missing"))
    }

    @Test func largeFilesAreWrittenWhole() throws {
        let folder = try TemporaryFolder()
        let pieces = (0..<300).map { [UInt8](repeating: UInt8($0 & 0xFF), count: 1021) }
        let writer = try ByteWriter(path: folder.file("x"))
        for piece in pieces { try writer.write(piece) }
        try writer.finish()
        #expect(try Files.read(folder.file("x")) == pieces.flatMap { $0 })
    }

    // MARK: Names and patterns

    @Test(arguments: [
        ("a/b.mp4", "a", "b.mp4", "b"), ("b.mp4", ".", "b.mp4", "b"), ("/b", "/", "b", "b"),
        ("a/b.c/", "a", "b.c", "b"),
        ("a/.b", "a", ".b", ".b"), ("a/b.tar.gz", "a", "b.tar.gz", "b.tar"), ("/", "/", "/", "/"),
    ])
    func partsOfPaths(path: String, parent: String, name: String, stem: String) {
        #expect(Files.parent(of: path) == parent)
        #expect(Files.name(of: path) == name)
        #expect(Files.stem(of: path) == stem)
    }

    @Test(arguments: [
        ("desk-01", "desk-*", true), ("desk-01", "desk-0?", true), ("desk", "desk-*", false), ("a", "[ab]", true),
    ])
    func shellPatterns(name: String, pattern: String, matches: Bool) {
        #expect(Files.matches(name, pattern) == matches)
    }

    @Test func foldersAreMadeWithThoseAbove() throws {
        let folder = try TemporaryFolder()
        try Files.makeDirectory(folder.file("a/b/c"))
        try Files.makeDirectory(folder.file("a/b/c"))
        #expect(Files.isDirectory(folder.file("a/b/c")))
        try folder.write("", to: "file")
        let error = #expect(throws: FileError.self) { try Files.makeDirectory(folder.file("file/x")) }
        #expect(error?.description == "could not create the folder \(folder.path)/file: File exists")
    }
}
