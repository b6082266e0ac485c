/// Looks at pictures that have nothing in them, look after look.
struct BareLooks {
    /// Looks at all of the picture that found nothing, in a row; whether the last one was at less.
    private var count = 0
    private var wasQuick = false

    /// Looks that have to find nothing before a quick one may do.
    private static let enough = 2

    /// Takes note of a look at all that there is.
    mutating func saw(_ nothing: Bool) {
        count = nothing ? count + 1 : 0
        wasQuick = false
    }

    /// Whether a quick look may come before one at all that there is: every other time.
    mutating func takesQuickOne() -> Bool {
        guard count >= Self.enough, !wasQuick else { return false }
        wasQuick = true
        return true
    }
}

extension NetworkTextTracking {
    /// The size of a quick look, in that of a usual one: it costs a quarter, and finds letters of the height that is asked for but not
    /// the smallest.
    private static let quick = 0.5

    /// Whether to look at a frame in full, where a look is due. Where the looks before found nothing and nothing has happened, every
    /// other one is quick, and is followed by a full one at once if it finds anything that may be text.
    mutating func mayShowText(_ frame: VideoFrame, _ parts: [FramePart]?, isRoutine: Bool) throws -> Bool {
        guard isRoutine, !hides, parts == nil, bare.takesQuickOne() else { return true }
        return try !networks.regions(
            in: frame, shorterSide: Self.quick * effort.shorterSide, limit: 1
        ).isEmpty
    }
}
