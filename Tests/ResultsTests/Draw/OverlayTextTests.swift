@testable import Drawing
import Testing

@testable import Annotate

@Suite struct OverlayTextTests {
    @Test func textHasInkAroundTheBaseline() throws {
        let renderer = try TextRenderer(size: 24)
        let bitmap = try renderer.bitmap(of: "Hg 0.83")
        #expect(bitmap.coverage.count == bitmap.width * bitmap.height)
        #expect(bitmap.coverage.contains(255))
        #expect(bitmap.top < 0 && bitmap.top + bitmap.height > 0)
        #expect((15...20).contains(renderer.ascent))
        #expect((4...7).contains(renderer.descent))
        #expect(bitmap.advance > 60 && bitmap.advance < 120)
    }

    @Test(arguments: [
        "", " ", "\n\t\r", "a\u{0}b", "\u{2028}", "日本語", "مرحبا بالعالم", "🙂👩‍👩‍👧‍👦🇩🇪", "e\u{301}\u{302}\u{303}",
        "\u{202E}abc\u{202C}", "\u{FFFF}\u{10FFFF}", "<b>&amp;</b>", String(repeating: "W", count: 5_000),
        String(repeating: "\u{0301}", count: 2_000),
    ])
    func anyTextRenders(text: String) throws {
        for size in [4, 10, 24] {
            let renderer = try TextRenderer(size: size)
            for width in [0, 1, 50, .max, -3] {
                let bitmap = try renderer.bitmap(of: text, maximumWidth: width)
                #expect(bitmap.coverage.count == bitmap.width * bitmap.height)
            }
        }
    }

    @Test(arguments: [60, 100, 200])
    func longTextIsCutToTheWidth(width: Int) throws {
        let renderer = try TextRenderer(size: 20)
        let bitmap = try renderer.bitmap(of: "an uncommonly long name of an object in view", maximumWidth: width)
        #expect(bitmap.isEllipsized)
        #expect(bitmap.advance <= width)
        #expect(try !renderer.bitmap(of: "cup", maximumWidth: width).isEllipsized)
    }

    @Test func controlCharactersShowAsSpaces() throws {
        let renderer = try TextRenderer(size: 20)
        let spaced = try renderer.bitmap(of: "a b c")
        var other = try renderer.bitmap(of: "a\nb\u{85}c")
        other.text = spaced.text
        #expect(other == spaced)
    }

    @Test func twoRenderersAgree() throws {
        let bitmaps = try (0..<2).map { _ in try TextRenderer(size: 17).bitmap(of: "id 23 – Öl") }
        #expect(bitmaps[0] == bitmaps[1])
    }

    @Test(arguments: [Int.min, -1, 0, 3, 100_000])
    func anySizeIsCutToTheRange(size: Int) throws {
        let renderer = try TextRenderer(size: size)
        #expect((4...512).contains(renderer.size))
    }

    @Test func cacheStaysBoundedAndKeepsWhatIsUsed() {
        var cache = LeastRecentlyUsed<Int, String>(capacity: 8)
        for key in 0..<100 {
            cache[key] = "\(key)"
            #expect(cache.count <= 8)
            if key > 0 { #expect(cache[0] == "0") }
        }
        #expect(cache[99] == "99")
        #expect(cache[50] == nil)
        cache[99] = nil
        #expect(cache[99] == nil)
    }
}
