import CPango

/// Renders short texts at one size, by Pango, and keeps the latest ones.
///
/// Pixels depend on the installed fonts and the version of the text libraries, not on the screen's or the locale's
/// settings. One thread at a time.
final class TextRenderer {
    /// Size, pixels an em.
    let size: Int
    /// How far capitals and digits rise above the baseline and descenders sink below it, pixels.
    let ascent: Int
    let descent: Int

    let handle: OpaquePointer
    private var cache: LeastRecentlyUsed<Key, TextBitmap>

    private struct Key: Hashable {
        var text: String
        var maximumWidth: Int
    }

    /// - Parameters:
    ///   - size: Pixels an em, cut to 4…512.
    ///   - capacity: How many rendered texts to keep.
    /// - Throws: `TextError` where no font is installed.
    init(size: Int, bold: Bool = false, capacity: Int = 512) throws(TextError) {
        let size = min(max(size, 4), 512)
        var handle: OpaquePointer?
        let status = cpg_renderer_create("DejaVu Sans,sans-serif", Double(size), bold, &handle)
        guard status.code == 0, let handle else { throw TextError("preparing text of \(size) px", status) }
        let sample: TextBitmap
        do throws(TextError) {
            sample = try Self.render("Hdgy0", maximumWidth: 0, by: handle)
        } catch {
            cpg_renderer_free(handle)
            throw error
        }
        self.size = size
        self.handle = handle
        self.ascent = -sample.top
        self.descent = max(sample.height + sample.top, 0)
        self.cache = LeastRecentlyUsed(capacity: capacity)
    }

    deinit {
        cpg_renderer_free(handle)
    }

    /// Renders one line.
    ///
    /// - Parameters:
    ///   - text: Any text; control characters and line breaks show as spaces.
    ///   - maximumWidth: Pixels; longer text is cut and ends in “…”. 0 for no limit.
    /// - Throws: `TextError` where the text library fails.
    func bitmap(of text: String, maximumWidth: Int = 0) throws(TextError) -> TextBitmap {
        let key = Key(text: text, maximumWidth: maximumWidth)
        if let known = cache[key] { return known }
        let bitmap = try Self.render(text, maximumWidth: maximumWidth, by: handle)
        cache[key] = bitmap
        return bitmap
    }

    private static func render(
        _ text: String, maximumWidth: Int, by handle: OpaquePointer
    ) throws(TextError) -> TextBitmap {
        var text = text
        var result = cpg_text()
        let width = Int32(clamping: maximumWidth)
        let status = text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { bytes in
                cpg_render(handle, bytes.baseAddress, Int64(bytes.count), width, &result)
            }
        }
        guard status.code == 0 else { throw TextError("rendering text", status) }
        let (columns, rows, stride) = (Int(result.width), Int(result.height), Int(result.stride))
        let coverage = [UInt8](unsafeUninitializedCapacity: columns * rows) { buffer, count in
            guard let source = result.coverage, let target = buffer.baseAddress else { return }
            for row in 0..<rows {
                (target + row * columns).initialize(from: source + row * stride, count: columns)
            }
            count = columns * rows
        }
        let empty = coverage.isEmpty
        return TextBitmap(
            text: text, coverage: coverage, width: empty ? 0 : columns, height: empty ? 0 : rows,
            left: Int(result.left),
            top: Int(result.top), advance: Int(result.advance), isEllipsized: result.ellipsized)
    }
}

extension TextError {
    init(_ operation: String, _ status: cpg_status) {
        let message = withUnsafeBytes(of: status.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(operation: operation, code: Int(status.code), message: message)
    }
}
