import Testing

/// What a log of a build server gets.
@Suite struct PlainProgressTests {
    @Test func oneLineAJob() throws {
        let workspace = try Workspace()
        for index in 1...12 { try workspace.clip("clip\(index).mp4", frames: 3) }
        let path = try workspace.manifest([#""input": "*.mp4""#])
        let outcome = try annotateBatch("run", path, "--progress", "plain")
        #expect(outcome.status == 0)
        #expect(outcome.errorLines.filter { $0.contains("] clip") }.count == 12, "\(outcome.errors)")
        #expect(outcome.errorLines.count <= 15, "\(outcome.errors)")
        #expect(!outcome.errors.contains("started"))
    }

    @Test func whatIsUpToDateIsOneLine() throws {
        let workspace = try Workspace()
        for index in 1...4 { try workspace.clip("clip\(index).mp4", frames: 3) }
        let path = try workspace.manifest([#""input": "*.mp4""#])
        _ = try annotateBatch("run", path, "--only", "clip[12]")
        let some = try annotateBatch("run", path, "--progress", "plain")
        #expect(some.errorLines.contains("2 jobs up to date (--force runs them all the same)"))
        #expect(some.errorLines.filter { $0.contains("] clip") }.count == 2, "\(some.errors)")
        let all = try annotateBatch("run", path, "--progress", "plain")
        #expect(all.errorLines.first == "4 jobs up to date (--force runs them all the same)")
        #expect(!all.errors.contains("clip"), "\(all.errors)")
    }
}
