internal import Annotate

/// Gives the codes of successive frames their tracks: a code is the same thing as the nearest one that said the same.
///
/// A code that isn't found in a frame is looked for where its motion leads it. Bars without error correction are now and
/// then read where there are none, so such a code gets its track when it was read twice.
struct BarcodeTracking {
    struct Settings: Sendable {
        /// How long a code may be out of sight and keep its track, seconds.
        var timeout = 2.0
        /// How often a code without error correction must have been read.
        var confirmation = 2
    }

    /// A track's code in one frame.
    struct Code {
        var track: Int
        var state: TrackState
        /// Its polygon is where it is supposed to be where it is `predicted`.
        var code: FoundBarcode
    }

    private struct Track {
        /// nil until it is confirmed.
        var number: Int?
        var code: FoundBarcode
        /// Pixels a second.
        var velocity = Point(0, 0)
        var lastSeen: Double
        var sightings = 1
        var isLost = false

        func prediction(at seconds: Double) -> [Point] {
            let way = velocity * min(max(seconds - lastSeen, 0), BarcodeTracking.trustedMotion)
            return code.polygon.map { $0 + way }
        }
    }

    /// Seconds for which a code that isn't found is supposed to go on.
    private static let trustedMotion = 0.3

    private let settings: Settings
    private var tracks: [Track] = []
    private var count = 0

    init(settings: Settings) { self.settings = settings }

    /// - Parameter look: reads the codes at a place of the frame.
    /// - Returns: by track.
    mutating func update(
        _ found: [FoundBarcode], at seconds: Double, look: ([Point]) -> [FoundBarcode]
    ) -> [Code] {
        var left = found
        var codes: [Code] = []
        for index in tracks.indices {
            let expected = tracks[index].prediction(at: seconds)
            let code = take(tracks[index].code, near: expected, from: &left) ?? tracks[index].code.again(look(expected))
            if let code {
                codes += see(index, code, at: seconds)
            } else {
                codes += miss(index, expected, at: seconds)
            }
        }
        tracks.removeAll { $0.lastSeen < seconds - settings.timeout || ($0.number == nil && $0.isLost) }
        for code in left {
            tracks.append(Track(number: nil, code: code, lastSeen: seconds, sightings: 0))
            codes += see(tracks.count - 1, code, at: seconds)
        }
        return codes.sorted { $0.track < $1.track }
    }

    /// The nearest code that says the same.
    private func take(_ code: FoundBarcode, near place: [Point], from left: inout [FoundBarcode]) -> FoundBarcode? {
        let center = place.reduce(Point(0, 0), +) * 0.25
        let same = left.indices.filter { left[$0].saysTheSame(as: code) }
        let nearest = same.min { left[$0].center.distance(to: center) < left[$1].center.distance(to: center) }
        return nearest.map { left.remove(at: $0) }
    }

    private mutating func see(_ index: Int, _ code: FoundBarcode, at seconds: Double) -> [Code] {
        var track = tracks[index]
        let gap = seconds - track.lastSeen
        track.velocity =
            gap > 0 && gap <= Self.trustedMotion ? (code.center - track.code.center) * (1 / gap) : Point(0, 0)
        track.code = code
        track.lastSeen = seconds
        track.sightings += 1
        let state: TrackState = track.isLost && track.number != nil ? .recovered : .tracked
        track.isLost = false
        if track.number == nil, code.symbology.correctsErrors || track.sightings >= settings.confirmation {
            count += 1
            track.number = count
        }
        tracks[index] = track
        return track.number.map { [Code(track: $0, state: state, code: code)] } ?? []
    }

    private mutating func miss(_ index: Int, _ expected: [Point], at seconds: Double) -> [Code] {
        let gap = seconds - tracks[index].lastSeen
        tracks[index].isLost = gap > Self.trustedMotion
        guard let number = tracks[index].number else { return [] }
        var code = tracks[index].code
        code.polygon = expected
        let state: TrackState =
            gap > settings.timeout ? .ended : gap > Self.trustedMotion ? .lost : .predicted
        return [Code(track: number, state: state, code: code)]
    }
}

extension FoundBarcode {
    /// The one that says the same, of those at its place.
    fileprivate func again(_ others: [FoundBarcode]) -> FoundBarcode? { others.first { $0.saysTheSame(as: self) } }
}
