/// What following needs of a frame's pixels.
struct FollowedFrame: Sendable {
    /// Of each of the frame's sightings in turn; nil for one that isn't in sight, or of which nobody asks.
    var appearances: [Appearance?] = []
    /// nil where the camera isn't followed, and in what was stored: it is large, and quickly made anew.
    var view: CameraView?
}

/// Reads what detections look like.
struct FollowDetector: StorableDetector {
    let choice: SightingChoice
    /// nil where nobody asks for appearance: in a single picture.
    let reader: AppearanceReader?
    let followsCamera: Bool

    func detect(_ input: StageInput) throws -> FollowedFrame {
        let sightings = choice.sightings(in: input)
        var frame = FollowedFrame(appearances: Array(repeating: nil, count: sightings.count))
        if let reader {
            // Who stands lower in the picture stands in front.
            let boxes = sightings.filter { $0.score >= choice.minimumScore }.map(\.box)
            for place in sightings.indices {
                let box = sightings[place].box
                let front = boxes.filter { $0.bottom > box.bottom && $0.intersection(box) != nil }
                frame.appearances[place] = try reader.read(box, behind: front, in: input.frame)
            }
        }
        if followsCamera { frame.view = try CameraView(input.frame) }
        return frame
    }
}

extension FollowedFrame: Storable {
    func store(into json: inout JSONWriter) { appearances.store(into: &json) }

    init?(stored: JSONNode) {
        guard let appearances = [Appearance?](stored: stored) else { return nil }
        self.init(appearances: appearances)
    }
}
