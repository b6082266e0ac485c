/// The pictures whose weighted sums are masks.
struct MaskPictures {
    let columns: Int
    let rows: Int
    private let base: UnsafePointer<Float>
    private let planeStep: Int
    private let pixelStep: Int

    init?(_ output: TensorView, _ form: DetectorReading.MaskForm) {
        let shape = output.shape
        guard shape.count == 4, let base = output.values.baseAddress else { return nil }
        self.base = base
        if form.isInterleaved {
            (rows, columns, planeStep, pixelStep) = (shape[1], shape[2], 1, shape[3])
        } else {
            (rows, columns, planeStep, pixelStep) = (shape[2], shape[3], shape[2] * shape[3], 1)
        }
        let count = form.isInterleaved ? shape[3] : shape[1]
        guard count == form.count, rows > 0, columns > 0 else { return nil }
    }

    /// Where the sum is above 0, in runs down the columns of a grid of places, beginning with what isn't.
    /// - Parameters:
    ///   - weights: of pictures one after another.
    ///   - first: the number of the first of them.
    ///   - xs: the grid's columns in the pictures' pixels, rising; beyond the pictures their border goes on.
    func runs(_ weights: [Float], from first: Int = 0, _ xs: [Float], _ ys: [Float]) -> [Int] {
        guard let across = span(xs, columns), let down = span(ys, rows) else { return [] }
        let (width, height) = (across.count, down.count)
        var sums = [Float](repeating: 0, count: width * height)
        for (plane, weight) in zip(first..., weights) {
            for row in 0..<height {
                let source =
                    base + plane * planeStep + ((down.lowerBound + row) * columns + across.lowerBound) * pixelStep
                for column in 0..<width { sums[row * width + column] += weight * source[column * pixelStep] }
            }
        }
        let lines = ys.map { Between($0, down) }
        var (runs, isInside, length) = ([Int](), false, 0)
        for x in xs {
            let side = Between(x, across)
            for line in lines {
                let (upper, lower) = (line.first * width, line.second * width)
                let above = sums[upper + side.first] * (1 - side.share) + sums[upper + side.second] * side.share
                let below = sums[lower + side.first] * (1 - side.share) + sums[lower + side.second] * side.share
                if (above * (1 - line.share) + below * line.share > 0) != isInside {
                    runs.append(length)
                    (isInside, length) = (!isInside, 0)
                }
                length += 1
            }
        }
        runs.append(length)
        return runs
    }

    /// The pixels that some places lie between.
    private func span(_ places: [Float], _ count: Int) -> Range<Int>? {
        guard let first = places.first, let last = places.last, first.isFinite, last.isFinite else { return nil }
        let low = min(max(0, Int(first.rounded(.down))), count - 1)
        let high = min(max(low, Int(last.rounded(.down)) + 1), count - 1)
        return low..<high + 1
    }

    /// The two pixels that a place lies between, counted from a span's first, and the share of the second.
    private struct Between {
        var first: Int
        var second: Int
        var share: Float

        init(_ place: Float, _ span: Range<Int>) {
            let inside = min(max(place, Float(span.lowerBound)), Float(span.upperBound - 1))
            let whole = Int(inside.rounded(.down))
            first = whole - span.lowerBound
            second = min(first + 1, span.count - 1)
            share = inside - Float(whole)
        }
    }
}
