/// What pictures show where a thing isn't: where a picture shows the same as one in which the thing is seen elsewhere, it doesn't
/// show the thing. So a camera that stands still tells where something that its stage doesn't see isn't.
struct StillGround {
    /// The picture in question.
    let now: VideoFrame
    /// Those behind it that wait.
    let later: [VideoFrame]
    /// Those before it in which things were seen last.
    let past: [Double: GroundCells]

    /// Between pieces of what has changed there is no ground where they are nearer than this share of the thing's size.
    private static let joined = 0.5
    /// Cells around what has changed that may have changed by less than noise.
    private static let margin = 1
    /// Pieces beyond which all of a place is covered, which paints no more.
    private static let most = 12

    /// A place that may hold a thing, without what shows the same in pictures in which it is elsewhere.
    /// - Parameters:
    ///   - place: With its kernel.
    ///   - sightings: Where it is surely seen, in pictures of the same shot.
    func narrowed(_ place: CoverSubject.Place, by sightings: [CoverSubject.Sighting]) -> [Box] {
        guard let kernel = place.kernel else { return [place.box] }
        let grounds = sightings.compactMap { seen in
            // What it shows beyond its cover is in sight there anyway.
            ground(at: seen.time, in: place.box).map { (cells: $0, box: seen.box.grown(CoverSubject.growth)) }
        }
        guard let size = sightings.first?.box, !grounds.isEmpty else { return [place.box] }
        let cells = GroundCells(now, in: place.box)
        let side = Double(GroundCells.side(of: now.width))
        let changed = CellPieces(columns: cells.columns, rows: cells.rows) { column, row in
            let middle = Point((Double(column) + 0.5) * side, (Double(row) + 0.5) * side)
            guard !kernel.contains(where: { $0.holds(middle) }) else { return false }
            return grounds.allSatisfy { $0.box.holds(middle) || cells.differs(from: $0.cells, column, row) }
        }
        let near = max(2, Int(Self.joined * min(size.width, size.height) / side))
        let pieces = changed.boxes(near: near, margin: Self.margin).map { box in
            Box(x: box.x * side, y: box.y * side, width: box.width * side, height: box.height * side)
        }
        guard pieces.count <= Self.most else { return [place.box] }
        return kernel + pieces.compactMap { $0.intersection(place.box) }
    }

    private func ground(at time: Double, in box: Box) -> GroundCells? {
        if let cells = past[time] { return cells }
        return later.first { $0.seconds == time }.map { GroundCells($0, in: box) }
    }
}

extension CoverSubject {
    /// Where it is surely seen next before and after a time, and last of all.
    func sure(about time: Double, in shot: Range<Double>) -> [Sighting] {
        let sure = sightings.filter { $0.isSure && shot.contains($0.time) && $0.time != time }
        let near = [sure.last { $0.time < time }, sure.first { $0.time > time }, sure.last { $0.time > time }]
        return near.compactMap(\.self)
    }
}

extension Box {
    fileprivate func holds(_ place: Point) -> Bool {
        place.x >= x && place.x <= right && place.y >= y && place.y <= bottom
    }
}
