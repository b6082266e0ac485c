/// Turns shapes into JSON Schema (draft 2020-12).
public struct JSONSchema {
    /// The shapes with names, each once, in the order of their first use.
    private var definitions: [JSONMember] = []

    /// A whole schema document.
    public static func document(title: String, doc: String, shape: Shape) -> JSONValue {
        var schema = JSONSchema()
        let body = schema.schema(shape).filter { $0.key != "description" }
        var members = [
            text("$schema", "https://json-schema.org/draft/2020-12/schema"), text("title", title),
            text("description", doc),
        ]
        members += body
        if !schema.definitions.isEmpty { members.append(member("$defs", .object(schema.definitions))) }
        return .object(members)
    }

    private mutating func schema(_ shape: Shape) -> [JSONMember] {
        switch shape {
        case .any: return []
        case .boolean: return [Self.text("type", "boolean")]
        case .integer(let range):
            var members = [Self.text("type", "integer")]
            if let range {
                members.append(Self.number("minimum", Double(range.lowerBound)))
                if ![.max, .mostCounted].contains(range.upperBound) {
                    members.append(Self.number("maximum", Double(range.upperBound)))
                }
            }
            return members
        case .number(let bounds):
            var members = [Self.text("type", "number")]
            if let minimum = bounds.minimum {
                members.append(Self.number(bounds.excludesMinimum ? "exclusiveMinimum" : "minimum", minimum))
            }
            if let maximum = bounds.maximum { members.append(Self.number("maximum", maximum)) }
            return members
        case .string(let rule):
            if case .choice(let words, _) = rule { return [Self.member("enum", Self.strings(words))] }
            return [Self.text("type", "string")] + Self.limits(rule)
        case .constant(let value): return [Self.member("const", value)]
        case .array(let element, let count):
            var members = [Self.text("type", "array"), Self.member("items", .object(schema(element)))]
            if let count {
                members.append(Self.number("minItems", Double(count.lowerBound)))
                if count.upperBound != .max { members.append(Self.number("maxItems", Double(count.upperBound))) }
            }
            return members
        case .object(let object): return reference(object)
        case .map(let value, let keys, let doc):
            var members = [Self.text("type", "object"), Self.text("description", doc)]
            if keys.pattern != nil { members.append(Self.member("propertyNames", .object(Self.limits(keys)))) }
            return members + [Self.member("additionalProperties", .object(schema(value)))]
        case .tagged(let tagged):
            let variants = tagged.variants.map { variant in
                JSONNode(
                    .object(
                        [
                            Self.text("type", "object"), Self.text("title", variant.name),
                            Self.text("description", variant.doc),
                        ] + body(tagged.common.properties + variant.properties, tag: (tagged.tag, variant.name))))
            }
            return [Self.text("description", tagged.common.doc), Self.member("oneOf", .array(variants))]
        case .anyOf(let shapes, let doc):
            return [
                Self.text("description", doc),
                Self.member("anyOf", .array(shapes.map { JSONNode(.object(schema($0))) })),
            ]
        }
    }

    /// An object's schema, or a reference to its definition.
    private mutating func reference(_ object: ObjectShape) -> [JSONMember] {
        guard let name = object.name else { return spelledOut(object) }
        if !definitions.contains(where: { $0.key == name }) {
            // Its place comes first: what it uses is defined behind it.
            let index = definitions.count
            definitions.append(Self.member(name, .null))
            definitions[index].value = JSONNode(.object(spelledOut(object)))
        }
        return [Self.text("$ref", "#/$defs/\(name)")]
    }

    private mutating func spelledOut(_ object: ObjectShape) -> [JSONMember] {
        [Self.text("type", "object"), Self.text("description", object.doc)] + body(object.properties, tag: nil)
    }

    private static func limits(_ rule: TextRule) -> [JSONMember] {
        (rule.pattern.map { [text("pattern", $0)] } ?? [])
            + (rule.maximumLength.map { [number("maxLength", Double($0))] } ?? [])
    }

    private mutating func body(_ properties: [Property], tag: (key: String, value: String)?) -> [JSONMember] {
        let described = properties.map { property in
            var members = schema(property.shape).filter { $0.key != "description" }
            if let tag, property.name == tag.key { members = [Self.text("const", tag.value)] }
            members.append(
                Self.text("description", property.unit.map { "\(property.doc) Unit: \($0)." } ?? property.doc))
            if let value = property.defaultValue { members.append(Self.member("default", value)) }
            return Self.member(property.name, .object(members))
        }
        let required = properties.filter(\.isRequired).map(\.name)
        var members = [Self.member("properties", .object(described))]
        if !required.isEmpty { members.append(Self.member("required", Self.strings(required))) }
        members.append(Self.member("additionalProperties", .bool(false)))
        return members
    }

    private static func member(_ key: String, _ value: JSONValue) -> JSONMember {
        JSONMember(key: key, value: JSONNode(value))
    }
    private static func text(_ key: String, _ value: String) -> JSONMember { member(key, .string(value)) }
    private static func number(_ key: String, _ value: Double) -> JSONMember { member(key, .number(value)) }
    private static func strings(_ words: [String]) -> JSONValue { .array(words.map { JSONNode(.string($0)) }) }
}
