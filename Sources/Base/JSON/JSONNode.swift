/// A place in a text file, both counted from 1; `column` counts Unicode scalars.
public struct SourcePosition: Sendable, Hashable {
    /// Line, from 1.
    public var line: Int { Int(lineNumber) }
    /// Column, from 1, in Unicode scalars.
    public var column: Int { Int(columnNumber) }
    // A file of a million values has two million of these in memory.
    private let lineNumber: UInt32
    private let columnNumber: UInt32

    /// A place by its line and column, both from 1; what 32 bits don't hold becomes the nearest that they do.
    public init(line: Int, column: Int) {
        lineNumber = UInt32(clamping: line)
        columnNumber = UInt32(clamping: column)
    }
}

/// A JSON value that remembers where it stood in the file, so that every complaint can name the place.
public struct JSONNode: Sendable {
    /// The value.
    public var value: JSONValue
    /// Where the value begins.
    public var position: SourcePosition

    /// A value and where it stood; without a place, for one that comes of no file, the file's first letter.
    public init(_ value: JSONValue, at position: SourcePosition = SourcePosition(line: 1, column: 1)) {
        self.value = value
        self.position = position
    }

    /// The member with this key, nil when there is none or the node is no object.
    public subscript(key: String) -> JSONNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The text of a string; nil for anything else.
    public var string: String? { if case .string(let text) = value { text } else { nil } }
    /// The number; nil for anything else. A whole number beyond 2⁵³ is rounded.
    public var number: Double? {
        switch value {
        case .number(let number): number
        case .whole(let number): Double(number)
        default: nil
        }
    }
    /// The value of `true` or `false`; nil for anything else.
    public var bool: Bool? { if case .bool(let flag) = value { flag } else { nil } }
    /// An array's elements; nil for anything else.
    public var elements: [JSONNode]? { if case .array(let elements) = value { elements } else { nil } }
    /// An object's members, in the file's order; nil for anything else.
    public var members: [JSONMember]? { if case .object(let members) = value { members } else { nil } }

    /// The number as an integer, nil when it isn't a whole one.
    public var integer: Int? {
        if case .whole(let number) = value { return Int(number) }
        guard let number, number == number.rounded(), abs(number) <= 9_007_199_254_740_992 else { return nil }
        return Int(number)
    }
}

/// One `"key": value` of an object, in the file's order.
public struct JSONMember: Sendable {
    /// The member's key.
    public var key: String
    /// Where the key begins.
    public var keyPosition: SourcePosition
    /// The member's value.
    public var value: JSONNode

    /// A member and where its key stood; without a place, for one that comes of no file, the file's first letter.
    public init(key: String, keyPosition: SourcePosition = SourcePosition(line: 1, column: 1), value: JSONNode) {
        self.key = key
        self.keyPosition = keyPosition
        self.value = value
    }
}

/// A JSON value (RFC 8259).
public enum JSONValue: Sendable {
    /// The literal `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number that a `Double` holds; a fraction is the nearest that there is.
    case number(Double)
    /// A whole number that a `Double` doesn't hold exactly.
    case whole(Int64)
    /// A text with its escapes resolved.
    case string(String)
    /// The elements, in the file's order.
    case array([JSONNode])
    /// The members, in the file's order.
    case object([JSONMember])

    /// The value's kind in words, for messages: “a string”, “an object”.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number, .whole: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A key inside an object or an index inside an array; a list of them is a JSON Pointer (RFC 6901).
public enum PathComponent: Sendable, Hashable {
    /// The key of an object's member, unescaped.
    case key(String)
    /// The place of an array's element, from 0.
    case index(Int)
}

/// The JSON Pointer of a path: `/jobs/0/input`; empty for the whole document.
public func jsonPointer(_ path: [PathComponent]) -> String {
    path.map { component in
        switch component {
        case .key(let key):
            "/"
                + key.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
                .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
        case .index(let index): "/\(index)"
        }
    }.joined()
}
