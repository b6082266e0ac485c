/// Pictures of the worst frames of a comparison: the old results beside the new ones, on the source's own frames.
struct WorstPictures {
    /// The pairs of pictures, as HTML.
    private(set) var html: (pictures: [String], notes: [String]) = ([], [])

    /// The most pairs of pictures of a page.
    static let most = 12

    /// - Parameter kinds: With which track files are read.
    init(_ comparison: Comparison, kinds: FindingCatalog, cancellation: Cancellation?) {
        let files = Dictionary(grouping: comparison.worst.prefix(Self.most), by: \.file)
        var pictures: [Int: String] = [:]
        for (name, frames) in files.sorted(by: { $0.key < $1.key }) {
            guard let file = comparison.files.first(where: { $0.name == name })?.compared else { continue }
            do {
                let source = try Self.source(file, comparison, kinds)
                let finder = try FramePictures(video: source, cancellation: cancellation)
                let numbers = Set(frames.map(\.frame.moment.frame))
                let old = try Self.outlines(file.old, numbers, isOld: true, kinds)
                let new = try Self.outlines(file.new, numbers, isOld: false, kinds)
                for (_, worst) in frames {
                    let frame = worst.moment.frame
                    let (before, after) = (
                        (old[frame] ?? []).filter { $0.stage == worst.stage },
                        (new[frame] ?? []).filter { $0.stage == worst.stage }
                    )
                    let meant =
                        before.filter { worst.old == nil || $0.track == worst.old }
                        + after.filter { worst.new == nil || $0.track == worst.new }
                    let points = (meant.isEmpty ? before + after : meant).flatMap(\.outline.corners)
                    let place = Box(around: points) ?? Box(x: 0, y: 0, width: 1e5, height: 1e5)
                    let sides = try [("old", before), ("new", after)].map { caption, things in
                        (caption: caption, html: try finder.html(frame, around: place, things.map(\.outline)))
                    }
                    let index = comparison.worst.firstIndex { $0.file == name && $0.frame.moment.frame == frame } ?? 0
                    pictures[index] = ReportPage.pair(
                        sides,
                        "\(name), frame \(frame), stage \(worst.stage): \(worst.thing.map { "\($0) " } ?? "")\(worst.what)"
                    )
                }
            } catch {
                html.notes.append("no pictures of \(name): \(error)")
            }
        }
        html.pictures = pictures.sorted { $0.key < $1.key }.map(\.value)
    }

    private typealias Thing = (stage: String, track: Int?, outline: FramePictures.Outline)

    /// The video that the new results are of, else the old ones.
    private static func source(
        _ file: TrackFileComparison, _ comparison: Comparison, _ kinds: FindingCatalog
    ) throws -> String {
        func report(_ side: String, _ path: String) -> String { comparison.isOfFolders ? side : Files.parent(of: path) }
        do {
            return try TrackFileSource.find(
                for: file.new, report: report(comparison.new, file.new), kinds: kinds, advice: TrackFileSource.ofMany)
        } catch {
            // What was accepted may know it as well; where it doesn't, the first reason is the one that is told.
            guard
                let source = try? TrackFileSource.find(
                    for: file.old, report: report(comparison.old, file.old), kinds: kinds)
            else { throw error }
            return source
        }
    }

    private static func outlines(
        _ path: String, _ frames: Set<Int>, isOld: Bool, _ kinds: FindingCatalog
    ) throws -> [Int: [Thing]] {
        let reader = try TrackFileReader(path: path, kinds: kinds)
        var found: [Int: [Thing]] = [:]
        while found.count < frames.count, let frame = try reader.next() {
            guard frames.contains(frame.frame) else { continue }
            found[frame.frame] = frame.observations.filter(\.isInSight).compactMap { one in
                guard let corners = one.polygon ?? one.box?.corners else { return nil }
                return (one.stage, one.track?.number, .init(corners, isOld: isOld))
            }
        }
        return found
    }
}
