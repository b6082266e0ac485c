import Glibc
import Testing

@testable import Annotate
@testable import TestSupport

/// What errors of files say.
@Suite struct FileErrorTests {
    /// Paths that this process alone knows.
    @Test func namesThatPeopleKnow() throws {
        let folder = try TemporaryFolder()
        try Files.makeDirectory(folder.file(".worker-1.partial-1"))
        let held = try HeldFolder(".worker-1.partial-1", in: HeldFolder(folder.path))
        let own = getpid()
        func shown(_ path: String) -> String { FileError("write", path: path, reason: "").path }
        #expect(
            shown("\(held.ownPath)/.r.data.partial-\(own)/job-0.review.js") == folder.file("r.data/job-0.review.js"))
        #expect(shown("\(held.ownPath)/.a.mp4.partial-7") == folder.file("a.mp4"))
        #expect(shown("out/.worker-3.partial-9/.a.mp4.partial-\(own)") == "out/a.mp4")
        #expect(
            FileError("finish", path: "a", reason: "no (can't open \(held.ownPath)/.a.mp4.partial-7: full)").reason
                == "no (can't open \(folder.file("a.mp4")): full)")
        // Anybody's.
        for path in ["/proc/self/fd/99999/a", "/proc/self/fd/x", ".a.partial-\(own + 1)", "a.partial-\(own)", "/a/b"] {
            #expect(shown(path) == path)
        }
        #expect(FileError("read", path: "\(held.ownPath)/a", reason: "").isAbout("\(held.ownPath)/a"))
    }

    @Test func theReasonIsThatOfTheCall() throws {
        let folder = try TemporaryFolder()
        errno = 0
        let error = #expect(throws: FileError.self) { try HeldFolder("gone", in: HeldFolder(folder.path)) }
        #expect(error?.code == -ENOENT && error?.reason == "No such file or directory")
        let output = OutputFile(target: folder.file("gone/a"), isFolder: true)
        errno = 0
        let refused = #expect(throws: FileError.self) { try output.check() }
        #expect(refused?.description == "could not write in \(folder.file("gone")): No such file or directory")
    }

    @Test func aLinkToNothingIsNoFolder() throws {
        let folder = try TemporaryFolder()
        #expect(symlink("nowhere", folder.file("out")) == 0)
        let error = #expect(throws: FileError.self) { try Files.makeDirectory(folder.file("out")) }
        #expect(
            error?.description == "could not create the folder \(folder.file("out")): it is a link to nowhere, "
                + "which isn't there; make that folder, or remove the link")
    }
}
