internal import Synchronization

/// One stage at work, whatever the types of its two parts and of what they hand each other.
package protocol StageLane: Sendable {
    /// Lets the stage look ahead, before the first frame.
    /// - Parameter footage: Makes the footage that the stage may look at.
    func prepare(_ footage: @Sendable () -> Footage) throws

    /// Runs the detector on a frame.
    /// - Parameter frame: The frame's place in the stream.
    func detect(_ frame: Int, _ input: StageInput) throws

    /// Runs the tracker on the next frame.
    /// - Parameter runs: False where a rate-limited stage doesn't run on the frame.
    /// - Returns: What the stage measured, to the last bit.
    func update(_ frame: Int, _ input: StageInput, runs: Bool) throws -> [Emission]

    var looksAhead: Bool { get }

    /// Ends the first run over all frames, instead of `finish`; returns the stage that runs from then on.
    func settle() throws -> Stage?

    /// Results that a late stage has still to give, after the last frame and before `finish`.
    func rest() throws -> [Emission]

    /// Ends the work, after the last frame.
    func finish() throws

    /// Whether it says what is in a frame when it has seen some of those behind it.
    var isLate: Bool { get }

    var trackNumbers: Set<Int> { get }
    var notes: [String] { get }

    /// Whether its detections can be stored.
    var storesDetections: Bool { get }

    /// A frame's detection as it is stored: JSON in one line. It stays where it is; nil where there is none.
    func storedDetection(_ frame: Int) -> [UInt8]?

    /// Lets a frame's detection go: its tracker won't run.
    func dropDetection(_ frame: Int)

    /// Takes a detection that was stored, in place of `detect`.
    /// - Returns: False for what is none.
    func takeDetection(_ frame: Int, _ stored: JSONNode) -> Bool
}

/// A stage's two parts: its detector, its detections that wait for their turn, and its tracker, which is nobody else's, with
/// the last result.
final class Lane<D: Detector, T: Tracker>: StageLane where D.Detection == T.Detection {
    private struct Progress {
        var tracker: T
        var last: [T.Output] = []
    }

    private let detector: D
    private let detections = Mutex<[Int: D.Detection]>([:])
    private let progress: Mutex<Progress>

    init(_ detector: D, _ tracker: sending T) {
        self.detector = detector
        progress = Mutex(Progress(tracker: tracker))
    }

    func prepare(_ footage: @Sendable () -> Footage) throws {
        try progress.withLock { try $0.tracker.prepare(footage()) }
    }

    func detect(_ frame: Int, _ input: StageInput) throws {
        let detection = try detector.detect(input)
        detections.withLock { $0[frame] = detection }
    }

    func update(_ frame: Int, _ input: StageInput, runs: Bool) throws -> [Emission] {
        let detection = detections.withLock { $0.removeValue(forKey: frame) }
        return try progress.withLock { progress in
            if runs {
                guard let detection else { throw OutOfOrder() }
                progress.last = try progress.tracker.update(detection, input)
            } else {
                progress.last = try progress.tracker.carry(progress.last, input)
            }
            return progress.last.map(\.emission)
        }
    }

    var storesDetections: Bool { D.self is any StorableDetector.Type }

    func storedDetection(_ frame: Int) -> [UInt8]? {
        guard storesDetections, let detection = detections.withLock({ $0[frame] }) as? any Storable else { return nil }
        var json = JSONWriter()
        detection.store(into: &json)
        return json.bytes
    }

    func dropDetection(_ frame: Int) { _ = detections.withLock { $0.removeValue(forKey: frame) } }

    func takeDetection(_ frame: Int, _ stored: JSONNode) -> Bool {
        guard storesDetections, let type = D.Detection.self as? any Storable.Type,
            let detection = type.init(stored: stored) as? D.Detection
        else { return false }
        detections.withLock { $0[frame] = detection }
        return true
    }

    var looksAhead: Bool { progress.withLock { $0.tracker.looksAhead } }

    func settle() throws -> Stage? { try progress.withLock { try $0.tracker.settle() } }

    func rest() throws -> [Emission] { try progress.withLock { try $0.tracker.rest().map(\.emission) } }

    func finish() throws { try progress.withLock { try $0.tracker.finish() } }

    var isLate: Bool { progress.withLock { $0.tracker.isLate } }
    var trackNumbers: Set<Int> { progress.withLock { $0.tracker.trackNumbers } }
    var notes: [String] { progress.withLock { $0.tracker.notes } }

    /// The error of a frame whose result was asked for before its detection: a fault of this program's.
    private struct OutOfOrder: Error, CustomStringConvertible {
        var description: String { "its detection is missing; this is a fault of the program, please report it" }
    }
}

extension Stage {
    /// Numbers that its tracks have already.
    package var trackNumbers: Set<Int> { lane.trackNumbers }
    package var notes: [String] { lane.notes }

    /// Ends the work, after the last frame, when nothing else runs.
    package func finish() throws { try lane.finish() }
}
