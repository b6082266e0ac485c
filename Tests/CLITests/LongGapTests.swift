import Annotate
import Testing

/// The longest gap between two pictures that an MP4 holds: weeks, in a camera's milliseconds.
@Suite struct LongGapTests {
    @Test(arguments: [(2_147_483_646, true), (2_147_483_647, false)])
    func heldOrRefused(gap: Int, isHeld: Bool) throws {
        let workspace = try Workspace()
        let made = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=0.2", "-vf",
                "settb=1/1000,setpts=N*\(gap)", "-fps_mode", "passthrough", "-enc_time_base", "1:1000", "-c:v", "ffv1",
                workspace.file("a.mkv"),
            ])
        #expect(made.status == 0, "\(made.errors)")
        let manifest = try workspace.write(
            """
            {"version": 1, "jobs": [{"id": "r", "input": "a.mkv", "graph": {"stages": []},
             "encode": {"preset": "ultrafast"}}]}
            """, to: "m.json")
        let run = try annotateBatch("run", manifest)
        #expect(run.status == (isHeld ? 0 : 1), "\(run.errors)")
        guard isHeld else {
            #expect(run.errors.contains("is more than the 2147483646 that an MP4 can hold"), "\(run.errors)")
            return
        }
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    }
}
