package import Annotate

extension Evaluation {
    /// The most pictures of faults, and the most faults that are listed.
    private static let mostPictures = 24
    private static let mostListed = 1000

    /// The evaluation as a web page in one file: figures, then what is missed and false, with pictures where the videos are
    /// there.
    /// - Parameter complaints: What doesn't hold.
    package func html(_ complaints: [String], kinds: FindingCatalog, cancellation: Cancellation? = nil) -> String {
        var page = ReportPage(title: "\(results) against \(truth)")
        for complaint in failures + complaints { page.add(paragraph: complaint, "differs") }
        for note in notes { page.add(paragraph: note) }
        var videos = FaultVideos(
            directory: Files.isDirectory(results) ? results : Files.parent(of: results), kinds: kinds, cancellation)
        for stage in stages {
            page.add("<h2>stage \(stage.id.inHTML), \(stage.kind.inHTML)</h2>")
            let rows = Self.rows(stage)
            let figures = MetricFigures.all.filter { figure in rows.contains { figure.value($0.figures) != nil } }
            page.add(
                ReportPage.table(
                    [.init("")] + figures.map { .init($0.title, isRight: true) },
                    rows.map { row in [row.name] + figures.map { Self.text($0, of: row.figures) } }))
            guard !stage.faults.isEmpty else { continue }
            let shown = stage.faults.spread(over: \.clip, most: Self.mostPictures)
            let pictures = shown.compactMap { videos.html($0) }
            if !pictures.isEmpty { page.add("<div class=\"pictures\">\(pictures.joined(separator: "\n"))</div>") }
            for note in videos.notes { page.add(paragraph: note) }
            let columns = [
                ReportPage.Column("what"), .init("clip"), .init("class"), .init("track", isRight: true),
                .init("first", isRight: true),
                .init("last", isRight: true), .init("frames", isRight: true), .init("confidence", isRight: true),
            ]
            let listed = stage.faults.prefix(Self.mostListed)
            let more = stage.faults.count > listed.count ? ", the first \(listed.count)" : ""
            page.add(
                part: "\(stage.faults.count) runs of frames with what is missed or false\(more)", isOpen: false,
                [ReportPage.table(columns, listed.map(\.cells))])
        }
        return page.html
    }
}

extension Fault {
    fileprivate var cells: [String] {
        [
            what.rawValue, clip, label ?? "", track.map(String.init) ?? "", "\(first)", "\(last)", "\(count)",
            confidence.map { Figures.decimals($0, 3) } ?? "",
        ]
    }

    fileprivate var caption: String {
        let frames = first == last ? "frame \(first)" : "frames \(first)–\(last)"
        return [
            "\(what.rawValue): \(clip)", frames, label, track.map { "track \($0)" },
            confidence.map { Figures.decimals($0, 3) },
        ]
        .compactMap(\.self).joined(separator: ", ")
    }
}

/// The videos of clips, opened once each.
private struct FaultVideos {
    private let directory: String
    private let kinds: FindingCatalog
    private let cancellation: Cancellation?
    private var known: [String: FramePictures?] = [:]
    /// Why there are no pictures of some clips, a sentence each.
    private(set) var notes: [String] = []

    init(directory: String, kinds: FindingCatalog, _ cancellation: Cancellation?) {
        (self.directory, self.kinds, self.cancellation) = (directory, kinds, cancellation)
    }

    /// A picture of a fault; nil where the video isn't there.
    mutating func html(_ fault: Fault) -> String? {
        if known[fault.clip] == nil {
            do {
                let source = try TrackFileSource.find(
                    for: fault.results, report: directory, kinds: kinds, advice: TrackFileSource.ofMany)
                known[fault.clip] = try FramePictures(video: source, cancellation: cancellation)
            } catch {
                known[fault.clip] = .some(nil)
                notes.append("no pictures of \(fault.clip): \(error)")
            }
        }
        guard let pictures = known[fault.clip] ?? nil else { return nil }
        do {
            let html = try pictures.html(
                fault.shown, around: fault.box, [.init(fault.box, isOld: fault.what == .missed)])
            return ReportPage.pair([("frame \(fault.shown)", html)], fault.caption)
        } catch {
            notes.append("no picture of \(fault.clip), frame \(fault.shown): \(error)")
            return nil
        }
    }
}
