import Foundation
import Glibc
import Synchronization
import Testing

@testable import Annotate

/// Whoever may write beside the output folder puts another one in its place while the program runs.
@Suite struct SwappedFolderTests {
    /// The folder is a folder, and a link to the victim's, in turns, until the program has ended.
    @Test(arguments: ["process", "none"])
    func nothingIsWrittenOutsideOfTheRoot(isolation: String) throws {
        let workspace = try Workspace()
        try Files.makeDirectory(workspace.file("root"))
        try workspace.clip("root/clip.mp4", frames: 2)
        try workspace.manifest([#""id": "clip", "input": "clip.mp4""#], encode: #"{"codec": "none"}"#, name: "root/m.json")
        try Files.makeDirectory(workspace.file("docs"))
        let isOver = Atomic<Bool>(false)
        let (out, other) = (workspace.file("root/out"), workspace.file("root/other"))
        let link = workspace.file("root/link")
        let docs = workspace.file("docs")
        let swapping = Thread {
            while !isOver.load(ordering: .relaxed) {
                _ = (symlink(docs, link), rename(out, other), rename(link, out))
                usleep(200)
                _ = (unlink(out), rename(other, out))
                usleep(200)
            }
        }
        swapping.start()
        defer { isOver.store(true, ordering: .relaxed) }
        var ended: [Int32] = []
        for _ in 0..<30 {
            let outcome = try Program.run(
                Program.annotateBatch,
                ["run", workspace.file("root/m.json"), "--root", workspace.file("root"), "--force", "--isolation"]
                    + [isolation, "--progress", "none"])
            ended.append(outcome.status)
            #expect(workspace.names(in: "docs") == [], "\(outcome.errors)")
        }
        #expect(ended.contains(0))
        #expect(Set(ended).isSubset(of: [0, 1, 65]), "\(ended)")
    }
}
