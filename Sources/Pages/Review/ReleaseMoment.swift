import Annotate

/// A moment that whoever releases a clip has to see: the first and the last sight of what is covered, where it is lost, the
/// widest gap; and of a clip in which nothing was found, pictures all along.
struct ReleaseMoment {
    enum What: String {
        case found, late, lost, unsure, nothing, first, last, gap, hand, strip
    }

    var what: What
    var text: String
    /// The frame, by its index.
    var index: Int
    /// What is looked at; nil for the whole picture.
    var place: Box?
}

extension ReleaseMoment {
    /// The most moments of one job; what is doubtful comes first.
    static let most = 200
    /// Pictures of a clip in which nothing was found.
    private static let strip = 12

    /// The moments of a job, in the order in which they are to be looked at.
    static func all(of digest: TrackFileDigest) -> [ReleaseMoment] {
        guard digest.count > 0 else { return [] }
        func index(_ frame: Int) -> Int { min(max(frame &- digest.first, 0), digest.count - 1) }
        let cover = digest.summary.cover
        var moments = ((cover?.found ?? []) + (cover?.moments ?? [])).map { doubt in
            ReleaseMoment(
                what: What(rawValue: doubt.reason.rawValue) ?? .lost, text: doubt.sentence, index: index(doubt.frame),
                place: doubt.box)
        }
        for (number, hand) in digest.header.cover.enumerated() {
            let begin = (0..<digest.count).first { digest.time($0) >= hand.start ?? -.infinity } ?? 0
            let what = hand.follows ? hand.followed : "a place"
            moments.append(
                ReleaseMoment(
                    what: .hand,
                    text:
                        "cover \(number), by hand, \(hand.isException ? "leaves \(what) visible" : "hides \(what)") from here on",
                    index: begin))
        }
        let covering = Set(digest.header.stages.filter { $0.cover != nil }.map(\.id))
        let tracks = digest.summary.tracks.filter { covering.contains($0.stage) }
        moments += sights(of: tracks).map { sight in
            ReleaseMoment(what: sight.what, text: sight.text, index: index(sight.frame))
        }
        let isAnything =
            !tracks.isEmpty
            || digest.summary.stages?.contains { covering.contains($0.stage) && $0.observations > 0 } ?? false
        if !isAnything {
            let count = min(strip, digest.count)
            moments += (0..<count).map { part in
                let index = (2 * part + 1) * digest.count / (2 * count)
                return ReleaseMoment(
                    what: .strip, text: "frame \(digest.first &+ index): nothing was found", index: index)
            }
        }
        return Array(moments.prefix(most))
    }

    /// A look at some tracks in one frame.
    private struct Sight {
        var what: What
        var frame: Int
        /// “the first sight”.
        var words: String
        var names: [String]

        var text: String {
            let shown = names.prefix(Self.most).joined(separator: ", ")
            return "\(words) of \(shown)\(names.count > Self.most ? " and \(names.count - Self.most) more" : "")"
        }

        /// Names in one line.
        private static let most = 6
    }

    /// The first and the last sight of each track, and what lies amid its widest gap; where several come or go in one frame, its
    /// picture is looked at once.
    private static func sights(of tracks: [TrackSummary]) -> [Sight] {
        var sights: [Sight] = []
        var places: [String: Int] = [:]
        func add(_ what: What, _ frame: Int, _ words: String, _ name: String) {
            let key = "\(frame) \(words)"
            if let place = places[key] {
                sights[place].names.append(name)
            } else {
                places[key] = sights.count
                sights.append(Sight(what: what, frame: frame, words: words, names: [name]))
            }
        }
        for track in tracks {
            let name = "\((track.label ?? track.kind).inOneLine) (track \(track.track))"
            guard track.first != track.last else {
                add(.first, track.first, "the only sight", name)
                continue
            }
            add(.first, track.first, "the first sight", name)
            let spans = (track.spans ?? []).filter { $0.count == 2 }
            let gaps = zip(spans, spans.dropFirst()).map { (from: $0[1], to: $1[0]) }
            if let widest = gaps.max(by: { $0.to &- $0.from < $1.to &- $1.from }) {
                let frames = widest.to &- widest.from &- 1
                add(.gap, widest.from &+ (widest.to &- widest.from) / 2, "amid the widest gap (\(frames) frames)", name)
            }
            add(.last, track.last, "the last sight", name)
        }
        return sights
    }
}
