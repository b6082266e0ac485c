import Annotate
import ArgumentParser
import Pages

struct Pick: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Makes a page on which regions, points, lines, zones and covers of a clip are drawn, on exact frames.",
        discussion: """
            Open it in a browser: it needs no network and no server. What is drawn is saved as a file that a manifest names: \
            "regions": "desk.regions.json", and "points" and "cover" likewise. The page finds the clip by its place relative to the page. \
            Where browsers don't play the clip (HEVC, ProRes, transport streams, more than 8 bits), and with --embed, pictures \
            of some of its frames go into the page instead.
            """)

    @Argument(help: "A video or photo.", completion: .file())
    var clip: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The page to write; - for standard output.", valueName: "page.html"),
        completion: .file(extensions: ["html"]))
    var output = "pick.html"

    @Option(
        help: ArgumentHelp("A file with regions, points and covers, to go on with.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var regions: String?

    @Option(
        help: ArgumentHelp(
            "A track file of the clip (*.tracks.jsonl): the page shows where it has the regions, to correct them, and what else is found, to hide it or leave it visible.",
            valueName: "file"), completion: .file())
    var tracks: String?

    @Flag(help: "Put pictures of some frames into the page instead of naming the clip: it can then be sent elsewhere.")
    var embed = false

    @Option(
        help: ArgumentHelp(
            "The frames whose pictures go into the page, as 0,50,100-120; instead of \(PickPage.spread) spread over the clip.",
            valueName: "list"))
    var frames: String?

    @Option(help: ArgumentHelp("The frame that the page shows first. Default: 0.", valueName: "n"))
    var frame: Int?

    @Option(
        help: ArgumentHelp(
            "Instead: the frame that is shown at this time of the source's own, seconds.", valueName: "s"))
    var time: Double?

    func validate() throws {
        if output.isEmpty { throw ValidationError("-o takes a path, not an empty text.") }
        if frame != nil, time != nil { throw ValidationError("--frame and --time together; expected one of them.") }
        if let frame, frame < 0 { throw ValidationError("--frame takes a number from 0, not \(frame).") }
        if let time, !time.isFinite || time < 0 { throw ValidationError("--time takes seconds from 0, not \(time).") }
        for (name, file) in [("clip", clip), ("file with regions", regions), ("track file", tracks)] {
            guard let file, Files.areTheSame(file, output) else { continue }
            throw ValidationError("The page would take the place of the \(name), \(file); name another file with -o.")
        }
        if output != "-" { try OutputGuard.check("-o", output, .page, reading: reading) }
        _ = try frames.map(Self.numbers)
    }

    /// Numbers and ranges of numbers, parted by commas.
    private static func numbers(_ text: String) throws -> [Int] {
        try text.split(separator: ",", omittingEmptySubsequences: false).flatMap { part in
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], 0...last ~= first,
                last - first < PickPage.mostPictures
            else {
                throw ValidationError(
                    "--frames takes numbers of frames and ranges of up to \(PickPage.mostPictures), as 0,50,100-120; not “\(text)”."
                )
            }
            return Array(first...last)
        }
    }

    private var reading: FileAccess {
        var access = FileAccess()
        access.read(media: clip)
        for file in [regions, tracks] { access.read(file) }
        return access
    }

    var access: CommandAccess {
        var access = reading
        if output != "-" { access.write(output) }
        return .files(access)
    }

    func run() throws {
        try attempt { cancellation in
            var page = try PickPage(
                clip: clip, generator: generator, stages: catalog, cancellation: cancellation)
            if let regions { try page.addRegions(of: regions) }
            if let tracks { try page.addTracks(of: tracks, kinds: kinds) }
            if let frame { try page.open(at: frame) }
            if let time { try page.open(at: time) }
            let count = try page.choose(try frames.map { .frames(try Self.numbers($0)) } ?? (embed ? .some : .ifNeeded))
            if output == "-" {
                try page.write(in: ".") { Console.out($0) }
            } else {
                try Files.makeDirectory(Files.parent(of: output))
                try page.write(to: output)
                Console.out(output)
            }
            tell(page, pictures: count)
        }
    }

    private func tell(_ page: PickPage, pictures: Int) {
        let all = page.clip.times.count
        if pictures > 0, all > 1 {
            let why = page.lack.map { "\($0), so the page" } ?? "the page"
            let more = pictures < all ? "; --frames names others" : ""
            Console.error("annotate-batch: \(why) holds pictures of \(pictures) of the clip's \(all) frames\(more)")
        }
        if let tracks, !page.hasTracks {
            Console.error("annotate-batch: \(tracks) has no track of anything, so the page shows none")
        }
    }
}
