import Testing

@testable import Annotate
@testable import TestSupport

/// Drawing on samples of more than 8 bits does what it does on 8.
@Suite struct OverlayDepthTests {
    private static let shifts = [(0, 0), (1, 0), (0, 1), (1, 1)]

    private func scene(_ width: Int, _ height: Int) -> [DrawnObservation] {
        let (w, h) = (Double(width), Double(height))
        let corners = [
            Point(w * 0.2, h * 0.2), Point(w * 0.5, h * 0.25), Point(w * 0.48, h * 0.6), Point(w * 0.22, h * 0.55),
        ]
        return [
            DrawnObservation(
                Observation(MarkerFinding(id: 23), stage: "m", polygon: corners), track: 1,
                style: MarkerFinding.style),
            DrawnObservation(
                Observation(
                    ObjectFinding(), stage: "o", label: "cup", confidence: 0.83, state: .predicted,
                    box: Box(x: w * 0.4, y: h * 0.4, width: w, height: h * 0.5)),
                track: 2, style: ObjectFinding.style),
        ]
    }

    /// Pictures of the same content: 8 bits, and more of them with something in the lowest ones.
    private func pictures(
        _ width: Int, _ height: Int, shift: (Int, Int), gray: Bool = false, depth: Int
    ) -> (OverlayPicture, DeepPicture) {
        let shallow = OverlayPicture(width, height, shift: shift, gray: gray)
        return (shallow, DeepPicture(like: shallow, depth: depth))
    }

    @Test(arguments: [10, 12, 16], [(1, 1), (7, 5), (33, 17), (64, 48), (161, 121)])
    func likeEightBits(depth: Int, size: (Int, Int)) throws {
        for (shift, gray) in Self.shifts.map({ ($0, false) }) + [((1, 1), true)] {
            for fullRange in [false, true] {
                let (shallow, deep) = pictures(size.0, size.1, shift: shift, gray: gray, depth: depth)
                let before = deep.planes
                let space = ColorSpace(matrix: .bt709, fullRange: fullRange)
                try shallow.draw(in: space) { canvas throws(TextError) in
                    try Annotator().draw(scene(size.0, size.1), at: 0, onto: canvas)
                }
                try deep.draw(in: space) { canvas throws(TextError) in
                    try Annotator().draw(scene(size.0, size.1), at: 0, onto: canvas)
                }
                #expect(deep.guardsIntact)
                for index in deep.planes.indices {
                    let expected = shallow.planes[index].pixels
                    let found = deep.planes[index].samples, old = before[index].samples
                    try #require(found.count == expected.count)
                    // 8 bits round at every layer: outlines, the first corner's dot, panels and their texts.
                    let unit = Double(1 << (depth - 8))
                    #expect(
                        zip(found, expected).allSatisfy { abs(Double($0) / unit - Double($1)) <= 2 },
                        "plane \(index), subsampled by \(shift)")
                    #expect(size.0 < 30 || index > 0 || found != old)
                }
            }
        }
    }

    @Test(arguments: shifts, [10, 12, 16])
    func oneShapeIsLikeEightBits(shift: (Int, Int), depth: Int) throws {
        let (shallow, deep) = pictures(97, 51, shift: shift, depth: depth)
        let triangle = [Point(1.3, 0.4), Point(96, 12.9), Point(30, 48.5)]
        shallow.draw { Painter().outline(of: triangle, thickness: 3.3, color: .strongRed, opacity: 0.8, onto: $0) }
        deep.draw { Painter().outline(of: triangle, thickness: 3.3, color: .strongRed, opacity: 0.8, onto: $0) }
        for (found, expected) in zip(deep.planes, shallow.planes) {
            let cut = found.samples.map { Int($0 >> UInt16(depth - 8)) }
            #expect(zip(cut, expected.pixels).allSatisfy { abs($0 - Int($1)) <= 1 })
        }
    }

    @Test(arguments: [9, 10, 12, 16])
    func whatIsNotDrawnOnIsUntouched(depth: Int) {
        for shift in Self.shifts {
            let (shallow, deep) = pictures(97, 51, shift: shift, depth: depth)
            let before = deep.planes
            // Inside of whole tiles and of ones that the picture cuts.
            for box in [Box(x: 20, y: 20, width: 16, height: 8), Box(x: 90, y: 44, width: 7, height: 7)] {
                shallow.draw { Painter().fill(box, color: .strongRed, onto: $0) }
                deep.draw { Painter().fill(box, color: .strongRed, onto: $0) }
            }
            for index in deep.planes.indices {
                let found = deep.planes[index].samples, old = before[index].samples
                let isDrawn = shallow.planes[index].pixels.map { $0 != OverlayPicture.ground }
                #expect(isDrawn.contains(true))
                #expect(isDrawn.indices.allSatisfy { isDrawn[$0] || found[$0] == old[$0] })
            }
        }
    }

    @Test(arguments: shifts, [(10, false), (12, false), (10, true), (16, true)])
    func fullCoverageGivesTheColour(shift: (Int, Int), depth: (bits: Int, fullRange: Bool)) {
        let deep = pictures(37, 23, shift: shift, depth: depth.bits).1
        let space = ColorSpace(matrix: .bt2020, fullRange: depth.fullRange)
        deep.draw(in: space) {
            Painter().fill(Box(x: -5, y: -5, width: 60, height: 60), color: .strongRed, onto: $0)
        }
        let codes = space.codes(of: .strongRed, bitDepth: depth.bits)
        #expect(Set(deep.planes[0].samples) == [codes.y])
        #expect(Set(deep.planes[1].samples) == [codes.cb])
        #expect(Set(deep.planes[2].samples) == [codes.cr])
        #expect(deep.guardsIntact)
    }

    /// Eight at once and one by one, both rounded to the nearest.
    @Test func blendsAreRoundedExactly() {
        for old in stride(from: 0, through: 65535, by: 4369) + [1, 1023, 65534] {
            for code in [0, 1, 940, 65535] {
                for alpha in 0...255 {
                    let mean = Double(old * (255 - alpha) + code * alpha) / 255
                    var eight = SIMD8<UInt16>(repeating: UInt16(old))
                    var one = UInt16(old)
                    UInt16.blendEight(&eight, UInt16(code), SIMD8(repeating: UInt16(alpha)))
                    UInt16.blend(&one, UInt16(code), UInt16(alpha))
                    #expect(eight == SIMD8(repeating: UInt16(mean.rounded())))
                    #expect(one == UInt16(mean.rounded()))
                }
            }
        }
    }

    @Test func codesOfMoreBits() {
        func codes(_ color: RGB, _ fullRange: Bool, _ depth: Int) -> [UInt16] {
            let (y, cb, cr) = ColorSpace(matrix: .bt709, fullRange: fullRange).codes(of: color, bitDepth: depth)
            return [y, cb, cr]
        }
        #expect(codes(RGB(0, 0, 0), false, 10) == [64, 512, 512])
        #expect(codes(.white, false, 10) == [940, 512, 512])
        #expect(codes(RGB(255, 0, 0), false, 10) == [250, 409, 960])
        #expect(codes(.white, false, 12) == [3760, 2048, 2048])
        #expect(codes(RGB(0, 0, 0), true, 10) == [0, 512, 512])
        #expect(codes(.white, true, 10) == [1023, 512, 512])
        #expect(codes(RGB(0, 0, 255), true, 16) == [4732, 65535, 29763])
    }
}

/// A picture of 16-bit samples with guards around, like `OverlayPicture`.
final class DeepPicture {
    static let guardSample: UInt16 = 0xA5C3

    let shift: (x: Int, y: Int)
    let depth: Int
    private(set) var planes: [Plane]

    struct Plane {
        var width: Int
        var height: Int
        var memory: [UInt16]

        /// Samples from one row to the next.
        var stride: Int { width + 5 }
        var samples: [UInt16] { (1...height).flatMap { memory[$0 * stride..<$0 * stride + width] } }
    }

    init(like other: OverlayPicture, depth: Int) {
        shift = other.shift
        self.depth = depth
        planes = other.planes.map { other in
            var plane = Plane(width: other.width, height: other.height, memory: [])
            plane.memory = [UInt16](repeating: Self.guardSample, count: plane.stride * (plane.height + 2))
            for y in 0..<plane.height {
                for x in 0..<plane.width {
                    let lowBits = UInt16((3 * x + 5 * y) % (depth == 9 ? 2 : 4))
                    plane.memory[(y + 1) * plane.stride + x] = UInt16(other[x, y]) << (UInt16(depth) - 8) | lowBits
                }
            }
            return plane
        }
    }

    func draw<E: Error>(
        in space: ColorSpace = ColorSpace(matrix: .bt601, fullRange: true), _ body: (Canvas) throws(E) -> Void
    ) throws(E) {
        let views = planes.map { plane in
            let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: plane.memory.count * 2)
            plane.memory.withUnsafeBytes {
                UnsafeMutableRawPointer(bytes).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
            }
            return MutablePlane(
                base: bytes + 2 * plane.stride, width: plane.width, height: plane.height, stride: 2 * plane.stride,
                bitDepth: depth)
        }
        defer {
            for (index, view) in views.enumerated() {
                let start = view.base - view.stride
                planes[index].memory.withUnsafeMutableBytes {
                    $0.copyMemory(from: UnsafeRawBufferPointer(start: start, count: $0.count))
                }
                start.deallocate()
            }
        }
        try body(
            Canvas(
                luma: views[0], chroma: views.count > 1 ? (views[1], views[2]) : nil, chromaShift: shift,
                colorSpace: space))
    }

    var guardsIntact: Bool {
        planes.allSatisfy { plane in
            plane.memory.indices.allSatisfy { index in
                let (x, y) = (index % plane.stride, index / plane.stride - 1)
                return x < plane.width && (0..<plane.height).contains(y) || plane.memory[index] == Self.guardSample
            }
        }
    }
}
