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
        /// Whether a sample may also be the source's, or lie between both: at edges of covers that were painted on finer colours; nil where
        /// there are none.
        fileprivate(set) var isEdge: [Bool]?

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

        /// Gives the source's samples the codes that they have in the other range.
        fileprivate func changeRange(toFull isFull: Bool) {
            let (zero, span) = isColor ? (128.0, 224.0) : (16.0, 219.0)
            let codes = (0...255).map { code -> UInt8 in
                let code = Double(code)
                let full = isColor ? zero : 0
                let other = isFull ? full + (code - zero) * 255 / span : zero + (code - full) * span / 255
                return UInt8(min(max(other.rounded(), 0), 255))
            }
            for index in source.indices { source[index] = codes[Int(source[index])] }
        }

        /// Takes the means of covered samples of a finer plane.
        /// - Parameter mask: Of luma's size, not 0 where something is covered.
        fileprivate func take(_ fine: Plane, _ mask: Plane) {
            var isEdge = [Bool](repeating: false, count: width * height)
            for y in 0..<height {
                for x in 0..<width {
                    let lines = y << shift.y..<min((y + 1) << shift.y, mask.height)
                    let pixels = x << shift.x..<min((x + 1) << shift.x, mask.width)
                    guard let top = lines.first, let bottom = lines.last, let left = pixels.first,
                        let right = pixels.last
                    else { continue }
                    var hidden = 0
                    for row in lines {
                        for column in pixels where mask.covered[row * mask.width + column] != 0 { hidden += 1 }
                    }
                    var (sum, count) = (0, 0)
                    for row in top >> fine.shift.y...min(bottom >> fine.shift.y, fine.height - 1) {
                        for column in left >> fine.shift.x...min(right >> fine.shift.x, fine.width - 1) {
                            sum += Int(fine.covered[row * fine.width + column])
                            count += 1
                        }
                    }
                    covered[y * width + x] = UInt8((sum + count / 2) / count)
                    isEdge[y * width + x] = hidden > 0 && hidden < lines.count * pixels.count
                }
            }
            self.isEdge = isEdge
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
    ///   - ownShift: log2 of luma pixels a sample of colour in the video's file, where that is finer than its planes here: its covers end at
    ///     whole samples of those, and there is a rim of which nothing is told. nil for a video that is read as it lies.
    init(_ source: PictureView, like video: PictureView, covers: [Cover], ownShift: (x: Int, y: Int)?) {
        guard let luma = source.planes.first else { return }
        planes = [Plane(copying: luma, shift: (0, 0), isColor: false)]
        if source.planes.count == 3, video.planes.count == 3 {
            for index in 1...2 { planes.append(Self.chroma(index, source, like: video)) }
        }
        if source.colorSpace.fullRange != video.colorSpace.fullRange {
            for plane in planes { plane.changeRange(toFull: video.colorSpace.fullRange) }
        }
        for plane in planes { plane.covered = plane.source }
        if let ownShift, ownShift != video.chromaShift {
            paintFinely(covers, ownShift, video.colorSpace)
        } else {
            Self.paint(covers, on: planes, chromaShift: video.chromaShift, video.colorSpace)
        }
    }

    /// Paints where colours are finer than here: samples of colour at edges of covers are of both.
    /// - Parameter shift: log2 of luma pixels a sample of those.
    private func paintFinely(_ covers: [Cover], _ shift: (x: Int, y: Int), _ colorSpace: ColorSpace) {
        guard let luma = planes.first else { return }
        let fine = planes.map { plane in
            let own = plane.isColor ? shift : (x: 0, y: 0)
            let (width, height) = (
                (luma.width + (1 << own.x) - 1) >> own.x, (luma.height + (1 << own.y) - 1) >> own.y
            )
            return Plane(width: width, height: height, shift: own, isColor: plane.isColor) { x, y in
                let row = min((y << own.y) >> plane.shift.y, plane.height - 1)
                return plane.source[row * plane.width + min((x << own.x) >> plane.shift.x, plane.width - 1)]
            }
        }
        let mask = Plane(width: luma.width, height: luma.height, shift: (0, 0), isColor: false) { _, _ in 0 }
        for plane in fine + [mask] { plane.covered = plane.source }
        Self.paint(covers, on: fine, chromaShift: shift, colorSpace)
        let white = covers.map { Cover(spot: $0.spot, style: .fill, color: RGB(255, 255, 255)) }
        Self.paint(white, on: [mask], chromaShift: shift, colorSpace)
        luma.covered = fine[0].covered
        for (plane, fine) in zip(planes, fine).dropFirst() { plane.take(fine, mask) }
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

    private static func paint(
        _ covers: [Cover], on planes: [Plane], chromaShift: (x: Int, y: Int), _ colorSpace: ColorSpace
    ) {
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
                luma: planes[0], chroma: planes.count == 3 ? (planes[1], planes[2]) : nil, chromaShift: chromaShift,
                colorSpace: colorSpace)
            for cover in covers { CoverPainter.paint(cover, onto: canvas) }
        }
    }
}
