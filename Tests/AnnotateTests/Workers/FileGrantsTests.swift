import Glibc
import Testing

@testable import Annotate

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
