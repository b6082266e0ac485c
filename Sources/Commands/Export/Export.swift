import Annotate
import ArgumentParser

struct Export: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes a track file, or all of a folder, in another format.",
        discussion: """
            Without -o each export goes beside its track file, with -o - to standard output; -o all.csv or all.parquet makes one table of a folder, --dataset one data set. The same formats can be written while a manifest runs: name \
            them in its “output”, under “formats”.

            \(SinkCatalog.known.formats.map { "\($0.name): \($0.doc)" }.joined(separator: "\n"))
            """)

    @Argument(help: "A track file (*.tracks.jsonl), or a folder with such files.", completion: .file())
    var tracks: String

    @Option(
        help: ArgumentHelp(
            "\(SinkCatalog.known.formats.map(\.name).joined(separator: " or ")).", valueName: "format"),
        completion: .exportFormats)
    var format: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where to write: a file for one track file, a folder for several.", valueName: "path"),
        completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("Only the results of this stage; may be repeated.", valueName: "id"))
    var stage: [String] = []

    @Option(
        help: ArgumentHelp("Only observations of this kind; may be repeated.", valueName: "kind"),
        completion: .findingKinds)
    var kind: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only observations of this confidence or more, 0 to 1; what has none stays.", valueName: "p"))
    var minimumConfidence: Double?

    @Option(
        help: ArgumentHelp(
            "Also write the frames' pictures, \(PictureFormat.allCases.map(\.rawValue).joined(separator: " or ")), for "
                + "\(Export.withPictures).",
            valueName: "format"),
        completion: .list(PictureFormat.allCases.map(\.rawValue)))
    var frames: String?

    @Option(
        help: ArgumentHelp(
            "The video that --frames takes pictures from; without it the one that the report beside the track file names.",
            valueName: "video"),
        completion: .file())
    var input: String?

    /// The formats whose readers need pictures.
    private static var withPictures: String {
        SinkCatalog.known.formats.filter { $0.pictures != nil }.map(\.name).joined(separator: " and ")
    }
    @Option(
        help: ArgumentHelp(
            "How results are drawn, for ass: a JSON file with an object as under “draw” in a manifest, for all stages or for each by its id.",
            valueName: "file"), completion: .file())
    var draw: String?

    @Flag(
        help: ArgumentHelp(
            "Leave texts of csv that begin with =, +, - or @ as they are: for programs that take no text for a formula."
        ))
    var keepFormulas = false

    @Flag(help: "In csv and parquet, a row for each frame in which nothing was seen as well.")
    var empty = false

    @OptionGroup(title: "Data sets")
    var words: DataSetWords

    func validate() throws {
        if empty, !ResultsTable.suffixes.contains("." + format) || words.dataset {
            throw ValidationError("--empty is for tables of results; it goes with --format csv or parquet.")
        }
        if keepFormulas, format != "csv" {
            throw ValidationError("--keep-formulas doesn't go with the format “\(format)”; it goes with csv.")
        }
        if output?.isEmpty == true { throw ValidationError("-o takes a path, not an empty text.") }
        if let minimumConfidence, !(0...1).contains(minimumConfidence) {
            throw ValidationError("--minimum-confidence takes 0 to 1, not \(minimumConfidence).")
        }
        if let frames, PictureFormat(rawValue: frames) == nil, !words.dataset || frames != "none" {
            let words = PictureFormat.allCases.map(\.rawValue).joined(separator: " or ")
            throw ValidationError("--frames takes \(words), not “\(frames)”.")
        }
        if let table { try OutputGuard.check("-o", table, .export(format), reading: reading) }
        if words.dataset, input != nil {
            throw ValidationError("--input is one video; of a data set the report in the folder names them.")
        }
        if input != nil, frames == nil {
            throw ValidationError("--input names the video that --frames takes pictures from; it goes with --frames.")
        }
    }

    private var reading: FileAccess {
        var access = FileAccess()
        access.read(tracks: tracks, withSource: words.dataset || frames != nil && input == nil)
        if let input { access.read(media: input) }
        access.read(naming: draw)
        access.read(words.classes)
        access.read(words.remarks)
        return access
    }

    var access: CommandAccess {
        var access = reading
        if words.dataset || table != nil {
            access.write(output)
        } else if output == "-" {
            access.needsScratch = true
        } else if let export = TrackFileExport(format: format, filter: ExportFilter(), kinds: kinds),
            let paths = try? targets(export, of: Files.isDirectory(tracks) ? TrackFiles.list(in: tracks) : [tracks])
        {
            for (_, path) in paths {
                access.write(path)
                // They tell whether a track file there is a job's.
                if format == "tracks", Files.isRegular(path) { access.read(reportsIn: Files.parent(of: path)) }
                access.write(TrackFileExport.picturesFolder(of: path))
            }
        }
        return .files(access)
    }

    func run() throws {
        if words.dataset { return try writeDataSet() }
        if let table { return try writeTable(table) }
        let filter = ExportFilter(stages: stage, kinds: kind, minimumConfidence: minimumConfidence)
        let known = SinkCatalog.known.formats.first { $0.name == format }
        guard var export = TrackFileExport(format: format, filter: filter, kinds: kinds) else {
            if known != nil {
                let option = stage.isEmpty ? kind.isEmpty ? "--minimum-confidence" : "--kind" : "--stage"
                let whole = stage.isEmpty ? "everything" : "all stages"
                throw ValidationError("\(option) doesn't go with the format “\(format)”, which holds \(whole).")
            }
            let names = SinkCatalog.known.formats.map(\.name)
            let guess = nearest(to: format, among: names).map { " Did you mean “\($0)”?" } ?? ""
            throw ValidationError("There is no format “\(format)”.\(guess) There are \(names.joined(separator: ", ")).")
        }
        try checkPictures(known)
        try checkFolder(known)
        (export.keepsFormulas, export.writesEmpty) = (keepFormulas, empty)
        if let draw {
            guard format == "ass" else {
                throw ValidationError("--draw doesn't go with the format “\(format)”, which draws nothing.")
            }
            let drawing = try Self.drawing(draw)
            export.drawing = { try drawing.styles(for: $0, kinds: $1) }
        }
        if output == "-" { return try print(export, isFolder: known?.isFolder ?? false) }
        let cancellation = Cancellation()
        let interruption = Interruption(cancellation)
        try interruption.watch()
        var failures: [any Error] = []
        let files = try files(&export)
        // Before the first is written.
        let read = reading
        for (_, target) in files where !(known?.isFolder ?? false) {
            try OutputGuard.check("-o", target, .export(format), reading: read)
        }
        for (source, target) in files {
            do {
                guard !Files.areTheSame(source, target) else {
                    throw ValidationError("The export would take the place of \(source); name another file with -o.")
                }
                let pictures = try pictures(of: source)
                try Files.makeDirectory(Files.parent(of: target))
                let notes = try export.run(source, to: target, pictures: pictures, cancellation: cancellation)
                Console.out(target)
                tell(notes, of: source)
            } catch let error as ValidationError {
                throw error
            } catch is CancelledError {
                throw ExitCode(128 + (interruption.received ?? 2))
            } catch {
                // The other files are written all the same.
                Console.error("annotate-batch: \(error)")
                failures.append(error)
            }
        }
        if !failures.isEmpty { throw ExitCode.of(failures) }
    }

    /// Endings of files of other forms than any that is written.
    private static let otherForms: Set<String> = [
        "xlsx", "xls", "ods", "tsv", "txt", "json", "xml", "csv", "parquet", "feather", "gz", "zip", "html", "mp4",
    ]

    /// Who names a file expects one of all.
    private func checkFolder(_ known: SinkFormat?) throws {
        if let known, !known.isFolder, let output, Files.isDirectory(tracks), !Files.exists(output),
            let ending = output.split(separator: ".").last.map(String.init), Self.otherForms.contains(ending),
            !known.suffix.hasSuffix("." + ending)
        {
            throw ValidationError(
                "-o \(output) names a file of another form than “\(format)”; name a folder, for an export of each track file"
                    + (ResultsTable.suffixes.contains("." + format) ? ", or all.\(format), for one table of all." : ".")
            )
        }
        guard let known, !known.isFolder, let output, Files.isDirectory(tracks), !Files.exists(output),
            let suffix = known.suffix.split(separator: ".").last, output.hasSuffix(".\(suffix)")
        else { return }
        let guess = DataSetFormat(rawValue: format) == nil ? "" : ", or one of a data set's own with --dataset"
        throw ValidationError(
            "-o \(output) names a file, and each track file in \(tracks) has an export of its own; name a folder\(guess)."
        )
    }

    private func checkPictures(_ known: SinkFormat?) throws {
        guard frames != nil else { return }
        guard known?.pictures != nil else {
            throw ValidationError(
                "--frames doesn't go with the format “\(format)”, whose readers need no pictures; it goes with "
                    + "\(Self.withPictures).")
        }
        if input != nil, Files.isDirectory(tracks) {
            throw ValidationError("--input is one video, and \(tracks) is a folder; the report in it names the videos.")
        }
    }

    private func pictures(of source: String) throws -> TrackFileExport.Pictures? {
        guard let format = frames.flatMap(PictureFormat.init) else { return nil }
        let isFolder = Files.isDirectory(tracks)
        return TrackFileExport.Pictures(
            of: try input
                ?? TrackFileSource.find(
                    for: source, report: isFolder ? tracks : nil, kinds: kinds,
                    advice: isFolder ? TrackFileSource.ofMany : TrackFileSource.ofOne),
            as: format)
    }

    private static func drawing(_ path: String) throws -> DrawingFile {
        do {
            return try DrawingFile(path: path)
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.invalidFile
        }
    }

    private func print(_ export: TrackFileExport, isFolder: Bool) throws {
        if frames != nil { throw ValidationError("-o - doesn't go with --frames, which writes many files.") }
        if isFolder {
            throw ValidationError("-o - doesn't go with the format “\(format)”, which is a folder of files.")
        }
        if Files.isDirectory(tracks) {
            throw ValidationError("-o - takes one track file, and \(tracks) is a folder.")
        }
        do {
            tell(try export.run(tracks) { Console.out($0) }, of: tracks)
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }

    private func tell(_ notes: [String], of source: String) {
        for note in notes { Console.error("annotate-batch: \(source): \(note)") }
    }

    /// Paths of the track files, and of the export of each.
    private func files(_ export: inout TrackFileExport) throws -> [(source: String, target: String)] {
        guard Files.isDirectory(tracks) else { return targets(export, of: [tracks]) }
        var found = try wholeTrackFiles()
        do {
            let (filter, without) = try export.filter.ofFolder(tracks, found, kinds)
            if let note = filter.sentence(on: without, of: found.count) { Console.error("annotate-batch: \(note)") }
            export.filter = filter
            found.removeAll(where: without.contains)
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
        if let output, Files.exists(output), !Files.isDirectory(output) {
            throw ValidationError("-o \(output) is a file; expected a folder, for the track files of \(tracks).")
        }
        return targets(export, of: found)
    }

    private func targets(_ export: TrackFileExport, of found: [String]) -> [(source: String, target: String)] {
        guard Files.isDirectory(tracks) else {
            let name = export.name(for: tracks)
            guard let output else { return [(tracks, Files.parent(of: tracks) + "/" + name)] }
            // A folder is where the export goes, unless it has an export's own name.
            let isExport = SinkCatalog.known.formats.contains {
                $0.name == format && $0.isFolder && output.hasSuffix($0.suffix)
            }
            let isPlace = Files.isDirectory(output) && !isExport
            return [(tracks, isPlace || output.hasSuffix("/") ? output + "/" + name : output)]
        }
        return found.map { ($0, "\(output ?? Files.parent(of: $0))/\(export.name(for: $0))") }
    }
}
