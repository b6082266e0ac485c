internal import CVision
internal import CZXing
internal import Glibc

/// Reads the codes of a picture, large, small, blurred or turned. ZXing is given the picture itself, for codes that fill it
/// or lie level, and rectified patches of the places that may be codes (`ocv_find_code_regions`), each in several sizes and
/// treatments.
struct BarcodeSearch {
    /// One way to look at a place.
    private struct Attempt {
        var treatment: ocv_patch_treatment
        /// The patch's size in proportion to the usual one.
        var zoom: Double
        /// Margin on each side, in parts of the shorter side; at the ends of bars there is room for a quiet zone besides.
        var margin: Double
        var globalThreshold = false
    }

    /// Attempts, of which the first reads most; the others are for blur, small modules and uneven light.
    private static let attempts = [
        Attempt(treatment: OCV_PATCH_PLAIN, zoom: 1, margin: 0.12),
        Attempt(treatment: OCV_PATCH_SHARPENED, zoom: 1, margin: 0.12),
        Attempt(treatment: OCV_PATCH_PLAIN, zoom: 0.6, margin: 0.25),
        Attempt(treatment: OCV_PATCH_SHARPENED, zoom: 1.5, margin: 0.08, globalThreshold: true),
        Attempt(treatment: OCV_PATCH_SHARPENED, zoom: 0.7, margin: 0.04),
    ]
    private static let mostPlaces = 64
    /// In how many ways what a glance has read is looked at again.
    static let confirmations = 2
    /// Room at each end of bars, in their length: for a quiet zone, and for the longest code beside another.
    private static let (quietZone, supplement) = (0.08, 0.65)
    /// The shorter side of a picture in which codes are mostly large enough to be read at half its size, pixels.
    private static let large: Int32 = 700
    /// The longest side of a patch, pixels.
    private static let longest = 1400.0

    private struct Place {
        /// Corners, clockwise.
        var corners: [Point]
        /// Coherence: how much its edges have one direction, 0…1.
        var coherence = 0.0
    }

    private let luma: ocv_plane
    /// A set of the shim's symbologies.
    private let symbologies: UInt32
    private let supplements: Bool
    private let known: FoundBarcode?
    private var evidence = BarcodeEvidence()
    /// Whether what is read is gathered, rather than held against the picture and taken as evidence.
    private let gathers: Bool
    var gathered: [FoundBarcode] = []
    /// How many attempts have gathered something, or nothing.
    var attempts = 0

    /// Symbols that are believed, each once, though several attempts may show it.
    var found: [FoundBarcode] { evidence.found }
    /// Readings that aren't believed yet.
    var doubtful: [FoundBarcode] { evidence.doubtful }

    /// - Parameters:
    ///   - luma: must stay where it is while the search lasts.
    ///   - known: A code that is looked for and has been believed: what says the same isn't held against the picture again.
    init(
        _ luma: ocv_plane, symbologies: UInt32, supplements: Bool = false, known: FoundBarcode? = nil,
        gathers: Bool = false
    ) {
        self.luma = luma
        self.gathers = gathers
        self.symbologies = symbologies
        self.supplements = supplements
        self.known = known
    }

    /// Looks at the whole picture and at every place in each way.
    /// - Parameter effort: how many patches are looked at, at the most.
    mutating func lookThoroughly(effort: Int) {
        lookAtWhole(
            zx_options(
                symbologies: symbologies, tryRotate: true, tryInvert: true, tryDownscale: true, tryDenoise: true,
                globalThreshold: false, supplements: supplements, reduction: 1))
        let side = Double(max(luma.width, luma.height))
        sharpenWhole(zoom: min(1, Self.longest / side))
        for (place, attempt) in looks(at: places()).prefix(effort) { look(at: place, attempt) }
        // Modules of a pixel or two.
        if 2 * side <= Self.longest { sharpenWhole(zoom: 2) }
        confirm(attempts: Self.attempts.count)
    }

    /// Looks again at what is believed, but of which another look may make sure, so that no other picture need say it.
    mutating func makeSure() {
        for code in evidence.unsure.prefix(4) {
            guard let corners = Self.place(ofLines: code.polygon) else { continue }
            for attempt in Self.attempts where evidence.unsure.contains(code) {
                let place = Place(corners: corners, coherence: 1)
                take(readings(at: place, attempt, isCheap: false), isPlain: attempt.treatment == OCV_PATCH_PLAIN)
            }
        }
    }

    /// Looks at a part of what a picture may hold, at a bounded cost; what isn't looked at in one frame is in another.
    ///
    /// - Parameters:
    ///   - effort: how many patches are looked at, at the most.
    ///   - turn: the frame's number. Of five frames one is looked at as it is, a large one in its upper and its lower part by
    ///     turns, one as a whole, a large one at half its size, one for codes that are upright or for those that are light on
    ///     dark, and two at places: half of the effort goes to the likeliest, the other half to others by turns.
    ///   - isPart: the picture is a part of another, small enough to be looked at as it is.
    mutating func glance(effort: Int, turn: Int, isPart: Bool = false) {
        // Whatever the step from frame to frame, the shares are right: multiples of the golden section spread evenly.
        let phase = (Double(turn) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        var options = zx_options(
            symbologies: symbologies, tryRotate: false, tryInvert: false, tryDownscale: false, tryDenoise: false,
            globalThreshold: false, supplements: supplements, reduction: 1)
        switch phase {
        case ..<0.2: lookAtWhole(options, band: isPart || !isLarge ? nil : phase < 0.1 ? 0 : 1)
        case ..<0.4:
            if !isPart, isLarge { options.reduction = 2 }
            lookAtWhole(options)
        case ..<0.6:
            (options.tryRotate, options.tryInvert) = (phase < 0.5, phase >= 0.5)
            options.reduction = max(isPart ? 1 : 2, (max(luma.width, luma.height) + 320) / 640)
            lookAtWhole(options)
        default: lookAtPlaces(effort: effort, turn: turn)
        }
        if !gathers { confirm(attempts: Self.confirmations) }
    }

    /// Looks at a place where a code is supposed to be.
    /// - Parameter effort: in how many ways it is looked at, at the most.
    mutating func look(at corners: [Point], effort: Int) {
        for attempt in Self.attempts.prefix(effort) {
            look(at: Place(corners: corners), attempt)
            if !found.isEmpty || !doubtful.isEmpty { break }
        }
    }

    private mutating func lookAtPlaces(effort: Int, turn: Int) {
        // What covers most of the picture is seen by the looks at the whole, which cost less.
        let most = 0.4 * Double(luma.width) * Double(luma.height)
        let looks = looks(at: places().filter { (Box(around: $0.corners)?.area ?? 0) < most })
        let count = min(looks.count, max(effort, 0))
        let always = count == looks.count ? count : (count + 1) / 2
        for index in 0..<count {
            let later = turn * (count - always) + index - always
            let next = looks[index < always ? index : always + later % (looks.count - always)]
            look(at: next.place, next.attempt, isCheap: true)
        }
    }

    /// Places and attempts in the order of their turns: every place once, then the likely ones in other ways.
    private func looks(at places: [Place]) -> [(place: Place, attempt: Attempt)] {
        var looks: [(place: Place, attempt: Attempt)] = []
        var likely = places.count
        for attempt in Self.attempts {
            looks += places[..<likely].map { ($0, attempt) }
            likely = (likely + 1) / 2
        }
        return looks
    }

    private func places() -> [Place] {
        var regions = [ocv_code_region](repeating: ocv_code_region(), count: Self.mostPlaces)
        var count: Int32 = 0
        guard ocv_find_code_regions(luma, &regions, Int32(Self.mostPlaces), &count).code == 0 else { return [] }
        return regions[..<Int(count)].map { region in
            let (a, b, c, d) = region.corners
            return Place(corners: [a, b, c, d].map { Point($0) }, coherence: region.coherence)
        }
    }

    /// Looks again at what was read once and needs more to be believed.
    mutating func confirm(attempts: Int) {
        for code in evidence.doubtful.prefix(4) {
            guard let place = Self.place(ofLines: code.polygon) else { continue }
            for attempt in Self.attempts.prefix(attempts) {
                if evidence.isKnown(code.polygon) { break }
                look(at: Place(corners: place, coherence: 1), attempt)
            }
        }
    }

    /// Lines that were read, or a place's outline, as a place: lines that lie close together are no place yet.
    private static func place(ofLines quad: [Point]) -> [Point]? {
        let length = (quad[0].distance(to: quad[1]) + quad[3].distance(to: quad[2])) / 2
        let height = (quad[0].distance(to: quad[3]) + quad[1].distance(to: quad[2])) / 2
        guard length > 8, height < 4 * length else { return nil }
        let missing = max(0.08 * length - height, 0) / 2
        let along = (quad[1] - quad[0] + quad[2] - quad[3]) * (0.5 / length)
        let down = Point(-along.y, along.x)
        // The lines end with the bars.
        let ends = along * (0.04 * length)
        // Read from right to left, the last line is above the first.
        let side = (quad[3].x - quad[0].x) * down.x + (quad[3].y - quad[0].y) * down.y < 0 ? -1.0 : 1
        let out = down * (side * missing)
        return [quad[0] - out - ends, quad[1] - out + ends, quad[2] + out + ends, quad[3] + out - ends]
    }

    private var isLarge: Bool { min(luma.width, luma.height) >= Self.large }

    /// - Parameter band: 0 for the upper part alone, 1 for the lower one: they share what is as high as a small code.
    private mutating func lookAtWhole(_ options: zx_options, band: Int32? = nil) {
        guard luma.stride <= Int64(Int32.max) else { return }
        let height = band == nil ? luma.height : luma.height * 3 / 5
        let top = (band ?? 0) * (luma.height - height)
        let picture = zx_picture(
            data: luma.data + Int(top) * Int(luma.stride), width: luma.width, height: height,
            stride: Int32(luma.stride))
        let readings = Self.read(picture, options).map { reading in
            var reading = reading
            reading.code.polygon = reading.code.polygon.map { Point($0.x, $0.y + Double(top)) }
            return gathers ? reading : fitted(reading) ?? reading
        }
        take(readings, isPlain: true)
    }

    /// A code with the outline of its bars, rather than that of the lines that were read; nil where none is seen, and for other codes.
    func fitted(_ reading: BarcodeEvidence.Reading) -> BarcodeEvidence.Reading? {
        guard let stacking = reading.code.symbology.stacking,
            let outline = BarcodeExtent.outline(of: reading.code.polygon, stacking, luma)
        else { return nil }
        // A symbol that corrects errors has all of it, or a strip.
        if stacking == .framed, Self.area(outline) < 1.1 * Self.area(reading.code.polygon) { return nil }
        var reading = reading
        (reading.code.polygon, reading.isFitted) = (outline, true)
        return reading
    }

    private static func area(_ quad: [Point]) -> Double {
        let (a, b) = (quad[2] - quad[0], quad[3] - quad[1])
        return abs(a.x * b.y - a.y * b.x) / 2
    }

    private mutating func sharpenWhole(zoom: Double) {
        let (right, bottom) = (Double(luma.width) - 0.5, Double(luma.height) - 0.5)
        let corners = [Point(-0.5, -0.5), Point(right, -0.5), Point(right, bottom), Point(-0.5, bottom)]
        let (w, h) = (Int32((Double(luma.width) * zoom).rounded()), Int32((Double(luma.height) * zoom).rounded()))
        guard w >= 8, h >= 8 else { return }
        let options = zx_options(
            symbologies: symbologies, tryRotate: true, tryInvert: true, tryDownscale: false, tryDenoise: false,
            globalThreshold: false, supplements: supplements, reduction: 1)
        let readings = read(corners, OCV_PATCH_SHARPENED, w, h, options, fit: nil)
        take(readings, isPlain: false)
    }

    /// Looks at a place where nothing is known yet.
    /// - Parameter isCheap: looks only for what the direction of its edges lets expect.
    private mutating func look(at place: Place, _ attempt: Attempt, isCheap: Bool = false) {
        if evidence.isKnown(place.corners) || hasGathered(at: place.corners) { return }
        take(readings(at: place, attempt, isCheap: isCheap), isPlain: attempt.treatment == OCV_PATCH_PLAIN)
    }

    /// Takes readings as evidence, but for those that the picture contradicts: where it is blurred, attempts agree on a
    /// wrong one.
    mutating func take(_ readings: [BarcodeEvidence.Reading], isPlain: Bool) {
        if gathers { return gather(readings, isPlain: isPlain) }
        let believable = readings.filter { reading in
            known?.saysTheSame(as: reading.code) ?? false || !isContradicted(reading.code)
        }
        evidence.add(believable, isPlain: isPlain)
    }

    private func isContradicted(_ code: FoundBarcode) -> Bool {
        code.isRune && !AztecRings.areSeen(in: code.polygon, luma) || BarcodeProfile.contradicts(code, luma)
    }

    private func readings(
        at place: Place, _ attempt: Attempt, isCheap: Bool
    ) -> [BarcodeEvidence.Reading] {
        let margins = margins(of: place, attempt)
        let outline = Self.grown(place.corners, along: margins.along, down: margins.down)
        let sides = Self.sides(outline)
        let (width, height) = ((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2)
        guard width > 4, height > 4 else { return [] }
        // Modules of three pixels and more become some six, and no patch is larger than it takes.
        let inner = (width - 2 * margins.along + 2 * margins.down) * height
        let usual = min(max(360 / max(inner, 1).squareRoot(), 0.1), 3)
        let zoom = min(usual * attempt.zoom, Self.longest / max(width, height))
        let (w, h) = (max(16, Int32((width * zoom).rounded())), max(16, Int32((height * zoom).rounded())))
        var wanted = symbologies
        if isCheap, place.coherence > 0.8 { wanted &= BarcodeSymbology.rowsOfBars }
        if isCheap, place.coherence < 0.2 { wanted &= BarcodeSymbology.matrices }
        let options = zx_options(
            symbologies: wanted, tryRotate: place.coherence < 0.6, tryInvert: true, tryDownscale: false,
            tryDenoise: false, globalThreshold: attempt.globalThreshold, supplements: supplements, reduction: 1)
        return read(
            outline, attempt.treatment, w, h, options, fit: Point(margins.along / width, margins.down / height))
    }

    /// What is added to a place at the ends of its bars, and above and below, pixels.
    ///
    /// ZXing wants white before the first bar and after the last: of a low and long code, more than a part of its height.
    private func margins(of place: Place, _ attempt: Attempt) -> (along: Double, down: Double) {
        let sides = Self.sides(place.corners)
        let down = attempt.margin * sides.reduce(1e9, min)
        guard place.coherence >= 0.5 else { return (down, down) }
        let length = (sides[0] + sides[2]) / 2
        return (max(down, (supplements ? Self.supplement : Self.quietZone) * length), down)
    }

    /// Reads a patch of the picture.
    /// - Parameters:
    ///   - corners: the patch's, in the picture.
    ///   - fit: the margins around the place, in the patch's width and height; rows of bars whose own outline isn't seen reach over
    ///     the place's height. nil: they are where they were read.
    private func read(
        _ corners: [Point], _ treatment: ocv_patch_treatment, _ w: Int32, _ h: Int32, _ options: zx_options,
        fit: Point?
    ) -> [BarcodeEvidence.Reading] {
        let corners = corners.map(\.ocv)
        var pixels = [UInt8](repeating: 0, count: Int(w) * Int(h))
        guard ocv_sample_patch(luma, corners, treatment, w, h, &pixels).code == 0 else { return [] }
        let readings = pixels.withUnsafeBufferPointer {
            Self.read(zx_picture(data: $0.baseAddress, width: w, height: h, stride: w), options)
        }
        return readings.map { reading in
            func inPicture(_ polygon: [Point]) -> BarcodeEvidence.Reading {
                var reading = reading
                reading.code.polygon = polygon.map { Point(ocv_patch_to_picture(corners, w, h, $0.ocv)) }
                return reading
            }
            let read = inPicture(reading.code.polygon)
            if !gathers, let fitted = fitted(read) { return fitted }
            guard let fit, !reading.code.symbology.correctsErrors else { return read }
            var stretched = inPicture(Self.stretched(reading.code.polygon, fit, Double(w), Double(h)))
            guard !gathers else {
                var read = read
                read.stretched = stretched.code.polygon
                return read
            }
            stretched.isFitted = true
            return stretched
        }
    }

    private static func read(_ picture: zx_picture, _ options: zx_options) -> [BarcodeEvidence.Reading] {
        let symbols = zx_read(picture, options)
        defer { zx_free(symbols) }
        return (0..<zx_count(symbols)).compactMap { index in
            let symbol = zx_get(symbols, index)
            guard let code = FoundBarcode(symbol, among: options.symbologies) else { return nil }
            let length = max(code.polygon[0].distance(to: code.polygon[1]), 1)
            // Of a high picture not every line is looked at.
            let reduction = max(options.reduction, 1)
            let step = max(picture.height / reduction / 512, 1)
            let height = Double(symbol.lines * reduction * step) / length
            return BarcodeEvidence.Reading(code: code, lines: Int(symbol.lines), height: height)
        }
    }

    private static func sides(_ quad: [Point]) -> [Double] {
        (0..<4).map { quad[($0 + 1) % 4].distance(to: quad[$0]) }
    }

    /// A place with margins, pixels: moved out along its own sides.
    private static func grown(_ quad: [Point], along: Double, down: Double) -> [Point] {
        let sides = sides(quad)
        return (0..<4).map { index in
            let (p, before, after) = (quad[index], quad[(index + 3) % 4], quad[(index + 1) % 4])
            // From the first corner to the second it is along the bars' row, from the second on down it, and so on.
            let (back, on) = index % 2 == 0 ? (down, along) : (along, down)
            let (a, b) = (back / max(sides[(index + 3) % 4], 1e-6), on / max(sides[index], 1e-6))
            return Point(
                p.x + a * (p.x - before.x) + b * (p.x - after.x), p.y + a * (p.y - before.y) + b * (p.y - after.y))
        }
    }

    /// Bars are read along a few lines of a patch; they reach from one side of the place to the other.
    private static func stretched(_ quad: [Point], _ margins: Point, _ width: Double, _ height: Double) -> [Point] {
        let isLevel = abs(quad[1].x - quad[0].x) >= abs(quad[1].y - quad[0].y)
        let edge = isLevel ? margins.y * height : margins.x * width
        let (low, high) = (edge - 0.5, (isLevel ? height : width) - edge - 0.5)
        // Which side is the symbol's top: read from left to right it is the upper one, and so on round.
        let firstIsLow = isLevel ? quad[1].x >= quad[0].x : quad[1].y < quad[0].y
        return quad.enumerated().map { index, corner in
            let place = firstIsLow == (index < 2) ? low : high
            return isLevel ? Point(corner.x, place) : Point(place, corner.y)
        }
    }
}
