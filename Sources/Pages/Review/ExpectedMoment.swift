import Annotate

/// Where an expectation that doesn't hold is to be looked at: a frame, by its number, and the track in it.
struct ExpectedMoment: Hashable {
    var frame: Int
    var track: Int?

    /// Those that the page has cards of, each once, in the order of their frames.
    static func all(of judgements: [Judgement]) -> [ExpectedMoment] {
        var all: Set<ExpectedMoment> = []
        for judgement in judgements where !judgement.holds {
            let own = judgement.evidence.compactMap { evidence in
                evidence.frame.map { ExpectedMoment(frame: $0, track: evidence.track) }
            }
            all.formUnion(own)
            // Where no figure has a moment of its own there may be one to look at all the same.
            if own.isEmpty, let frame = judgement.frame {
                all.insert(ExpectedMoment(frame: frame, track: judgement.evidence.first?.track))
            }
        }
        return all.sorted { ($0.frame, $0.track ?? 0) < ($1.frame, $1.track ?? 0) }
    }
}

/// Where the tracks of some moments are, noted while frames go by.
struct ExpectedPlaces {
    private let wanted: [Int: [ExpectedMoment]]
    private let tracks: Set<Int>
    /// Where each of the tracks was seen last.
    private var last: [Int: Box] = [:]
    private var found: [ExpectedMoment: Box] = [:]

    init(of moments: [ExpectedMoment]) {
        wanted = Dictionary(grouping: moments, by: \.frame)
        tracks = Set(moments.compactMap(\.track))
    }

    /// Takes the next frame.
    mutating func add(_ frame: FrameRecord) {
        guard !tracks.isEmpty else { return }
        for observation in frame.observations {
            guard let track = observation.track?.number, tracks.contains(track), let box = observation.bounds
            else { continue }
            last[track] = box
        }
        for moment in wanted[frame.frame] ?? [] { found[moment] = moment.track.flatMap { last[$0] } }
    }

    /// Around the track, or where it was seen last; nil where nobody knows, or where it is about none.
    subscript(moment: ExpectedMoment) -> Box? { found[moment] }
}
