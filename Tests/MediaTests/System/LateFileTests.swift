import Glibc
import Testing

@testable import Annotate
@testable import TestSupport

/// Files that are named when work begins and written when it ends.
@Suite struct LateFileTests {
    @Test func nothingHasTheNameBefore() throws {
        let folder = try TemporaryFolder()
        try folder.write("earlier", to: "a.xml")
        let late = try LateFile(folder.file("a.xml"))
        #expect(try folder.names == [])
        try late.write("whole")
        #expect(try folder.names == ["a.xml"])
        #expect(try Files.read(folder.file("a.xml")) == Array("whole".utf8))
    }

    @Test func oneThatIsNeverWrittenLeavesNothing() throws {
        let folder = try TemporaryFolder()
        do { _ = try LateFile(folder.file("in/a.xml")) }
        #expect(try Files.list(folder.file("in")) == [])
    }

    @Test func linksStay() throws {
        let folder = try TemporaryFolder()
        try folder.write("earlier", to: "a.xml")
        #expect(symlink("a.xml", folder.file("link")) == 0)
        try LateFile(folder.file("link")).write("whole")
        #expect(Files.isLink(folder.file("link")))
        #expect(try Files.read(folder.file("a.xml")) == Array("whole".utf8))
    }

    @Test func whatIsAppendedToStays() throws {
        let folder = try TemporaryFolder()
        try folder.write("one ", to: "a.md")
        try LateFile(folder.file("a.md"), appends: true).write("two")
        #expect(try Files.read(folder.file("a.md")) == Array("one two".utf8))
    }

    @Test func aFolderIsNoFile() throws {
        let folder = try TemporaryFolder()
        #expect(throws: FileError.self) { try LateFile(folder.path) }
    }
}
