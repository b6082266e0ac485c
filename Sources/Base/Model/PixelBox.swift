/// An upright box of whole pixels: the columns from `x` on, the rows from `y` on.
public struct PixelBox: Sendable, Hashable {
    /// The first column.
    public var x: Int
    /// The first row.
    public var y: Int
    /// How many columns; 0 or less for an empty box.
    public var width: Int
    /// How many rows; 0 or less for an empty box.
    public var height: Int

    /// A box by its first column and row, from 0 at the picture's upper left, and how many of each; nothing is checked.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// A whole picture.
    public init(_ size: PictureSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

    /// Just behind the last column.
    public var right: Int { Self.end(x, width) }
    /// Just behind the last row.
    public var bottom: Int { Self.end(y, height) }
    /// Whether there is no pixel in it.
    public var isEmpty: Bool { width <= 0 || height <= 0 }
    /// How many pixels are in it; the largest number for a box that has more.
    public var area: Int {
        guard !isEmpty else { return 0 }
        let (area, isTooLarge) = width.multipliedReportingOverflow(by: height)
        return isTooLarge ? .max : area
    }

    /// The sum, or the number nearest to it.
    private static func end(_ start: Int, _ length: Int) -> Int {
        let (end, isTooLarge) = start.addingReportingOverflow(length)
        return isTooLarge ? (length > 0 ? .max : .min) : end
    }

    /// The box of the same pixels, with real coordinates.
    public var box: Box { Box(x: Double(x), y: Double(y), width: Double(width), height: Double(height)) }

    /// The pixels that are in both; an empty box where there are none.
    public func intersection(_ other: PixelBox) -> PixelBox {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(right, other.right), min(bottom, other.bottom))
        return PixelBox(x: left, y: top, width: max(right - left, 0), height: max(bottom - top, 0))
    }
}

extension Box {
    /// The pixels that the box touches, as a track file has it: to hundredths. At least one.
    public var pixels: PixelBox {
        func whole(_ low: Double, _ length: Double) -> (first: Int, count: Int) {
            let low = low.rounded(toDecimals: 2), high = low + length.rounded(toDecimals: 2)
            // A sum of hundredths may miss the number that it is by some bits.
            let first = Self.pixel((low + Self.slack).rounded(.down))
            return (first, max(Self.pixel((high - Self.slack).rounded(.up)) - first, 1))
        }
        let (columns, rows) = (whole(x, width), whole(y, height))
        return PixelBox(x: columns.first, y: rows.first, width: columns.count, height: rows.count)
    }

    private static let slack = 1e-3

    /// A coordinate as a whole number, cut at ±10⁹.
    private static func pixel(_ value: Double) -> Int { Int(inRange: min(max(value, -1e9), 1e9)) }
}
