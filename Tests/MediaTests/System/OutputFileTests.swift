import Foundation
import Glibc
import Synchronization
import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct OutputFileTests {
    private func write(_ text: String, to file: OutputFile) throws {
        let writer = try ByteWriter(path: file.temporary)
        try writer.write(Array(text.utf8))
        try writer.finish()
    }

    /// What isn't written to its end gets no name, whoever commits it.
    @Test func withoutItsEnd() throws {
        let folder = try TemporaryFolder()
        let file = OutputFile(target: folder.file("a.csv"))
        let writer = try ByteWriter(file)
        try writer.write([1, 2, 3])
        for commit in [file.sync, file.commit] {
            let error = #expect(throws: FileError.self) { try commit() }
            #expect(error?.reason.contains("hasn't finished") == true)
        }
        try writer.finish()
        try file.commit()
        #expect(try Files.read(folder.file("a.csv")) == [1, 2, 3])
    }

    /// A folder of files comes and goes like a file.
    @Test func folders() throws {
        let folder = try TemporaryFolder()
        let target = folder.file("a.yolo")
        func write(_ text: String, _ file: OutputFile) throws {
            try Files.makeDirectory(file.temporary + "/labels")
            try folder.write(text, to: Files.name(of: file.temporary) + "/labels/\(text)_000000.txt")
        }
        do {
            let file = OutputFile(target: target, isFolder: true)
            try write("one", file)
            #expect(try folder.names == [".a.yolo.partial-\(getpid())"])
            // One that lives is not swept away.
            OutputFile.sweep(try HeldFolder(folder.path))
            #expect(Files.exists(file.temporary + "/labels/one_000000.txt"))
            try file.commit()
            #expect(try folder.names == ["a.yolo"])
        }
        do {
            let file = OutputFile(target: target, isFolder: true)
            try write("two", file)
            #expect(try Files.list(target + "/labels") == ["one_000000.txt"])
            try file.commit()
        }
        #expect(try Files.list(target + "/labels") == ["two_000000.txt"])
        do { try write("three", OutputFile(target: target, isFolder: true)) }
        #expect(try folder.names == ["a.yolo"])
        #expect(try Files.list(target + "/labels") == ["two_000000.txt"])
        #expect(Files.sizeOfResult(target) == 3)
        Files.removeResult(target)
        #expect(try folder.names == [])
    }

    /// What stands where a folder should go.
    @Test func whatIsInAFoldersPlaceStays() throws {
        let folder = try TemporaryFolder()
        func reason(_ name: String) -> String? {
            OutputFile(target: folder.file(name), isFolder: true).whyUnusable
        }
        try folder.write("mine", to: "file")
        try folder.write("mine", to: "folder/mine.txt")
        try folder.write("", to: "whole/labels/mine_000001.txt")
        #expect(symlink(folder.file("whole"), folder.file("link")) == 0)
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(reason("file") == "it is a file; expected a folder, or nothing there")
        #expect(reason("link") == "it is a link; expected a folder, or nothing there")
        #expect(reason("pipe") == "it is a pipe or a device; expected a folder, or nothing there")
        #expect(
            reason("folder")
                == "the folder holds “mine.txt”, which this program didn't put there; move that away, or name another place"
        )
        #expect(reason("whole") == nil)
        try folder.write("mine", to: "deep/labels/train/mine.txt")
        #expect(
            reason("deep")?.hasPrefix("the folder holds “labels/train/mine.txt”, which this program didn't") == true)
        #expect(reason("nothing") == nil)
        for name in ["file", "folder", "link", "pipe"] {
            let file = OutputFile(target: folder.file(name), isFolder: true)
            #expect(throws: FileError.self) { try file.commit() }
            file.discard()
            Files.removeResult(folder.file("folder"))
        }
        #expect(try Files.read(folder.file("file")) == Array("mine".utf8))
        #expect(
            Files.exists(folder.file("folder/mine.txt")) && Files.exists(folder.file("link/labels/mine_000001.txt")))
        // A link goes, not what it leads to.
        Files.removeResult(folder.file("link"))
        #expect(Files.exists(folder.file("whole/labels/mine_000001.txt")) && !Files.exists(folder.file("link")))
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
        // A folder of somebody's stays; one that is empty, or holds what a result does, was going to be one.
        for name in [".d.partial-18/mine.txt", ".y.yolo.partial-19/labels/a_000001.txt"] {
            try folder.write("", to: name)
        }
        try Files.makeDirectory(folder.file(".e.partial-20"))
        OutputFile.sweep(try HeldFolder(folder.path), process: 17)
        #expect(try folder.names.contains(".a.mp4.partial-1"))
        #expect(try !folder.names.contains(".x y.tracks.jsonl.body.partial-17"))
        OutputFile.sweep(try HeldFolder(folder.path))
        let left = kept + [Files.name(of: living.temporary), ".d.partial-18"]
        #expect(try Set(folder.names) == Set(left))
        ResultFolders(OutputPlaces(folder.file("missing"))).sweep()
        withExtendedLifetime(living) {}
    }

    /// Shards that begin side by side: each sweeps when it begins, while the other makes what it writes in.
    @Test(arguments: [false, true])
    func whatIsBeingMadeIsNotSweptAway(isFolder: Bool) throws {
        let folder = try TemporaryFolder()
        let held = try HeldFolder(folder.path)
        let isDone = Atomic<Bool>(false)
        let lost = Mutex(0)
        withTwo {
            while !isDone.load(ordering: .relaxed) { OutputFile.sweep(held) }
        } and: {
            defer { isDone.store(true, ordering: .relaxed) }
            for number in 0..<1000 {
                let file = OutputFile(target: folder.file("\(number % 7)"), isFolder: isFolder)
                if held.entry(Files.name(of: file.temporary)) == nil { lost.withLock { $0 += 1 } }
            }
        }
        #expect(lost.withLock { $0 } == 0)
        #expect(try folder.names == [])
    }

    /// Runs the first on a thread of its own, beside the second.
    private func withTwo(_ first: @escaping @Sendable () -> Void, and second: () throws -> Void) rethrows {
        let thread = Thread { first() }
        thread.start()
        try second()
        while !thread.isFinished { usleep(1000) }
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
