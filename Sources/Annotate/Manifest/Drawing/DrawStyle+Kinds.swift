/// Default styles of kinds, as the kinds' own declarations have them.
extension DrawStyle {
    /// The shape of `draw` for stages that emit some kinds.
    static func shape(for kinds: [any Finding.Type]) -> ObjectShape {
        var shape: ObjectShape = Self.shape
        let styles = kinds.map { (name: $0.kind, style: JSONNode($0.style.json)) }
        for (index, field) in fields.enumerated() {
            shape.properties[index].tell(field.fallback, styles.map { ($0.name, $0.style[field.name]?.value) })
        }
        return shape
    }

    private var json: JSONValue { JSONValue { write(into: &$0) } }
}

extension Property {
    /// Says the member's default: as such where it is one for all kinds, else in words.
    /// - Parameters:
    ///   - common: The default of kinds that have none of their own.
    ///   - kinds: Their values by their names; nil for the common one.
    fileprivate mutating func tell(_ common: JSONValue?, _ kinds: [(name: String, value: JSONValue?)]) {
        var own: [(text: String, value: JSONValue, names: [String])] = []
        for case (let name, let value?) in kinds {
            let text = value.text
            if let index = own.firstIndex(where: { $0.text == text }) {
                own[index].names.append(name)
            } else {
                own.append((text, value, [name]))
            }
        }
        if own.isEmpty {
            defaultValue = common
        } else if own.count == 1, own[0].names.count == kinds.count {
            defaultValue = own[0].value
        } else {
            let words = own.map { "\($0.text) for \(list($0.names))" }
            defaultValue = nil
            doc += " Default: " + ([common?.text].compactMap(\.self) + words).joined(separator: "; ") + "."
        }
    }
}

extension JSONValue {
    fileprivate var text: String {
        var json = JSONWriter()
        json.value(self)
        return json.text
    }
}
