internal import Glibc

extension HorizonLine {
    /// Where the line enters and leaves a picture, the left end first; nil where it doesn't cross it.
    public func ends(width: Int, height: Int) -> (Point, Point)? {
        let middle = Point(Double(width - 1) / 2, Double(height - 1) / 2)
        let radians = angle * .pi / 180
        let along = Point(cos(radians), sin(radians))
        let foot = middle + Point(-along.y, along.x) * offset
        // Clipped to the picture's outline (Liang and Barsky 1984).
        var (first, last) = (-Double.infinity, Double.infinity)
        for (start, way, limit) in [(foot.x, along.x, Double(width) - 0.5), (foot.y, along.y, Double(height) - 0.5)] {
            if way == 0 {
                guard (-0.5...limit).contains(start) else { return nil }
                continue
            }
            let (a, b) = ((-0.5 - start) / way, (limit - start) / way)
            first = max(first, min(a, b))
            last = min(last, max(a, b))
        }
        guard first < last else { return nil }
        return (foot + along * first, foot + along * last)
    }
}
