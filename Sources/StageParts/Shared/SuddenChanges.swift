/// Tells pictures in which something comes or goes at once: a cut, or a thing that wasn't there in the picture before. What moves
/// changes as much in every picture, and is none.
package struct SuddenChanges {
    /// Change of a cell's mean, grey values.
    private static let change = 24
    /// The share of a picture's cells that change so at the least: some three by three of them.
    private static let least = 0.004
    /// How many times as much as in the pictures before.
    private static let factor = 3.0

    private var last: FrameCells?
    /// Of the last few pictures: of some videos every other one is the one before again.
    private var shares: [Double] = []
    private static let few = 3

    /// Whether so much changes of late that something has come, or the picture moves.
    package var isMoving: Bool { (shares.max() ?? 0) >= Self.least }

    package init() {}

    /// Where something comes or goes in a frame: the box around all of it, pixels; nil where nothing does, and in the first.
    /// Called for every frame, in order.
    package mutating func come(in frame: VideoFrame) -> Box? { come(FrameCells(frame)) }

    /// The same of a frame's cells.
    /// - Parameter cells: The frame's.
    package mutating func come(_ cells: FrameCells) -> Box? {
        defer { last = cells }
        guard let last else { return nil }
        let now = cells.changed(from: last, by: Self.change)
        let usual = shares.max() ?? 0
        shares = shares.suffix(Self.few - 1) + [now]
        let isSudden = now >= Self.least && now > Self.factor * usual
        guard isSudden || cells.isCut(from: last) else { return nil }
        return cells.changedBox(from: last, by: isSudden ? Self.change : FrameCells.change)
    }
}
