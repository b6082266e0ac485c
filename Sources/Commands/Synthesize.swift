import Annotate
import ArgumentParser
import Synth

struct Synthesize: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "synth", abstract: "Renders a test clip and its ground truth as a track file.",
        discussion:
            """
            The truth goes beside the clip, as <clip>.tracks.jsonl; its confidence is the visible share of a thing. The \
            camera goes to <clip>.camera.json, for a job's “camera”.
            """)

    @Argument(help: "The scene, a JSON file.", completion: .file(extensions: ["json"]))
    var scene: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The clip to write.", valueName: "clip.mp4"),
        completion: .file(extensions: ["mp4"]))
    var output: String

    @Option(help: ArgumentHelp("Frames instead of the scene's own number.", valueName: "n"))
    var frames: Int?

    @Option(help: ArgumentHelp("Quality of the H.264 encoding, 0 to 51, lower is better.", valueName: "n"))
    var crf = 16

    func validate() throws {
        guard output.hasSuffix(".mp4"), output != ".mp4" else {
            throw ValidationError("-o takes a name that ends in .mp4, not “\(output)”.")
        }
        guard (0...51).contains(crf) else { throw ValidationError("--crf takes 0 to 51, not \(crf).") }
        if let frames, !(1...1_000_000).contains(frames) {
            throw ValidationError("--frames takes 1 to 1000000, not \(frames).")
        }
        try OutputGuard.check("-o", output, .clip, reading: reading)
        try OutputGuard.check("-o", ClipRenderer.truthPath(of: output), .truth, reading: reading)
        try OutputGuard.check("-o", ClipRenderer.cameraPath(of: output), .camera, reading: reading)
    }

    private var reading: FileAccess {
        var access = FileAccess()
        access.read(naming: scene)
        return access
    }

    var access: CommandAccess {
        var access = reading
        for path in [output, ClipRenderer.truthPath(of: output), ClipRenderer.cameraPath(of: output)] {
            access.write(path)
        }
        return .files(access)
    }

    func run() throws {
        let cancellation = Cancellation()
        let interruption = Interruption(cancellation)
        try interruption.watch()
        do {
            var scene = try SceneReader.read(scene)
            if let frames { scene.frames = frames }
            var settings = EncodeSettings()
            settings.crf = crf
            try Files.makeDirectory(Files.parent(of: output))
            let total = scene.frames
            let redraws = Console.canRedraw
            let clip = try ClipRenderer(scene: scene, directory: Files.parent(of: self.scene))
            try clip.render(to: output, settings: settings, generator: generator) { done in
                if redraws, done % 10 == 0 || done == total { Console.errorRaw("\r\(done)/\(total) frames") }
                return !cancellation.isCancelled
            }
            if redraws { Console.errorRaw("\r\u{1B}[K") }
            Console.out(output)
            Console.out(ClipRenderer.truthPath(of: output))
            Console.out(ClipRenderer.cameraPath(of: output))
        } catch let error as InvalidFileError {
            for problem in error.problems { Console.error("\(problem)") }
            throw ExitCode.invalidFile
        } catch is CancelledError {
            throw ExitCode(128 + (interruption.received ?? 2))
        } catch let error as SceneError {
            Console.error("annotate-batch: \(scene): \(error)")
            throw ExitCode.invalidFile
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }
}
