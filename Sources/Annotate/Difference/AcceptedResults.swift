/// A folder of accepted results, and what a job's may differ in from them.
struct AcceptedResults: Sendable {
    /// The folder as the manifest has it.
    var written: String
    /// Its path, which can be opened.
    var folder: String
    var tolerances = Tolerances(pixels: 0)
    /// The file that the tolerances come from: a path that can be opened; nil where they stand in the manifest.
    var tolerancesFile: String?

    /// The accepted track file of a job.
    func trackFile(of id: String) -> String { "\(folder)/\(id)\(TracksSink.format.suffix)" }

    /// Files that the judgement of a job depends on.
    func files(of id: String) -> [String] { [trackFile(of: id)] + [tolerancesFile].compactMap(\.self) }

    /// Holds a job's results against the accepted ones.
    /// - Parameters:
    ///   - results: Path of the job's track file.
    ///   - directory: The folder that it is to be in, to be named to people.
    /// - Throws: `TrackFileError` and `FileError` where the results themselves can't be read.
    func judgement(
        of id: String, results: String, in directory: String, title: String, kinds: FindingCatalog
    ) throws -> Judgement {
        var judgement = Judgement()
        (judgement.title, judgement.against) = (title, written)
        let (accepted, name) = (trackFile(of: id), Files.name(of: trackFile(of: id)))
        guard Files.exists(accepted) else {
            judgement.complain(
                Evidence(
                    "nothing was accepted yet that it could be held against: \(written) has no \(name); where the results "
                        + "are right, annotate-batch accept \(directory) --to \(folder) takes them"))
            return judgement
        }
        let comparison: TrackFileComparison
        do {
            comparison = try TrackFileComparison(accepted, results, tolerances, kinds: kinds)
        } catch {
            // Which of the two it is doesn't follow from the error.
            guard let reason = Self.complaint(accepted, kinds: kinds) else { throw error }
            judgement.complain(
                Evidence(
                    "what was accepted can't be read, \(reason); expected a whole track file, as annotate-batch accept "
                        + "takes it"))
            return judgement
        }
        guard comparison.verdict == .differs else { return judgement }
        let worst = comparison.worst.all.first
        (judgement.frame, judgement.time) = (worst?.moment.frame, worst?.moment.seconds)
        judgement.complain(
            Evidence(
                "expected what was accepted in \(written), and it differs: \(comparison.sentence)",
                at: worst.map { Spot(moment: $0.moment, track: $0.new) }))
        return judgement
    }

    /// Why a track file can't be read as a whole; nil where it can.
    private static func complaint(_ path: String, kinds: FindingCatalog) -> String? {
        do {
            let reader = try TrackFileReader(path: path, kinds: kinds)
            while try reader.next() != nil {}
            return nil
        } catch {
            return "\(error)"
        }
    }
}
