package import Graph
internal import Stages

extension SceneRenderer {
    /// Id of the stage that all observations of the truth have.
    package static let truthStage = "truth"
    /// Type of that stage, as the truth's header has it.
    package static let truthType = "synth"
    /// Kinds of the truth's observations.
    package static let truthKinds: [any Finding.Type] = [
        MarkerFinding.self, RectangleFinding.self, ObjectFinding.self,
    ]

    /// The truth of a frame, in the order of the scene's objects; occluders aren't listed.
    ///
    /// - A marker has its id, `label` "dictionary/id", and as `polygon` the outer corners of its black border,
    ///   clockwise from the marker's own top left; and its pose.
    /// - A picture is a `rectangle`: `polygon` is the outer edge of its frame, clockwise from its own top left.
    /// - An object has its shape's name as `label` and as `box` the tight box of its outline, as if nothing hid it, but
    ///   cut off at the frame.
    ///
    /// Polygons are not cut off: corners may lie outside of the frame. `confidence` is the share of the thing's area
    /// (of a marker: of its whole card) in the picture that is visible, 0…1: inside the frame and not hidden by nearer
    /// things. It is 1 only where nothing is missing, and 0 for what is in the frame but wholly hidden. Things wholly
    /// outside of the frame are left out. `region` is the object's name. Track numbers count the objects of the scene
    /// from 1, without the occluders, and stay with them in all frames.
    package func truth(_ index: Int) -> [Observation] {
        let placed = layout.placed(inFrame: index)
        let numbers = trackNumbers
        var found: [(index: Int, observation: Observation)] = []
        for (order, thing) in placed.enumerated() {
            guard let number = numbers[thing.index], let box = layout.boxInFrame(of: thing) else { continue }
            let share = layout.visibleShare(of: thing, behind: placed[(order + 1)...])
            found.append((thing.index, observation(of: thing, number: number, box: box, visible: share)))
        }
        return found.sorted { $0.index < $1.index }.map(\.observation)
    }

    /// The track number of each object of the scene; nil for an occluder.
    private var trackNumbers: [Int?] {
        var count = 0
        return scene.objects.map { object in
            if case .occluder = object.content { return nil }
            count += 1
            return count
        }
    }

    private func observation(
        of thing: SceneLayout.Placed, number: Int, box: Box, visible: Double
    ) -> Observation {
        let object = scene.objects[thing.index]
        var result = Observation(
            ObjectFinding(), stage: Self.truthStage,
            track: TrackReference(stage: Self.truthStage, number: number), region: object.name, label: object.label,
            confidence: visible)
        func corners(_ half: SIMD2<Double>) -> [Point] {
            [SIMD2(-half.x, -half.y), SIMD2(half.x, -half.y), half, SIMD2(-half.x, half.y)].map(thing.map.project)
        }
        switch object.content {
        case .marker(let card):
            result.label = object.label ?? "\(card.dictionary)/\(card.id)"
            result.polygon = corners(SIMD2(repeating: card.size / 2))
            // In its own plane a thing's y is down; a marker's is up, and its z comes out of it.
            let placement = thing.placement
            let pose = Pose(
                rotation: Rotation(columns: placement.xAxis, -placement.yAxis, -placement.zAxis),
                translation: placement.position)
            result.finding = AnyFinding(
                MarkerFinding(id: card.id, pose: EstimatedPose(pose: pose, extent: [card.size, card.size])))
        case .picture(let picture):
            result.finding = AnyFinding(RectangleFinding())
            result.label = object.label ?? "picture"
            result.polygon = corners(SIMD2(picture.width, picture.height) / 2)
        case .object(let shape):
            result.label = object.label ?? shape.shape.rawValue
            result.box = box
        case .occluder: break
        }
        return result
    }
}
