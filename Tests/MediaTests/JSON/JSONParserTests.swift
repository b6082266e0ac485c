import Annotate
import Testing

@Suite struct JSONParserTests {
    private func parse(_ text: String) throws -> JSONNode { try JSONParser.parse(Array(text.utf8)) }

    private func failure(_ bytes: [UInt8]) -> String? {
        do {
            _ = try JSONParser.parse(bytes)
            return nil
        } catch {
            return "\(error.position.line):\(error.position.column): \(error.message)"
        }
    }

    // MARK: What is read

    @Test func valuesRememberWhereTheyStand() throws {
        let root = try parse("{\n  \"a\": [1,\r\n    \"é\", true], \"b\" :\tnull}")
        #expect(root.position == SourcePosition(line: 1, column: 1))
        #expect(
            root.members?.map(\.keyPosition) == [
                SourcePosition(line: 2, column: 3), SourcePosition(line: 3, column: 17),
            ])
        let list = try #require(root["a"])
        #expect(list.position == SourcePosition(line: 2, column: 8))
        #expect(
            list.elements?.map(\.position) == [
                SourcePosition(line: 2, column: 9), SourcePosition(line: 3, column: 5),
                SourcePosition(line: 3, column: 10),
            ])
        #expect(root["b"]?.position == SourcePosition(line: 3, column: 23))
    }

    @Test func columnsCountScalarsOnOneLongLine() throws {
        let count = 20_000
        let root = try parse("[" + Array(repeating: "\"é\"", count: count).joined(separator: ",") + "]")
        #expect(root.elements?.last?.position == SourcePosition(line: 1, column: 2 + 4 * (count - 1)))
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u00E9""#, "Aéé"),
        (#""\ud834\udd1e""#, "𝄞"), (#""\u0000""#, "\0"), ("\"é𝄞\u{7F}\u{2028}\"", "é𝄞\u{7F}\u{2028}"), ("\"\"", ""),
    ])
    func strings(text: String, expected: String) throws { #expect(try parse(text).string == expected) }

    @Test(arguments: [
        ("0", 0.0), ("-0", 0), ("12", 12), ("-1.5", -1.5), ("1e3", 1000), ("1E+3", 1000), ("25e-1", 2.5), ("0.0", 0),
        ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
    ])
    func numbers(text: String, expected: Double) throws { #expect(try parse(text).number == expected) }

    @Test(
        arguments: [
            ("3", 3), ("3.0", 3), ("-3e1", -30), ("3.5", nil), ("9007199254740992", 9_007_199_254_740_992),
            ("9007199254740993", 9_007_199_254_740_993), ("-9007199254740993", -9_007_199_254_740_993),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775808", nil), ("1e300", nil),
        ] as [(String, Int?)])
    func integersAreWholeAndExact(text: String, expected: Int?) throws { #expect(try parse(text).integer == expected) }

    @Test(arguments: ["", " \t\r\n"])
    func spaceAroundTheDocument(space: String) throws {
        #expect(try parse(space + "[ ]" + space).elements?.isEmpty == true)
        #expect(try parse(space + "{ }" + space).members?.isEmpty == true)
    }

    @Test func aByteOrderMarkIsNoText() throws {
        let root = try JSONParser.parse([0xEF, 0xBB, 0xBF] + Array("{\"a\":1}".utf8))
        #expect(root["a"]?.number == 1)
        // Editors don't count it.
        #expect(root.position == SourcePosition(line: 1, column: 1))
        #expect(root["a"]?.position == SourcePosition(line: 1, column: 6))
    }

    // MARK: What is refused

    @Test(arguments: [
        ("", "1:1: the file ends where a value was expected"),
        ("{", "1:2: the end of the file where a key in double quotes was expected"),
        ("[", "1:2: the file ends where a value was expected"),
        ("[1 2]", "1:4: “2” where “,” or “]” was expected"),
        ("[1,]", "1:4: “]” where a value was expected"),
        ("{\"a\":1 \"b\"}", "1:8: “\"” where “,” or “}” was expected"),
        ("{\"a\":1,}", "1:8: “}” where a key in double quotes was expected"),
        ("{\"a\" 1}", "1:6: “1” where “:” was expected after the key “a”"),
        ("{a:1}", "1:2: “a” where a key in double quotes was expected"),
        ("{\n 'a': 1}", "2:2: “'” where a key in double quotes was expected"),
        ("[\n  // no\n]", "2:3: “/” where a value was expected"),
        ("1 2", "1:3: text after the end of the document"),
        ("{}\n]", "2:1: text after the end of the document"),
        ("tru", "1:1: “t” where a value was expected"),
        ("NaN", "1:1: “N” where a value was expected"),
        ("[é]", "1:2: “é” where a value was expected"),
    ])
    func syntax(text: String, expected: String) { #expect(failure(Array(text.utf8)) == expected) }

    @Test(arguments: [
        ("\"abc", "1:1: the string that starts here is never closed"),
        ("\"a\nb\"", "1:3: a control character inside a string; is the closing quote missing?"),
        ("\"a\tb\"", "1:3: a control character inside a string; is the closing quote missing?"),
        (#""\x""#, "1:3: “\\x” is no escape that JSON knows"),
        ("\"\\", "1:3: the file ends inside a string"),
        (#""\u12""#, "1:4: “\\u” needs four hexadecimal digits"),
        (#""\u12g4""#, "1:4: “\\u” needs four hexadecimal digits"),
        (#""\u+123""#, "1:4: “\\u” needs four hexadecimal digits"),
        (#""\u-000""#, "1:4: “\\u” needs four hexadecimal digits"),
        (#""\ud800""#, "1:8: half of a surrogate pair in “\\u…”"),
        (#""\udc00""#, "1:8: half of a surrogate pair in “\\u…”"),
        (#""\ud800\n""#, "1:9: half of a surrogate pair in “\\u…”"),
        (#""\ud800\u0041""#, "1:14: half of a surrogate pair in “\\u…”"),
    ])
    func badStrings(text: String, expected: String) { #expect(failure(Array(text.utf8)) == expected) }

    @Test(arguments: ["01", "-", "-01", "1.", "1.e3", "1e", "1e+", "1e999", "-1e999"])
    func badNumbers(text: String) { #expect(failure(Array(text.utf8)) == "1:1: “\(text)” is not a JSON number") }

    @Test(arguments: [".5", "+1", "Infinity"])
    func whatIsNoNumberAtAll(text: String) throws {
        let first = try #require(text.first)
        #expect(failure(Array(text.utf8)) == "1:1: “\(first)” where a value was expected")
    }

    @Test(arguments: [
        ("{\"a\":1,\n \"a\":2}", "2:2: the key “a” stands twice in this object"),
        (#"{"a":1,"\u0061":2}"#, "1:8: the key “a” stands twice in this object"),
    ])
    func aKeyStandsOnce(text: String, expected: String) { #expect(failure(Array(text.utf8)) == expected) }

    @Test func oneKeyInTwoObjectsIsFine() throws {
        #expect(try parse(#"{"a":{"a":1},"b":{"a":2}}"#)["b"]?["a"]?.number == 2)
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
    func nestingIsLimited(open: String, close: String) throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: open, count: depth - 1) + "[]" + String(repeating: close, count: depth - 1)).utf8)
        }
        _ = try JSONParser.parse(nested(64))
        let column = open.count * 64 + 1
        #expect(failure(nested(65)) == "1:\(column): nested deeper than 64 levels")
        #expect(
            failure(Array(String(repeating: open, count: 200_000).utf8)) == "1:\(column): nested deeper than 64 levels")
    }

    @Test(
        arguments: [
            ([0xFF], "1:1"), ([0x22, 0xC3, 0xA9, 0x0A, 0x22, 0xC0, 0x80], "2:2"), ([0x22, 0xE2, 0x82], "1:2"),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], "1:2"), ([0x5B, 0x0A, 0x0A, 0x80], "3:1"),
        ] as [([UInt8], String)])
    func invalidUTF8(bytes: [UInt8], place: String) {
        #expect(failure(bytes) == "\(place): the file is not valid UTF-8 here; save it as UTF-8")
    }

    // MARK: Pointers

    @Test(
        arguments: [
            ([], ""), ([.key("jobs"), .index(0), .key("input")], "/jobs/0/input"), ([.key("a/b~c~1")], "/a~1b~0c~01"),
            ([.key("")], "/"),
        ] as [([PathComponent], String)])
    func pointers(path: [PathComponent], expected: String) { #expect(jsonPointer(path) == expected) }

    /// Elements of one array go where they are wanted, and nowhere else.
    @Test func elementsAreHandedOver() throws {
        let text = #"{"a": [1, {"list": [2]}], "list": [{"x": 1}, [2, 3], "é"], "b": {"list": [9]}}"#
        var taken: [JSONNode] = []
        let node = try JSONParser.parse(Array(text.utf8), elementsOf: "list") { taken.append($0) }
        #expect(taken.map { prettyJSON($0.value) } == ["{\n  \"x\": 1\n}", "[2, 3]", "\"é\""])
        #expect(taken.map(\.position.column) == [36, 46, 54])
        #expect(node["list"]?.elements?.isEmpty == true)
        #expect(node["a"]?.elements?.count == 2 && node["b"]?["list"]?.elements?.count == 1)
        #expect(throws: JSONSyntaxError.self) {
            try JSONParser.parse(Array(#"{"list": [1, 2"#.utf8), elementsOf: "list") { _ in }
        }
    }

    @Test(arguments: [
        ("0", 0.0), ("-0", -0.0), ("123456789012345", 123_456_789_012_345), ("-7", -7), ("1e3", 1000), ("0.5", 0.5),
    ])
    func numbersAreWhatTheySay(text: String, value: Double) throws {
        let number = try #require(try JSONParser.parse(Array(text.utf8)).number)
        #expect(number == value && number.sign == value.sign)
    }

    /// Every scalar of one to four bytes is read, and what isn't one is told of where it begins.
    @Test func whatIsNoUTF8IsFound() {
        for value in stride(from: 0x20, to: 0x11_0000, by: 61) {
            guard let scalar = Unicode.Scalar(UInt32(value)), scalar != "\"", scalar != "\\" else { continue }
            #expect((try? parse("\"\(scalar)\""))?.string == String(scalar))
        }
        let wrong: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x9F, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF1, 0x80, 0x80], [0xFF],
        ]
        for bytes in wrong {
            let place = failure(Array("[\n\"aé".utf8) + bytes + Array("bcdefghi\"]".utf8))
            #expect(place == "2:4: the file is not valid UTF-8 here; save it as UTF-8", "\(bytes)")
        }
    }
}
