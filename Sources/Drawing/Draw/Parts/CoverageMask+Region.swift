extension CoverageMask {
    /// Adds a mask's pixels, cut to the picture. A pixel's coverage is the share of it within the lines of
    /// `RunMask.smoothOutlines`, before those are simplified: an outer corner loses an eighth, an inner one gains one.
    func addRegion(_ region: RunMask) {
        // A pixel more around it: what inner corners gain.
        let reach = PixelBox(
            x: region.box.x - 1, y: region.box.y - 1, width: region.box.width + 2, height: region.box.height + 2
        ).intersection(PixelBox(x: 0, y: 0, width: width, height: height))
        guard !reach.isEmpty, !region.box.isEmpty else { return }
        // And one more, for the neighbours of these.
        let (across, down) = (reach.width + 2, reach.height + 2)
        let bitmap = region.bitmap(of: PixelBox(x: reach.x - 1, y: reach.y - 1, width: across, height: down))
        bitmap.withUnsafeBufferPointer { pixels in
            for y in 0..<reach.height {
                let line = (y + 1) * across + 1
                var touched = 0..<0
                let row = bytes + (reach.y + y) * stride + reach.x
                for x in 0..<reach.width {
                    let coverage = Self.coverage(pixels, line + x, across)
                    guard coverage > 0 else { continue }
                    touched = (touched.isEmpty ? x : touched.lowerBound)..<x + 1
                    row[x] = max(row[x], coverage)
                }
                touch(row: reach.y + y, columns: reach.x + touched.lowerBound..<reach.x + touched.upperBound)
            }
        }
    }

    private static let eighths: [UInt8] = (0...8).map { RGB.code(Double($0) / 8) }

    /// A pixel's coverage.
    /// - Parameters:
    ///   - place: The pixel's, with all its neighbours in the bitmap.
    ///   - across: From a row to the next.
    @inline(__always)
    private static func coverage(_ pixels: UnsafeBufferPointer<UInt8>, _ place: Int, _ across: Int) -> UInt8 {
        let (left, right) = (pixels[place - 1] != 0, pixels[place + 1] != 0)
        let (above, below) = (pixels[place - across] != 0, pixels[place + across] != 0)
        if pixels[place] != 0 {
            if left, right, above, below { return 255 }
            let corners = [(left, above), (right, above), (right, below), (left, below)]
            return eighths[8 - corners.count { !$0.0 && !$0.1 }]
        }
        guard left || right, above || below else { return 0 }
        var gained = 0
        if left, above, pixels[place - across - 1] != 0 { gained += 1 }
        if right, above, pixels[place - across + 1] != 0 { gained += 1 }
        if right, below, pixels[place + across + 1] != 0 { gained += 1 }
        if left, below, pixels[place + across - 1] != 0 { gained += 1 }
        return eighths[gained]
    }
}
