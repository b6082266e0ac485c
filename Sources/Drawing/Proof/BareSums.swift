/// What a part of a plane tells of a cover: sums of what the cover took away there, source less covered, and of what is shown
/// instead, video less covered, both about their own means: a label of one colour may be as bright as what is hidden.
struct BareSums {
    /// The detail below which there is nothing to see, mean square of levels, and those below which nothing can be told from what
    /// an encoder makes by itself: colours it keeps less well.
    private static let something = 36.0, faintest = 6.0, faintestColor = 16.0
    /// The part of what was taken away from which on it is seen, and how far the video is from the source there at the most, of the
    /// mean square of what was taken away: a line that is drawn along an edge isn't like the source.
    private static let seen = 0.5, far = 0.4
    /// Less of it is seen, too, where there is so much detail beside a slope, mean square of levels, and the video's is as like it:
    /// the source shimmers through. Slopes are left out: smoothing a cover's cells, an encoder makes some.
    private static let through = 0.2, clear = 25.0, likeness = 0.8

    private let isColor: Bool
    /// Mean square of what was taken away.
    private(set) var taken = 0.0
    /// Variance of the source itself: where it has none, what was taken away is a cover's own edge, and a line along that is no sight of it.
    private var own = 0.0
    private var (back, away, awayInverted) = (0.0, 0.0, 0.0)
    /// The same without slopes: mean squares of both, and of one times the other.
    private(set) var fine = (taken: 0.0, shown: 0.0, both: 0.0)
    private(set) var count = 0
    /// Whether the cover has one value there: what an encoder makes of it is no sight of the source.
    private(set) var isFlat = true

    init(x: Range<Int>, y: Range<Int>, _ plane: CoveredPlanes.Plane, _ video: PlaneView) {
        isColor = plane.isColor
        count = x.count * y.count
        let count = Double(count)
        guard count > 0 else { return }
        let first = plane.covered[y.lowerBound * plane.width + x.lowerBound]
        let middle = (x: Double(x.lowerBound + x.upperBound - 1) / 2, y: Double(y.lowerBound + y.upperBound - 1) / 2)
        var (lost, shown) = (Moments(), Moments())
        var (both, sum, squares) = (0.0, 0, 0)
        for row in y {
            let line = video.base + row * video.stride
            let down = Double(row) - middle.y
            for column in x {
                let covered = Int(plane.covered[row * plane.width + column])
                let source = Int(plane.source[row * plane.width + column])
                if plane.covered[row * plane.width + column] != first { isFlat = false }
                let (gone, there) = (Double(source - covered), Double(Int(line[column]) - covered))
                sum += source
                squares += source * source
                let across = Double(column) - middle.x
                lost.add(gone, across, down)
                shown.add(there, across, down)
                both += gone * there
            }
        }
        // Sums of squares of the places about the part's middle.
        func spread(_ number: Int) -> Double { Double(number * (number * number - 1)) / 12 }
        let (wide, high) = (spread(x.count) * Double(y.count), spread(y.count) * Double(x.count))
        let centred = (
            lost: lost.squares - lost.sum * lost.sum / count, shown: shown.squares - shown.sum * shown.sum / count,
            both: both - lost.sum * shown.sum / count
        )
        func slopes(_ a: Moments, _ b: Moments) -> Double {
            (wide > 0 ? a.across * b.across / wide : 0) + (high > 0 ? a.down * b.down / high : 0)
        }
        (taken, back) = (centred.lost / count, centred.both / count)
        own = (Double(squares) - Double(sum * sum) / count) / count
        away = (centred.shown + centred.lost - 2 * centred.both) / count
        awayInverted = (centred.shown + centred.lost + 2 * centred.both) / count
        fine = (
            (centred.lost - slopes(lost, lost)) / count, (centred.shown - slopes(shown, shown)) / count,
            (centred.both - slopes(lost, shown)) / count
        )
    }

    /// Whether there is anything to see.
    var isTelling: Bool { min(taken, own) >= Self.something }

    /// Whether there is in a picture that is made brighter.
    var isFaintlyTelling: Bool { min(taken, own) >= (isColor ? Self.faintestColor : Self.faintest) }

    /// Whether most of what was taken away is seen, as it is or with dark and light exchanged.
    var isPlainlySeen: Bool { abs(back) > Self.seen * taken && min(away, awayInverted) < Self.far * taken }

    /// Whether some of it is. Of colours encoders themselves take some over from what is around.
    var shimmersThrough: Bool {
        !isColor && fine.taken >= Self.clear && fine.both > Self.through * fine.taken
            && fine.both * fine.both > Self.likeness * Self.likeness * fine.taken * fine.shown
    }

    /// Sums of a plane's values, of their squares, and of them times their places.
    private struct Moments {
        var (sum, squares, across, down) = (0.0, 0.0, 0.0, 0.0)

        mutating func add(_ value: Double, _ x: Double, _ y: Double) {
            sum += value
            squares += value * value
            across += value * x
            down += value * y
        }
    }
}
