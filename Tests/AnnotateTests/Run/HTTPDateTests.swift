import Testing

@testable import Annotate

@Suite struct HTTPDateTests {
    /// RFC 9110's own examples, and what is none.
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT+1", nil), ("tomorrow", nil), ("", nil), ("784111777", nil),
        ] as [(String, Double?)])
    func dates(text: String, seconds: Double?) {
        #expect(HTTPDate.seconds(text) == seconds)
    }
}
