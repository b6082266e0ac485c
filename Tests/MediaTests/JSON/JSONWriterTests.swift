import Annotate
import Testing

@Suite struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return writer.text
    }

    @Test(arguments: [
        (1.5, 2, "1.5"), (1.0, 2, "1"), (100.0, 2, "100"), (0.07, 2, "0.07"), (12.0, 0, "12"), (0.1 + 0.2, 2, "0.3"),
        (-0.001, 2, "0"), (-0.0, 2, "0"), (0.004, 2, "0"), (0.999, 2, "1"), (-1.999, 2, "-2"), (-0.25, 2, "-0.25"),
        (0.5, 0, "1"), (-0.5, 0, "-1"), (0.125, 2, "0.13"), (-0.125, 2, "-0.13"), (0.375, 2, "0.38"),
        (2.0625, 3, "2.063"), (1234567.891, 2, "1234567.89"), (1e9, 6, "1000000000"), (0.000001, 6, "0.000001"),
        (1e14, 6, "100000000000000"), (.nan, 2, "null"), (.infinity, 2, "null"), (-.infinity, 2, "null"),
    ])
    func roundedHalfAwayFromZero(number: Double, decimals: Int, expected: String) {
        #expect(text { $0.value(number, decimals: decimals) } == expected)
    }

    @Test(arguments: [
        (0.1, "0.1"), (5, "5"), (-0.0, "0"), (1.0 / 3, "0.3333333333333333"), (123456789012, "123456789012"),
        (-2.5, "-2.5"), (1e15, "1000000000000000.0"), (1e16, "1e+16"), (.nan, "null"), (.infinity, "null"),
    ])
    func shortestThatReadsBack(number: Double, expected: String) throws {
        #expect(text { $0.value(number) } == expected)
        if number.isFinite { #expect(try JSONParser.parse(Array(expected.utf8)).number == number) }
    }

    @Test(arguments: [
        ("", "\"\""), ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t", #""\n\r\t""#),
        ("\u{0}\u{8}\u{1F}", #""\u0000\u0008\u001f""#),
        ("/é𝄞\u{2028}", "\"/é𝄞\u{2028}\""), ("\u{7F}\u{80}\u{9B}0m\u{9F}", #""\u007f\u0080\u009b0m\u009f""#),
        ("\u{A0}\u{BF}\u{E080}©\u{C2}", "\"\u{A0}\u{BF}\u{E080}©\u{C2}\""),
    ])
    func strings(string: String, expected: String) throws {
        #expect(text { $0.value(string) } == expected)
        #expect(try JSONParser.parse(Array(expected.utf8)).string == string)
    }

    @Test(arguments: [Int.min, -1, 0, Int.max])
    func integers(number: Int) { #expect(text { $0.value(number) } == String(number)) }

    @Test func commasStandBetweenAndNowhereElse() {
        let written = text { json in
            json.object { json in
                json.key("a")
                json.array { json in
                    json.array { _ in }
                    json.object { _ in }
                    json.value(1)
                    json.null()
                }
                json.key("b")
                json.value(true)
            }
            json.endLine()
            json.value(false)
            json.endLine()
        }
        #expect(written == "{\"a\":[[],{},1,null],\"b\":true}\nfalse\n")
    }

    @Test func aClearedWriterStartsAnew() {
        var writer = JSONWriter()
        writer.value(1)
        writer.removeAll()
        writer.value(2)
        #expect(writer.text == "2")
    }

    @Test func parsedTextIsWrittenInItsOrder() throws {
        let source = #"{"z":[1,-2.5,"x",null,true,false],"a":{"b":{}},"é":[]}"#
        let node = try JSONParser.parse(Array(source.utf8))
        #expect(text { $0.value(node.value) } == source)
    }

    @Test func prettyTextForPeople() throws {
        let node = try JSONParser.parse(Array(#"{"a":[1,2],"b":[{"c":[]}],"d":{}}"#.utf8))
        #expect(
            prettyJSON(node.value) == """
                {
                  "a": [1, 2],
                  "b": [
                    {
                      "c": []
                    }
                  ],
                  "d": {}
                }
                """)
    }

    @Test func longListsAreBrokenAndReadBack() throws {
        let numbers = (0..<60).map { Double($0) }
        let pretty = prettyJSON(.numbers(numbers))
        #expect(pretty.split(separator: "\n").count == 62)
        #expect(try JSONParser.parse(Array(pretty.utf8)).elements?.compactMap(\.number) == numbers)
    }
}
