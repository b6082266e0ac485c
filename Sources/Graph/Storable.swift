/// A value that can be stored as JSON: what is read back is the same to the last bit. Records are, whose numbers are written
/// with all their digits, and lists of such values.
public protocol Storable: Sendable {
    /// Writes the value as JSON, with all digits.
    func store(into json: inout JSONWriter)

    /// The value that was written; nil for what is none.
    init?(stored: JSONNode)
}

extension Storable where Self: Record {
    /// Writes the record's members as one object.
    public func store(into json: inout JSONWriter) { write(into: &json) }

    /// The record with these members; nil where one doesn't fit.
    public init?(stored: JSONNode) {
        self.init()
        guard stored.members != nil, read(stored).isEmpty else { return nil }
    }
}

extension Array: Storable where Element: Storable {
    /// Writes the elements as one array.
    public func store(into json: inout JSONWriter) {
        json.array { json in for element in self { element.store(into: &json) } }
    }

    /// The list of these elements; nil where one is none.
    public init?(stored: JSONNode) {
        guard let nodes = stored.elements else { return nil }
        let elements = nodes.compactMap(Element.init(stored:))
        guard elements.count == nodes.count else { return nil }
        self = elements
    }
}

extension Optional: Storable where Wrapped: Storable {
    /// Writes the value, or that there is none.
    public func store(into json: inout JSONWriter) {
        if let self { self.store(into: &json) } else { json.null() }
    }

    /// The value, or none; nil for what is neither.
    public init?(stored: JSONNode) {
        if case .null = stored.value {
            self = .none
        } else {
            guard let value = Wrapped(stored: stored) else { return nil }
            self = value
        }
    }
}
