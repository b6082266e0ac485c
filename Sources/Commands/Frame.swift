import Annotate
import ArgumentParser

struct Frame: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes one exact frame of a video as a picture, upright, with a grid of coordinates if wanted.",
        discussion: """
            Frames are counted from 0 in the order in which they are shown, as in manifests and track files. Of a time it is \
            the frame that a player shows then; the number that is told goes into a manifest as “frame”. The coordinates of \
            --grid are a manifest's: the line of 100 covers the pixels whose x (or y) is 100.
            """)

    @Argument(help: "A video or photo.", completion: .file())
    var clip: String

    @Option(help: ArgumentHelp("The frame of this number. Default: 0.", valueName: "n"))
    var frame: Int?

    @Option(help: ArgumentHelp("The frame that is shown at this time of the source's own, seconds.", valueName: "s"))
    var time: Double?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The picture to write, .png or .jpg; - for a PNG on standard output.", valueName: "picture"),
        completion: .file(extensions: ["png", "jpg"]))
    var output: String

    @Flag(help: "Draw lines with their coordinates over it.")
    var grid = false

    func validate() throws {
        if frame != nil, time != nil { throw ValidationError("--frame and --time together; expected one of them.") }
        if let frame, frame < 0 { throw ValidationError("--frame takes a number from 0, not \(frame).") }
        if let time, !time.isFinite || time < 0 {
            throw ValidationError("--time takes seconds from 0, not \(time).")
        }
        _ = try format
        guard !Files.areTheSame(clip, output) else {
            throw ValidationError("-o \(output) would overwrite the clip; name another file.")
        }
        if output != "-" { try OutputGuard.check("-o", output, .picture, reading: reading) }
    }

    private var reading: FileAccess {
        var access = FileAccess()
        access.read(media: clip)
        return access
    }

    private var format: PictureFormat {
        get throws {
            if output == "-" { return .png }
            let ending = Files.name(of: output).split(separator: ".").dropFirst().last?.lowercased()
            guard let format = ending.flatMap({ PictureFormat(rawValue: $0 == "jpeg" ? "jpg" : $0) }) else {
                throw ValidationError("-o \(output): expected a name that ends in .png or .jpg.")
            }
            return format
        }
    }

    var access: CommandAccess {
        var access = reading
        if output != "-" { access.write(output) }
        return .files(access)
    }

    func run() throws {
        try attempt { cancellation in
            let finder = try FrameFinder(path: clip, cancellation: cancellation)
            var picture = try time.map { try finder.frame(shownAt: $0) } ?? finder.frame(frame ?? 0)
            let time = finder.times.time(picture.ordinal).seconds
            let place = "frame \(picture.ordinal) of \(finder.times.count), at \(time.inSeconds)"
            let size = PictureSize(width: picture.width, height: picture.height)
            if grid { picture = try CoordinateGrid(for: size).drawn(on: picture) }
            let writer = PictureWriter(try format)
            if output == "-" {
                Console.out(try writer.bytes(of: picture, for: clip))
            } else {
                try Files.makeDirectory(Files.parent(of: output))
                try writer.write(picture, to: output)
                Console.out(output)
            }
            Console.error("annotate-batch: \(place), \(size.width)×\(size.height) pixels")
        }
    }
}

extension Double {
    /// The time to the microsecond, with its unit.
    var inSeconds: String {
        var json = JSONWriter()
        json.value(self, decimals: 6)
        return json.text + " s"
    }
}
