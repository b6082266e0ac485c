import Foundation
import Glibc
import Testing

@testable import Annotate
@testable import TestSupport

/// What lies in a granted folder is told by the spelling that the folder was granted under.
@Suite struct FileGrantsTests {
    @Test(arguments: [
        ("/a/b", "/a/b/m.mtl", true), ("/a/b", "/a/b/c/m.mtl", true), ("/a/b", "/a/b", true), ("/", "/m.mtl", true),
        ("/a/b", "/a/bc/m.mtl", false), ("/a/b", "/a/m.mtl", false), ("/a/b", "/a/b/../m.mtl", false),
        ("/a/b", "/a/b/c/..", false), ("/", "/a/../m.mtl", false), ("/a/../b", "/a/../b/m.mtl", true),
        ("/a/../b", "/a/../b/../m.mtl", false), ("/a/../b", "/a/../bc/m.mtl", false),
        ("/a/b", "/a/b/..m.mtl", true),
    ])
    func aFolderHoldsWhatLiesBelow(folder: String, path: String, expected: Bool) {
        #expect(FileGrants.Tree(folder: folder, ending: "").holds(path) == expected)
    }

    /// What came with a model leads nowhere else; what a user named, a folder of clips say, may.
    @Test func linksLeadOutOfNoSealedFolder() throws {
        let workspace = try TemporaryFolder()
        for name in ["models/own.data", "other/key.data"] { try workspace.write("x", to: name) }
        try FileManager.default.createSymbolicLink(
            atPath: workspace.file("models/inner.data"), withDestinationPath: workspace.file("models/own.data"))
        try FileManager.default.createSymbolicLink(
            atPath: workspace.file("models/outer.data"), withDestinationPath: workspace.file("other/key.data"))
        let folder = workspace.file("models")
        for isSealed in [true, false] {
            let grants = FileGrants()
            grants.set([], trees: [.init(folder: folder, ending: ".data", isSealed: isSealed)], root: nil)
            func isOpened(_ name: String) -> Bool {
                guard let descriptor = grants.open(folder + "/" + name, flags: O_RDONLY), descriptor >= 0 else {
                    return false
                }
                close(descriptor)
                return true
            }
            #expect(isOpened("own.data") && isOpened("inner.data"))
            #expect(isOpened("outer.data") != isSealed)
            #expect(grants.covers(folder + "/inner.data") && grants.covers(folder + "/outer.data") != isSealed)
        }
    }

    @Test func aFolderNamedByDotsGrantsItsFilesByAnySpelling() throws {
        let workspace = try TemporaryFolder()
        for name in ["models/m.mtl", "models/m.key", "other.mtl", "work/x"] { try workspace.write("x", to: name) }
        let grants = FileGrants()
        let folder = workspace.file("work/../models")
        grants.set([], trees: [.init(folder: folder, ending: ".mtl")], root: nil)
        func isOpened(_ path: String) -> Bool {
            guard let descriptor = grants.open(path, flags: O_RDONLY), descriptor >= 0 else { return false }
            close(descriptor)
            return true
        }
        #expect(isOpened(folder + "/m.mtl") && isOpened(Files.canonical(workspace.file("models")) + "/m.mtl"))
        #expect(!isOpened(folder + "/m.key") && !isOpened(folder + "/../other.mtl"))
        #expect(!isOpened(workspace.file("other.mtl")))
    }
}
