internal import Graph

/// What following needs of a frame beside its detections.
struct FollowedFrame: Sendable {
    /// For each detection of the inputs that shows something; their places are those among all observations.
    var sightings: [Sighting] = []
    /// nil where the camera isn't followed.
    var view: CameraView?
}

/// Reads what detections look like.
struct FollowDetector: Detector {
    /// The least confidence of what is taken at all, and of what hides other things.
    let weakest: Double
    let minimumScore: Double
    /// nil where nobody asks for appearance: in a single picture.
    let reader: AppearanceReader?
    let followsCamera: Bool

    func detect(_ input: StageInput) throws -> FollowedFrame {
        let picture = Box(x: 0, y: 0, width: Double(input.frame.width), height: Double(input.frame.height))
        var frame = FollowedFrame()
        for (index, observation) in input.observations.enumerated() {
            let score = observation.confidence ?? 1
            // What is held or predicted wasn't seen now.
            guard observation.isMeasured, score >= weakest, let box = observation.bounds, box.width > 0, box.height > 0,
                box.intersection(picture) != nil
            else { continue }
            frame.sightings.append(Sighting(box: box, score: score, label: observation.label, index: index))
        }
        if let reader {
            // Who stands lower in the picture stands in front.
            let boxes = frame.sightings.filter { $0.score >= minimumScore }.map(\.box)
            for place in frame.sightings.indices {
                let box = frame.sightings[place].box
                let front = boxes.filter { $0.bottom > box.bottom && $0.intersection(box) != nil }
                frame.sightings[place].appearance = try reader.read(box, behind: front, in: input.frame)
            }
        }
        if followsCamera { frame.view = try CameraView(input.frame) }
        return frame
    }
}
