/// Holds what a stage gives against what it says that it gives, and against what a track file can say: a run doesn't end well
/// with results that no reader takes.
///
/// Observations are written and read once more for it, which takes its time, so it is for stages of other packages; those of
/// this one are tested.
package struct ObservationCheck: Sendable {
    private let stage: String
    private let catalog: FindingCatalog
    private let shape: Shape
    private let skeleton: Skeleton?

    /// A check of one stage.
    /// - Parameters:
    ///   - stage: Its id.
    ///   - kinds: Kinds that it says it gives.
    ///   - skeleton: Of the joints that it gives.
    package init(stage: String, kinds: [any Finding.Type], skeleton: Skeleton?) {
        (self.stage, self.skeleton) = (stage, skeleton)
        catalog = FindingCatalog([(stage, kinds)])
        shape = .tagged(catalog.shape)
    }

    /// The error of a stage that gives what it can't.
    package struct Fault: Error, CustomStringConvertible {
        package var description: String
    }

    /// Checks what the stage gives of one frame.
    /// - Throws: `Fault`, with the first observation that isn't as it should be.
    package func check(_ observations: [Observation]) throws {
        if let fault = skeleton?.fault { throw Fault(description: "its skeleton can't be one: \(fault)") }
        var tracks: Set<TrackReference> = []
        for (index, observation) in observations.enumerated() {
            func fault(_ reason: String) -> Fault {
                Fault(
                    description:
                        "what it gives can't be told: observation \(index + 1), of kind “\(observation.kind)”: \(reason)"
                )
            }
            if let reason = reason(against: observation) { throw fault(reason) }
            guard let track = observation.track, type(of: observation.finding.base).isThing else { continue }
            guard tracks.insert(track).inserted else {
                throw fault("track \(track.number) is in the frame twice; expected each once")
            }
        }
    }

    /// The same of observations that are of any frames.
    package func check(eachOf observations: [Observation]) throws {
        for observation in observations { try check([observation]) }
    }

    private func reason(against observation: Observation) -> String? {
        guard observation.stage == stage else {
            return "it is of stage “\(observation.stage.inOneLine)”; expected “\(stage)”"
        }
        guard let kind = catalog.kinds.first(where: { $0 == type(of: observation.finding.base) }) else {
            let known = catalog.kinds.map { "“\($0.kind)”" }.joined(separator: ", ")
            return "the stage's contract says it emits \(known.isEmpty ? "nothing" : known); expected it among these"
        }
        let numbers =
            (observation.polygon ?? []).flatMap { [$0.x, $0.y] }
            + (observation.box.map { [$0.x, $0.y, $0.width, $0.height] } ?? [])
        // A mask is cut along its box, which has to have an end.
        guard numbers.allSatisfy({ abs($0) < 1e9 }) else {
            return "its box or polygon has a number that isn't finite, or over 1e9; expected pixels"
        }
        var json = JSONWriter()
        observation.rounded.write(into: &json)
        guard let node = try? JSONParser.parse(json.bytes) else { return "it can't be written as JSON" }
        var validator = ShapeValidator(file: stage)
        validator.validate(node, against: shape)
        if let problem = validator.log.sorted.first { return "\(jsonPointer(problem.path)): \(problem.message)" }
        do {
            _ = try Observation(node, kind: kind, skeleton)
            return nil
        } catch {
            return error.pointer.isEmpty ? error.reason : "\(error.pointer): \(error.reason)"
        }
    }
}
