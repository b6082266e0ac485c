internal import CVision

/// PP-OCR's three networks: where text is, whether a line is upside down, and what it says. Safe to use from several
/// threads; the same frame gives the same results on each.
final class TextNetworks: Sendable {
    private let detection: InferenceModel
    private let direction: InferenceModel
    private let recognition: InferenceModel
    private let decoder: TextDecoder

    /// - Parameter own: the user's own recognition network, another one of PP-OCR's; nil for the one that comes along.
    /// - Throws: `InferenceError`, `FileError`.
    init(recognition own: String? = nil) throws {
        let recognizer = try own ?? BundledFiles.network("text", "recognition.onnx")
        detection = try InferenceModel(path: try BundledFiles.network("text", "detection.onnx"))
        direction = try InferenceModel(path: try BundledFiles.network("text", "direction.onnx"))
        recognition = try InferenceModel(path: recognizer)
        decoder = TextDecoder(characters: try TextCharacters.read(onnx: recognizer))
        // What doesn't fit is known before the first frame.
        if own != nil { _ = try scores([Float](repeating: 0, count: 3 * Self.rows * Self.bucket), width: Self.bucket) }
    }

    /// Their names and hashes, for a track file's header.
    /// - Throws: `InferenceError`, `FileError`.
    static func details(recognition own: String? = nil) throws -> JSONNode {
        JSONNode(
            .array(
                try ["detection.onnx", "direction.onnx", "recognition.onnx"].map { file in
                    let own = file == "recognition.onnx" ? own : nil
                    let hash = try ModelFile.sha256(try own ?? BundledFiles.network("text", file))
                    let name = own?.split(separator: "/").last.map(String.init) ?? file
                    return JSONNode(.members(["name": .string(name), "sha256": .string(hash)]))
                }))
    }

    // MARK: Where

    /// The most pixels that detection looks at, also where all that can be read is to be found; the longest side, and how much larger
    /// it makes a small picture.
    private static let (mostPixels, mostOfAll, longestSide, mostZoom) = (1_400_000.0, 6_000_000.0, 8192, 4.0)
    /// The least scale at which small type, of 12 pixels, is found.
    private static let scaleOfAll = 0.68

    /// The size at which a picture is searched: its shorter side of so many pixels, in multiples of 32.
    /// - Parameter all: Whether a large one is searched for small type, too.
    static func size(of width: Int, _ height: Int, shorterSide: Double, all: Bool) -> (width: Int, height: Int) {
        let (w, h) = (Double(width), Double(height))
        let usual = min(shorterSide / min(w, h), (mostPixels / (w * h)).squareRoot(), mostZoom)
        let scale = all ? max(usual, min(scaleOfAll, (mostOfAll / (w * h)).squareRoot())) : usual
        func side(_ length: Double) -> Int { min(max(32, Int((length * scale / 32).rounded()) * 32), longestSide) }
        return (side(w), side(h))
    }

    /// Finds lines of text at any angle.
    /// - Parameters:
    ///   - part: of the frame, that is searched; nil for all of it.
    ///   - shorterSide: of the picture as it is searched, pixels.
    ///   - all: whether a large one is searched for small type, too.
    ///   - limit: how many at the most.
    func regions(
        in frame: VideoFrame, part: FramePart? = nil, shorterSide: Double, all: Bool = false, limit: Int
    ) throws -> [TextRegion] {
        let part = part ?? FramePart(x: 0, y: 0, width: frame.width, height: frame.height)
        let size = Self.size(of: part.width, part.height, shorterSide: shorterSide, all: all)
        return try regions(in: frame, part: part, as: size, limit: limit)
    }

    /// Finds lines of text at any angle in a part of a frame.
    /// - Parameters:
    ///   - size: of the part as it is searched, multiples of 32 pixels.
    ///   - limit: how many at the most.
    func regions(
        in frame: VideoFrame, part: FramePart, as size: (width: Int, height: Int), limit: Int
    ) throws -> [TextRegion] {
        let (width, height) = size
        let map = try detection.run(
            try searched(part, of: frame, width: width, height: height), shape: [1, 3, height, width])[0]
        guard map.values.count == width * height else {
            throw InferenceError("the detection network's map is \(map.shape); expected \(height)×\(width)")
        }
        let options = ocv_text_region_options(threshold: 0.3, leastScore: 0.5, leastSide: 3, unclip: 1.6)
        var room = [ocv_text_region](repeating: ocv_text_region(), count: limit)
        var count: Int32 = 0
        try check(
            ocv_text_regions(
                map.values, Int32(width), Int32(height), options, &room, Int32(limit), &count), "look for text")
        let (x, y) = (Double(part.width) / Double(width), Double(part.height) / Double(height))
        let corner = Point(Double(part.x) - 0.5, Double(part.y) - 0.5)
        return room.prefix(Int(count)).map { region in
            let (a, b, c, d) = region.corners
            return TextRegion(
                polygon: [a, b, c, d].map { Point(($0.x + 0.5) * x, ($0.y + 0.5) * y) + corner }, score: region.score)
        }.filter { Homography.isConvex($0.polygon) }
    }

    // MARK: What

    /// The height at which lines are read, and what widths are rounded up to, pixels: each new one costs a compilation.
    private static let (rows, bucket) = (48, 160)
    /// What fits into it longest is this many times as long as high.
    private static let longest = 50.0
    /// Height below which a line's letters are small: its outline is a pixel or two off, which is much of them.
    private static let small = 24.0
    /// Room above and below a line of small letters, in its height.
    private static let margin = 0.06

    /// A line's letters, with places along the region from 0 to 1; empty where nothing was read.
    /// - Parameter stretch: how many times as wide the letters are made as they are seen.
    func letters(of region: TextRegion, stretch: Double = 1, in frame: VideoFrame) throws -> [TextDecoder.Letter] {
        guard region.height >= 1, stretch * region.width / region.height <= Self.longest else { return [] }
        let margin = region.height * (1 + 2 * Self.margin) < Self.small ? Self.margin : 0
        let region = region.grown(left: 0, right: 0, above: margin, below: margin) ?? region
        let width = max(8, Int((Double(Self.rows) * stretch * region.width / region.height).rounded()))
        let room = (width + Self.bucket - 1) / Self.bucket * Self.bucket
        let output = try scores(
            try tensor(of: region.polygon, in: frame, width: width, height: Self.rows, room: room), width: room)
        let perStep = Double(room) / Double(output.shape[1]) / Double(width)
        return decoder.letters(output.values, steps: output.shape[1]).map { letter in
            var letter = letter
            letter.place = min(letter.place * perStep, 1)
            return letter
        }
    }

    /// The recognition network's scores: [1, steps, characters].
    private func scores(_ values: [Float], width: Int) throws -> (values: [Float], shape: [Int]) {
        let output = try recognition.run(values, shape: [1, 3, Self.rows, width])[0]
        let classes = output.shape.last ?? 0
        guard classes == decoder.characters.count, output.shape.count == 3 else {
            throw InferenceError(
                "the recognition network's output is \(output.shape); expected 3 dimensions, the last of \(decoder.characters.count), "
                    + "the characters that its metadata name, a blank and a space")
        }
        return (output.values, output.shape)
    }

    /// How likely a line is written upside down, 0…1.
    func upsideDown(_ region: TextRegion, in frame: VideoFrame) throws -> Double {
        let room = 192
        let width = min(room, max(8, Int((Double(Self.rows) * region.width / max(region.height, 1)).rounded())))
        let output = try direction.run(
            try tensor(of: region.polygon, in: frame, width: width, height: Self.rows, room: room),
            shape: [1, 3, Self.rows, room])[0]
        guard output.values.count == 2 else {
            throw InferenceError("the direction network says \(output.values.count) things; expected 2")
        }
        return Double(output.values[1])
    }

    /// A part of a frame, as the networks take it.
    private func searched(_ part: FramePart, of frame: VideoFrame, width: Int, height: Int) throws -> [Float] {
        // Where each pixel of the network's is one sample, both ways give the same values; this one takes a fifth of the time.
        if part.width <= 2 * width, part.height <= 2 * height {
            return try filled(part, of: frame, width: width, height: height)
        }
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        let options = ocv_crop_options(
            width: Int32(width), height: Int32(height), channels: OCV_CHANNELS_BGR, geometry: OCV_GEOMETRY_STRETCH,
            antialias: true, padding: 0)
        try frame.crop(part.outline, options, into: &pixels, stride: width * 3)
        return try tensor(of: pixels, width: width, height: height)
    }

    private func filled(_ part: FramePart, of frame: VideoFrame, width: Int, height: Int) throws -> [Float] {
        var options = ocv_input_options(
            x: Int32(part.x), y: Int32(part.y), boxWidth: Int32(part.width), boxHeight: Int32(part.height),
            width: Int32(width), height: Int32(height), left: 0, top: 0, across: Int32(width), down: Int32(height),
            channels: OCV_CHANNELS_BGR, padding: 0, normalization: Self.normalization)
        return try frame.withPicture { planes in
            var picture = ocv_picture(planes)
            return try [Float](unsafeUninitializedCapacity: width * height * 3) { values, count in
                try check(ocv_fill_input(&picture, &options, values.baseAddress), "prepare the network's input")
                count = values.count
            }
        }
    }

    private static let normalization = ocv_normalization(
        layout: OCV_LAYOUT_NCHW, scale: 1 / 127.5, mean: (1, 1, 1), std: (1, 1, 1))

    /// A line as the networks take it; beyond `width`, 0.
    private func tensor(
        of region: [Point], in frame: VideoFrame, width: Int, height: Int, room: Int
    ) throws -> [Float] {
        let values = try tensor(
            of: try Self.pixels(of: region, in: frame, width: width, height: height), width: width, height: height)
        guard room > width else { return values }
        var wide = [Float](repeating: 0, count: room * height * 3)
        for row in 0..<height * 3 {
            wide.replaceSubrange(row * room..<row * room + width, with: values[row * width..<(row + 1) * width])
        }
        return wide
    }

    /// Pixels as the networks take them, −1…1 in blue, green and red.
    private func tensor(of pixels: [UInt8], width: Int, height: Int) throws -> [Float] {
        var normalization = Self.normalization
        var values = [Float](repeating: 0, count: pixels.count)
        try check(
            ocv_fill_tensor(pixels, Int64(width * 3), Int32(width), Int32(height), 3, &normalization, &values),
            "prepare the network's input")
        return values
    }

    /// A region, height × width × (blue, green, red); beyond the picture its border goes on.
    static func pixels(of region: [Point], in frame: VideoFrame, width: Int, height: Int) throws -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        var quad = ocv_quad(corners: (region[0].ocv, region[1].ocv, region[2].ocv, region[3].ocv))
        try withPicture(of: frame) { picture in
            var picture = picture
            try check(
                ocv_text_crop(&picture, &quad, Int32(width), Int32(height), &pixels), "cut a line out of the picture")
        }
        return pixels
    }

    /// A frame's planes; its own colours where it has better ones, as a picture file has, which are converted once.
    private static func withPicture(of frame: VideoFrame, _ body: (ocv_picture) throws -> Void) throws {
        if frame.hasRicherOriginal {
            try frame.bgr().withPixels { try body(ocv_picture(bgr: $0)) }
        } else {
            try frame.withPicture { try body(ocv_picture($0)) }
        }
    }
}
