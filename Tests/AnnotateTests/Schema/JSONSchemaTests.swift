import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct JSONSchemaTests {
    private static let shape = Shape.object(
        ObjectShape(
            doc: "A thing.",
            properties: [
                Property("id", .string(.identifier), required: true, doc: "Its id."),
                Property(
                    "size", .number(Bounds(0, 1, excludesMinimum: true)), default: .number(0.5), unit: "px",
                    doc: "Its size."),
                Property("count", .integer(0...Int.max), doc: "How many."),
                Property("box", .array(of: .number(), count: 4...4), doc: "Where."),
                Property("version", .constant(.integer(1)), doc: "1."),
                Property("draw", .anyOf([.boolean, .choice(["a", "b"])], doc: "a flag or a word"), doc: "How."),
                Property("more", .map(of: .boolean, keys: .identifier, doc: "Flags."), doc: "Flags."),
                Property(
                    "stage",
                    .tagged(
                        TaggedShape(
                            tag: "type", noun: "type",
                            common: ObjectShape(
                                doc: "A stage.",
                                properties: [Property("type", .string(), required: true, doc: "Its type.")]),
                            variants: [
                                .init(
                                    name: "x", doc: "X.",
                                    properties: [Property("color", .string(.color), doc: "Its colour.")]),
                                .init(name: "y", doc: "Y.", properties: []),
                            ])), doc: "The stage."),
            ]))

    @Test func draft2020() throws {
        let schema = JSONNode(JSONSchema.document(title: "thing", doc: "A thing.", shape: Self.shape))
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["title"]?.string == "thing")
        #expect(schema["type"]?.string == "object")
        #expect(schema["additionalProperties"]?.bool == false)
        #expect(schema["required"]?.elements?.compactMap(\.string) == ["id"])
        func property(_ name: String) throws -> String {
            var writer = JSONWriter()
            writer.value(try #require(schema["properties"]?[name]).value)
            return writer.text
        }
        #expect(
            try property("size")
                == #"{"type":"number","exclusiveMinimum":0,"maximum":1,"description":"Its size. Unit: px.","default":0.5}"#
        )
        #expect(try property("count") == #"{"type":"integer","minimum":0,"description":"How many."}"#)
        #expect(
            try property("box")
                == #"{"type":"array","items":{"type":"number"},"minItems":4,"maxItems":4,"description":"Where."}"#)
        #expect(try property("version") == #"{"const":1,"description":"1."}"#)
        #expect(try property("draw") == #"{"anyOf":[{"type":"boolean"},{"enum":["a","b"]}],"description":"How."}"#)
        #expect(schema["properties"]?["stage"]?["oneOf"]?.elements?[0]["properties"]?["type"]?["const"]?.string == "x")
        #expect(schema["properties"]?["stage"]?["oneOf"]?.elements?[1]["additionalProperties"]?.bool == false)
    }

    private static let hasValidator = (try? output(of: "python3", ["-c", "import jsonschema"])) != nil

    /// Documents that fit and that don't: the schema must say of each what `ShapeValidator` says.
    private static let documents = [
        #"{"id":"a"}"#, #"{}"#, #"{"id":"a b"}"#, #"{"id":".a"}"#, #"{"id":1}"#, #"{"id":"a","x":1}"#, #"[]"#, #"null"#,
        #"{"id":"a","size":0}"#, #"{"id":"a","size":0.1}"#, #"{"id":"a","size":1}"#, #"{"id":"a","size":1.1}"#,
        #"{"id":"a","count":-1}"#, #"{"id":"a","count":3}"#, #"{"id":"a","count":3.0}"#, #"{"id":"a","count":3.5}"#,
        #"{"id":"a","box":[1,2,3]}"#, #"{"id":"a","box":[1,2,3,4]}"#, #"{"id":"a","box":[1,2,3,"4"]}"#,
        #"{"id":"a","version":1}"#, #"{"id":"a","version":2}"#, #"{"id":"a","version":"1"}"#,
        #"{"id":"a","draw":true}"#, #"{"id":"a","draw":"b"}"#, #"{"id":"a","draw":"c"}"#, #"{"id":"a","draw":null}"#,
        #"{"id":"a","more":{"b":true}}"#, #"{"id":"a","more":{"b c":true}}"#, #"{"id":"a","more":{"b":1}}"#,
        #"{"id":"a","stage":{"type":"x"}}"#, ##"{"id":"a","stage":{"type":"x","color":"#00ff00"}}"##,
        #"{"id":"a","stage":{"type":"x","color":"green"}}"#, ##"{"id":"a","stage":{"type":"y","color":"#00ff00"}}"##,
        #"{"id":"a","stage":{"type":"z"}}"#, #"{"id":"a","stage":{}}"#,
        "{\"id\":\"\(String(repeating: "a", count: 128))\"}", "{\"id\":\"\(String(repeating: "a", count: 129))\"}",
    ]

    @Test(.enabled(if: hasValidator, "python3 with jsonschema is not installed"))
    func aValidatorOfOthersAgrees() throws {
        let folder = try TemporaryFolder()
        let schema = JSONSchema.document(title: "thing", doc: "A thing.", shape: Self.shape)
        try folder.write(prettyJSON(schema), to: "schema.json")
        try folder.write("[" + Self.documents.joined(separator: ",") + "]", to: "documents.json")
        try folder.write(
            """
            import json, sys
            from jsonschema import Draft202012Validator as V
            schema = json.load(open(sys.argv[1]))
            V.check_schema(schema)
            print(json.dumps([V(schema).is_valid(d) for d in json.load(open(sys.argv[2]))]))
            """, to: "check.py")
        let verdicts = try JSONParser.parse(
            try output(
                of: "python3", [folder.file("check.py"), folder.file("schema.json"), folder.file("documents.json")]))
        for (document, verdict) in zip(Self.documents, verdicts.elements ?? []) {
            var validator = ShapeValidator(file: "d")
            validator.validate(try JSONParser.parse(Array(document.utf8)), against: Self.shape)
            #expect(validator.log.isEmpty == verdict.bool, "\(document.prefix(80)): \(validator.log.problems)")
        }
        #expect(verdicts.elements?.count == Self.documents.count)
    }
}
