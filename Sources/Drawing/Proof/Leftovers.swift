/// What an encoder that saves makes of a block beside covers: what is in sight, a little off its place, what the picture before
/// showed, there or moved, or a blend of the two.
///
/// What was foreign in the picture before is foreign wherever it is taken to: nothing comes in bit by bit, from an edge for
/// example, as what was there before. And what is left of a picture stays like it, or comes nearer to what is expected: nothing
/// fades in.
struct Leftovers {
    /// How far off, luma pixels: from where it should be, and from where it was.
    private static let reach = (expected: 16, before: 32)
    /// The mean square of levels below which a block is one of the picture before.
    private static let same = 12.0
    /// The same against the picture in which it was as expected.
    private static let drift = 48.0

    /// A block's samples in a plane.
    struct Place {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        var count: Int { width * height }
    }

    /// A block that is left of the picture before, and where it was there.
    struct Carried {
        let place: Place
        let x: Int
        let y: Int
    }

    /// The plane's last picture, without gaps, and whether each block of it was foreign.
    private var last: [UInt8] = []
    /// What of it was left, as it was when it was expected.
    private var origin: [UInt8] = []
    private var wasForeign: [Bool] = []
    /// What was expected there.
    private var lastExpected: [UInt8] = []

    /// Keeps a picture for the next.
    /// - Parameters:
    ///   - expected: What it was to show, by rows.
    ///   - carried: What of it is left of the one before.
    mutating func keep(_ video: PlaneView, expected: [UInt8], foreign: [Bool], carried: [Carried]) {
        (wasForeign, lastExpected) = (foreign, expected)
        let before = origin
        last = [UInt8](unsafeUninitializedCapacity: video.width * video.height) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            for y in 0..<video.height {
                (base + y * video.width).update(from: video.base + y * video.stride, count: video.width)
            }
            count = video.width * video.height
        }
        origin = last
        for block in carried where before.count == origin.count {
            for row in 0..<block.place.height {
                let (to, from) = (
                    (block.place.y + row) * video.width + block.place.x, (block.y + row) * video.width + block.x
                )
                for column in 0..<block.place.width { origin[to + column] = before[from + column] }
            }
        }
    }

    /// A block that the picture before showed within reach, of what wasn't foreign there; nil for another.
    /// - Parameters:
    ///   - levels: What each level is in the light of the video.
    ///   - grid: A block's sides in samples, and how many blocks are in a row.
    func shown(
        _ place: Place, of video: PlaneView, in plane: CoveredPlanes.Plane, levels: [Int],
        grid: (wide: Int, high: Int, columns: Int)
    ) -> Carried? {
        guard last.count == video.width * video.height else { return nil }
        let (limit, most) = (Int(Self.same) * place.count, Int(Self.drift) * place.count)
        var found: Carried?
        last.withUnsafeBufferPointer { last in
            origin.withUnsafeBufferPointer { origin in
                guard let base = last.baseAddress, let begin = origin.baseAddress else { return }
                _ = Self.places(about: place, Self.reach.before, plane.shift, video.width, video.height) { x, y in
                    let way = y * video.width + x
                    guard Self.difference(place, of: video, base + way, video.width, limit, { $0 }) <= limit,
                        !isForeign(Place(x: x, y: y, width: place.width, height: place.height), grid),
                        Self.difference(place, of: video, begin + way, video.width, most, { $0 }) <= most
                            || Self.isBlend(
                                place, of: video, in: plane, with: begin + way, video.width, levels: levels,
                                bound: Self.drift)
                    else { return false }
                    found = Carried(place: place, x: x, y: y)
                    return true
                }
            }
        }
        return found
    }

    /// Whether a block is one that is expected within reach.
    /// - Parameters:
    ///   - levels: What each level is in the light of the video.
    ///   - bound: The mean square of levels that it may differ by.
    static func isExpected(
        _ place: Place, of video: PlaneView, in plane: CoveredPlanes.Plane, levels: [Int], bound: Double
    ) -> Bool {
        let limit = Int(bound * Double(place.count))
        return plane.covered.withUnsafeBufferPointer { covered in
            levels.withUnsafeBufferPointer { levels in
                guard let base = covered.baseAddress else { return false }
                return places(about: place, reach.expected, plane.shift, plane.width, plane.height) { x, y in
                    difference(place, of: video, base + y * plane.width + x, plane.width, limit) { levels[$0] } <= limit
                }
            }
        }
    }

    /// Whether a block is a blend of what is expected there and of what was in the picture before: an encoder that saves brings in
    /// bit by bit what a cover has left. What was shown before doesn't count: what is foreign may come in bit by bit as well.
    /// - Parameters:
    ///   - levels: What each level is in the light of the video.
    ///   - bound: The mean square of levels that it may differ by.
    func isBlend(
        _ place: Place, of video: PlaneView, in plane: CoveredPlanes.Plane, levels: [Int], bound: Double
    ) -> Bool {
        guard lastExpected.count == plane.covered.count else { return false }
        return lastExpected.withUnsafeBufferPointer { before in
            guard let base = before.baseAddress else { return false }
            return Self.isBlend(
                place, of: video, in: plane, with: base + place.y * plane.width + place.x, plane.width, levels: levels,
                bound: bound, otherLevels: levels)
        }
    }

    /// Whether a block is a blend of what is expected there and of something else.
    /// - Parameters:
    ///   - other: The other's first sample, of rows that lie `stride` apart.
    ///   - otherLevels: What each level of the other is in the light of the video; nil where it is the video's.
    private static func isBlend(
        _ place: Place, of video: PlaneView, in plane: CoveredPlanes.Plane, with other: UnsafePointer<UInt8>,
        _ stride: Int, levels: [Int], bound: Double, otherLevels: [Int]? = nil
    ) -> Bool {
        // Of the way from what is expected to the other, the part that the block is nearest to.
        var (along, whole, squares) = (0, 0, 0)
        for y in place.y..<place.y + place.height {
            for x in place.x..<place.x + place.width {
                let index = y * plane.width + x
                let expected = levels[Int(plane.covered[index])]
                let theirs = Int(other[(y - place.y) * stride + x - place.x])
                let way = (otherLevels.map { $0[theirs] } ?? theirs) - expected
                let gone = Int(video.base[y * video.stride + x]) - expected
                along += way * gone
                whole += way * way
                squares += gone * gone
            }
        }
        guard whole > 0, along > 0 else { return false }
        let share = min(Double(along) / Double(whole), 1)
        let left = Double(squares) - 2 * share * Double(along) + share * share * Double(whole)
        return left <= bound * Double(place.count)
    }

    private func isForeign(_ place: Place, _ grid: (wide: Int, high: Int, columns: Int)) -> Bool {
        let (right, bottom) = (grid.columns - 1, wasForeign.count / grid.columns - 1)
        for row in min(place.y / grid.high, bottom)...min((place.y + place.height - 1) / grid.high, bottom) {
            for column in min(place.x / grid.wide, right)...min((place.x + place.width - 1) / grid.wide, right)
            where wasForeign[row * grid.columns + column] { return true }
        }
        return false
    }

    /// Whether one of the places within so many luma pixels, all in the picture, is as wanted.
    private static func places(
        about place: Place, _ reach: Int, _ shift: (x: Int, y: Int), _ width: Int, _ height: Int,
        _ isWanted: (_ x: Int, _ y: Int) -> Bool
    ) -> Bool {
        let (wide, high) = (reach >> shift.x, reach >> shift.y)
        let (right, bottom) = (min(place.x + wide, width - place.width), min(place.y + high, height - place.height))
        guard right >= place.x, bottom >= place.y else { return false }
        if isWanted(place.x, place.y) { return true }
        for y in max(place.y - high, 0)...bottom {
            for x in max(place.x - wide, 0)...right where isWanted(x, y) { return true }
        }
        return false
    }

    /// The sum of the squares of what differs; at some row over the limit no more is added.
    @inline(__always)
    private static func difference(
        _ place: Place, of video: PlaneView, _ other: UnsafePointer<UInt8>, _ stride: Int, _ limit: Int,
        _ level: (Int) -> Int
    ) -> Int {
        var sum = 0
        for row in 0..<place.height where sum <= limit {
            let (line, theirs) = (video.base + (place.y + row) * video.stride + place.x, other + row * stride)
            for column in 0..<place.width {
                let off = Int(line[column]) - level(Int(theirs[column]))
                sum += off * off
            }
        }
        return sum
    }
}
