internal import Graph

/// Lines of text by PP-OCR's networks. What is looked for in a frame depends on those before it, so all of it is done in
/// order.
///
/// `@unchecked Sendable`: `tracking` is touched by `update` alone, which is never run twice at once.
final class NetworkTextStage: Stage, @unchecked Sendable {
    private let id: String
    private let parts: TextParts
    private var tracking: NetworkTextTracking

    init(
        id: String, networks: TextNetworks, isThorough: Bool, parts: TextParts, settings: NetworkTextTracking.Settings
    ) {
        self.id = id
        self.parts = parts
        tracking = NetworkTextTracking(networks: networks, isThorough: isThorough, settings: settings)
    }

    func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
        try tracking.update(input.frame).map { text in
            TextFinding.observation(
                of: text.reading, at: text.polygon, stage: id, track: text.track, state: text.state, parts: parts)
        }
    }
}
