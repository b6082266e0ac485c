/// A shape that a JSON value must have: the one description from which validation, JSON Schema and the reference texts
/// derive.
public indirect enum Shape: Sendable {
    /// Any value.
    case any
    /// `true` or `false`.
    case boolean
    /// Whole numbers; what is counted is `Int.mostCounted` at most.
    case integer(ClosedRange<Int>? = nil)
    /// Numbers, within bounds that may be left open.
    case number(Bounds = Bounds())
    /// Text, of a kind that has rules of its own.
    case string(TextRule = .any)
    /// This value and no other.
    case constant(JSONValue)
    /// A list whose elements have one shape; with `count`, of so many of them.
    case array(of: Shape, count: ClosedRange<Int>? = nil)
    /// An object with known members.
    case object(ObjectShape)
    /// An object with keys of the user's choosing.
    case map(of: Shape, keys: TextRule, doc: String)
    /// An object whose further members depend on the text of one of them.
    case tagged(TaggedShape)
    /// Any one of several; `doc` says in a few words what is expected when none fits.
    case anyOf([Shape], doc: String)

    /// One of these words; `otherNames` are what others call them, each with the word that it stands for: for suggestions.
    public static func choice(_ words: [String], otherNames: [String: String] = [:]) -> Shape {
        .string(.choice(words, otherNames: otherNames))
    }
}

extension Int {
    /// The largest number of anything that is counted: the last that all readers of JSON hold (RFC 8259, section 6), and far from
    /// where sums of them overflow.
    package static let mostCounted = 1 << 53 - 1
}

/// Bounds of a number, inclusive unless said otherwise.
public struct Bounds: Sendable {
    /// The lower bound; nil for none.
    public var minimum: Double?
    /// The upper bound; nil for none.
    public var maximum: Double?
    /// Whether the lower bound itself is outside.
    public var excludesMinimum: Bool

    /// Bounds of which either may be left open; `excludesMinimum` for numbers that have to be more than the lower one.
    public init(_ minimum: Double? = nil, _ maximum: Double? = nil, excludesMinimum: Bool = false) {
        self.minimum = minimum
        self.maximum = maximum
        self.excludesMinimum = excludesMinimum
    }

    /// Whether a number is within the bounds.
    public func contains(_ value: Double) -> Bool {
        if let minimum, excludesMinimum ? value <= minimum : value < minimum { return false }
        if let maximum, value > maximum { return false }
        return true
    }
}

/// A rule for what a text may say.
public enum TextRule: Sendable {
    /// Any text.
    case any
    /// One of these words; and what others call them, in small letters, each with the word that it stands for.
    case choice([String], otherNames: [String: String] = [:])
    /// Letters, digits, `.`, `_` and `-`, not starting with a dot or dash: it becomes part of a file name.
    case identifier
    /// Any text that can be a file's name: no `/`, no control characters, no leading dot.
    case fileName
    /// A path, relative to the file that names it; not empty.
    case path
    /// A path in which `{name}`, `{folder}` and `{n}` stand for what each job's input is called.
    case pathTemplate
    /// Any text in which these stand for the same.
    case template
    /// A colour as `#rrggbb`.
    case color
    /// A hash as 64 hexadecimal digits.
    case sha256

    /// Linux's `PATH_MAX`, bytes.
    private static let longestPath = 4096

    var pattern: String? {
        switch self {
        case .any, .choice, .template: nil
        case .identifier: "^[A-Za-z0-9_][A-Za-z0-9._-]*$"
        case .fileName:
            "^[^./\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029][^/\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"
        case .path, .pathTemplate: "^[^\\u0000]+$"
        case .color: "^#[0-9A-Fa-f]{6}$"
        case .sha256: "^[0-9a-f]{64}$"
        }
    }

    /// The most characters that the text may have, for the schema; nil for no limit.
    var maximumLength: Int? {
        switch self {
        case .identifier: 128
        case .fileName: 200
        case .path, .pathTemplate: Self.longestPath - 1
        default: nil
        }
    }

    /// Whether a text keeps the rule.
    package func accepts(_ text: String) -> Bool {
        let isHex: (UInt8) -> Bool = { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
        switch self {
        case .any, .template: return true
        case .choice(let words, _): return words.contains(text)
        case .identifier:
            let isWord: (UInt8) -> Bool = {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
            }
            guard let first = text.utf8.first, isWord(first), text.utf8.count <= 128 else { return false }
            return text.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        case .fileName:
            return !text.isEmpty && text.utf8.count <= 200 && text.utf8.first != UInt8(ascii: ".")
                && !text.utf8.contains(UInt8(ascii: "/")) && !text.hasControls
        case .path, .pathTemplate: return !text.isEmpty && text.utf8.count < Self.longestPath && !text.utf8.contains(0)
        case .color:
            return text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#")
                && text.utf8.dropFirst().allSatisfy(isHex)
        case .sha256: return text.utf8.count == 64 && text.utf8.allSatisfy(isHex) && text == text.lowercased()
        }
    }
}

/// One member of an object: declared once, with everything that anyone asks about it.
public struct Property: Sendable {
    /// The member's key.
    public var name: String
    /// What its value looks like.
    public var shape: Shape
    /// Whether it must be there.
    public var isRequired: Bool
    /// The default; nil where the member's absence has a meaning of its own.
    public var defaultValue: JSONValue?
    /// The unit: `px`, `s`, `1/s`, …; nil for a plain number.
    public var unit: String?
    /// What the member says, in one or two sentences.
    public var doc: String

    /// A member that may be left out unless `isRequired` is set.
    public init(
        _ name: String, _ shape: Shape, required: Bool = false, default defaultValue: JSONValue? = nil,
        unit: String? = nil, doc: String
    ) {
        self.name = name
        self.shape = shape
        self.isRequired = required
        self.defaultValue = defaultValue
        self.unit = unit
        self.doc = doc
    }
}

extension Property {
    /// Whether it is a path, or another text, that may say something else for each input.
    var isTemplate: Bool {
        switch shape {
        case .string(.pathTemplate), .string(.template): true
        default: false
        }
    }

    /// Whether a text that this member has says something else for each input.
    package func dependsOnInput(_ text: String) -> Bool { isTemplate && hasPlaceholder(text) }
}

/// Whether a part of a path stands for something of the input.
package func hasPlaceholder(_ path: String) -> Bool { path.drop { $0 != "{" }.contains("}") }

/// An object with known members; any other key is an error.
public struct ObjectShape: Sendable {
    /// What the object is, in a sentence.
    public var doc: String
    /// The name under which a schema defines the shape once, for all who use it; nil for a shape that is spelled out
    /// where it is used.
    public var name: String?
    /// The members, in their order.
    public var properties: [Property]

    /// An object's shape by its members in their order; with a `name`, a schema defines it once.
    public init(doc: String, name: String? = nil, properties: [Property]) {
        self.doc = doc
        self.name = name
        self.properties = properties
    }
}

/// Objects that share `common` members and have those of one variant, chosen by the text under `tag`.
public struct TaggedShape: Sendable {
    /// The key of the member that tells the variants apart.
    public var tag: String
    /// The noun for one such object in messages: “stage type” say.
    public var noun: String
    /// The members that all variants have.
    public var common: ObjectShape
    /// The variants, in the order in which they are listed.
    public var variants: [Variant]

    /// One variant: the members that objects with its name under the tag have.
    public struct Variant: Sendable {
        /// The tag's text.
        public var name: String
        /// What the variant is, in a sentence.
        public var doc: String
        /// Its members, beside the common ones.
        public var properties: [Property]

        /// A variant by the tag's text that chooses it, what it is in a sentence, and the members that it has beside
        /// the common ones.
        public init(name: String, doc: String, properties: [Property]) {
            self.name = name
            self.doc = doc
            self.properties = properties
        }
    }

    /// The shape of objects of several variants.
    /// - Parameters:
    ///   - tag: the key of the member that tells the variants apart.
    ///   - noun: what one such object is called in messages, “stage type” say.
    ///   - common: the members that all variants have.
    ///   - variants: in the order in which they are listed.
    public init(tag: String, noun: String, common: ObjectShape, variants: [Variant]) {
        self.tag = tag
        self.noun = noun
        self.common = common
        self.variants = variants
    }
}

extension JSONValue {
    /// The value of what `write` writes.
    package init(_ write: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        write(&json)
        // Our own writer writes JSON.
        self = (try? JSONParser.parse(json.bytes).value) ?? .null
    }

    /// A number without a fraction.
    public static func integer(_ value: Int) -> JSONValue { .number(Double(value)) }

    /// An array of numbers.
    public static func numbers(_ values: [Double]) -> JSONValue { .array(values.map { JSONNode(.number($0)) }) }

    /// An object from keys and values, in order.
    public static func members(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { JSONMember(key: $0.key, value: JSONNode($0.value)) })
    }
}
