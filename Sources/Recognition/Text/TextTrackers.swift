/// Tracks the lines that were found in each frame, and has Tesseract read them.
struct TextTracker: Tracker {
    let id: String
    let parts: TextParts
    let recognizers: ResourcePool<TextRecognizer>
    /// The most ways in which a line is read until it is read for sure.
    let effort: Int
    /// Where text is told; nil for the whole frame.
    var regions: SearchedRegions?
    var tracking: TextTracking

    mutating func update(_ found: [FoundTextLine], _ input: StageInput) throws -> [Observation] {
        regions?.advance(to: input)
        let found = found.filter { line in regions?.hasPart(at: line.center) ?? true }
        return try tracking.update(found, at: input.frame.seconds) { line in
            try recognizers.withResource { try $0.read(line, in: input.frame, effort: effort) }
        }.map { text in
            TextFinding.observation(
                of: text.reading, at: text.polygon, stage: id, track: text.track,
                about: regions?.track(at: text.polygon), state: text.state, parts: parts)
        }
    }
}

/// Lines of text by PP-OCR's networks. What is looked for in a frame depends on those before it, so all of it is done in
/// order.
struct NetworkTextTracker: Tracker {
    let id: String
    let parts: TextParts
    /// Where text is looked for; nil for the whole frame.
    var regions: SearchedRegions?
    var tracking: NetworkTextTracking

    mutating func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
        regions?.advance(to: input)
        return try tracking.update(
            input.frame, in: regions?.parts, hasNew: !(regions?.new.isEmpty ?? true)
        ).map { text in
            TextFinding.observation(
                of: text.reading, at: text.polygon, stage: id, track: text.track,
                about: regions?.track(at: text.polygon), state: text.state, parts: parts)
        }
    }
}
