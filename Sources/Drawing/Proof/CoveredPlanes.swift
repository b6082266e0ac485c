/// A source's planes as they lie in a video of it, and the same with its covers painted on them.
final class CoveredPlanes {
    /// A plane, by rows without gaps.
    final class Plane {
        let width: Int
        let height: Int
        /// log2 of luma pixels a sample, across and down.
        let shift: (x: Int, y: Int)
        let isColor: Bool
        fileprivate(set) var source: [UInt8]
        fileprivate(set) var covered: [UInt8] = []

        /// A plane as it is.
        fileprivate init(copying plane: PlaneView, shift: (x: Int, y: Int), isColor: Bool) {
            (width, height, self.shift, self.isColor) = (plane.width, plane.height, shift, isColor)
            let (width, height) = (plane.width, plane.height)
            source = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
                guard let base = buffer.baseAddress else { return }
                for y in 0..<height { (base + y * width).update(from: plane.base + y * plane.stride, count: width) }
                count = width * height
            }
        }

        fileprivate init(
            width: Int, height: Int, shift: (x: Int, y: Int), isColor: Bool, _ value: (_ x: Int, _ y: Int) -> UInt8
        ) {
            (self.width, self.height, self.shift, self.isColor) = (width, height, shift, isColor)
            source = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
                for y in 0..<height { for x in 0..<width { buffer[y * width + x] = value(x, y) } }
                count = width * height
            }
        }
    }

    /// Luma, and where both have them the planes of colour.
    private(set) var planes: [Plane] = []

    /// - Parameters:
    ///   - video: Of the source's size; its planes of colour may have another.
    ///   - covers: Painted in this order. They reach over whole chroma samples of the video.
    init(_ source: PictureView, like video: PictureView, covers: [Cover]) {
        guard let luma = source.planes.first else { return }
        planes = [Plane(copying: luma, shift: (0, 0), isColor: false)]
        if source.planes.count == 3, video.planes.count == 3 {
            for index in 1...2 { planes.append(Self.chroma(index, source, like: video)) }
        }
        for plane in planes { plane.covered = plane.source }
        paint(covers, video)
    }

    /// A plane of colour in the video's size: the mean of the source's samples in each of the video's.
    private static func chroma(_ index: Int, _ source: PictureView, like video: PictureView) -> Plane {
        let (plane, own, shift) = (source.planes[index], source.chromaShift, video.chromaShift)
        let size = (video.planes[index].width, video.planes[index].height)
        if own == shift, size == (plane.width, plane.height) {
            return Plane(copying: plane, shift: shift, isColor: true)
        }
        return Plane(width: video.planes[index].width, height: video.planes[index].height, shift: shift, isColor: true)
        { x, y in
            func samples(_ place: Int, _ to: Int, _ from: Int, _ count: Int) -> ClosedRange<Int> {
                let first = min((place << to) >> from, count - 1)
                return first...max(first, min((((place + 1) << to) - 1) >> from, count - 1))
            }
            let (xs, ys) = (samples(x, shift.x, own.x, plane.width), samples(y, shift.y, own.y, plane.height))
            var sum = 0
            for y in ys { for x in xs { sum += Int(plane.base[y * plane.stride + x]) } }
            return UInt8((sum + xs.count * ys.count / 2) / (xs.count * ys.count))
        }
    }

    private func paint(_ covers: [Cover], _ video: PictureView) {
        func with(_ index: Int, _ all: [MutablePlane], _ body: ([MutablePlane]) -> Void) {
            guard index < planes.count else { return body(all) }
            let plane = planes[index]
            plane.covered.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                let next = MutablePlane(base: base, width: plane.width, height: plane.height, stride: plane.width)
                with(index + 1, all + [next], body)
            }
        }
        with(0, []) { planes in
            let canvas = Canvas(
                luma: planes[0], chroma: planes.count == 3 ? (planes[1], planes[2]) : nil,
                chromaShift: video.chromaShift, colorSpace: video.colorSpace)
            for cover in covers { CoverPainter.paint(cover, onto: canvas) }
        }
    }
}
