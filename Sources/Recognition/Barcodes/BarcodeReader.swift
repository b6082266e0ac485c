internal import CVision
internal import CZXing

/// A code in one frame, before it has a track.
struct FoundBarcode: Sendable, Hashable, PolygonTrackable {
    var symbology: BarcodeSymbology
    var payload: Payload
    /// Corners, pixels, clockwise from the symbol's own top left.
    var polygon: [Point]
    /// Digits of the EAN-2 or EAN-5 beside it.
    var supplement: String?
    /// Whether so many lines of one picture say the same that another picture needn't.
    var isSure = false
    /// Whether it is an Aztec code without data but what stands beside its finder.
    var isRune = false
    /// What speaks for it where it is still to be proven; its polygon is that of the lines then.
    var support: BarcodeSupport?

    func overlaps(_ other: FoundBarcode) -> Bool {
        guard let a = Box(around: polygon), let b = Box(around: other.polygon), let common = a.intersection(b) else {
            return false
        }
        return common.area > 0.25 * min(a.area, b.area)
    }

    /// How sure what it says is read as what it is: 14 digits whose check digit is right are an ITF-14, safer than other ITF.
    var safety: BarcodeSymbology.Safety {
        guard symbology == .itf, case .text(let digits) = payload, digits.utf8.count == 14 else {
            return symbology.safety
        }
        let sum = digits.utf8.enumerated().reduce(0) { $0 + Int($1.element &- 48) * ($1.offset % 2 == 0 ? 3 : 1) }
        return sum % 10 == 0 ? .weak : .weaker
    }

    func saysTheSame(as other: FoundBarcode) -> Bool { symbology == other.symbology && payload == other.payload }
}

/// Reads codes with ZXing. Keeps nothing, so several threads may ask at once.
struct BarcodeReader: Sendable {
    /// A set of the shim's symbologies.
    let symbologies: UInt32
    /// The most places of a frame that are looked at.
    let effort: Int
    /// Whether it reads a photo, which is looked at in every way; a frame of a video is in some.
    let isStill: Bool
    /// Whether the EAN-2 or EAN-5 beside a code is read.
    let supplements: Bool

    init(symbologies: [BarcodeSymbology], effort: Int, isStill: Bool, supplements: Bool = false) {
        self.symbologies = symbologies.reduce(0) { $0 | $1.bit }
        self.effort = effort
        self.isStill = isStill
        self.supplements = supplements
    }

    /// The codes of a frame, or of regions of it, that are believed; without any it costs no more for each than `effort` allows.
    func codes(in frame: VideoFrame, regions: SearchedRegions? = nil) -> [FoundBarcode] {
        codes(in: frame, regions?.parts, of: regions) { search in
            if isStill {
                search.lookThoroughly(effort: effort)
            } else {
                search.glance(effort: effort, turn: frame.ordinal & 0xffffff, isPart: regions != nil)
            }
        }
    }

    /// What a glance at a frame of a video reads. Nothing is proven of it: that costs more than reading it, and a code that is followed
    /// needn't be proven again.
    func readings(in frame: VideoFrame) -> [FoundBarcode] {
        frame.withLuma { luma in
            var search = BarcodeSearch(
                ocv_plane(luma), symbologies: symbologies, supplements: supplements, gathers: true)
            search.glance(effort: effort, turn: frame.ordinal & 0xffffff)
            return search.gathered.filter { $0.polygon.allSatisfy { $0.x.isFinite && $0.y.isFinite } }
        }
    }

    /// Those of a frame's readings that are believed: the same as of a glance that proves what it reads.
    func believed(_ readings: [FoundBarcode], in frame: VideoFrame) -> [FoundBarcode] {
        guard !readings.isEmpty else { return [] }
        return search(frame) { search in
            search.prove(readings)
            return search.found
        }
    }

    /// The codes of a video's first frame, or the first after a cut, which is looked at in most ways.
    /// - Parameter parts: some of the regions; nil for all.
    func codesOfNewScene(
        in frame: VideoFrame, regions: SearchedRegions? = nil, parts: [FramePart]? = nil
    ) -> [FoundBarcode] {
        codes(in: frame, parts ?? regions?.parts, of: regions) { search in
            search.lookThoroughly(effort: 20 * effort)
            search.makeSure()
        }
    }

    private func codes(
        in frame: VideoFrame, _ parts: [FramePart]?, of regions: SearchedRegions?, _ look: (inout BarcodeSearch) -> Void
    ) -> [FoundBarcode] {
        func found(in part: FramePart?) -> [FoundBarcode] {
            search(frame, in: part) { search in
                look(&search)
                return search.found
            }
        }
        guard let regions, let parts else { return found(in: nil) }
        var codes: [FoundBarcode] = []
        for part in parts {
            // The same one in regions that overlap is told once; what two read of one place is what the first says.
            codes += found(in: part).compactMap { whole($0, part, frame) }.filter { code in
                regions.hasPart(at: code.center)
                    && !codes.contains { BarcodeEvidence.areOne($0.polygon, code.polygon) }
            }
        }
        return codes
    }

    /// How often a part is widened to show a code whole.
    private static let mostSteps = 3

    /// A code as it is beyond the edge of the part that it was read in; nil where it isn't read with what lies there.
    private func whole(_ code: FoundBarcode, _ part: FramePart, _ frame: VideoFrame) -> FoundBarcode? {
        var (part, code) = (part, code)
        for _ in 0..<Self.mostSteps {
            guard let box = Box(around: code.polygon.map { $0 + Point(0.5, 0.5) }) else { return nil }
            guard part.cuts(box, in: frame) else { return code }
            part = part.widened(by: box, in: frame)
            let all = search(frame, in: part) { search in
                search.lookThoroughly(effort: 10)
                if !isStill { search.makeSure() }
                return search.found
            }
            guard let same = all.first(where: { $0.saysTheSame(as: code) && $0.overlaps(code) }) else { return nil }
            code = same
        }
        return nil
    }

    /// Codes of a code's kind where it is supposed to be, to be compared with it.
    func codes(in frame: VideoFrame, like expected: FoundBarcode, effort: Int) -> [FoundBarcode] {
        let place = expected.polygon
        guard place.count == 4, place.allSatisfy({ abs($0.x) < 1e5 && abs($0.y) < 1e5 }) else { return [] }
        return search(frame, for: symbologies & expected.symbology.family, known: expected) { search in
            search.look(at: place, effort: effort)
            return search.found + search.doubtful
        }
    }

    /// - Parameters:
    ///   - part: of the frame, which is searched as if it were a picture; nil for all of it.
    ///   - wanted: Bits of the symbologies that are looked for; nil for the reader's.
    ///   - known: A code that is looked for, which has been believed before.
    private func search(
        _ frame: VideoFrame, in part: FramePart? = nil, for wanted: UInt32? = nil, known: FoundBarcode? = nil,
        _ look: (inout BarcodeSearch) -> [FoundBarcode]
    ) -> [FoundBarcode] {
        let origin = Point(Double(part?.x ?? 0), Double(part?.y ?? 0))
        let codes = frame.withLuma { luma in
            let luma =
                part.map {
                    ocv_plane(
                        data: luma.base + $0.y * luma.stride + $0.x, width: Int32($0.width), height: Int32($0.height),
                        stride: Int64(luma.stride))
                } ?? ocv_plane(luma)
            var search = BarcodeSearch(
                luma, symbologies: wanted ?? symbologies, supplements: supplements, known: known)
            let all = look(&search).filter { $0.polygon.allSatisfy { $0.x.isFinite && $0.y.isFinite } }
            return Self.eachOnce(all, in: luma).map { code in
                var code = code
                code.polygon = Self.outline(code.polygon).map { $0 + origin }
                return code
            }
        }
        return codes.enumerated().filter { index, code in
            !codes[..<index].contains { $0.saysTheSame(as: code) && $0.overlaps(code) }
        }.map(\.element)
    }

    /// A wide code may be found twice, by either of its ends, a high one by lines at its top and at its foot.
    private static func eachOnce(_ codes: [FoundBarcode], in luma: ocv_plane) -> [FoundBarcode] {
        var out: [FoundBarcode] = []
        for code in codes {
            let isRow = code.symbology.bit & BarcodeSymbology.rowsOfBars != 0
            let known = out.firstIndex { other in
                other.saysTheSame(as: code) && isRow
                    && BarcodeProfile.goesOn(from: other.polygon, to: code.polygon, luma)
            }
            guard let known else {
                out.append(code)
                continue
            }
            out[known].polygon = BarcodeProfile.joined(out[known].polygon, code.polygon)
            out[known].isSure = out[known].isSure || code.isSure
        }
        return out
    }

    /// Outline as a quad: of a code that is partly out of the picture two corners may be one, and then it is the box
    /// around them.
    private static func outline(_ polygon: [Point]) -> [Point] {
        if Homography.isConvex(polygon) { return polygon }
        return Box(around: polygon)?.corners ?? polygon
    }
}

extension FoundBarcode {
    /// Takes over what the shim read; nil for a symbology that isn't known.
    /// - Parameter wanted: The set of symbologies that are looked for.
    init?(_ symbol: zx_symbol, among wanted: UInt32) {
        guard var symbology = BarcodeSymbology(bit: symbol.symbology) else { return nil }
        var payload = Self.payload(symbol)
        // A UPC-A is an EAN-13 that starts with a zero, which isn't printed.
        if case .text(let digits) = payload, digits.utf8.count == 13, digits.first == "0" {
            if symbology == .ean13, wanted & BarcodeSymbology.upca.bit != 0 { symbology = .upca }
            if symbology == .upca { payload = .text(String(digits.dropFirst())) }
        }
        let numbers = withUnsafeBytes(of: symbol.corners) { Array($0.bindMemory(to: Double.self)) }
        self.init(
            symbology: symbology, payload: payload,
            polygon: (0..<4).map { Point(numbers[2 * $0], numbers[2 * $0 + 1]) },
            supplement: symbol.supplement.map { String(cString: $0) }, isRune: symbol.isRune)
    }

    /// The text that ZXing makes of the bytes with the symbol's character set; where it makes none, what is UTF-8 by itself;
    /// else the bytes.
    private static func payload(_ symbol: zx_symbol) -> Payload {
        let bytes = UnsafeRawBufferPointer(start: symbol.bytes, count: Int(symbol.byteCount))
        let text = symbol.text.map { UnsafeRawBufferPointer(start: $0, count: Int(symbol.textCount)) } ?? bytes
        return String(validating: text, as: UTF8.self).map(Payload.text) ?? .bytes(Array(bytes))
    }
}
