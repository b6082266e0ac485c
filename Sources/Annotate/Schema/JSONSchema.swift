/// Turns shapes into JSON Schema (draft 2020-12).
public enum JSONSchema {
    /// A whole schema document.
    public static func document(title: String, doc: String, shape: Shape) -> JSONValue {
        var members = [
            JSONMember(key: "$schema", value: JSONNode(.string("https://json-schema.org/draft/2020-12/schema"))),
            JSONMember(key: "title", value: JSONNode(.string(title))),
            JSONMember(key: "description", value: JSONNode(.string(doc))),
        ]
        members += schema(shape).filter { $0.key != "description" }
        return .object(members)
    }

    private static func schema(_ shape: Shape) -> [JSONMember] {
        switch shape {
        case .any: return []
        case .boolean: return [text("type", "boolean")]
        case .integer(let range):
            var members = [text("type", "integer")]
            if let range {
                members.append(number("minimum", Double(range.lowerBound)))
                if range.upperBound != .max { members.append(number("maximum", Double(range.upperBound))) }
            }
            return members
        case .number(let bounds):
            var members = [text("type", "number")]
            if let minimum = bounds.minimum {
                members.append(number(bounds.excludesMinimum ? "exclusiveMinimum" : "minimum", minimum))
            }
            if let maximum = bounds.maximum { members.append(number("maximum", maximum)) }
            return members
        case .string(let rule):
            if case .choice(let words) = rule { return [member("enum", strings(words))] }
            return [text("type", "string")] + limits(rule)
        case .constant(let value): return [member("const", value)]
        case .array(let element, let count):
            var members = [text("type", "array"), member("items", .object(schema(element)))]
            if let count {
                members.append(number("minItems", Double(count.lowerBound)))
                if count.upperBound != .max { members.append(number("maxItems", Double(count.upperBound))) }
            }
            return members
        case .object(let object):
            return [text("type", "object"), text("description", object.doc)]
                + body(object.properties, tag: nil)
        case .map(let value, let keys, let doc):
            var members = [text("type", "object"), text("description", doc)]
            if keys.pattern != nil { members.append(member("propertyNames", .object(limits(keys)))) }
            return members + [member("additionalProperties", .object(schema(value)))]
        case .tagged(let tagged):
            let variants = tagged.variants.map { variant in
                JSONNode(
                    .object(
                        [text("type", "object"), text("title", variant.name), text("description", variant.doc)]
                            + body(tagged.common.properties + variant.properties, tag: (tagged.tag, variant.name))))
            }
            return [text("description", tagged.common.doc), member("oneOf", .array(variants))]
        case .anyOf(let shapes, let doc):
            return [
                text("description", doc), member("anyOf", .array(shapes.map { JSONNode(.object(schema($0))) })),
            ]
        }
    }

    private static func limits(_ rule: TextRule) -> [JSONMember] {
        (rule.pattern.map { [text("pattern", $0)] } ?? [])
            + (rule.maximumLength.map { [number("maxLength", Double($0))] } ?? [])
    }

    private static func body(_ properties: [Property], tag: (key: String, value: String)?) -> [JSONMember] {
        let described = properties.map { property in
            var members = schema(property.shape).filter { $0.key != "description" }
            if let tag, property.name == tag.key { members = [text("const", tag.value)] }
            members.append(text("description", property.unit.map { "\(property.doc) Unit: \($0)." } ?? property.doc))
            if let value = property.defaultValue { members.append(member("default", value)) }
            return member(property.name, .object(members))
        }
        let required = properties.filter(\.isRequired).map(\.name)
        var members = [member("properties", .object(described))]
        if !required.isEmpty { members.append(member("required", strings(required))) }
        members.append(member("additionalProperties", .bool(false)))
        return members
    }

    private static func member(_ key: String, _ value: JSONValue) -> JSONMember {
        JSONMember(key: key, value: JSONNode(value))
    }
    private static func text(_ key: String, _ value: String) -> JSONMember { member(key, .string(value)) }
    private static func number(_ key: String, _ value: Double) -> JSONMember { member(key, .number(value)) }
    private static func strings(_ words: [String]) -> JSONValue { .array(words.map { JSONNode(.string($0)) }) }
}
