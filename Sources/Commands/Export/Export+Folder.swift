import Annotate
import ArgumentParser

/// One file or folder of all track files of a folder.
extension Export {
    /// The table that `-o` names; nil where each track file has an export of its own.
    var table: String? {
        guard !words.dataset, let output, Files.isDirectory(tracks), !Files.isDirectory(output),
            ResultsTable.suffixes.contains("." + format), output.hasSuffix("." + format)
        else { return nil }
        return output
    }

    /// Writes one table of all track files.
    func writeTable(_ path: String) throws {
        try attempt { cancellation in
            let suffix = ".tracks.jsonl"
            let found = try wholeTrackFiles().map { (id: String(Files.name(of: $0).dropLast(suffix.count)), path: $0) }
            let filter = ExportFilter(stages: stage, kinds: kind, minimumConfidence: minimumConfidence)
            guard var table = ResultsTable(format: format, filter: filter, kinds: kinds, generator: generator) else {
                return
            }
            (table.keepsFormulas, table.writesEmpty) = (keepFormulas, empty)
            try Files.makeDirectory(Files.parent(of: path))
            for note in try table.write(found, of: tracks, to: path, cancellation: cancellation) {
                Console.error("annotate-batch: \(note)")
            }
            Console.out(path)
        }
    }

    static func sentence(leftOut id: String) -> String {
        "“\(id.inOneLine)” is left out: the report says that its job isn't whole"
    }

    /// Writes a data set.
    func writeDataSet() throws {
        guard DataSetFormat(rawValue: format) != nil else {
            let guess = nearest(to: format, among: DataSetFormat.names).map { " Did you mean “\($0)”?" } ?? ""
            throw ValidationError(
                "There are no data sets of the format “\(format)”.\(guess) There are "
                    + "\(DataSetFormat.names.joined(separator: ", ")).")
        }
        guard let output, output != "-" else {
            throw ValidationError("--dataset writes a folder; name it with -o.")
        }
        guard Files.isDirectory(tracks) else {
            let what = Files.exists(tracks) ? "is no folder" : "isn't there"
            throw ValidationError("--dataset takes the output folder of a run, and \(tracks) \(what).")
        }
        guard !Files.isInside(tracks, output) else {
            throw ValidationError("-o \(output) holds the results; name a folder of the data set's own.")
        }
        var options = try words.options()
        (options.format, options.directory) = (format, output)
        (options.stages, options.kinds, options.minimumConfidence) = (stage, kind, minimumConfidence)
        options.frames = frames.flatMap(DataSetOptions.Frames.init)
        if let fault = options.fault { throw ValidationError("--\(fault.key): \(fault.sentence).") }
        try attempt { cancellation in
            _ = try trackFiles()
            guard var (set, leftOut) = try DataSet.of(tracks, options, kinds: kinds, generator: generator) else {
                return
            }
            set.keepsFormulas = keepFormulas
            for id in leftOut {
                Console.error("annotate-batch: \(Self.sentence(leftOut: id))")
            }
            leftOut = []
            try Files.makeDirectory(Files.parent(of: output))
            let summary = try set.write(to: output, cancellation: cancellation)
            for sentence in summary.sentences { Console.error("annotate-batch: \(sentence)") }
            Console.out(output)
        }
    }

    /// Paths of the folder's track files, without those of jobs that aren't whole, of which it tells.
    func wholeTrackFiles() throws -> [String] {
        let (files, leftOut) = TrackFiles.whole(try trackFiles(), in: tracks)
        for id in leftOut { Console.error("annotate-batch: \(Self.sentence(leftOut: id))") }
        guard !files.isEmpty else {
            Console.error("annotate-batch: nothing is left of \(tracks): none of its jobs is whole; run them again")
            throw ExitCode.failure
        }
        return files
    }

    /// Paths of the folder's track files.
    func trackFiles() throws -> [String] {
        let found: [String]
        do {
            found = try TrackFiles.list(in: tracks)
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
        for link in TrackFiles.links(in: tracks) {
            Console.error("annotate-batch: \(tracks)/\(link.inOneLine) is a link, and left out; name what it leads to")
        }
        guard !found.isEmpty else {
            Console.error("annotate-batch: no *.tracks.jsonl in \(tracks); expected the output folder of a run")
            throw ExitCode.failure
        }
        return found
    }
}
