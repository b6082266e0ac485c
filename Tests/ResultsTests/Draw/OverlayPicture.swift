@testable import Annotate
@testable import Drawing

/// A picture to draw on, with guard bytes to the right of every row and around the planes.
final class OverlayPicture {
    static let guardByte: UInt8 = 0xA5
    static let ground: UInt8 = 100

    let width: Int
    let height: Int
    let shift: (x: Int, y: Int)
    let gray: Bool
    private(set) var planes: [Plane]

    struct Plane {
        var width: Int
        var height: Int
        var stride: Int
        var bytes: [UInt8]

        init(width: Int, height: Int) {
            self.width = width
            self.height = height
            stride = width + 5
            bytes = [UInt8](repeating: OverlayPicture.guardByte, count: stride * (height + 2))
            for y in 0..<height {
                for x in 0..<width { bytes[stride * (y + 1) + x] = OverlayPicture.ground }
            }
        }

        subscript(x: Int, y: Int) -> UInt8 { bytes[stride * (y + 1) + x] }

        /// The pixels in rows from the top left.
        var pixels: [UInt8] { (0..<height).flatMap { y in (0..<width).map { self[$0, y] } } }

        var guardsIntact: Bool {
            bytes.indices.allSatisfy { index in
                let (x, y) = (index % stride, index / stride - 1)
                return x < width && y >= 0 && y < height || bytes[index] == OverlayPicture.guardByte
            }
        }
    }

    init(_ width: Int, _ height: Int, shift: (x: Int, y: Int) = (1, 1), gray: Bool = false) {
        self.width = width
        self.height = height
        self.shift = shift
        self.gray = gray
        let chroma = Plane(
            width: (width + (1 << shift.x) - 1) >> shift.x, height: (height + (1 << shift.y) - 1) >> shift.y)
        planes = [Plane(width: width, height: height)] + (gray ? [] : [chroma, chroma])
    }

    var luma: Plane { planes[0] }

    /// Full-range codes unless told otherwise, so that white is 255 and black 0.
    func draw<E: Error>(
        in space: ColorSpace = ColorSpace(matrix: .bt601, fullRange: true), _ body: (Canvas) throws(E) -> Void
    ) throws(E) {
        let count = planes.count
        let views = planes.map { plane in
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: plane.bytes.count)
            memory.initialize(from: plane.bytes, count: plane.bytes.count)
            return MutablePlane(
                base: memory + plane.stride, width: plane.width, height: plane.height, stride: plane.stride)
        }
        defer {
            for index in 0..<count {
                let start = views[index].base - planes[index].stride
                planes[index].bytes = Array(UnsafeBufferPointer(start: start, count: planes[index].bytes.count))
                start.deallocate()
            }
        }
        try body(
            Canvas(
                luma: views[0], chroma: count > 1 ? (views[1], views[2]) : nil, chromaShift: shift,
                colorSpace: space))
    }

    /// How many pixels of white were painted on the ground, by luma.
    var whiteArea: Double {
        luma.pixels.reduce(0) { $0 + (Double($1) - Double(Self.ground)) } / (255 - Double(Self.ground))
    }

    /// The smallest rectangle around the changed luma pixels.
    var changed: PixelRect? {
        var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)
        for y in 0..<height {
            for x in 0..<width where luma[x, y] != Self.ground {
                (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
            }
        }
        return right < 0 ? nil : PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    var guardsIntact: Bool { planes.allSatisfy(\.guardsIntact) }
}

extension RGB {
    static let white = RGB(255, 255, 255)
    static let strongRed = RGB(255, 0, 0)
}
