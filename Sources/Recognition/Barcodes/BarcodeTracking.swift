/// Gives the codes of successive frames their tracks: a code is the same thing as the nearest one that said the same.
///
/// A code that was read is followed by what it looks like; where it doesn't look the same any more, and now and then, it is read
/// again. One that isn't found in a frame is looked for where its motion leads it. Rows of bars are now and then read where
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

    private var book: TrackBook<KnownBarcode>
    /// How often a code of bars must be read.
    private let confirmation: Int

    /// - Parameter countsAtOnce: What was read counts at once: in a photo, and where it is to be hidden.
    init(_ options: BarcodesBlueprint.Options = .init(), countsAtOnce: Bool = false) {
        confirmation = countsAtOnce ? 1 : options.confirmation
        book = TrackBook(TrackPolicy(memory: options.timeout, confirmation: confirmation))
    }

    /// - Parameters:
    ///   - frame: by whose picture codes are followed; nil where each has to be read.
    ///   - prove: says which readings are believed, of those that have to be proven.
    ///   - look: reads what is like a code where it is supposed to be.
    /// - Returns: by track.
    mutating func update(
        _ found: [FoundBarcode], at seconds: Double, in frame: VideoFrame? = nil,
        prove: ([FoundBarcode]) -> [FoundBarcode] = { _ in [] }, look: (FoundBarcode) -> [FoundBarcode]
    ) -> [Code] {
        book.advance(to: seconds)
        var left = found
        if let frame { follow(into: frame, &left, look: look) }
        left = left.filter { $0.support == nil } + prove(left.filter { $0.support != nil })
        // Equal codes keep their places first; what a close look doesn't find where it should be may have gone farther.
        see(&left, within: Self.near, look: look)
        for index in book.tracks.indices where !book.tracks[index].isSeen {
            if let code = closer(to: index, look: look) { see(code, as: index) }
        }
        left.removeAll(where: hasTrack)
        see(&left, within: Self.far, look: look)
        let known = book.tracks.filter { $0.isSeen && $0.number != nil }.map(\.thing)
        for code in left where !known.contains(where: { BarcodeEvidence.areOne($0.polygon, code.polygon) }) {
            let index = book.see(KnownBarcode(code))
            let isMatrix = code.symbology.bit & BarcodeSymbology.rowsOfBars == 0
            if isMatrix || code.isSure && confirmation <= 2 { book.confirm(index) }
        }
        book.settle()
        if let frame { takeLooks(in: frame) }
        return book.tracks.indices.compactMap { index in
            let track = book.tracks[index]
            return track.number.map { Code(track: $0, state: track.state, code: book.expected(index).code) }
        }.sorted { $0.track < $1.track }
    }

    /// Finds the codes that the last frame showed where they look the same.
    /// - Parameter left: what was found; loses what is theirs.
    private mutating func follow(
        into frame: VideoFrame, _ left: inout [FoundBarcode], look: (FoundBarcode) -> [FoundBarcode]
    ) {
        for index in book.tracks.indices {
            book[index].age()
            guard book.tracks[index].number != nil, [.tracked, .recovered].contains(book.tracks[index].state),
                let seen = book[index].look
            else { continue }
            guard let place = seen.place(from: book.expected(index).polygon, in: frame) else {
                book[index].loseLook()
                continue
            }
            var known = book[index]
            known.follow(to: place)
            let isItself = { [code = known.code] (other: FoundBarcode) in
                other.saysTheSame(as: code)
                    && (other.overlaps(code) || BarcodeEvidence.areOne(other.polygon, code.polygon))
            }
            if let same = left.first(where: isItself) {
                known.wasRead()
                known.code.supplement = same.supplement ?? known.code.supplement
                left.removeAll(where: isItself)
            } else if known.isReadingDue {
                if var read = look(known.code).first(where: { $0.saysTheSame(as: known.code) && !hasTrack($0) }) {
                    read.supplement = read.supplement ?? known.code.supplement
                    known.read(read)
                } else if !known.wasNotRead() {
                    book[index].loseLook()
                    continue
                }
            }
            book.see(known, as: index)
        }
    }

    /// Takes note of what codes look like that have been read.
    private mutating func takeLooks(in frame: VideoFrame) {
        for index in book.tracks.indices
        where book.tracks[index].isSeen && book.tracks[index].number != nil && book[index].wantsLook {
            book[index].look = BarcodeLook(of: book[index].code, in: frame)
        }
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
            return code.saysTheSame(as: expected.code) && (isNear || reach == Self.far && !track.isPlaced)
                ? distance : nil
        }
        for (code, index) in zip(left, trackOf) {
            guard let index else { continue }
            // Lines across the picture say what, but not where stacked rows of bars are: a close look does.
            let isFine = !code.symbology.correctsErrors || !Self.isAskew(code, book.expected(index).code)
            see(isFine ? code : closer(to: index, look: look) ?? code, as: index)
        }
        left = zip(left, trackOf).filter { $1 == nil }.map(\.0)
    }

    /// What stood beside a code stands there still, where it isn't read.
    private mutating func see(_ code: FoundBarcode, as index: Int) {
        var (code, known) = (code, book[index])
        code.supplement = code.supplement ?? known.code.supplement
        known.read(code)
        book.see(known, as: index)
    }

    /// A track's code where it is supposed to be, looked at closely; not its equal that has a track of its own there.
    private func closer(to index: Int, look: (FoundBarcode) -> [FoundBarcode]) -> FoundBarcode? {
        let expected = book.expected(index).code
        return look(expected).first { $0.saysTheSame(as: expected) && !hasTrack($0) }
    }

    /// Whether this frame has shown the code as a track's.
    private func hasTrack(_ code: FoundBarcode) -> Bool {
        book.tracks.contains { $0.isSeen && $0.thing.code.saysTheSame(as: code) && $0.thing.code.overlaps(code) }
    }
}
