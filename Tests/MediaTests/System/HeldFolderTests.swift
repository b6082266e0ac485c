import Glibc
import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct HeldFolderTests {
    @Test func whatItHoldsStaysTheSameFolder() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "docs/a.csv")
        try folder.write("result", to: "out/a.csv")
        let held = try HeldFolder(folder.file("out"))
        #expect(rename(folder.file("out"), folder.file("away")) == 0)
        #expect(symlink(folder.file("docs"), folder.file("out")) == 0)
        #expect(held.sizeOfResult("a.csv") == 6 && held.isResult("a.csv"))
        #expect(held.removeResult("a.csv"))
        #expect(Files.exists(folder.file("docs/a.csv")) && !Files.exists(folder.file("away/a.csv")))
    }

    /// A path that is pinned leads to the same folder also for who opens it later, and what is written there doesn't follow it.
    @Test func aPinnedPathStaysTheSameFolder() throws {
        let folder = try TemporaryFolder()
        try Files.makeDirectory(folder.file("docs"))
        let out = folder.file("out")
        try HeldFolder.made(out, inside: folder.path).pin()
        #expect(rename(out, folder.file("away")) == 0)
        #expect(symlink(folder.file("docs"), out) == 0)
        try Files.write("report", to: out + "/report.json")
        let file = OutputFile(target: out + "/a.csv", isFolder: false)
        try ByteWriter(path: file.temporary).finish()
        try file.commit()
        #expect(try HeldFolder(out).names() == ["a.csv", "report.json"])
        #expect(try Files.list(folder.file("docs")) == [])
        #expect(try Files.list(folder.file("away")) == ["a.csv", "report.json"])
    }

    @Test func aFolderInsideOfTheRootIsMade() throws {
        let folder = try TemporaryFolder()
        for name in ["root/real", "docs"] { try Files.makeDirectory(folder.file(name)) }
        let root = folder.file("root")
        #expect(symlink("real", root + "/inner") == 0)
        #expect(symlink(folder.file("docs"), root + "/outer") == 0)
        #expect(symlink(folder.file("docs/new"), root + "/nowhere") == 0)
        for path in ["a", "b/c/d", "inner/e", "./f/.", "real/../g"] {
            let held = try HeldFolder.made(root + "/" + path, inside: root)
            #expect(held.path == root + "/" + path && Files.isDirectory(root + "/" + path), "\(path)")
        }
        #expect(Files.isDirectory(root + "/real/e"))
        for path in ["outer", "outer/a", "../docs", "../new", "nowhere", "nowhere/a", "h/../../new"] {
            #expect(throws: FileError.self, "\(path)") { try HeldFolder.made(root + "/" + path, inside: root) }
        }
        #expect(try Files.list(folder.file("docs")) == [] && !Files.exists(folder.file("new")))
        #expect(try HeldFolder.made(root + "/outer/a", inside: nil).path == root + "/outer/a")
        #expect(throws: FileError.self) { try HeldFolder.existing(root + "/outer", inside: root) }
        #expect(try HeldFolder.existing(root + "/none", inside: root) == nil)
    }

    /// Whatever isn't a name of something in it isn't looked at.
    @Test(arguments: ["", ".", "..", "../docs/a.csv", "/etc/passwd", "sub/a.csv", "a.csv\0"])
    func pathsAreNoNames(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "docs/a.csv")
        try folder.write("mine", to: "out/sub/a.csv")
        let held = try HeldFolder(folder.file("out"))
        #expect(held.entry(name) == nil && held.folder(name) == nil && held.destination(name) == nil)
        #expect(!held.removeFile(name) && !held.removeFolder(name) && !held.removeResult(name))
        #expect(throws: FileError.self) { _ = try held.open(name) }
        #expect(throws: FileError.self) { try held.rename("sub", to: name) }
        #expect(Files.exists(folder.file("docs/a.csv")) && Files.exists(folder.file("out/sub/a.csv")))
    }

    @Test func linksPipesAndHardLinks() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "docs/labels/a.txt")
        try folder.write("mine", to: "docs/a.csv")
        try folder.write("", to: "out/whole.yolo/data.yaml")
        let held = try HeldFolder(folder.file("out"))
        #expect(symlink(folder.file("docs/a.csv"), folder.file("out/link.csv")) == 0)
        #expect(symlink(folder.file("docs"), folder.file("out/link.yolo")) == 0)
        #expect(symlink(folder.file("docs/labels"), folder.file("out/whole.yolo/labels")) == 0)
        #expect(link(folder.file("docs/a.csv"), folder.file("out/hard.csv")) == 0)
        #expect(mkfifo(folder.file("out/pipe.csv"), 0o600) == 0)
        let before = Files.status(folder.file("docs/a.csv"))?.modified
        for name in ["link.csv", "link.yolo", "pipe.csv"] {
            #expect(!held.isResult(name) && held.sizeOfResult(name) == nil, "\(name)")
            #expect(throws: FileError.self, "\(name)") { _ = try held.open(name) }
            held.touch(name)
        }
        held.touch("hard.csv")
        #expect(Files.status(folder.file("docs/a.csv"))?.modified == before)
        #expect(!held.removeResult("pipe.csv"))
        for name in ["link.csv", "link.yolo", "whole.yolo", "hard.csv"] { #expect(held.removeResult(name), "\(name)") }
        #expect(try held.names() == ["pipe.csv"])
        #expect(Files.exists(folder.file("docs/labels/a.txt")) && Files.exists(folder.file("docs/a.csv")))
    }

    /// Folders in folders without end aren't followed down.
    @Test func deepFoldersStay() throws {
        let folder = try TemporaryFolder()
        try Files.makeDirectory(folder.file("a.yolo/labels" + String(repeating: "/d", count: 60)))
        let held = try HeldFolder(folder.path)
        #expect(!held.removeResult("a.yolo"))
        #expect(Files.exists(folder.file("a.yolo/labels/d/d/d")))
    }
}
