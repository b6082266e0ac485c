import Annotate
import ArgumentParser

struct Render: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws a saved track file onto its video again, without running the stages.",
        discussion: """
            The video is the one that the track file was made from. A name that ends in .mp4 makes H.264, one in .mkv lossless FFV1, \
            unless --codec says otherwise. `run` does the same by itself where only “draw” or “encode” of a job changed.
            """)

    @Argument(help: "A track file (*.tracks.jsonl).", completion: .file())
    var tracks: String

    @Option(help: ArgumentHelp("The video that it was made from.", valueName: "video"), completion: .file())
    var input: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The video to write.", valueName: "video"), completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "How results are drawn: a JSON file with an object as under “draw” in a manifest, for all stages or for each by its id.",
            valueName: "file"), completion: .file())
    var draw: String?

    @Option(help: ArgumentHelp("h264, hevc, av1, ffv1, copy, jpeg or png. Default: by the name.", valueName: "codec"))
    var codec: String?

    @Option(help: ArgumentHelp("Constant quality, lower is better.", valueName: "n"))
    var crf: Int?

    @Option(help: ArgumentHelp("The encoder's.", valueName: "name"))
    var preset: String?

    @Option(help: ArgumentHelp("Threads. Default: the machine's cores.", valueName: "n"))
    var threads: Int?

    @OptionGroup(title: "Limits")
    var limits: ManifestLimits

    @Option(help: "auto, bars, plain, json or none.")
    var progress = ProgressStyle.auto

    func validate() throws {
        if let threads, !(1...64).contains(threads) {
            throw ValidationError("--threads takes 1 to 64, not \(threads).")
        }
        guard !Files.areTheSame(input, output) else {
            throw ValidationError("-o \(output) would overwrite the input; name another file.")
        }
        guard !Files.areTheSame(tracks, output) else {
            throw ValidationError("-o \(output) would overwrite the track file; name another file.")
        }
        let isPicture = [".jpg", ".jpeg", ".png"].contains { output.lowercased().hasSuffix($0) }
        try OutputGuard.check("-o", output, isPicture ? .picture : .video, reading: reading)
    }

    private var reading: FileAccess {
        var access = FileAccess()
        access.read(tracks)
        access.read(media: input)
        access.read(naming: draw)
        return access
    }

    var access: CommandAccess {
        var access = reading
        access.write(output)
        return .files(access)
    }

    func run() throws {
        try attempt { cancellation in
            do {
                try render(cancellation)
            } catch let error as Rendering.OptionProblem {
                throw ValidationError("\(error).")
            }
        }
        Console.out(output)
    }

    private func render(_ cancellation: Cancellation) throws {
        let job = JobProgress(id: Files.name(of: output))
        let reporter = ProgressReporter(jobs: [job], style: progress)
        let header = try TrackFileReader(path: tracks, kinds: kinds).header
        let rendering = try Rendering(
            tracks: tracks, input: input, output: output,
            styles: try draw.map { try DrawingFile(path: $0).styles(for: header, kinds: kinds) }
                ?? header.coveringStyles(kinds),
            encode: try settings(), catalog: catalog)
        try Files.makeDirectory(Files.parent(of: output))
        try reporter.start()
        defer { reporter.stop() }
        let started = monotonicSeconds()
        job.start()
        let outcome = try rendering.run(
            generator: generator, threads: threads ?? Machine.cores, limits: limits.media, progress: job,
            cancellation: cancellation)
        var end = JobOutcome(.done)
        (end.frames, end.notes, end.seconds) = (outcome.frames, outcome.notes, monotonicSeconds() - started)
        job.finish(end)
    }

    /// Settings of encoding, as a job's “encode” has them.
    private func settings() throws -> EncodeSettings {
        let ending = Files.name(of: output).split(separator: ".").dropFirst().last.map(String.init) ?? ""
        guard let byName = Rendering.codec(forExtension: ending) else {
            throw ValidationError(
                "-o \(output): expected a name that ends in .mp4 or .mkv, or for a photo in .jpg or .png.")
        }
        var members: [(key: String, value: JSONValue)] = [("codec", .string(codec ?? byName.rawValue))]
        if let crf { members.append(("crf", .integer(crf))) }
        if let preset { members.append(("preset", .string(preset))) }
        let node = JSONNode(.object(members.map { JSONMember(key: $0.key, value: JSONNode($0.value)) }))
        do {
            return try Rendering.settings(node, forExtension: ending)
        } catch {
            throw ValidationError("\(error).")
        }
    }
}
