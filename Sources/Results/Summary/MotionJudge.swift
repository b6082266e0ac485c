/// The part of an expectation that is about how steadily things stand and how well poses fit, frame by frame.
struct MotionJudge: Sendable {
    /// A figure that is expected.
    struct Figure {
        /// Its name in a manifest.
        var name: String
        var range: Expectation.Range
        /// How much it is, and the moment to look at; nil where nothing gives it.
        var worst: MotionTrace.Worst?
        /// The track for which it is worst.
        var track: Int?
        var unit: String
        /// The sentence about it, given what is expected, and what is told of a thing that was never seen.
        var sentence: (_ expected: String, _ never: String?) -> String
    }

    /// A space in which a thing moves.
    private enum Space: CaseIterable {
        case picture, position, rotation

        var unit: String {
            switch self {
            case .picture: "px"
            case .position: "m"
            case .rotation: "°"
            }
        }

        /// A figure's name in a manifest, and in words.
        func name(_ figure: String) -> (name: String, noun: String) {
            switch self {
            case .picture: (figure, figure)
            case .position: ("position\(figure.capitalizedFirst)", "position \(figure)")
            case .rotation: ("rotation\(figure.capitalizedFirst)", "rotation \(figure)")
            }
        }
    }

    /// One track: where it was measured last, and its ways.
    private struct Track: Sendable {
        var moment: Moment
        var center: Point?
        var pose: Pose?
        var traces: [Space: MotionTrace] = [:]
        /// The largest reprojection error.
        var error: MotionTrace.Worst?
    }

    private let expectation: Expectation
    private let spaces: [Space]
    private let isWanted: Bool
    private var tracks: [Int: Track] = [:]
    /// Tracks that were measured in the frame before, or are carried over from it.
    private var present: Set<Int> = []

    init(_ expectation: Expectation) {
        self.expectation = expectation
        spaces = Space.allCases.filter { space in
            let (jitter, jump) = Self.ranges(expectation, space)
            return jitter != nil || jump != nil
        }
        isWanted = !spaces.isEmpty || expectation.reprojectionError != nil
    }

    private static func ranges(
        _ expectation: Expectation, _ space: Space
    ) -> (jitter: Expectation.Range?, jump: Expectation.Range?) {
        switch space {
        case .picture: (expectation.jitter, expectation.jump)
        case .position: (expectation.positionJitter, expectation.positionJump)
        case .rotation: (expectation.rotationJitter, expectation.rotationJump)
        }
    }

    mutating func add(_ frame: FrameRecord, at moment: Moment) {
        guard isWanted else { return }
        var here: Set<Int> = []
        for observation in frame.observations where expectation.matches(observation) {
            guard let number = observation.track?.number else { continue }
            // What is carried over says nothing new, and the thing was never away.
            if observation.isHeld, present.contains(number) { here.insert(number) }
            guard observation.isMeasured else { continue }
            here.insert(number)
            measure(observation, number, at: moment)
        }
        for number in present where !here.contains(number) { interrupt(number) }
        present = here
    }

    private mutating func measure(_ observation: Observation, _ number: Int, at moment: Moment) {
        let center = observation.bounds?.center
        let pose = (observation.finding.base as? any PosedFinding)?.pose?.pose
        var track = tracks[number] ?? Track(moment: moment)
        if let pose, pose.reprojectionError > track.error?.value ?? -1 {
            track.error = MotionTrace.Worst(value: pose.reprojectionError, moment: moment)
        }
        for space in spaces {
            let way: SIMD3<Double>? =
                switch space {
                case .picture:
                    both(track.center, center).map { [$1.x - $0.x, $1.y - $0.y, 0] }
                case .position: both(track.pose, pose).map { $1.translation - $0.translation }
                case .rotation: both(track.pose, pose).map { $0.rotation.turn(to: $1.rotation) * (180 / .pi) }
                }
            if present.contains(number), let way {
                track.traces[space, default: MotionTrace()]
                    .add(way, seconds: moment.seconds - track.moment.seconds, to: moment)
            } else {
                track.traces[space]?.interrupt()
            }
        }
        (track.moment, track.center, track.pose) = (moment, center, pose)
        tracks[number] = track
    }

    private mutating func interrupt(_ number: Int) {
        for space in spaces { tracks[number]?.traces[space]?.interrupt() }
    }

    // MARK: Figures

    var figures: [Figure] {
        guard isWanted else { return [] }
        var figures = [
            figure(
                expectation.reprojectionError, ("reprojectionError", "reprojection error"), "px",
                none: "it has no pose",
                tracks.compactMapValues(\.error).mapValues { ($0, "") }
            ) { "in frame \($0)" }
        ]
        for space in spaces {
            let traces = tracks.compactMapValues { track -> MotionTrace? in
                // The last step has nothing behind it.
                var trace = track.traces[space]
                trace?.interrupt()
                return trace
            }
            let (jitter, jump) = Self.ranges(expectation, space)
            figures.append(
                figure(
                    jitter, space.name("jitter"), space.unit,
                    none: "it was never measured in \(MotionTrace.least + 2) frames one after another",
                    traces.compactMapValues(\.jitter).mapValues { ($0.worst, ", \(["x", "y", "z"][$0.axis])") }
                ) { "farthest off in frame \($0)" })
            figures.append(
                figure(
                    jump, space.name("jump"), space.unit,
                    none: "it was never measured in 3 frames one after another",
                    traces.compactMapValues(\.jump).mapValues { ($0, "") }
                ) { "to frame \($0)" })
        }
        return figures.compactMap(\.self)
    }

    /// A figure of the track for which it is largest; nil where it isn't expected.
    /// - Parameter none: What is told where no track has it.
    private func figure(
        _ range: Expectation.Range?, _ name: (name: String, noun: String), _ unit: String, none: String,
        _ values: [Int: (worst: MotionTrace.Worst, axis: String)], _ place: (Int) -> String
    ) -> Figure? {
        guard let range else { return nil }
        // The lower number of several alike, whatever their order.
        let largest = values.max { ($0.value.worst.value, -$0.key) < ($1.value.worst.value, -$1.key) }
        let others = values.count { !range.holds($0.value.worst.value) } - 1
        let told = largest.map { number, value in
            let seconds = plain((value.worst.moment.seconds * 1000).rounded() / 1000)
            let more = others > 0 ? "; \(Words.plural(others, "other track")) too" : ""
            return "it is \(Self.short(value.worst.value, outOf: range)) \(unit) (track \(number)\(value.axis), "
                + "\(place(value.worst.moment.frame)) at \(seconds) s\(more))"
        }
        let subject = expectation.subject
        return Figure(
            name: name.name, range: range, worst: largest?.value.worst, track: largest?.key, unit: unit
        ) { expected, never in "a \(name.noun) of \(subject) of \(expected), \(told ?? never ?? none)" }
    }

    /// A value with four digits that say something, more where they don't show that it is out of its bounds, and no more
    /// than a track file has.
    private static func short(_ value: Double, outOf range: Expectation.Range) -> String {
        var (decimals, scaled) = (0, value)
        while decimals < 6, scaled < 1000 { (decimals, scaled) = (decimals + 1, scaled * 10) }
        return Words.value(value, outOf: range, decimals: decimals)
    }
}

/// Both values; nil where one is missing.
private func both<A, B>(_ a: A?, _ b: B?) -> (A, B)? {
    guard let a, let b else { return nil }
    return (a, b)
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
