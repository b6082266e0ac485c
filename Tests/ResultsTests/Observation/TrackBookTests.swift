import Annotate
import Testing

@Suite struct TrackBookTests {
    /// A box of 10 pixels around a place on a line.
    private func box(_ x: Double) -> Box { Box(x: x - 5, y: -5, width: 10, height: 10) }

    private func book(
        memory: Double = 1, confirmation: Int? = 1, _ change: (inout TrackPolicy) -> Void = { _ in }
    ) -> TrackBook<Box> {
        var policy = TrackPolicy(memory: memory, confirmation: confirmation)
        change(&policy)
        return TrackBook(policy)
    }

    /// Things are the nearest ones within 20 pixels of where they are expected.
    private func distance(_ track: TrackBook<Box>.Track, _ expected: Box, _ found: Box) -> Double? {
        let distance = expected.center.distance(to: found.center)
        return distance <= 20 ? distance : nil
    }

    /// One whole frame; returns the tracks that were found, in the order of the places.
    @discardableResult private func show(
        _ places: [Double], at seconds: Double, _ book: inout TrackBook<Box>,
        isPredicted: ((TrackBook<Box>.Track, Box) -> Bool)? = nil
    ) -> [Int] {
        book.advance(to: seconds)
        let found = places.map(box)
        let indices = zip(found, book.pair(found, cost: distance)).map { book.see($0, as: $1) }
        book.settle(isPredicted: isPredicted)
        return indices
    }

    // MARK: Pairs

    @Test func nothingGivesNothing() {
        var book = book()
        #expect(show([], at: 0, &book).isEmpty && book.tracks.isEmpty)
        #expect(book.pair([Box](), cost: distance).isEmpty)
        show([0], at: 1, &book)
        #expect(show([], at: 1.1, &book).isEmpty && book.tracks.count == 1)
    }

    @Test func asMuchAsPossibleIsSaved() {
        var book = book()
        show([0, 12], at: 0, &book)
        book.advance(to: 0.1)
        // The nearest first would leave 13 the track that is farther from it than from 11.
        #expect(book.pair([box(11), box(13)], cost: distance) == [0, 1])
        #expect(book.pair([box(13), box(11)], cost: distance) == [1, 0])
        // 10 could be either, and 22 the second only; taken in their order, or for the most pairs, it would be otherwise.
        #expect(book.pair([box(10), box(22)], cost: distance) == [1, nil])
        #expect(book.pair([box(22), box(10)], cost: distance) == [nil, 1])
        #expect(book.pair([box(13), box(1)], cost: distance) == [1, 0])
    }

    @Test func whatHasNoCostIsNoPair() {
        var book = book()
        show([0], at: 0, &book)
        book.advance(to: 0.1)
        #expect(book.pair([box(20)], cost: distance) == [0])
        #expect(book.pair([box(20.001)], cost: distance) == [nil])
        #expect(book.pair([box(0)]) { _, _, _ in nil } == [nil])
    }

    @Test func tiesGoToWhatWasFoundFirstAndThenToTheOlderTrack() {
        var book = book()
        show([0, 100], at: 0, &book)
        book.advance(to: 0.1)
        #expect(book.pair([1, 2, 3]) { _, _, _ in 1 } == [0, 1, nil])
        #expect(book.pair([1]) { _, _, _ in 1 } == [0])
    }

    @Test func aSecondRoundHasTheTracksThatAreLeft() {
        var book = book()
        show([0, 10], at: 0, &book)
        book.advance(to: 0.1)
        let sure = book.pair([box(4)], cost: distance)
        #expect(sure == [0])
        for (place, track) in zip([4.0], sure) { book.see(box(place), as: track) }
        #expect(book.pair([box(1), box(2)], cost: distance) == [nil, 1])
    }

    // MARK: Motion

    /// 100 pixels a second for a while, then 40.
    @Test(arguments: [0: 40.0, 1: 45, 2: 54.079])
    func velocity(kind: Int, expected: Double) {
        let smoothing = [TrackPolicy.Smoothing.none, .halved, .exponential(0.2)][kind]
        var book = book { $0.smoothing = smoothing }
        show([0], at: 0, &book)
        show([20], at: 0.2, &book)
        // Before the first motion there was none: 0.5 and 1 − 1/e of it.
        #expect(abs(book.tracks[0].velocity.x - [100, 50, 63.212][kind]) < 1e-3)
        show([24], at: 0.3, &book)
        #expect(abs(book.tracks[0].velocity.x - expected) < 1e-3 && book.tracks[0].velocity.y == 0)
    }

    @Test(arguments: [(0.3, 0.0, 0.3, 15.0), (0.3, 0.0, 0.31, 0), (0.3, 1.5, 0.6, 15), (0, 0, 0.1, 0)])
    func motionIsTrustedForAWhile(trusted: Double, steps: Double, gap: Double, way: Double) {
        var book = book { ($0.trustedMotion, $0.trustedSteps) = (trusted, steps) }
        show([0], at: 0, &book)
        show([way == 0 ? 5 : way], at: gap, &book)
        #expect(abs(book.tracks[0].velocity.x - way / gap) < 1e-6)
    }

    @Test func aMissedThingGoesOnAndThenStays() {
        var book = book()
        show([0], at: 0, &book)
        show([10], at: 0.1, &book)
        for (time, place) in [(0.1, 10.0), (0.2, 20), (0.4, 40), (0.5, 40), (0.9, 40)] {
            book.advance(to: time)
            #expect(abs(book.expected(0).center.x - place) < 1e-9, "at \(time) s")
            #expect(book.expected(0).width == 10 && book[0] == box(10))
        }
        // It is looked for there, not where it was.
        #expect(book.pair([box(45), box(11)], cost: distance) == [0, nil])
    }

    @Test func whatWasLostHasNoVelocity() {
        var book = book()
        show([0], at: 0, &book)
        show([10], at: 0.1, &book)
        show([], at: 0.2, &book) { _, _ in false }
        #expect(book.tracks[0].state == .lost)
        show([30], at: 0.3, &book)
        #expect(book.tracks[0].velocity == Point(0, 0))
        show([40], at: 0.4, &book)
        #expect(abs(book.tracks[0].velocity.x - 100) < 1e-9)
    }

    // MARK: States

    @Test func predictedThenLostThenRecoveredThenTracked() {
        var book = book()
        var states: [TrackState] = []
        for (time, isThere) in [
            (0.0, true), (0.1, true), (0.2, false), (0.3, true), (0.6, false), (0.7, false), (1.2, true), (1.3, true),
        ] {
            show(isThere ? [0] : [], at: time, &book)
            states += book.tracks.map(\.state)
            #expect(book.tracks[0].isSeen == isThere && book.tracks[0].isMissed == !isThere)
            #expect(book.tracks[0].isPlaced == (states.last != .lost))
        }
        #expect(states == [.tracked, .tracked, .predicted, .tracked, .predicted, .lost, .recovered, .tracked])
        #expect(book.tracks.map(\.number) == [1] && book.tracks[0].sightings == 5)
    }

    @Test func whatStaysAwayEndsOnce() {
        var book = book(memory: 1)
        show([0], at: 0, &book)
        show([], at: 1, &book)
        #expect(book.tracks.map(\.state) == [.lost], "remembered for so long exactly")
        show([], at: 1.001, &book)
        #expect(book.tracks.map(\.state) == [.ended] && !book.tracks[0].isPlaced)
        show([], at: 1.1, &book)
        #expect(book.tracks.isEmpty)
        show([0], at: 1.2, &book)
        #expect(book.tracks.map(\.number) == [2], "someone else")
    }

    /// Memory that is shorter than motion is trusted.
    @Test func whatIsForgottenIsNotPredicted() {
        var book = book(memory: 0.1)
        show([0], at: 0, &book)
        show([], at: 0.1, &book)
        #expect(book.tracks.map(\.state) == [.predicted])
        show([], at: 0.2, &book)
        #expect(book.tracks.map(\.state) == [.ended])
    }

    @Test func othersSayWhatIsPredicted() {
        var book = book(memory: 1)
        show([0], at: 0, &book)
        show([10], at: 0.1, &book)
        var asked: [Double] = []
        for (time, answer) in [(0.2, true), (3, true), (3.1, false)] {
            show([], at: time, &book) { _, expected in
                asked.append(expected.center.x)
                return answer
            }
            #expect(book.tracks.map(\.state) == [answer ? .predicted : .ended], "at \(time) s")
        }
        #expect(asked.count == 3 && abs(asked[0] - 20) < 1e-9 && abs(asked[2] - 40) < 1e-9)
    }

    @Test func whatIsLostStaysLostUntilItIsSeen() {
        var book = book { $0.trustedSteps = 1.5 }
        show([0], at: 0, &book)
        show([], at: 0.1, &book) { _, _ in false }
        // Within trusted motion.
        show([], at: 0.2, &book)
        #expect(book.tracks.map(\.state) == [.lost])
        show([], at: 0.25, &book) { _, _ in true }
        #expect(book.tracks.map(\.state) == [.lost])
        show([0], at: 0.3, &book)
        #expect(book.tracks.map(\.state) == [.recovered])
    }

    /// Frames a minute apart: what the last one showed may be in this one.
    @Test(arguments: [(true, TrackState.lost), (false, .ended)])
    func framesFarApart(outlastsOneMiss: Bool, state: TrackState) {
        var book = book { $0.outlastsOneMiss = outlastsOneMiss }
        show([0], at: 0, &book)
        #expect(show([3], at: 60, &book) == [0] && book.tracks.map(\.number) == [1])
        #expect(book.tracks[0].state == .tracked)
        show([], at: 120, &book)
        #expect(book.tracks.map(\.state) == [state])
        show([], at: 120.1, &book)
        #expect(book.tracks.map(\.state) == (outlastsOneMiss ? [.ended] : []))
    }

    // MARK: Numbers

    @Test func aNumberOnConfirmation() {
        var book = book(confirmation: 3)
        show([0], at: 0, &book)
        show([0, 100], at: 0.1, &book)
        show([100], at: 0.2, &book)
        #expect(book.tracks.map(\.number) == [nil, nil] && book.tracks.map(\.sightings) == [2, 2])
        // In the order in which they are seen often enough, not in that of their beginnings.
        show([100, 0], at: 0.3, &book)
        #expect(book.tracks.map(\.number) == [2, 1])
        show([0, 100, 200], at: 0.4, &book)
        #expect(book.tracks.map(\.number) == [2, 1, nil])
    }

    @Test func numbersByWordAlone() {
        var book = book(confirmation: nil)
        for frame in 0..<9 { show([0, 100], at: Double(frame) / 10, &book) }
        #expect(book.tracks.map(\.number) == [nil, nil])
        book.confirm(1)
        book.confirm(0)
        book.confirm(1)
        #expect(book.tracks.map(\.number) == [2, 1])
    }

    @Test(arguments: [(false, [TrackState.predicted, .ended, nil]), (true, [.predicted, .lost, .lost])])
    func whatHasNoNumber(isRemembered: Bool, states: [TrackState?]) {
        var book = book(confirmation: 2) { $0.remembersUnconfirmed = isRemembered }
        show([0], at: 0, &book)
        for (time, state) in zip([0.2, 0.5, 0.9], states) {
            show([], at: time, &book)
            #expect(book.tracks.first?.state == state, "at \(time) s")
        }
        show([0], at: 1, &book)
        #expect(book.tracks.map(\.number) == [isRemembered ? 1 : nil])
    }

    /// Two tracks of one thing: the younger goes on under the older one's number.
    @Test(arguments: [(0.1, TrackState.tracked), (0.5, .recovered)])
    func oneTrackReplacesAnother(time: Double, state: TrackState) {
        var book = book(confirmation: nil)
        show([0], at: 0, &book)
        book.confirm(0)
        show([], at: time, &book)
        book.advance(to: time + 0.1)
        let index = book.see(box(300))
        book.replace(0, by: index)
        book.settle()
        #expect(book.tracks.map(\.number) == [nil, 1] && book.tracks[index].state == state)
        show([300], at: time + 0.2, &book)
        #expect(book.tracks.map(\.number) == [1] && book.tracks[0].state == .tracked)
        book.confirm(book.see(box(0)))
        #expect(book.tracks.map(\.number) == [1, 2])
    }
}
