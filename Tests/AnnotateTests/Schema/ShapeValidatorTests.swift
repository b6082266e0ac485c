@testable import Base
import Testing

@testable import Annotate

@Suite struct ShapeValidatorTests {
    private static let style = Shape.object(
        ObjectShape(
            doc: "A style.",
            properties: [
                Property("name", .string(.identifier), required: true, doc: "Its name."),
                Property("size", .number(Bounds(0, 1)), doc: "Its size."),
                Property("kind", .choice(["dark", "light"]), doc: "Its kind."),
                Property("parts", .array(of: .number()), doc: "Its parts."),
            ]))

    private static let stage = Shape.tagged(
        TaggedShape(
            tag: "type", noun: "stage type",
            common: ObjectShape(
                doc: "A stage.", properties: [Property("type", .string(), required: true, doc: "Its type.")]),
            variants: [
                .init(name: "markers", doc: "Markers.", properties: [Property("size", .number(), doc: "Its size.")]),
                .init(
                    name: "track", doc: "Tracks.",
                    properties: [Property("level", .choice(["fast", "accurate"]), required: true, doc: "Its level.")]),
            ]))

    private func problems(_ text: String, _ shape: Shape) throws -> [String] {
        var validator = ShapeValidator(file: "m.json")
        validator.validate(try JSONParser.parse(Array(text.utf8)), against: shape)
        return validator.log.sorted.map(\.description)
    }

    @Test func aDocumentThatFits() throws {
        #expect(try problems(#"{"name":"a","size":1,"kind":"dark","parts":[]}"#, Self.style) == [])
        #expect(try problems(#"{"type":"markers","size":3}"#, Self.stage) == [])
    }

    @Test func everyProblemAtOnceInTheFilesOrder() throws {
        let text = """
            {
              "nmae": "x",
              "size": 2,
              "kind": "drak",
              "parts": [1, "two", null]
            }
            """
        #expect(
            try problems(text, Self.style) == [
                "m.json:1:1: /: “name” is missing; expected a name of letters, digits, “.”, “_” and “-” that starts with "
                    + "none of “.” and “-”, 128 at most",
                "m.json:2:3: /nmae: unknown key “nmae”; expected one of “name”, “size”, “kind”, “parts”; did you mean “name”?",
                "m.json:3:11: /size: 2; expected a number from 0 to 1",
                "m.json:4:11: /kind: “drak”; expected one of “dark”, “light”; did you mean “dark”?",
                "m.json:5:16: /parts/1: “two”; expected a number",
                "m.json:5:23: /parts/2: null; expected a number",
            ])
    }

    @Test(arguments: [
        ("6", Shape.integer(1...5), "6; expected a whole number from 1 to 5"),
        ("1.5", .integer(1...5), "1.5; expected a whole number from 1 to 5"),
        ("-1", .integer(0...Int.max), "-1; expected a whole number from 0"),
        ("\"a\"", .integer(), "“a”; expected a whole number"),
        ("0", .number(Bounds(0, 1, excludesMinimum: true)), "0; expected a number over 0, up to 1"),
        ("0", .number(Bounds(0, excludesMinimum: true)), "0; expected a number over 0"),
        ("1", .number(Bounds(2)), "1; expected a number from 2"),
        ("4", .number(Bounds(nil, 3)), "4; expected a number up to 3"),
        ("true", .number(), "true; expected a number"), ("1", .boolean, "1; expected true or false"),
        ("{}", .string(), "an object; expected a text"),
        ("[]", .object(ObjectShape(doc: "", properties: [])), "an array; expected an object"),
        ("2", .constant(.integer(1)), "2; expected 1"), ("\"1\"", .constant(.integer(1)), "“1”; expected 1"),
        ("[1]", .array(of: .number(), count: 2...2), "an array of 1; expected an array of 2; each element a number"),
        (
            "[]", .array(of: .boolean, count: 1...Int.max),
            "an array of 0; expected an array of 1 or more; each element true or false"
        ),
        (
            "[1,2,3,4]", .array(of: .any, count: 1...3),
            "an array of 4; expected an array of 1 to 3; each element any value"
        ),
        (
            "3", .anyOf([.boolean, style], doc: "true, false or an object with a style"),
            "3; expected true, false or an object with a style"
        ),
        ("\"\"", .string(.path), "“”; expected a path"),
        ("\"red\"", .string(.color), "“red”; expected a colour as “#rrggbb”"),
        (
            "\"a/b\"", .string(.fileName),
            "“a/b”; expected a file name without “/” and control characters such as line breaks, not "
                + "starting with “.”, 200 bytes at most"
        ),
        ("\"ABC\"", .string(.sha256), "“ABC”; expected 64 lower-case hexadecimal digits"),
    ])
    func oneValue(text: String, shape: Shape, expected: String) throws {
        #expect(try problems(text, shape) == ["m.json:1:1: /: \(expected)"])
    }

    @Test func longTextsAreCut() throws {
        let long = String(repeating: "x", count: 61)
        #expect(
            try problems("\"\(long)\"", .boolean) == [
                "m.json:1:1: /: “\(String(repeating: "x", count: 57))…”; expected true or false"
            ])
    }

    @Test func namesOfAMap() throws {
        let map = Shape.map(of: .boolean, keys: .identifier, doc: "Flags.")
        #expect(try problems(#"{"a":true,"b-2.c_":false}"#, map) == [])
        #expect(
            try problems(#"{"a b":1}"#, map) == [
                "m.json:1:2: /a b: the name “a b”; expected a name of letters, digits, “.”, “_” and “-” that starts with "
                    + "none of “.” and “-”, 128 at most",
                "m.json:1:8: /a b: 1; expected true or false",
            ])
    }

    @Test(arguments: [
        ("{}", ["m.json:1:1: /: “type” is missing; expected a stage type: “markers”, “track”"]),
        (
            #"{"type":"trcak"}"#,
            ["m.json:1:9: /type: unknown stage type “trcak”; expected one of “markers”, “track”; did you mean “track”?"]
        ),
        (#"{"type":3}"#, ["m.json:1:9: /type: unknown stage type a number; expected one of “markers”, “track”"]),
        (
            #"{"type":"track"}"#,
            ["m.json:1:1: /: “level” is missing; expected one of “fast”, “accurate”"]
        ),
        // Another variant's key is no key of this one.
        (
            #"{"type":"markers","level":"fast"}"#,
            ["m.json:1:19: /level: unknown key “level”; expected one of “type”, “size”"]
        ),
    ])
    func taggedObjects(text: String, expected: [String]) throws { #expect(try problems(text, Self.stage) == expected) }

    @Test func theAlternativeOfTheRightTypeSpeaks() throws {
        let shape = Shape.anyOf([.boolean, Self.style], doc: "true, false or a style")
        #expect(try problems("false", shape) == [])
        #expect(
            try problems(#"{"name":"a","siez":1}"#, shape) == [
                "m.json:1:13: /siez: unknown key “siez”; expected one of “name”, “size”, “kind”, “parts”; did you mean “size”?"
            ])
    }

    @Test(arguments: [
        (
            TextRule.identifier, ["a", "_", "0.b-c", String(repeating: "a", count: 128)],
            ["", ".a", "-a", "a b", "é", "a/b", String(repeating: "a", count: 129)]
        ),
        (
            .fileName, ["a", "Höhe 1", "-x", String(repeating: "a", count: 200)],
            ["", ".a", "a/b", "a\nb", "a\u{7F}", "a\u{9B}2J", "a\u{2028}b", String(repeating: "a", count: 201)]
        ),
        (.path, ["a", "/", "../x y"], ["", "a\0b"]),
        (.color, ["#00aaFF"], ["#00aaF", "00aaFF0", "#00aaFG", "#00aaFF0"]),
        (
            .sha256, [String(repeating: "0f", count: 32)],
            [String(repeating: "0F", count: 32), String(repeating: "0", count: 63)]
        ),
        (.choice(["a"]), ["a"], ["A", ""]),
    ])
    func textRules(rule: TextRule, good: [String], bad: [String]) {
        #expect(good.filter { !rule.accepts($0) } == [])
        #expect(bad.filter(rule.accepts) == [])
    }

    @Test(
        arguments: [
            ("makers", "markers"), ("MARKERS", "markers"), ("tarck", "track"), ("trakc", "track"), ("clasify", nil),
            ("", nil),
            ("x", nil), ("rectangels", "rectangles"), ("rct", nil),
        ] as [(String, String?)])
    func theNearestWord(typed: String, expected: String?) {
        #expect(nearest(to: typed, among: ["markers", "rectangles", "track"]) == expected)
    }

    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
    func editDistances(a: String, b: String, expected: Int) {
        #expect(editDistance(a, b) == expected)
        #expect(editDistance(b, a) == expected)
    }
}
