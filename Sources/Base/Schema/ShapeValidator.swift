/// Holds a parsed value against a shape and notes every difference.
public struct ShapeValidator {
    /// The problems found so far.
    public var log: ProblemLog

    /// A validator of the file at this path, which its problems name.
    public init(file: String) { log = ProblemLog(file: file) }

    /// Path of the value that is looked at.
    private var path: [PathComponent] = []

    /// Notes every problem of `node` and what is below it.
    public mutating func validate(_ node: JSONNode, against shape: Shape, path: [PathComponent] = []) {
        self.path = path
        validate(node, shape)
    }

    private mutating func validate(_ node: JSONNode, _ shape: Shape) {
        if let message = mismatch(node, shape) {
            log.add(message, at: node, path: path)
            return
        }
        switch (shape, node.value) {
        case (.array(let element, _), .array(let elements)):
            for index in elements.indices { below(.index(index)) { $0.validate(elements[index], element) } }
        case (.object(let object), .object(let members)):
            validate(members, of: node, properties: object.properties)
        case (.map(let value, let keys, _), .object(let members)):
            for member in members {
                below(.key(member.key)) { validator in
                    if !keys.accepts(member.key) {
                        validator.log.add(
                            "the name “\(member.key)”; expected \(describe(.string(keys)))", at: member.keyPosition,
                            path: validator.path)
                    }
                    validator.validate(member.value, value)
                }
            }
        case (.tagged(let tagged), .object(let members)):
            validate(members, of: node, tagged: tagged)
        case (.anyOf(let shapes, _), _):
            // The first of the right type speaks: its complaints are nearer to what the user meant.
            if let shape = shapes.first(where: { mismatch(node, $0) == nil }) { validate(node, shape) }
        default: break
        }
    }

    private mutating func below(_ component: PathComponent, _ body: (inout ShapeValidator) -> Void) {
        path.append(component)
        body(&self)
        path.removeLast()
    }

    private mutating func validate(_ members: [JSONMember], of node: JSONNode, properties: [Property]) {
        var seen = 0
        for member in members {
            guard let index = properties.firstIndex(where: { $0.name == member.key }) else {
                let known = properties.map(\.name)
                log.add(
                    "unknown key “\(member.key)”; expected one of \(list(known))\(log.suggestion(member.key, known))",
                    at: member.keyPosition, path: path + [.key(member.key)])
                continue
            }
            if properties[index].isRequired { seen += 1 }
            below(.key(member.key)) { $0.validate(member.value, properties[index].shape) }
        }
        // No key stands twice.
        guard seen < properties.count(where: \.isRequired) else { return }
        for property in properties where property.isRequired && !members.contains(where: { $0.key == property.name }) {
            log.add("“\(property.name)” is missing; expected \(describe(property.shape))", at: node, path: path)
        }
    }

    private mutating func validate(_ members: [JSONMember], of node: JSONNode, tagged: TaggedShape) {
        func names() -> [String] { tagged.variants.map(\.name) }
        guard let tag = node[tagged.tag] else {
            log.add("“\(tagged.tag)” is missing; expected a \(tagged.noun): \(list(names()))", at: node, path: path)
            return
        }
        guard let name = tag.string, let variant = tagged.variants.first(where: { $0.name == name }) else {
            let shown = tag.string.map { "“\($0)”" } ?? tag.value.typeName
            log.add(
                "unknown \(tagged.noun) \(shown); expected one of \(list(names()))\(log.suggestion(tag.string ?? "", names()))",
                at: tag, path: path + [.key(tagged.tag)])
            return
        }
        validate(members, of: node, properties: tagged.common.properties + variant.properties)
    }

    /// What is wrong with the value itself, without looking below it; nil when it fits.
    private func mismatch(_ node: JSONNode, _ shape: Shape) -> String? {
        switch (shape, node.value) {
        case (.any, _), (.boolean, .bool), (.object, .object), (.map, .object), (.tagged, .object): return nil
        case (.integer(let range), .number), (.integer(let range), .whole):
            guard let value = node.integer else { break }
            guard let range, !range.contains(value) else { return nil }
            if value > .mostCounted, range.upperBound == .mostCounted {
                return "\(value); expected at most \(Int.mostCounted)"
            }
        case (.number(let bounds), .number), (.number(let bounds), .whole):
            guard let value = node.number, bounds.contains(value) else { break }
            return nil
        case (.string(let rule), .string(let text)):
            if rule.accepts(text) { return nil }
            if case .choice(let words, let otherNames) = rule {
                return "\(shown(node)); expected one of \(list(words))"
                    + log.suggestion(text, ofChoice: words, otherNames: otherNames)
            }
        case (.constant(let expected), _):
            var a = JSONWriter()
            a.value(expected)
            var b = JSONWriter()
            b.value(node.value)
            if a.bytes == b.bytes { return nil }
        case (.array(_, let count), .array(let elements)):
            guard let count, !count.contains(elements.count) else { return nil }
            return "an array of \(elements.count); expected \(describe(shape))"
        case (.anyOf(let shapes, let doc), _):
            let complaints = shapes.map { mismatch(node, $0) }
            if complaints.contains(nil) { return nil }
            return "\(shown(node)); expected \(doc)"
        default: break
        }
        return "\(shown(node)); expected \(describe(shape))"
    }

    private func shown(_ node: JSONNode) -> String {
        switch node.value {
        case .string(let text): return "“\(text.count > 60 ? text.prefix(57) + "…" : text[...])”"
        case .number(let number): return plain(number)
        default: return node.value.typeName
        }
    }
}

/// A shape in a few words.
public func describe(_ shape: Shape) -> String {
    switch shape {
    case .any: return "any value"
    case .boolean: return "true or false"
    case .integer(nil): return "a whole number"
    case .integer(let range?):
        if [.max, .mostCounted].contains(range.upperBound) { return "a whole number from \(range.lowerBound)" }
        return "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let bounds):
        switch (bounds.minimum, bounds.maximum) {
        case (nil, nil): return "a number"
        case (let low?, nil):
            return bounds.excludesMinimum ? "a number over \(plain(low))" : "a number from \(plain(low))"
        case (nil, let high?): return "a number up to \(plain(high))"
        case (let low?, let high?):
            return bounds.excludesMinimum
                ? "a number over \(plain(low)), up to \(plain(high))" : "a number from \(plain(low)) to \(plain(high))"
        }
    case .string(.any): return "a text"
    case .string(.choice(let words, _)): return "one of \(list(words))"
    case .string(.identifier):
        return "a name of letters, digits, “.”, “_” and “-” that starts with none of “.” and “-”, 128 at most"
    case .string(.fileName):
        return
            "a file name without “/” and control characters such as line breaks, not starting with “.”, "
            + "200 bytes at most"
    case .string(.path): return "a path"
    case .string(.pathTemplate): return "a path, in which “{name}”, “{folder}” and “{n}” stand for the input's"
    case .string(.template): return "a text, in which “{name}”, “{folder}” and “{n}” stand for the input's"
    case .string(.color): return "a colour as “#rrggbb”"
    case .string(.sha256): return "64 lower-case hexadecimal digits"
    case .constant(let value):
        var writer = JSONWriter()
        writer.value(value)
        return writer.text
    case .array(let element, nil): return "an array; each element \(describe(element))"
    case .array(let element, let count?):
        let number =
            count.lowerBound == count.upperBound
            ? "\(count.lowerBound)"
            : count.upperBound == .max ? "\(count.lowerBound) or more" : "\(count.lowerBound) to \(count.upperBound)"
        return "an array of \(number); each element \(describe(element))"
    case .object, .map, .tagged: return "an object"
    case .anyOf(_, let doc): return doc
    }
}

/// Words in quotes, with commas: the first forty.
package func list(_ words: some Sequence<String>) -> String {
    let first = words.prefix(41).map { "“\($0)”" }
    return first.prefix(40).joined(separator: ", ") + (first.count > 40 ? ", …" : "")
}
