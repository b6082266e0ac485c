/// The coverage of each pixel by a shape, 0…255: the scratch picture that shapes are put together in before they are
/// painted in one go, so that a shape's overlapping parts don't add up.
///
/// The mask is as large as the picture, and only tiles of 16 × 16 pixels that a shape touched are ever looked at or
/// cleared again. Parts of a shape are united by the larger coverage.
final class CoverageMask {
    /// Pixels along a tile's side. A multiple of the chroma subsampling, so that no chroma sample straddles tiles.
    static let tileSide = 16

    let width: Int
    let height: Int
    /// Bytes from one row to the next.
    let stride: Int
    let bytes: UnsafeMutablePointer<UInt8>

    private let tilesAcross: Int
    private let tilesDown: Int
    private let touched: UnsafeMutablePointer<Bool>
    private let touchedTiles: UnsafeMutablePointer<Int>
    private(set) var touchedCount = 0

    /// - Parameters:
    ///   - width: The picture's width in pixels.
    ///   - height: The picture's height in pixels.
    init(width: Int, height: Int) {
        self.width = max(width, 0)
        self.height = max(height, 0)
        let side = Self.tileSide
        tilesAcross = (self.width + side - 1) / side
        tilesDown = (self.height + side - 1) / side
        stride = tilesAcross * side
        let tiles = tilesAcross * tilesDown
        bytes = .allocate(capacity: max(tiles * side * side, 1))
        bytes.initialize(repeating: 0, count: tiles * side * side)
        touched = .allocate(capacity: max(tiles, 1))
        touched.initialize(repeating: false, count: tiles)
        touchedTiles = .allocate(capacity: max(tiles, 1))
        touchedTiles.initialize(repeating: 0, count: tiles)
    }

    deinit {
        bytes.deallocate()
        touched.deallocate()
        touchedTiles.deallocate()
    }

    /// The left and top pixel of the `index`-th touched tile.
    @inline(__always)
    func tileOrigin(_ index: Int) -> (x: Int, y: Int) {
        let tile = touchedTiles[index]
        return (tile % tilesAcross * Self.tileSide, tile / tilesAcross * Self.tileSide)
    }

    /// Notes that pixels of `columns` in `row` are about to be written. The columns are inside the picture.
    @inline(__always)
    func touch(row: Int, columns: Range<Int>) {
        guard !columns.isEmpty else { return }
        let first = (row >> 4) * tilesAcross
        for tile in first + (columns.lowerBound >> 4)...first + ((columns.upperBound - 1) >> 4) where !touched[tile] {
            touched[tile] = true
            touchedTiles[touchedCount] = tile
            touchedCount += 1
        }
    }

    /// Clears what was drawn.
    func clear() {
        for index in 0..<touchedCount {
            let origin = tileOrigin(index)
            var row = bytes + origin.y * stride + origin.x
            for _ in 0..<Self.tileSide {
                row.update(repeating: 0, count: Self.tileSide)
                row += stride
            }
            touched[touchedTiles[index]] = false
        }
        touchedCount = 0
    }

    /// The rows whose centres lie in `low...high`, cut to the picture.
    @inline(__always)
    func rows(from low: Double, to high: Double) -> Range<Int> { Self.pixels(from: low, to: high, limit: height) }

    /// The columns whose centres lie in `low...high`, cut to the picture.
    @inline(__always)
    func columns(from low: Double, to high: Double) -> Range<Int> { Self.pixels(from: low, to: high, limit: width) }

    @inline(__always)
    private static func pixels(from low: Double, to high: Double, limit: Int) -> Range<Int> {
        // Written so that NaN gives an empty range.
        guard low <= high, high >= 0, low <= Double(limit - 1) else { return 0..<0 }
        let whole = low <= 0 ? 0 : Int(low)
        let first = Double(whole) < low ? whole + 1 : whole
        let last = high >= Double(limit - 1) ? limit - 1 : Int(high)
        return first <= last ? first..<last + 1 : 0..<0
    }
}
