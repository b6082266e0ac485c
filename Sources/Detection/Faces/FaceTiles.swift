internal import Glibc

/// The square parts of a picture that are searched for faces: the whole of it, then ever smaller tiles that overlap, each
/// seen by a network of the same size.
///
/// A face that a tile's border cuts is whole in its neighbour or in a coarser level.
struct FaceTiles: Sendable {
    /// Tiles down to the size asked for; the coarsest first, by rows within a level.
    private(set) var tiles: [FaceView] = []
    /// The same with outer ones that lie across the picture's edges, but for the largest: a face that an edge cuts has room
    /// around it there.
    private(set) var wide: [FaceView] = []
    /// One more level for faces half as large, where that enlarges the picture no more than it may be.
    private(set) var finest: [FaceView] = []

    /// Overlap of tiles, as a part of a tile's side.
    private static let overlap = 0.125
    /// Largest step from one level to the next finer one.
    private static let step = 2.0
    private static let nearly = 1.1
    /// Largest factor by which a picture is enlarged.
    private static let enlargement = 2.0
    /// The least height of a face that is found reliably, in the network's pixels; a box is this much higher than wide.
    private static let leastFace = 18.0
    private static let elongation = 1.3
    /// How much of the outer tiles lies beyond the picture's edges where those do, of their side.
    private static let beyond = 0.3

    /// - Parameters:
    ///   - longestSide: of the picture at the finest of `tiles`, pixels.
    ///   - minimumSize: of a face's shorter side, pixels: no finer level than it needs.
    init(width: Int, height: Int, longestSide: Int, minimumSize: Double) {
        let (width, height) = (Double(max(width, 1)), Double(max(height, 1)))
        let (network, longest, shorter) = (Self.network, max(width, height), min(width, height))
        let coarse = network / longest
        let needed = Self.leastFace / max(minimumSize * Self.elongation, 1)
        let most = max(coarse, min(Self.enlargement, needed))
        let fine = max(coarse, min(most, Double(longestSide) / longest))
        let levels = Int((log(fine / coarse) / log(Self.step) - 1e-9).rounded(.up))
        for level in 0...max(levels, 0) {
            var scale = levels > 0 ? coarse * pow(fine / coarse, Double(level) / Double(levels)) : coarse
            // Hardly smaller than the picture is high or wide: one row, or column, rather than two.
            if scale * shorter < network * Self.nearly { scale = min(scale, network / shorter) }
            tiles += Self.level(width: width, height: height, scale: scale)
            let beyond = level > 0 || levels <= 0 ? Self.beyond : 0
            wide += Self.level(width: width, height: height, scale: scale, beyond: beyond)
        }
        let finer = min(most, fine * Self.step)
        if finer > fine * Self.nearly { finest = Self.level(width: width, height: height, scale: finer) }
    }

    /// The tiles of a part of a picture, in the picture.
    /// - Parameter way: to the part's top left corner.
    func moved(by way: Point) -> FaceTiles {
        func moved(_ view: FaceView) -> FaceView {
            var view = view
            view.center = view.center + way
            return view
        }
        var tiles = self
        (tiles.tiles, tiles.finest) = (self.tiles.map(moved), finest.map(moved))
        // A part's edges cut nothing that isn't to be seen beyond them.
        tiles.wide = tiles.tiles
        return tiles
    }

    private static let network = Double(FaceNetwork.Form.fullRange.side)

    /// The tiles of a picture that is scaled, by rows.
    /// - Parameter beyond: How much of the outer ones lies beyond its edges, of their side.
    private static func level(width: Double, height: Double, scale: Double, beyond: Double = 0) -> [FaceView] {
        let side = network / scale
        func all(along length: Double) -> [Double] {
            places(along: length + 2 * beyond * side, side: side).map { $0 - beyond * side }
        }
        let columns = all(along: width)
        return all(along: height).flatMap { y in columns.map { FaceView(center: Point($0, y), side: side) } }
    }

    /// How much of a face's box, of its width or height, lies beyond an edge that cuts it.
    private static let cutOff = 0.08

    /// Whether an edge of a picture cuts a face.
    static func cuts(_ box: Box, width: Int, height: Int) -> Bool {
        let (x, y) = (cutOff * box.width, cutOff * box.height)
        return box.x < -x || box.y < -y || box.right > Double(width) + x || box.bottom > Double(height) + y
    }

    /// The middles of tiles along a side of the picture.
    private static func places(along length: Double, side: Double) -> [Double] {
        guard length > side * (1 + 1e-9) else { return [length / 2] }
        let count = Int(((length - side) / (side * (1 - overlap)) - 1e-6).rounded(.up)) + 1
        return (0..<count).map { side / 2 + (length - side) * Double($0) / Double(count - 1) }
    }
}
