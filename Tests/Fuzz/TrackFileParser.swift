@testable internal import Annotate
@testable internal import Pages
@testable internal import Results
@testable internal import Stages

/// All that reads a track file.
struct TrackFileParser {
    private let path: String
    private let kinds = StageCatalog.standard.findings

    init(_ path: String) { self.path = path }

    func check() {
        // What is wrong with it is told, whatever it is.
        _ = Verifier.verify(trackFile: path, video: nil, kinds: kinds)
        _ = try? TrackFileComparison(path, path, tolerance: 0.5, kinds: kinds)
        judge()
        checkForms()
        review()
    }

    /// A track file that is read and written is whole, and the next time nothing in it changes.
    private func checkForms() {
        guard let tracks = TrackFileExport(format: TracksSink.format.name, kinds: kinds) else {
            fatalError("no such format")
        }
        let (once, again) = (path + ".once", path + ".again")
        do {
            try tracks.run(path, to: once)
        } catch {
            // The lines behind one that doesn't fit are read too.
            guard let reader = try? TrackFileReader(path: path, kinds: kinds) else { return }
            for _ in 0..<100 where (try? reader.next()) == .some(nil) { return }
            return
        }
        do {
            try tracks.run(once, to: again)
            for format in SinkCatalog.standard.formats {
                // A form may refuse what it can't say, a frame rate that no player has.
                _ = try? TrackFileExport(format: format.name, kinds: kinds)?.run(once, to: path + format.suffix)
            }
            guard try Files.read(once) == Files.read(again) else { fatalError("not the same when written again") }
        } catch {
            fatalError("what was written can't be read: \(error)")
        }
    }

    /// What a manifest may expect of it.
    private func judge() {
        guard let reader = try? TrackFileReader(path: path, kinds: kinds) else { return }
        var judges = reader.header.stages.prefix(8).map { stage in
            var expectation = Expectation()
            expectation.stage = stage.id
            let range = Expectation.Range(min: 1, max: 2)
            (expectation.frames, expectation.lost, expectation.longestGap) = (range, range, range)
            (expectation.jitter, expectation.jump, expectation.reprojectionError) = (range, range, range)
            (expectation.positionJitter, expectation.rotationJump) = (range, range)
            return ExpectationJudge(expectation)
        }
        for _ in 0..<100 {
            guard let frame = try? reader.next() else { break }
            for index in judges.indices { judges[index].add(frame) }
        }
        _ = judges.map(\.judgement)
    }

    private func review() {
        let job = ReviewJob(id: "j", outcome: nil, tracks: path, annotated: nil, source: nil)
        _ = try? job.write(
            to: path + ".review.js", element: "job-0", page: Files.parent(of: path), kinds: kinds, doubtfulBelow: 0.5,
            embeds: false, cancellation: Cancellation())
    }
}
