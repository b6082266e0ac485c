/// The cadence of looks for text: in the first frame, where the picture is another, where something has come or gone in
/// it, and from time to time. What it says follows from the frames alone.
struct TextCadence {
    /// Frames between two looks while the picture moves.
    private var interval: Int
    /// Seconds between two looks while the picture moves, at the most; nil for no such bound.
    private let mostSeconds: Double?
    private var lookedAt = -Double.infinity
    private var sinceLook = 0
    private var last: FrameCells?
    private var changes = SuddenChanges()
    private var steadied = SteadiedChanges()
    private var looked: FrameCells?
    /// Frames after a look until another may be taken of text that has changed: more where it changes again at once.
    private var patience: Int
    /// Whether text has changed since the last look, and had by then been at rest for as long.
    private var isOwed = false
    private var wasAtRest = true
    /// Whether the look that is due is so by its turn alone, in a picture of which nothing else asks for one.
    private(set) var isRoutine = false
    /// Whether the look that is due is so for what has changed since the last one alone, and need look nowhere else.
    private(set) var isOfChanges = false
    private var sinceWhole = 0
    /// Frames for which the picture has stood still.
    private var still = 0

    /// Cost of a look, milliseconds a pixel and a frame: the interval is as long as that takes on average.
    private static let (costOfAPixel, costOfAFrame) = (0.00018, 5.0)
    /// Change of a cell's mean, in grey values, that is more than noise.
    private static let noise = 2

    /// What is to be hidden is found before it has been in sight for as long as covers reach back.
    private static let mostSecondsOfHidden = 0.3
    /// And where the picture changes so much that nothing would be seen to come, before it has been in sight for so
    /// long that it can be read.
    private static let mostSecondsOfUnseen = 0.1

    /// - Parameters:
    ///   - pixels: That a look searches.
    ///   - hides: True where what is found is hidden: text that is lost is looked for at once, and new text soon.
    init(pixels: Int, hides: Bool = false) {
        mostSeconds = hides ? Self.mostSecondsOfHidden : nil
        interval = Self.interval(pixels)
        patience = (interval + 3) / 4
    }

    private static func interval(_ pixels: Int) -> Int {
        max(2, Int((Double(pixels) * costOfAPixel / costOfAFrame).rounded(.up)))
    }

    /// Takes note of how many pixels a look searches from now on.
    mutating func searches(_ pixels: Int) { interval = Self.interval(pixels) }

    /// Takes note that all of the picture was searched.
    mutating func searchedAll() { sinceWhole = 0 }

    /// Whether to look in this frame. Called for every frame, in order.
    /// - Parameters:
    ///   - hasLost: true where a line isn't where it was followed to.
    ///   - hasChanged: true where a line has begun to say something else.
    ///   - hasNew: true where there is a region to look into that wasn't there before.
    ///   - hasDoubt: true where a line that is hidden may be elsewhere than it was followed to.
    ///   - hunt: in how many frames one that was lost is looked for; nil for none.
    mutating func isDue(
        in frame: VideoFrame, hasLost: Bool, hasChanged: Bool = false, hasNew: Bool = false, hasDoubt: Bool = false,
        hunt: Int? = nil
    ) -> Bool {
        let cells = FrameCells(frame)
        defer { last = cells }
        let hasCome = mostSeconds != nil && changes.come(cells) != nil
        let isSudden = mostSeconds != nil && steadied.come(in: frame, isStill: !changes.isMoving) || hasCome
        let mostSeconds = mostSeconds.map { steadied.isBlind ? Self.mostSecondsOfUnseen : $0 }
        sinceLook += 1
        sinceWhole += 1
        (isRoutine, isOfChanges) = (false, false)
        if hasChanged, !isOwed {
            isOwed = true
            wasAtRest = sinceLook >= patience
        }
        let isDue: Bool
        if hasNew || cells.isCut(from: last) {
            isDue = true
        } else if isOwed, sinceLook >= patience {
            isDue = true
            patience = wasAtRest ? (interval + 3) / 4 : min(2 * patience, interval)
        } else {
            let sinceLooked = cells.changed(from: looked, by: FrameCells.change)
            still = cells.changed(from: last, by: Self.noise) == 0 ? still + 1 : 0
            if sinceLook * 4 >= interval, hasLost || sinceLooked > 0 && still >= 3 {
                isDue = true  // something went, or came and stays
            } else if mostSeconds != nil,
                hasLost || hasDoubt || isSudden
                    || sinceLook >= hunt ?? .max && cells.changed(from: looked, by: Self.noise) > 0
            {
                isDue = true
            } else if let mostSeconds, sinceLooked > 0, frame.seconds - lookedAt >= mostSeconds {
                isDue = true
                isOfChanges = sinceWhole < interval
            } else {
                isDue = sinceLook >= (sinceLooked > 0 ? interval : 4 * interval)
                isRoutine = isDue && !hasLost && !hasDoubt && !isOwed
            }
        }
        if isDue {
            looked = cells
            lookedAt = frame.seconds
            sinceLook = 0
            isOwed = false
        }
        return isDue
    }
}
