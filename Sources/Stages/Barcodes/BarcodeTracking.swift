internal import Annotate

/// Gives the codes of successive frames their tracks: a code is the same thing as the nearest one that said the same.
///
/// A code that isn't found in a frame is looked for where its motion leads it. Rows of bars are now and then read where
/// there are none, or wrongly, so such a code gets its track when it was read twice; and nothing else is where one is that
/// has been read before.
struct BarcodeTracking {
    struct Settings: Sendable {
        /// How long a code may be out of sight and keep its track, seconds.
        var timeout = 2.0
        /// How often a row of bars must have been read.
        var confirmation = 2
    }

    /// A track's code in one frame.
    struct Code {
        var track: Int
        var state: TrackState
        /// Its polygon is where it is supposed to be where it is `predicted`.
        var code: FoundBarcode
    }

    private var book: TrackBook<FoundBarcode>

    init(settings: Settings) {
        book = TrackBook(TrackPolicy(memory: settings.timeout, confirmation: settings.confirmation))
    }

    /// - Parameter look: reads the codes at a place of the frame.
    /// - Returns: by track.
    mutating func update(
        _ found: [FoundBarcode], at seconds: Double, look: ([Point]) -> [FoundBarcode]
    ) -> [Code] {
        book.advance(to: seconds)
        var left = found
        for index in book.tracks.indices {
            let expected = book.expected(index)
            var code = Self.take(expected, from: &left)
            // Lines across the picture say what, but not where stacked rows of bars are: a close look does.
            if code.map({ $0.symbology.correctsErrors && Self.isAskew($0, expected) }) ?? true {
                code = look(expected.polygon).first { $0.saysTheSame(as: expected) } ?? code
            }
            if let code {
                book.see(code, as: index)
            }
        }
        let known = book.tracks.filter { $0.isSeen && $0.number != nil }.map(\.thing)
        for code in left where !known.contains(where: { BarcodeEvidence.areOne($0.polygon, code.polygon) }) {
            let index = book.see(code)
            if code.symbology.bit & BarcodeSymbology.rowsOfBars == 0 { book.confirm(index) }
        }
        book.settle()
        return book.tracks.indices.compactMap { index in
            let track = book.tracks[index]
            return track.number.map { Code(track: $0, state: track.state, code: book.expected(index)) }
        }.sorted { $0.track < $1.track }
    }

    /// True for an outline that no motion makes of the other from one frame to the next.
    private static func isAskew(_ code: FoundBarcode, _ expected: FoundBarcode) -> Bool {
        let way = code.center - expected.center
        let most = zip(code.polygon, expected.polygon).map { ($0 - way).distance(to: $1) }.max() ?? 0
        return most > 0.05 * expected.polygon[0].distance(to: expected.polygon[2])
    }

    /// The nearest code that says the same.
    private static func take(_ code: FoundBarcode, from left: inout [FoundBarcode]) -> FoundBarcode? {
        let same = left.indices.filter { left[$0].saysTheSame(as: code) }
        let nearest = same.min { left[$0].center.distance(to: code.center) < left[$1].center.distance(to: code.center) }
        return nearest.map { left.remove(at: $0) }
    }
}
