public import Annotate
public import ArgumentParser

extension DataSetOptions.Others: ExpressibleByArgument {}
extension DataSetOptions.Crops: ExpressibleByArgument {}

/// Words of `export` for data sets.
struct DataSetWords: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "One data set of all track files of a folder, with pictures: \(DataSetFormat.names.joined(separator: ", ")). -o is "
                + "its folder."))
    var dataset = false

    @Option(
        help: ArgumentHelp(
            "The classes, one per line, in the order of their numbers; without it those found, sorted by name.",
            valueName: "file"), completion: .file())
    var classes: String?

    @Option(help: ArgumentHelp("What happens to things of other classes: refuse, or drop.", valueName: "word"))
    var others: DataSetOptions.Others?

    @Option(
        help: ArgumentHelp(
            "Shares of the clips for train, val and test, for example 0.8/0.1/0.1. Without it all are for train, for yolo 0.8/0.2.",
            valueName: "shares"))
    var split: String?

    @Option(help: ArgumentHelp("Seed of the split: another number gives another split.", valueName: "n"))
    var seed: Int?

    @Option(help: ArgumentHelp("Take the frames 0, N, 2 N and so on.", valueName: "n"))
    var every: Int?

    @Option(help: ArgumentHelp("Take so many pictures a second at the most.", valueName: "r"))
    var rate: Double?

    @Option(
        help: ArgumentHelp(
            "Leave out pictures that differ by less than this from the last one that was taken, per cent of brightness.",
            valueName: "p"))
    var unlike: Double?

    @Option(
        help: ArgumentHelp(
            "Take the frames a to b of each clip, counted from 0; may be repeated.", valueName: "a..b"))
    var spans: [String] = []

    @Flag(help: "Keep pictures of which it isn't known that everything in them is annotated.")
    var negatives = false

    @Option(help: ArgumentHelp("Cut things out: best of each track, or all.", valueName: "which"))
    var crops: DataSetOptions.Crops?

    @Option(
        help: ArgumentHelp(
            "Everything of its sort in a picture is among this stage's results; may be repeated. Stages that search whole "
                + "pictures are taken for such.", valueName: "id"))
    var complete: [String] = []

    @Option(
        help: ArgumentHelp(
            "What reviewers said, exported from the page of “review”: pictures marked as right are kept as they are, those marked as "
                + "wrong or unsure left out, and nothing is missing in jobs that are reviewed.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var remarks: String?

    /// The first word that was given; nil for none.
    private var given: String? {
        let words: [(String, Bool)] = [
            ("--classes", classes != nil), ("--others", others != nil), ("--split", split != nil),
            ("--seed", seed != nil), ("--every", every != nil), ("--rate", rate != nil), ("--unlike", unlike != nil),
            ("--spans", !spans.isEmpty), ("--negatives", negatives), ("--crops", crops != nil),
            ("--complete", !complete.isEmpty),
            ("--remarks", remarks != nil),
        ]
        return words.first(where: \.1)?.0
    }

    func validate() throws {
        guard dataset else {
            if let given { throw ValidationError("\(given) is for data sets; it goes with --dataset.") }
            return
        }
        if let every, every < 1 { throw ValidationError("--every takes 1 or more, not \(every).") }
        if let rate, !(rate > 0 && rate <= 1000) {
            throw ValidationError("--rate takes more than 0 and 1000 at the most, not \(rate).")
        }
        if let unlike, !(0...100).contains(unlike) { throw ValidationError("--unlike takes 0 to 100, not \(unlike).") }
        _ = try shares()
        _ = try frames()
    }

    private func shares() throws -> [Double] {
        guard let split else { return [] }
        let parts = split.split(separator: "/", omittingEmptySubsequences: false)
        let shares = parts.compactMap { Double($0) }.filter { $0.isFinite && $0 >= 0 }
        guard shares.count == parts.count, (1...3).contains(shares.count), shares.reduce(0, +) > 0 else {
            throw ValidationError(
                "--split takes one to three shares, of train, val and test, 0.8/0.1/0.1 say, not “\(split)”.")
        }
        return shares
    }

    private func frames() throws -> [[Int]] {
        try spans.map { span in
            let ends = span.split(separator: ".", omittingEmptySubsequences: false)
            guard ends.count == 3, ends[1].isEmpty, let first = Int(ends[0]), first >= 0,
                let last = ends[2].isEmpty ? Int.max : Int(ends[2]), last >= first
            else {
                throw ValidationError("--spans takes a first and a last frame, 100..199 say, not “\(span)”.")
            }
            return [first, last]
        }
    }

    /// The options, as far as these words say them.
    func options() throws -> DataSetOptions {
        var options = DataSetOptions()
        (options.classes, options.remarks) = (classes, remarks)
        options.others = others ?? options.others
        options.split = try shares()
        options.seed = seed ?? 0
        options.every = every ?? 1
        (options.rate, options.unlike, options.crops) = (rate, unlike, crops)
        options.spans = try frames()
        options.negatives = negatives
        options.complete = complete
        return options
    }
}
