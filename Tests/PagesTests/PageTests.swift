import Testing

@testable import Pages

struct PageTests {
    private func text(_ page: Page) throws -> String {
        var bytes: [UInt8] = []
        try page.write { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Everything that a page names is put into it: no element is left that would fetch something.
    @Test(arguments: ["review/review.html", "pick/pick.html"])
    func needsNothingElse(name: String) throws {
        let page = try text(Page(name))
        #expect(page.contains("<style>") && page.contains(":root"))
        #expect(
            !page.contains("<link rel=\"stylesheet\"") && !page.contains("<script src=")
                && !page.contains("<!-- data -->"))
    }

    /// A text in the data can't end its element.
    @Test func dataStaysData() throws {
        var page = Page("review/review.html")
        page.add(json: #"{"id":"</script><script>alert(1)</script>"}"#, id: "batch")
        let text = try text(page)
        #expect(text.contains(#"<script type="application/json" id="batch">{"id":"\u003c/script>"#))
    }

    @Test func isTheSmallerTheMoreItRepeats() throws {
        let bytes = Array(repeating: UInt8(7), count: 100_000)
        let packed = try Gzip.compressed(bytes, for: "page")
        #expect(packed.count < 1000 && packed.starts(with: [0x1f, 0x8b]))
    }
}
