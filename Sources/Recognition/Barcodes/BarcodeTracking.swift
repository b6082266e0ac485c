/// Gives the codes of successive frames their tracks: a code is the same thing as the nearest one that said the same.
///
/// A code that isn't found in a frame is looked for where its motion leads it. Rows of bars are now and then read where
/// there are none, or wrongly, so such a code gets its track when it was read twice; and nothing else is where one is that
/// has been read before.
struct BarcodeTracking {
    /// A track's code in one frame.
    struct Code {
        var track: Int
        var state: TrackState
        /// The code; where it is `predicted`, its polygon is where it is supposed to be.
        var code: FoundBarcode
    }

    /// Ways that a code is taken to go from frame to frame, in lengths of its diagonal: where its equal may be as well,
    /// and at all.
    private static let (near, far) = (0.7, 4.0)

    private var book: TrackBook<FoundBarcode>
    /// How often a code of bars must be read.
    private let confirmation: Int

    /// - Parameter countsAtOnce: What was read counts at once: in a photo, and where it is to be hidden.
    init(_ options: BarcodesBlueprint.Options = .init(), countsAtOnce: Bool = false) {
        confirmation = countsAtOnce ? 1 : options.confirmation
        book = TrackBook(TrackPolicy(memory: options.timeout, confirmation: confirmation))
    }

    /// - Parameter look: reads what is like a code where it is supposed to be.
    /// - Returns: by track.
    mutating func update(
        _ found: [FoundBarcode], at seconds: Double, look: (FoundBarcode) -> [FoundBarcode]
    ) -> [Code] {
        book.advance(to: seconds)
        var left = found
        // Equal codes keep their places first; what a close look doesn't find where it should be may have gone farther.
        see(&left, within: Self.near, look: look)
        for index in book.tracks.indices where !book.tracks[index].isSeen {
            if let code = closer(to: index, look: look) { see(code, as: index) }
        }
        left.removeAll(where: hasTrack)
        see(&left, within: Self.far, look: look)
        let known = book.tracks.filter { $0.isSeen && $0.number != nil }.map(\.thing)
        for code in left where !known.contains(where: { BarcodeEvidence.areOne($0.polygon, code.polygon) }) {
            let index = book.see(code)
            let isMatrix = code.symbology.bit & BarcodeSymbology.rowsOfBars == 0
            if isMatrix || code.isSure && confirmation <= 2 { book.confirm(index) }
        }
        book.settle()
        return book.tracks.indices.compactMap { index in
            let track = book.tracks[index]
            return track.number.map { Code(track: $0, state: track.state, code: book.expected(index)) }
        }.sorted { $0.track < $1.track }
    }

    /// Whether no motion makes this outline of the other from one frame to the next.
    private static func isAskew(_ code: FoundBarcode, _ expected: FoundBarcode) -> Bool {
        let way = code.center - expected.center
        let most = zip(code.polygon, expected.polygon).map { ($0 - way).distance(to: $1) }.max() ?? 0
        return most > 0.05 * expected.polygon[0].distance(to: expected.polygon[2])
    }

    /// Gives the tracks that this frame hasn't shown yet the codes that say the same, the nearest first.
    /// - Parameter reach: From where a code is supposed to be, in lengths of its diagonal. What was lost may be anywhere then.
    private mutating func see(
        _ left: inout [FoundBarcode], within reach: Double, look: (FoundBarcode) -> [FoundBarcode]
    ) {
        let trackOf = book.pair(left) { track, expected, code in
            let distance = code.center.distance(to: expected.center)
            let isNear = distance <= reach * expected.polygon[0].distance(to: expected.polygon[2])
            return code.saysTheSame(as: expected) && (isNear || reach == Self.far && !track.isPlaced) ? distance : nil
        }
        for (code, index) in zip(left, trackOf) {
            guard let index else { continue }
            // Lines across the picture say what, but not where stacked rows of bars are: a close look does.
            let isFine = !code.symbology.correctsErrors || !Self.isAskew(code, book.expected(index))
            see(isFine ? code : closer(to: index, look: look) ?? code, as: index)
        }
        left = zip(left, trackOf).filter { $1 == nil }.map(\.0)
    }

    /// What stood beside a code stands there still, where it isn't read.
    private mutating func see(_ code: FoundBarcode, as index: Int) {
        var code = code
        code.supplement = code.supplement ?? book[index].supplement
        book.see(code, as: index)
    }

    /// A track's code where it is supposed to be, looked at closely; not its equal that has a track of its own there.
    private func closer(to index: Int, look: (FoundBarcode) -> [FoundBarcode]) -> FoundBarcode? {
        let expected = book.expected(index)
        return look(expected).first { $0.saysTheSame(as: expected) && !hasTrack($0) }
    }

    /// Whether this frame has shown the code as a track's.
    private func hasTrack(_ code: FoundBarcode) -> Bool {
        book.tracks.contains { $0.isSeen && $0.thing.saysTheSame(as: code) && $0.thing.overlaps(code) }
    }
}
