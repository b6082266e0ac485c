/// One member of a type that stands in a file: declared once, for writing, reading, the schema, checks, the reference and
/// tables.
///
///     Field("angle", \.angle, .number(Bounds(-90, 90), decimals: 2), unit: "°", doc: "Clockwise.")
public struct Field<Root: Sendable>: Sendable {
    /// What it is. In one place: whoever goes through the fields of a thing, in every frame, takes none of it along.
    private final class Contents: Sendable {
        let property: Property
        let presence: Presence
        let fallback: JSONValue?
        let path: @Sendable () -> PartialKeyPath<Root>?
        let write: @Sendable (Root, inout JSONWriter) -> Void
        let read: @Sendable (JSONNode, inout Root) -> Bool
        let columns: [Column<Root>]
        let round: (@Sendable (inout Root) -> Void)?

        init(
            property: Property, presence: Presence, fallback: JSONValue?,
            path: @escaping @Sendable () -> PartialKeyPath<Root>?,
            write: @escaping @Sendable (Root, inout JSONWriter) -> Void,
            read: @escaping @Sendable (JSONNode, inout Root) -> Bool, columns: [Column<Root>],
            round: (@Sendable (inout Root) -> Void)?
        ) {
            (self.property, self.presence, self.fallback, self.path) = (property, presence, fallback, path)
            (self.write, self.read) = (write, read)
            (self.columns, self.round) = (columns, round)
        }
    }

    private let contents: Contents

    /// The member's name, shape, unit and text, as the schema and the reference have them.
    public var property: Property { contents.property }
    package var presence: Presence { contents.presence }
    /// The default: the member's value in a new `Root`, whether the property tells it or not; nil for no value, and for
    /// a member that is always written.
    package var fallback: JSONValue? { contents.fallback }
    /// Which member of `Root` it is; nil for one that is not a member as it stands.
    var path: @Sendable () -> PartialKeyPath<Root>? { contents.path }
    /// Writes key and value; nothing for a member that is left out.
    package var write: @Sendable (Root, inout JSONWriter) -> Void { contents.write }
    /// Sets the member from its value; false for one that doesn't fit.
    package var read: @Sendable (JSONNode, inout Root) -> Bool { contents.read }
    package var columns: [Column<Root>] { contents.columns }
    /// Gives the member the value that is read back when it has been written; nil where that is always the same.
    package var round: (@Sendable (inout Root) -> Void)? { contents.round }

    /// The member's key.
    public var name: String { contents.property.name }

    private init(
        property: Property, presence: Presence, fallback: JSONValue?,
        path: @escaping @Sendable () -> PartialKeyPath<Root>?,
        write: @escaping @Sendable (Root, inout JSONWriter) -> Void,
        read: @escaping @Sendable (JSONNode, inout Root) -> Bool, columns: [Column<Root>],
        round: (@Sendable (inout Root) -> Void)?
    ) {
        contents = Contents(
            property: property, presence: presence, fallback: fallback, path: path, write: write, read: read,
            columns: columns, round: round)
    }
}

/// A key path to a member of a type.
public typealias Member<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

/// When a member is written.
public enum Presence: Sendable, Hashable {
    /// Always; an object without it is wrong.
    case always
    /// Only with a value other than its default.
    case optional
    /// Wherever a thing is in sight: not where its track is lost or has ended.
    case inSight
    /// Wherever a thing is in sight, but only where the member is known.
    case whileInSight
    /// Wherever the member with this name is left out.
    case without(String)
}

extension Field where Root: Record {
    /// A member that always has a value. Where it may be left out, it is while it has the value that a new `Root` has, which
    /// is the default.
    ///
    /// - Parameters:
    ///   - name: The member's key.
    ///   - path: The member.
    ///   - format: How its values stand in JSON.
    ///   - presence: When it is written.
    ///   - tellsDefault: False where the default depends on something else, and `doc` says on what.
    ///   - unit: The unit of its values, “°” say; nil for none.
    ///   - doc: What it says, in a sentence, for the schema and the reference.
    public init<Value: Hashable & Sendable>(
        _ name: String, _ path: Member<Root, Value>, _ format: Format<Value>,
        _ presence: Presence = .always, tellsDefault: Bool = true, unit: String? = nil, doc: String
    ) {
        let fallback = presence == .always ? nil : Root()[keyPath: path]
        self.init(
            name, format, presence, default: fallback.map { value in JSONValue { format.write(value, &$0) } },
            tellsDefault: tellsDefault, unit: unit, doc: doc, path: { path },
            get: { $0[keyPath: path] == fallback ? nil : $0[keyPath: path] },
            set: { $1[keyPath: path] = $0 })
    }

    /// A member of a member, whose default is the one that a new `Root` has in it.
    public init<Part, Value: Hashable & Sendable>(
        _ name: String, _ part: Member<Root, Part>, _ path: Member<Part, Value>, _ format: Format<Value>,
        _ presence: Presence = .always, unit: String? = nil, doc: String
    ) {
        let fallback = presence == .always ? nil : Root()[keyPath: part][keyPath: path]
        self.init(
            name, format, presence, default: fallback.map { value in JSONValue { format.write(value, &$0) } },
            unit: unit, doc: doc, path: { part.appending(path: path) },
            get: { $0[keyPath: part][keyPath: path] == fallback ? nil : $0[keyPath: part][keyPath: path] },
            set: { $1[keyPath: part][keyPath: path] = $0 })
    }

    /// A member that may have no value, and is left out then.
    public init<Value: Sendable>(
        _ name: String, _ path: Member<Root, Value?>, _ format: Format<Value>,
        _ presence: Presence = .optional, unit: String? = nil, doc: String
    ) {
        self.init(
            name, format, presence, unit: unit, doc: doc, path: { path }, get: { $0[keyPath: path] },
            set: { $1[keyPath: path] = $0 })
    }

    /// A member that always has the same value: a word that says what the object is.
    package static func constant(_ name: String, _ value: JSONValue, doc: String) -> Field {
        Field(
            name, Format<JSONNode>.json(.constant(value)), .always, doc: doc, get: { _ in JSONNode(value) },
            set: { _, _ in })
    }
}

extension Field {
    /// A member that is read and written by functions.
    /// - Parameters:
    ///   - path: Which member it is; nil for one that is not a member as it stands.
    ///   - get: nil where the member is left out.
    package init<Value: Sendable>(
        _ name: String, _ format: Format<Value>, _ presence: Presence, default fallback: JSONValue? = nil,
        tellsDefault: Bool = true, unit: String? = nil, doc: String,
        path: @escaping @Sendable () -> PartialKeyPath<Root>? = { nil },
        get: @escaping @Sendable (Root) -> Value?,
        set: @escaping @Sendable (Value, inout Root) -> Void
    ) {
        let columns: [Column<Root>] = format.columns.map { column in
            let whole = [name, column.name].filter { !$0.isEmpty }.joined(separator: "_")
            return Column(whole, column.type, unit: column.unit ?? unit) { get($0).flatMap(column.text) }
        }
        var round: (@Sendable (inout Root) -> Void)?
        if let rounded = format.rounded {
            round = { root in if let value = get(root) { set(rounded(value), &root) } }
        }
        self.init(
            property: Property(
                name, format.shape, required: presence == .always, default: tellsDefault ? fallback : nil, unit: unit,
                doc: doc),
            presence: presence, fallback: fallback, path: path,
            write: { (root: Root, json: inout JSONWriter) in
                guard let value = get(root) else { return }
                json.key(name)
                format.write(value, &json)
            },
            read: { (node: JSONNode, root: inout Root) -> Bool in
                guard let value = format.read(node) else { return false }
                set(value, &root)
                return true
            },
            columns: columns, round: round)
    }
}

extension Field {
    /// The member as one of a type that has all of `Root`'s members among its own.
    /// - Parameter path: To the value that they belong to.
    package func lifted<Outer>(to path: Member<Outer, Root>) -> Field<Outer> {
        var lifted: (@Sendable (inout Outer) -> Void)?
        if let round { lifted = { round(&$0[keyPath: path]) } }
        let (write, read) = (write, read)
        return Field<Outer>(
            property: property, presence: presence, fallback: fallback,
            path: { [own = self.path] in own().flatMap { (path as PartialKeyPath<Outer>).appending(path: $0) } },
            write: { write($0[keyPath: path], &$1) },
            read: { read($0, &$1[keyPath: path]) },
            columns: columns.map { column in
                Column(column.name, column.type, unit: column.unit) { column.text($0[keyPath: path]) }
            }, round: lifted)
    }
}

/// A type whose members are declared once.
public protocol Record: Sendable {
    /// All members at their defaults.
    init()
    /// The members, in the order in which they are written.
    static var fields: [Field<Self>] { get }
}

extension Record {
    /// The value that an object has been written from. What doesn't fit keeps its default: whoever held the object against
    /// the shape has complained of it.
    public init(_ node: JSONNode) {
        self.init()
        _ = read(node)
    }

    /// Takes the members that an object has.
    /// - Returns: The names of those that don't fit.
    package mutating func read(_ node: JSONNode) -> [String] {
        var wrong: [String] = []
        for field in Self.fields {
            if let value = node[field.name], !field.read(value, &self) { wrong.append(field.name) }
        }
        return wrong
    }

    /// The value that is read back when this one has been written. Members that aren't declared stay as they are.
    package var rounded: Self {
        var rounded = self
        for field in Self.fields { field.round?(&rounded) }
        return rounded
    }

    /// Writes the members of an object that is open.
    package func writeMembers(into json: inout JSONWriter) {
        for field in Self.fields { field.write(self, &json) }
    }

    /// Writes the members of an object that is open, without those with some names.
    package func writeMembers(into json: inout JSONWriter, besides names: Set<String>) {
        for field in Self.fields where !names.contains(field.name) { field.write(self, &json) }
    }

    /// Writes an object.
    package func write(into json: inout JSONWriter) { json.object { writeMembers(into: &$0) } }

    /// The members as a shape has them.
    public static var properties: [Property] { fields.map(\.property) }

    /// The key of a member; nil for one that isn't declared.
    package static func name(of member: PartialKeyPath<Self>) -> String? { fields.first { $0.path() == member }?.name }

    /// The shape of such an object.
    public static func shape(doc: String, name: String? = nil) -> ObjectShape {
        ObjectShape(doc: doc, name: name, properties: properties)
    }
}
