internal import Annotate
internal import CZXing

/// A code in one frame, before it has a track.
struct FoundBarcode: Sendable, PolygonTrackable {
    var symbology: BarcodeSymbology
    var payload: Payload
    /// Clockwise from the symbol's own top left.
    var polygon: [Point]

    func overlaps(_ other: FoundBarcode) -> Bool {
        guard let a = Box(around: polygon), let b = Box(around: other.polygon), let common = a.intersection(b) else {
            return false
        }
        return common.area > 0.25 * min(a.area, b.area)
    }

    func saysTheSame(as other: FoundBarcode) -> Bool { symbology == other.symbology && payload == other.payload }
}

/// Reads codes with ZXing. Keeps nothing, so several threads may ask at once.
struct BarcodeReader: Sendable {
    /// A set of the shim's symbologies.
    let symbologies: UInt32
    /// How many places of a frame are looked at, at the most.
    let effort: Int

    init(symbologies: [BarcodeSymbology], effort: Int) {
        self.symbologies = symbologies.reduce(0) { $0 | $1.bit }
        self.effort = effort
    }

    /// The codes of a frame; without any it costs no more than `effort` allows.
    func codes(in frame: VideoFrame) -> [FoundBarcode] {
        frame.withLuma { luma in
            Self.list(
                zx_search(
                    zx_picture(luma), symbologies, Int32(effort), Int32(truncatingIfNeeded: frame.ordinal & 0xffffff)),
                width: luma.width, height: luma.height)
        }
    }

    /// The code at a place where one is supposed to be.
    func codes(in frame: VideoFrame, at place: [Point], effort: Int) -> [FoundBarcode] {
        guard place.count == 4, place.allSatisfy({ abs($0.x) < 1e5 && abs($0.y) < 1e5 }) else { return [] }
        var quad = zx_quad()
        withUnsafeMutableBytes(of: &quad.corners) { bytes in
            let numbers = bytes.bindMemory(to: Double.self)
            for (index, corner) in place.enumerated() {
                numbers[2 * index] = corner.x
                numbers[2 * index + 1] = corner.y
            }
        }
        return frame.withLuma { luma in
            Self.list(
                zx_search_at(zx_picture(luma), symbologies, quad, Int32(effort)), width: luma.width,
                height: luma.height)
        }
    }

    /// Takes the shim's list over.
    private static func list(_ symbols: OpaquePointer?, width: Int, height: Int) -> [FoundBarcode] {
        guard let symbols else { return [] }
        defer { zx_free(symbols) }
        let codes: [FoundBarcode] = (0..<zx_count(symbols)).compactMap { index in
            let symbol = zx_get(symbols, index)
            guard let symbology = BarcodeSymbology(bit: symbol.symbology) else { return nil }
            let polygon = withUnsafeBytes(of: symbol.corners) { bytes in
                let numbers = bytes.bindMemory(to: Double.self)
                return (0..<4).map { Point(numbers[2 * $0], numbers[2 * $0 + 1]) }
            }
            guard polygon.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
            return FoundBarcode(
                symbology: symbology, payload: payload(symbol), polygon: Self.outline(polygon))
        }
        // A wide code may be found twice, by either of its ends.
        return codes.enumerated().filter { index, code in
            !codes[..<index].contains { $0.saysTheSame(as: code) && $0.overlaps(code) }
        }.map(\.element)
    }

    /// A quad: of a code that is partly out of the picture two corners may be one, and then it is the box around them.
    private static func outline(_ polygon: [Point]) -> [Point] {
        if Homography.isConvex(polygon) { return polygon }
        return Box(around: polygon)?.corners ?? polygon
    }

    /// The text that ZXing makes of the bytes with the symbol's character set, else the bytes.
    private static func payload(_ symbol: zx_symbol) -> Payload {
        let text = UnsafeBufferPointer(
            start: symbol.text.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) },
            count: Int(symbol.textCount))
        let bytes = Array(UnsafeBufferPointer(start: symbol.bytes, count: Int(symbol.byteCount)))
        // A binary payload has no character set: what would be a guess is left as bytes.
        let isPrintable = !text.contains { $0 < 0x20 && ![0x09, 0x0a, 0x0d, 0x1d, 0x1e, 0x04].contains($0) }
        if isPrintable, let string = String(validating: text, as: UTF8.self) { return .text(string) }
        return .bytes(bytes)
    }
}

extension zx_picture {
    init(_ plane: PlaneView) {
        self.init(
            data: plane.base, width: Int32(plane.width), height: Int32(plane.height),
            stride: Int32(truncatingIfNeeded: plane.stride))
    }
}
