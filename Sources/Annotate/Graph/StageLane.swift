internal import Synchronization

/// One stage at work, whatever the type of what its two parts hand each other.
protocol StageLane: Sendable {
    /// - Parameter frame: The frame's place in the stream.
    func detect(_ frame: Int, _ input: StageInput) throws
    /// Called for one frame after another.
    /// - Parameter runs: False where a rate-limited stage doesn't run on the frame.
    func update(_ frame: Int, _ input: StageInput, runs: Bool) throws -> [Emission]
}

/// A stage with its detections that wait for their turn, and its last result, each under its own type.
final class Lane<S: Stage>: StageLane {
    private struct State {
        var detections: [Int: S.Detection] = [:]
        var last: [S.Output] = []
    }

    private let stage: S
    private let state = Mutex(State())

    init(_ stage: S) { self.stage = stage }

    func detect(_ frame: Int, _ input: StageInput) throws {
        let detection = try stage.detect(input)
        state.withLock { $0.detections[frame] = detection }
    }

    func update(_ frame: Int, _ input: StageInput, runs: Bool) throws -> [Emission] {
        let result: [S.Output]
        if runs {
            guard let detection = state.withLock({ $0.detections.removeValue(forKey: frame) }) else {
                throw OutOfOrder()
            }
            result = try stage.update(detection, input)
        } else {
            result = try stage.carry(state.withLock({ $0.last }), input)
        }
        state.withLock { $0.last = result }
        return result.map(\.rounded)
    }

    /// The executor asked for a frame's result before its detection: a fault of this program's.
    private struct OutOfOrder: Error, CustomStringConvertible {
        var description: String { "its detection is missing; this is a fault of the program, please report it" }
    }
}

extension Stage {
    /// The stage as the executor calls it.
    var lane: any StageLane { Lane(self) }
}

extension Stage {
    /// What it has still to say when there are no more frames.
    func remainder() throws -> [Emission] { try rest().map(\.rounded) }
}

extension Emitted {
    /// The stage goes on with what it measured, everybody else with what the track file says of it.
    fileprivate var rounded: Emission {
        var emission = emission
        emission.observation = emission.observation.rounded
        return emission
    }
}
