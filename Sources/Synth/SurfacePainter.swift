import Graph

/// Draws flat things into a frame, each pixel as the mean over the square that it covers.
struct SurfacePainter {
    /// A thing as one frame sees it.
    struct Job {
        /// One map for each moment of the exposure.
        let maps: [PlaneMap]
        /// Metres in the plane that the shadow is shifted by; nil for no shadow.
        let shadowOffset: SIMD2<Float>?
        /// The pixels that it may touch, its shadow included.
        let area: PixelArea
        /// Metres that a pixel covers in the plane about the middle of the thing.
        let pixelSize: Double
    }

    let shadow: Shadow

    /// Where a pixel with a border in it is sampled, relative to its centre: the Fibonacci lattice of 89 points. Its
    /// projections on both axes are even, so that an upright edge is placed to 1/178 of a pixel at worst; a grid of
    /// about as many points would place it to 1/18.
    private static let lattice: [SIMD2<Float>] = fibonacciLattice(count: 89, step: 55)
    /// The same for a few moments, and for many: they add up, and motion blur leaves no sharp edge to place.
    private static let coarseLattice: [SIMD2<Float>] = fibonacciLattice(count: 34, step: 21)
    private static let coarsestLattice: [SIMD2<Float>] = fibonacciLattice(count: 13, step: 8)

    private static func fibonacciLattice(count: Int, step: Int) -> [SIMD2<Float>] {
        (0..<count).map { k in
            SIMD2((Float(k) + 0.5) / Float(count) - 0.5, (Float(k * step % count) + 0.5) / Float(count) - 0.5)
        }
    }

    func paint(_ surface: AnySurface, _ job: Job, into frame: WorkFrame) {
        switch surface {
        case .marker(let surface): paint(surface, job, into: frame)
        case .picture(let surface): paint(surface, job, into: frame)
        case .shape(let surface): paint(surface, job, into: frame)
        }
    }

    private func paint(_ surface: some Surface, _ job: Job, into frame: WorkFrame) {
        let lattice =
            switch job.maps.count {
            case 1: Self.lattice
            case 2...3: Self.coarseLattice
            default: Self.coarsestLattice
            }
        let detail = surface.detail(pixelSize: job.pixelSize)
        let strength = job.shadowOffset == nil ? 0 : Float(shadow.strength)
        let softness = Float(shadow.softness)
        lattice.withUnsafeBufferPointer { lattice in
            job.maps.withUnsafeBufferPointer { maps in
                let middle = maps[maps.count / 2]
                // Blocks of 2 × 2 pixels share one sample of chroma.
                for (blockRow, columns) in job.area.blockRows {
                    let lumaRows = (frame.luma.row(2 * blockRow), frame.luma.row(2 * blockRow + 1))
                    let (cbRow, crRow) = (frame.cb.row(blockRow), frame.cr.row(blockRow))
                    for block in columns {
                        var (sum, kept) = (Codes.zero, Float(0))
                        for corner in 0..<4 {
                            let (x, y) = (2 * block + (corner & 1), 2 * blockRow + (corner >> 1))
                            let own = mean(of: surface, maps, lattice, x: x, y: y, detail: detail)
                            var keep = 1 - own.w
                            if keep > 0, strength > 0, let offset = job.shadowOffset {
                                let p = SIMD2<Float>(middle.unproject(Point(Double(x), Double(y)))) - offset
                                let distance = surface.silhouette.distance(p)
                                keep *= 1 - strength * smoothStep(softness, -softness, distance)
                            }
                            let luma = (corner < 2 ? lumaRows.0 : lumaRows.1) + x
                            luma.pointee = luma.pointee * keep + own.x
                            sum += own
                            kept += keep
                        }
                        cbRow[block] = cbRow[block] * (kept / 4) + sum.y / 4
                        crRow[block] = crRow[block] * (kept / 4) + sum.z / 4
                    }
                }
            }
        }
    }

    /// Whether no border of regions crosses the pixel about a place, whose sides are `dx` and `dy` in the plane.
    @inline(__always)
    private func isClear(
        _ surface: some Surface, _ p: SIMD2<Float>, border: Float, _ dx: SIMD2<Float>, _ dy: SIMD2<Float>
    ) -> Bool {
        // Half the square of the diagonal, at most; enough for nearly all pixels.
        let squares = (dx * dx + dy * dy).sum()
        if border * border > 0.5 * squares { return true }
        // The exact one.
        let (sum, difference) = (dx + dy, dx - dy)
        let reach = 0.25 * max((sum * sum).sum(), (difference * difference).sum())
        return border * border > reach || surface.isUniform(p, within: reach.squareRoot())
    }

    /// The colour that the surface adds to a pixel, times its coverage, and the coverage.
    @inline(__always)
    private func mean(
        of surface: some Surface, _ maps: UnsafeBufferPointer<PlaneMap>, _ lattice: UnsafeBufferPointer<SIMD2<Float>>,
        x: Int, y: Int, detail: Float
    ) -> Codes {
        let (px, py) = (Double(x), Double(y))
        var total = Codes.zero
        for map in maps {
            let h = map.inverse
            let w = h.2.x * px + h.2.y * py + h.2.z
            let scale = 1 / w
            let u = (h.0.x * px + h.0.y * py + h.0.z) * scale, v = (h.1.x * px + h.1.y * py + h.1.z) * scale
            let p = SIMD2(Float(u), Float(v))
            // The map is as good as affine over a pixel: its derivatives by x and y.
            let dx = SIMD2(Float((h.0.x - u * h.2.x) * scale), Float((h.1.x - v * h.2.x) * scale))
            let dy = SIMD2(Float((h.0.y - u * h.2.y) * scale), Float((h.1.y - v * h.2.y) * scale))
            let border = surface.borderDistance(p)
            if isClear(surface, p, border: border, dx, dy) {
                let region = surface.region(p, border: border)
                if region != 0 { total += surface.color(ofRegion: region, p, detail: detail) }
            } else {
                // Four counters of 16 bits in one register: counting in memory would wait for each store.
                var counts: UInt64 = 0
                for offset in lattice {
                    counts &+= 1 &<< UInt64(surface.region(p + dx * offset.x + dy * offset.y) &* 16)
                }
                for region in 1..<4 {
                    let count = counts >> UInt64(region * 16) & 0xFFFF
                    if count == 0 { continue }
                    let share = Float(count) / Float(lattice.count)
                    total += surface.color(ofRegion: region, p, detail: detail) * share
                }
            }
        }
        return maps.count > 1 ? total / Float(maps.count) : total
    }
}
