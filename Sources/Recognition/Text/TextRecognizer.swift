internal import CVision
internal import CTesseract
internal import Glibc

/// A reading: what a line says.
struct TextReading: Sendable {
    /// A word or character; its corners are in the line's unit square, so that they move with it.
    struct Part: Sendable {
        var text: String
        var corners: [Point]
        var confidence: Double
    }

    var text: String
    /// Confidence, 0…1.
    var confidence: Double
    var words: [Part]
    var characters: [Part]

    /// The share of the line's width from its first word to its last one.
    var extent: Double {
        guard let first = words.first, let last = words.last else { return 0 }
        return min(max(min(last.corners[1].x, 1) - max(first.corners[0].x, 0), 0), 1)
    }

    /// Worth of a reading: of two of a line the one that reads all of it is better.
    var worth: Double { confidence * (0.5 + 0.5 * extent) }

    /// Whether it is one letter or digit: of characters that stand for words every other checkerboard looks like one.
    var isLetterOrDigit: Bool {
        text.count == 1
            && text.allSatisfy { $0.isLetter && $0.unicodeScalars.allSatisfy { $0.value < 0x2E80 } || $0.isNumber }
    }

    /// Whether a confidence in it is enough: short strings are read into textures more often.
    func isSure(_ confidence: Double, _ least: Double) -> Bool {
        confidence >= (text.count { $0.isLetter || $0.isNumber } > 3 ? least : (1 + least) / 2)
    }

    /// Whether it is letters and digits of any script, besides what is put between them.
    var isPlausible: Bool {
        let marks = text.filter { !$0.isWhitespace }
        let signs = marks.filter { $0.isLetter || $0.isNumber }.count
        return signs >= 2 && Double(signs) >= 0.6 * Double(marks.count)
    }
}

/// Tesseract with its models, for one thread at a time.
final class TextRecognizer {
    private let handle: OpaquePointer
    private var pixels: [UInt8] = []

    /// - Throws: `VisionError` where the models can't be loaded.
    init(languages: [String]) throws {
        var handle: OpaquePointer?
        let status = tess_open(languages.joined(separator: "+"), TextLanguages.folder, &handle)
        guard status.code == 0, let handle else {
            throw VisionError(operation: "load Tesseract's models", reason: Self.message(status))
        }
        self.handle = handle
    }

    deinit { tess_close(handle) }

    private static func message(_ status: tess_status) -> String {
        withUnsafeBytes(of: status.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// A look at a line: the height of its letters in the patch, pixels, and the margins, in heights.
    private struct Look {
        var rows: Double
        var side: Double
        var above: Double
        /// Treatment of the patch: Tesseract reads hairlines badly, and letters on top of a picture.
        var kind = OCV_TEXT_PLAIN
    }

    private static let looks = [
        Look(rows: 40, side: 0.3, above: 0.2), Look(rows: 40, side: 0.3, above: 0.2, kind: OCV_TEXT_ISOLATED),
        Look(rows: 34, side: 0.12, above: 0.12), Look(rows: 48, side: 0.5, above: 0.3),
        Look(rows: 40, side: 0.3, above: 0.2, kind: OCV_TEXT_BOLDER),
    ]
    /// Worth below which a first reading is no text, unless it is a row of letters all the same.
    private static let worthAnother = 0.4
    private static let surelyARow = 2.6
    /// Tesseract's page segmentation mode for one line, and pixels an inch.
    private static let (lineMode, resolution): (Int32, Int32) = (7, 150)

    /// The surest of several looks; a sure one ends it.
    /// - Parameter effort: how many looks at the most.
    /// - Returns: nil where nothing was recognised.
    func read(_ line: FoundTextLine, in frame: VideoFrame, effort: Int) throws -> TextReading? {
        var best: TextReading?
        for (index, look) in Self.looks.prefix(effort).enumerated() {
            if index > 0, best?.worth ?? 0 < Self.worthAnother {
                guard line.score >= Self.surelyARow else { break }
                guard look.kind == OCV_TEXT_ISOLATED else { continue }
            }
            guard let reading = try read(line, in: frame, look) else { continue }
            if reading.worth > best?.worth ?? 0 { best = reading }
            if let best, best.confidence >= 0.93, best.extent >= 0.85, best.isPlausible { break }
        }
        return best
    }

    private func read(_ line: FoundTextLine, in frame: VideoFrame, _ look: Look) throws -> TextReading? {
        guard let map = Homography(unitSquareTo: line.polygon), line.height > 1, line.width > 1 else { return nil }
        let zoom = look.rows / line.height
        let height = (look.rows * (1 + 2 * look.above)).rounded()
        // A line longer than this says something else.
        let width = (line.width * zoom + 2 * look.side * look.rows).rounded()
        guard width <= 4096 else { return nil }
        let (left, top) = (-look.side * line.height / line.width, -look.above)
        let unit = Box(x: left, y: top, width: 1 - 2 * left, height: 1 - 2 * top)
        var patch = ocv_text_line()
        let corners = unit.corners.map { map($0).ocv }
        patch.corners = (corners[0], corners[1], corners[2], corners[3])
        patch.isLight = line.isLight
        let (w, h) = (Int32(width), Int32(height))
        pixels = [UInt8](repeating: 0, count: Int(w) * Int(h))
        try frame.withLuma {
            try check(
                ocv_sample_text(ocv_plane($0), &patch, w, h, look.rows, look.kind, &pixels), "sample a line of text")
        }
        var result: UnsafeMutablePointer<tess_line>?
        let status = tess_read(handle, pixels, w, h, Self.lineMode, Self.resolution, &result)
        guard status.code == 0 else {
            throw VisionError(operation: "recognise a line of text", reason: Self.message(status))
        }
        guard let result else { return nil }
        defer { tess_free(result) }
        func parts(_ parts: UnsafePointer<tess_part>?, _ count: Int32) -> [TextReading.Part] {
            UnsafeBufferPointer(start: parts, count: Int(count)).map { part in
                let box = Box(
                    x: unit.x + Double(part.left) / width * unit.width,
                    y: unit.y + Double(part.top) / height * unit.height,
                    width: Double(part.right - part.left) / width * unit.width,
                    height: Double(part.bottom - part.top) / height * unit.height)
                return TextReading.Part(
                    text: part.text.map { String(cString: $0) } ?? "", corners: box.corners,
                    confidence: part.confidence)
            }
        }
        let words = parts(result.pointee.words, result.pointee.wordCount)
        let characters = parts(result.pointee.characters, result.pointee.characterCount)
        let gaps = InkGaps(pixels, width: Int(w), height: Int(h)) { x in
            Int(((x - unit.x) / unit.width * width).rounded())
        }
        return Self.reading(
            words: gaps.spaced(words, characters, least: 0.15 * look.rows), characters: characters)
    }

    /// A reading without unsure words that have no letters: what surrounds a line is often taken for marks or letters
    /// at its ends.
    private static func reading(words: [TextReading.Part], characters: [TextReading.Part]) -> TextReading? {
        // Beside words that are sure, a letter or two that aren't are something else.
        let long = words.filter { $0.text.count > 2 }
        let isSure = long.count > 0 && long.allSatisfy { $0.confidence >= 0.9 }
        var words = words[...]
        func isStray(_ word: TextReading.Part) -> Bool {
            let signs = word.text.filter { $0.isLetter || $0.isNumber }.count
            return signs == 0 && word.text.count <= 2 && word.confidence < 0.9
                || word.confidence < (signs > 2 ? 0.3 : isSure && !word.text.contains(where: \.isNumber) ? 0.8 : 0.5)
        }
        while words.count > 1, let first = words.first, isStray(first) { words.removeFirst() }
        while words.count > 1, let last = words.last, isStray(last) { words.removeLast() }
        guard let first = words.first, let last = words.last else { return nil }
        let weights = words.map { Double($0.text.count) }
        let total = weights.reduce(0, +)
        guard total > 0 else { return nil }
        let confidence = zip(words, weights).reduce(0) { $0 + $1.0.confidence * $1.1 } / total
        let (start, end) = (first.corners[0].x - 1e-9, last.corners[1].x + 1e-9)
        return TextReading(
            text: words.map(\.text).joined(separator: " "), confidence: confidence, words: Array(words),
            characters: characters.filter { $0.corners[0].x >= start && $0.corners[1].x <= end })
    }
}

/// The languages that Tesseract's installation has.
enum TextLanguages {
    /// Folder of the models: what `TESSDATA_PREFIX` says, else where Debian and others put them.
    static var folder: String? {
        let places = [
            "/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata", "/usr/share/tessdata",
        ]
        let named = getenv("TESSDATA_PREFIX").map { String(cString: $0) }
        return ([named].compactMap(\.self) + places).first(where: Files.isDirectory)
    }

    static func isInstalled(_ language: String) -> Bool {
        folder.map { Files.exists("\($0)/\(language).traineddata") } ?? false
    }
}
