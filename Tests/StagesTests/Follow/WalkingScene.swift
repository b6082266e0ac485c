import Foundation

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// People who walk about, by chance, and what a detector would see of them: a scene with known truth.
struct WalkingScene {
    struct Truth {
        var frame: Int
        var person: Int
        var box: Box
    }

    private(set) var times: [Double] = []
    private(set) var truth: [Truth] = []
    /// By frame.
    private(set) var sightings: [[Sighting]] = []

    /// Random numbers that are the same everywhere.
    private struct Chance {
        var state: UInt64

        /// 0..<1.
        mutating func next() -> Double {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
            return Double((z ^ z >> 31) >> 11) / Double(1 << 53)
        }

        mutating func normal() -> Double {
            let (a, b) = (max(next(), 1e-12), next())
            return (-2 * log(a)).squareRoot() * cos(2 * .pi * b)
        }
    }

    private struct Person {
        var x: Double
        var foot: Double
        var height: Double
        var velocity: Double
        var target: Double
        var turn: Double
        var colors: [Float]
        var box: Box { Box(x: x - 0.2 * height, y: foot - height, width: 0.4 * height, height: height) }
    }

    /// - Parameters:
    ///   - times: Of the frames, seconds.
    ///   - misses: The share of people that aren't seen though nothing covers them.
    ///   - falseAlarms: A frame.
    init(people: Int, times: [Double], seed: UInt64, misses: Double = 0.1, falseAlarms: Double = 0.1) {
        var chance = Chance(state: seed)
        self.times = times
        var crowd = (0..<people).map { _ in
            let foot = 300 + 400 * chance.next()
            let height = foot * 0.35 * (0.9 + 0.2 * chance.next())
            let speed = (chance.next() < 0.5 ? -1 : 1) * height * (0.3 + 0.5 * chance.next())
            return Person(
                x: 1280 * chance.next(), foot: foot, height: height, velocity: speed, target: speed, turn: 0,
                colors: Self.colors(&chance))
        }
        var last = times.first ?? 0
        for (frame, seconds) in times.enumerated() {
            // In short steps, so that the walk doesn't depend on the frames.
            while last < seconds {
                let step = min(0.01, seconds - last)
                last += step
                for index in crowd.indices {
                    if last >= crowd[index].turn {
                        crowd[index].turn = last + 1.5 + 3 * chance.next()
                        if chance.next() < 0.3 { crowd[index].target = -crowd[index].target }
                        if crowd[index].x < 0 { crowd[index].target = abs(crowd[index].target) }
                        if crowd[index].x > 1280 { crowd[index].target = -abs(crowd[index].target) }
                    }
                    crowd[index].velocity += (crowd[index].target - crowd[index].velocity) * step / 0.4
                    crowd[index].x += crowd[index].velocity * step
                }
            }
            sightings.append(see(crowd, frame, &chance, misses: misses, falseAlarms: falseAlarms))
        }
    }

    private static func colors(_ chance: inout Chance) -> [Float] {
        (0..<3).flatMap { _ -> [Float] in
            let values = (0..<72).map { _ in Float(pow(chance.next(), 12)) }
            let sum = values.reduce(0, +)
            return values.map { $0 / sum }
        }
    }

    private mutating func see(
        _ crowd: [Person], _ frame: Int, _ chance: inout Chance, misses: Double, falseAlarms: Double
    ) -> [Sighting] {
        let picture = Box(x: 0, y: 0, width: 1280, height: 720)
        var found: [Sighting] = []
        for (index, person) in crowd.enumerated() {
            let box = person.box
            guard let inside = box.intersection(picture), inside.area > 0.3 * box.area else { continue }
            truth.append(Truth(frame: frame, person: index, box: box))
            let cover =
                crowd.filter { $0.foot > person.foot }
                .compactMap { $0.box.intersection(box)?.area }.max() ?? 0
            guard cover < 0.6 * box.area, chance.next() >= misses else { continue }
            let (w, h) = (box.width, box.height)
            let noisy = Box(
                x: box.x + 0.03 * w * chance.normal(), y: box.y + 0.02 * h * chance.normal(),
                width: w * exp(0.06 * chance.normal()), height: h * exp(0.04 * chance.normal()))
            let blurred = person.colors.map { $0 * Float(exp(0.4 * chance.normal())) }
            let sums = (0..<3).map { stripe in blurred[stripe * 72..<stripe * 72 + 72].reduce(0, +) }
            found.append(
                Sighting(
                    box: noisy, score: min(0.98, 0.8 + 0.08 * chance.normal()), index: found.count,
                    appearance: Appearance(.stripes, blurred.indices.map { blurred[$0] / sums[$0 / 72] })))
        }
        if chance.next() < falseAlarms {
            let height = 80 + 150 * chance.next()
            found.append(
                Sighting(
                    box: Box(
                        x: 1200 * chance.next(), y: 400 * chance.next(), width: 0.4 * height, height: height),
                    score: 0.3 + 0.4 * chance.next(), index: found.count,
                    appearance: Appearance(.stripes, Self.colors(&chance))))
        }
        return found
    }

    // MARK: Following it

    /// What following comes to, by frame.
    func followed(passes: Int, _ model: FollowModel = FollowModel(), memory: Double = 3) -> [[FrameFollower.Told]] {
        var follower = FrameFollower(model, minimumScore: 0.5, memory: memory, keepsTracklets: passes > 1)
        var (told, frames) = ([[FrameFollower.Told]](), [WholeFollower.Frame]())
        for (seconds, sightings) in zip(times, sightings) {
            told.append(follower.update(sightings, at: seconds))
            let single = sightings.filter { !follower.twins.contains($0.index) }
            frames.append(
                .init(seconds: seconds, sightings: single.map { .init(box: $0.box, score: $0.score, index: $0.index) }))
        }
        guard passes > 1 else { return told }
        return WholeFollower(model: model, memory: memory).follow(follower.finish(), frames)
    }

    /// The same with everything detected a second time, a little aside and less surely.
    /// - Parameter aside: Standard deviation, shares of a thing's width.
    func doubled(aside: Double, label: String? = nil, source: String = "") -> WalkingScene {
        var (scene, chance) = (self, Chance(state: 99))
        for frame in sightings.indices {
            let count = sightings[frame].count
            scene.sightings[frame] += sightings[frame].map { sighting in
                var twin = sighting
                let shift = (0..<4).map { _ in aside * sighting.box.width * chance.normal() }
                twin.box = Box(
                    x: sighting.box.x + shift[0], y: sighting.box.y + shift[1], width: sighting.box.width + shift[2],
                    height: sighting.box.height + shift[3])
                (twin.score, twin.label, twin.source) = (sighting.score * 0.95, label, source)
                twin.index += count
                return twin
            }
        }
        return scene
    }

    /// How well tracks are the people's: the identification F1 (Ristani et al. 2016) at an intersection over union of 0.5,
    /// and tracks.
    func score(_ told: [[FrameFollower.Told]]) -> (identity: Double, tracks: Int) {
        var hits: [[Int]: Int] = [:]
        var places = 0
        for (frame, told) in told.enumerated() {
            let boxes = told.compactMap { told in told.box.map { (told.number, $0) } }
            places += boxes.count
            for true_ in truth where true_.frame == frame {
                for (number, box) in boxes where box.intersectionOverUnion(true_.box) >= 0.5 {
                    hits[[true_.person, number], default: 0] += 1
                }
            }
        }
        let people = (truth.map(\.person).max() ?? -1) + 1
        let rows = (0..<people).map { person in
            hits.filter { $0.key[0] == person }.map { (column: $0.key[1], weight: Double($0.value)) }
                .sorted { $0.column < $1.column }
        }
        var matched = 0.0
        for (row, column) in zip(rows, SparseAssignment.solve(rows)) {
            matched += row.first { $0.column == column }?.weight ?? 0
        }
        let numbers = Set(told.joined().map(\.number))
        return (2 * matched / Double(truth.count + places), numbers.count)
    }

    // MARK: Times

    static func regular(_ rate: Double, for seconds: Double) -> [Double] {
        (0..<Int(rate * seconds)).map { Double($0) / rate }
    }

    /// Bursts of 10 and 15 frames a second in turn, and 0.3 s of nothing now and then.
    static func irregular(for seconds: Double) -> [Double] {
        var (times, now) = ([Double](), 0.0)
        while now < seconds {
            times.append(now)
            now += Int(now / 1.5) % 2 == 0 ? 1.0 / 10 : 1.0 / 15
            if times.count % 40 == 39 { now += 0.3 }
        }
        return times
    }
}
