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

    /// A key does one thing in a view; those of the sheet, whose names begin with “card-”, are its own.
    @Test func aKeyDoesOneThing() throws {
        let text = try text(Page("review/review.html"))
        var keys: [String] = []
        for match in text.matches(of: /command\("([a-z-]+)", \[([^\]]+)\], "/) where !match.1.hasPrefix("card-") {
            keys += match.2.split(separator: ", ").map(String.init)
        }
        for match in text.matches(of: /what: "[a-z]+", name: "[A-Za-z]+", key: "([a-z])"/) {
            keys += ["\"\(match.1)\"", "\"\(match.1.uppercased())\""]
        }
        #expect(keys.count >= 50)
        let twice = Dictionary(grouping: keys, by: \.self).filter { $1.count > 1 }.keys.sorted()
        #expect(twice == [])
    }

    @Test func isTheSmallerTheMoreItRepeats() throws {
        let bytes = Array(repeating: UInt8(7), count: 100_000)
        let packed = try Gzip.compressed(bytes, for: "page")
        #expect(packed.count < 1000 && packed.starts(with: [0x1f, 0x8b]))
    }
}
