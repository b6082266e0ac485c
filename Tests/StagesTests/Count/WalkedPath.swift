import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// The times of frames: even ones, and ones that come in bursts with a blackout now and then.
enum FrameTimes: String, CaseIterable, CustomTestStringConvertible {
    case thirty, ten, variable

    var testDescription: String { rawValue }

    /// Seconds, from 0.
    func until(_ end: Double) -> [Double] {
        switch self {
        case .thirty: stride(from: 0, to: end, by: 1.0 / 30).map { $0 }
        case .ten: stride(from: 0, to: end, by: 0.1).map { $0 }
        case .variable:
            sequence(state: (time: 0.0, count: 0)) { state -> Double? in
                guard state.time < end else { return nil }
                defer {
                    state.count += 1
                    // 10 and 15 pictures a second in turns, and 0.3 s without any.
                    state.time += state.count % 40 == 0 ? 0.3 : state.count / 7 % 2 == 0 ? 0.1 : 1.0 / 15
                }
                return state.time
            }.map { $0 }
        }
    }
}

/// Numbers that look random and are the same every time (SplitMix64), and bell-shaped ones of them.
struct Chance {
    private var state: UInt64

    init(_ seed: Int) {
        state = UInt64(bitPattern: Int64(seed))
        // Neighbouring seeds lead elsewhere.
        state = (next().bitPattern ^ state) &* 0x94D0_49BB_1331_11EB
    }

    /// 0…1.
    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ mixed >> 31) >> 11) / 9_007_199_254_740_992
    }

    mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * next() }

    /// Of mean 0 and deviation 1.
    mutating func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + next() } }
}

/// One thing on its way: where it is at a time, nil where it isn't seen.
typealias Way = (Double) -> Point?

extension FlowCounter {
    /// What becomes certain while things go their ways, and at the end.
    static func events(
        _ ways: [Way], at times: [Double], lines: [DirectedLine] = [], zones: [[Point]] = [], hold: Double = 0.2,
        bridge: Double = 1, picture: PictureSize? = nil
    ) -> [FlowEvent] {
        var counter = FlowCounter(lines: lines, zones: zones, in: picture, hold: hold, bridge: bridge)
        var events: [FlowEvent] = []
        for (frame, time) in times.enumerated() {
            let sightings = ways.enumerated().compactMap { index, way in
                way(time).map {
                    Sighting(
                        thing: TrackReference(stage: "people", number: index + 1), name: "person", place: .seen($0))
                }
            }
            events += counter.add(sightings, frame: frame, time: time)
        }
        return events + counter.finish()
    }
}

extension FlowEvent {
    /// `forward 3`, `in 3`, `out 5`, `lost 5`: what, and the frame.
    var short: String {
        switch kind {
        case .crossed(let isForward): "\(isForward ? "forward" : "backward") \(frame)"
        case .entered: "in \(frame)"
        case .left(_, let isLost): "\(isLost ? "lost" : "out") \(frame)"
        case .began: "began \(frame)"
        }
    }
}
