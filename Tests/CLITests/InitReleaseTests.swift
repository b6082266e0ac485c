import Annotate
import Foundation
import Testing

/// What `init --release` takes of a folder: what can be run, and nothing that was released before. All else is told.
@Suite struct InitReleaseTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try Files.makeDirectory(workspace.file("media"))
        let outcome = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1",
                workspace.file("media/p.jpg"),
            ])
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    private func copy(to name: String) throws {
        try Files.makeDirectory(Files.parent(of: workspace.file(name)))
        try FileManager.default.copyItem(
            atPath: workspace.file("media/p.jpg"), toPath: workspace.file(name))
    }

    private func start(_ media: String = "media") throws -> (outcome: Outcome, jobs: [JSONNode]) {
        let path = workspace.file("release.json")
        let outcome = try annotateBatch(
            "init", "--release", "rectangles", workspace.file(media), "-o", path, "--force")
        let jobs = Files.exists(path) ? try json(try workspace.text("release.json"))["jobs"]?.elements ?? [] : []
        return (outcome, jobs)
    }

    private func excluded(_ job: JSONNode) -> [String] { job["exclude"]?.elements?.compactMap(\.string) ?? [] }

    /// Names that can be no job's.
    @Test func aNameThatIsNoJobsIsLeftOut() throws {
        let long = String(repeating: "m", count: 210) + ".jpg"
        try copy(to: "media/\(long)")
        try copy(to: "media/a\nb.jpg")
        let (outcome, jobs) = try start()
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains(
                "annotate-batch: “a\\u{a}b.jpg” is left out: “a\\u{a}b” can be no job's id; expected a file name"),
            "\(outcome.errors)")
        #expect(outcome.errors.contains("“\(long)” is left out"), "\(outcome.errors)")
        #expect(jobs.count == 1 && excluded(jobs[0]) == ["media/a\nb.jpg", "media/\(long)"])
        let valid = try annotateBatch("validate", workspace.file("release.json"))
        #expect(valid.status == 0 && valid.output.contains("valid, 1 job"), "\(valid.errors)")
    }

    /// The same of a glob.
    @Test func aGlobOfSuchNames() throws {
        try copy(to: "media/a\nb.jpg")
        let path = workspace.file("m.json")
        let outcome = try annotateBatch("init", workspace.file("media/*.jpg"), "-o", path)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("matches a file whose name has control characters, “"), "\(outcome.errors)")
        #expect(outcome.errors.contains("a\\u{a}b.jpg”, which is left out; rename it"), "\(outcome.errors)")
        #expect(try annotateBatch("validate", path).status == 0)
    }

    @Test func whatNoDecoderCanOpenIsLeftOut() throws {
        try workspace.write("", to: "media/empty.mp4")
        try workspace.write("no picture", to: "media/text.jpg")
        let (outcome, jobs) = try start()
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("empty.mp4: it is empty; expected a video or photo; it is left out"))
        #expect(outcome.errors.contains("text.jpg: its video stream has no usable size"), "\(outcome.errors)")
        // Of what is left out as a whole there is no entry.
        #expect(jobs.map { $0["input"]?.string } == ["media/*.jpg"])
        #expect(excluded(jobs[0]) == ["media/text.jpg"])
        let valid = try annotateBatch("validate", workspace.file("release.json"))
        #expect(valid.status == 0 && !valid.errors.contains("will fail"), "\(valid.errors)")
    }

    @Test func allThatIsLeftOutIsNamed() throws {
        let names = (1...6).map { "notes-\($0).txt" }
        for name in names { try workspace.write("x", to: "media/" + name) }
        let (outcome, _) = try start()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains(
                "6 files are left out, no photos and no clips by their names: notes-1.txt, notes-2.txt, notes-3.txt, and 3 "
                    + "more, each on a line of its own\nannotate-batch: left out: notes-4.txt\n"), "\(outcome.errors)")
        for name in names { #expect(outcome.errors.contains(name)) }
    }

    /// Those of a release that lies in the folder, told by the report beside them.
    @Test func resultsAreNoMaterial() throws {
        try copy(to: "media/day/q.jpg")
        let inside = workspace.file("media/day/m.json")
        let made = try annotateBatch("init", "--release", "rectangles", workspace.file("media/day"), "-o", inside)
        #expect(made.status == 0, "\(made.errors)")
        #expect([0, 2].contains(try annotateBatch("run", inside).status))
        #expect(workspace.names(in: "media/day/released").contains("q.jpg"))
        let (outcome, jobs) = try start()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("1 folder is left out, with results of an earlier run: day/released\n"),
            "\(outcome.errors)")
        #expect(jobs.map { $0["input"]?.string } == ["media/*.jpg", "media/day/*.jpg"])
    }

    /// What somebody laid among results is told.
    @Test func whatNoJobWroteIsNamed() throws {
        try copy(to: "media/day/q.jpg")
        let inside = workspace.file("media/day/m.json")
        let made = try annotateBatch("init", "--release", "rectangles", workspace.file("media/day"), "-o", inside)
        #expect(made.status == 0, "\(made.errors)")
        #expect([0, 2].contains(try annotateBatch("run", inside).status))
        for name in ["day/released/mine.jpg", "day/released/more/mine.jpg", "day/released/q.coco.frames/q_000000.jpg"] {
            try copy(to: "media/" + name)
        }
        try workspace.write("", to: "media/day/released/notes.txt")
        let told =
            "2 photos and clips that no job wrote are left out, since they lie among results: day/released/mine.jpg, "
            + "day/released/more/mine.jpg\n"
        let (outcome, jobs) = try start()
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains(told), "\(outcome.errors)")
        #expect(jobs.map { $0["input"]?.string } == ["media/*.jpg", "media/day/*.jpg"])
        // The manifest's own results.
        let again = try annotateBatch(
            "init", "--release", "rectangles", workspace.file("media/day"), "-o", inside, "--force")
        #expect(again.status == 0)
        #expect(again.errors.contains(told.replacing("day/", with: "")), "\(again.errors)")
    }

    /// A folder that is called as a job and a dot is no result.
    @Test func aFolderWithAJobsNameIsTaken() throws {
        let manifest = try workspace.write(
            """
            {"version": 1, "output": {"directory": ".", "formats": ["yolo"]},
             "jobs": [{"id": "cam", "input": "p.jpg", "graph": {"stages": []}}]}
            """, to: "media/m.json")
        #expect(try annotateBatch("run", manifest).status == 0)
        try copy(to: "media/cam.raw/r.jpg")
        try copy(to: "media/cam.coco.frames/cam_000000.jpg")
        let (outcome, jobs) = try start()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(jobs.map { $0["input"]?.string } == ["media/*.jpg", "media/cam.raw/*.jpg"])
        let told = "2 folders are left out, with results of earlier runs: cam.coco.frames, cam.yolo\n"
        #expect(outcome.errors.contains(told), "\(outcome.errors)")
    }

    /// Results beside what they were made of.
    @Test func resultsBesideTheirSources() throws {
        let manifest = try workspace.write(
            #"{"version": 1, "output": {"directory": "."}, "jobs": [{"id": "made", "input": "p.jpg", "graph": {"stages": []}}]}"#,
            to: "media/m.json")
        #expect(try annotateBatch("run", manifest).status == 0)
        let (outcome, jobs) = try start()
        #expect(outcome.errors.contains("2 files are left out, results of earlier runs: made.jpg, made.tracks.jsonl\n"))
        #expect(jobs.map { $0["input"]?.string } == ["media/*.jpg"])
        #expect(excluded(jobs[0]) == ["media/made.jpg"])
    }
}
