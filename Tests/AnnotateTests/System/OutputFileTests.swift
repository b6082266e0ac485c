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

    @Test func aFileInAFolderThatIsNotThereCannotBeFinished() throws {
        let folder = try TemporaryFolder()
        let file = OutputFile(target: folder.file("no/a.mp4"))
        let error = #expect(throws: FileError.self) { try file.commit() }
        #expect(error?.description == "could not finish \(folder.path)/no/a.mp4: No such file or directory")
        #expect(try folder.names == [])
    }

    @Test func aFolderThatIsNotThere() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: FileError.self) { _ = try ByteWriter(path: folder.file("no/x")) }
        #expect(error?.description == "could not create \(folder.path)/no/x: No such file or directory")
    }

    @Test func aSweepTakesWhatNobodyHasLocked() throws {
        let folder = try TemporaryFolder()
        let living = OutputFile(target: folder.file("a.mp4"))
        let kept = [".a.mp4.partial-", ".a.mp4.partial-x", ".hidden", "a.mp4.partial-17", "b.mp4"]
        // Also with the number of a process that lives, in another container say.
        for name in kept + [".a.mp4.partial-1", ".x y.tracks.jsonl.body.partial-17"] { try folder.write("", to: name) }
        try Files.makeDirectory(folder.file(".d.partial-18"))
        OutputFile.sweep(folder.path, process: 17)
        #expect(try folder.names.contains(".a.mp4.partial-1"))
        #expect(try !folder.names.contains(".x y.tracks.jsonl.body.partial-17"))
        OutputFile.sweep(folder.path)
        let left = kept + [Files.name(of: living.temporary), ".d.partial-18"]
        #expect(try Set(folder.names) == Set(left))
        OutputFile.sweep(folder.file("missing"))
        withExtendedLifetime(living) {}
    }

    /// Somebody who can write in the folder, and guesses the name.
    @Test func whatLiesInTheWayIsNeitherFollowedNorWrittenInto() throws {
        let folder = try TemporaryFolder()
        try folder.write("precious", to: "victim")
        let place = ".a.mp4.partial-\(getpid())"
        #expect(symlink(folder.file("victim"), folder.file(place)) == 0)
        let file = OutputFile(target: folder.file("a.mp4"))
        try write("new", to: file)
        try file.commit()
        #expect(try Files.read(folder.file("victim")) == Array("precious".utf8))
        #expect(try Files.read(folder.file("a.mp4")) == Array("new".utf8))
        #expect(mkfifo(folder.file(".b.mp4.partial-\(getpid())"), 0o600) == 0)
        let other = OutputFile(target: folder.file("b.mp4"))
        try write("new", to: other)
        try other.commit()
        #expect(try Files.read(folder.file("b.mp4")) == Array("new".utf8))
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
