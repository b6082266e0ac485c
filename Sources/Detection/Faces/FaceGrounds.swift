/// What of a frame is searched for faces, by turns: the frame, or regions of it, each by a schedule of its own.
struct FaceGrounds: Sendable {
    /// How each is searched.
    let schedules: [FaceSchedule]

    /// Parts but for those for the smallest faces.
    var coarse: [FaceView] { schedules.flatMap(\.coarse) }

    /// Parts for the smallest faces.
    var finest: [FaceView] { schedules.flatMap(\.finest) }

    /// The parts whose turns begin within a time, seconds.
    func tiles(from start: Double, to end: Double) -> [FaceView] {
        schedules.flatMap { $0.tiles(Self.turns($0, start, end)) }
    }

    /// A frame's own parts: those whose turns begin while it is shown.
    func tiles(of frame: VideoFrame) -> [FaceView] { tiles(from: frame.seconds, to: frame.end) }

    /// How many frames of a video of 30 pictures a second have the turns of a time, each ground for itself.
    func frames(from start: Double, to end: Double) -> Int {
        schedules.reduce(0) { sum, schedule in
            let frame = schedule.turnsOfFrame
            return sum + (Self.turns(schedule, start, end).count + frame - 1) / frame
        }
    }

    private static func turns(_ schedule: FaceSchedule, _ start: Double, _ end: Double) -> Range<Int> {
        let begin = schedule.turns(before: start)
        return begin..<max(begin, schedule.turns(before: end))
    }
}

/// Where faces are looked for: in the frame, or in the regions that other stages find.
enum FaceGround: Sendable {
    /// All of the frame, by one schedule.
    case frame(FaceSchedule)
    /// Regions, `margin` wider on every side, in each of which parts are looked at as if it were a picture.
    case regions(margin: Double, scan: FaceScan, minimumSize: Double, hides: Bool)

    /// The regions of the next frame are kept by who goes frame by frame; nil for the frame.
    var regions: SearchedRegions? {
        guard case .regions(let margin, _, _, _) = self else { return nil }
        return SearchedRegions(margin: margin)
    }

    /// What of a frame is searched, with these parts as regions.
    func grounds(_ parts: [FramePart]) -> FaceGrounds {
        switch self {
        case .frame(let schedule): FaceGrounds(schedules: [schedule])
        case .regions(_, let scan, let minimumSize, let hides):
            FaceGrounds(
                schedules: parts.map { part in
                    FaceSchedule(
                        scan.tiles(width: part.width, height: part.height, minimumSize: minimumSize)
                            .moved(by: Point(Double(part.x), Double(part.y))), hides: hides)
                })
        }
    }
}
