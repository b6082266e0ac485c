internal import Annotate

/// In which frames text is looked for: in the first one, where the picture is another, where something has come or gone
/// in it, and from time to time. What it says follows from the frames alone.
struct TextCadence {
    /// Frames between two looks while the picture moves.
    private let interval: Int
    private var sinceLook = 0
    private var last: FrameCells?
    private var looked: FrameCells?
    /// How many frames the picture has stood still for.
    private var still = 0

    /// What a look costs a frame on average: the interval is as long as that takes, milliseconds.
    private static let (costOfAPixel, costOfAFrame) = (0.00018, 5.0)
    /// Of a cell's mean, grey values that are more than noise.
    private static let noise = 2

    /// - Parameter size: of the picture as it is searched.
    init(size: (width: Int, height: Int)) {
        interval = max(2, Int((Double(size.width * size.height) * Self.costOfAPixel / Self.costOfAFrame).rounded(.up)))
    }

    /// Whether to look in this frame. Called for every frame, in order.
    /// - Parameter hasLost: true where a line isn't where it was followed to.
    mutating func isDue(in frame: VideoFrame, hasLost: Bool) -> Bool {
        let cells = FrameCells(frame)
        defer { last = cells }
        sinceLook += 1
        let isDue: Bool
        if cells.isCut(from: last) {
            isDue = true
        } else {
            let sinceLooked = cells.changed(from: looked, by: FrameCells.change)
            still = cells.changed(from: last, by: Self.noise) == 0 ? still + 1 : 0
            if sinceLook * 4 >= interval, hasLost || sinceLooked > 0 && still >= 3 {
                isDue = true  // something went, or came and stays
            } else {
                isDue = sinceLook >= (sinceLooked > 0 ? interval : 4 * interval)
            }
        }
        if isDue {
            looked = cells
            sinceLook = 0
        }
        return isDue
    }
}
