/// A format: how values of one type stand in JSON, with their shape, how they are written and read, and the cells that
/// they have in a table.
public struct Format<Value: Sendable>: Sendable {
    package let shape: Shape
    package let write: @Sendable (Value, inout JSONWriter) -> Void
    /// The value that a node says; nil where it doesn't fit the shape.
    package let read: @Sendable (JSONNode) -> Value?
    package let columns: [Column<Value>]
    /// The value that is read back when this one has been written; nil where that is the same one.
    package let rounded: (@Sendable (Value) -> Value)?

    /// A format with a shape, and functions that write and read.
    /// - Parameters:
    ///   - shape: Which JSON values there are.
    ///   - rounded: nil where every value is written with all that it has.
    ///   - write: Writes a value.
    ///   - read: The value that a node says; nil where it doesn't fit the shape.
    public init(
        _ shape: Shape, rounded: (@Sendable (Value) -> Value)? = nil,
        write: @escaping @Sendable (Value, inout JSONWriter) -> Void, read: @escaping @Sendable (JSONNode) -> Value?
    ) {
        self.init(
            shape, columns: [Column("", CellType(shape)) { Self.cell($0, write) }], rounded: rounded, write: write,
            read: read)
    }

    package init(
        _ shape: Shape, columns: [Column<Value>], rounded: (@Sendable (Value) -> Value)? = nil,
        write: @escaping @Sendable (Value, inout JSONWriter) -> Void, read: @escaping @Sendable (JSONNode) -> Value?
    ) {
        self.shape = shape
        self.columns = columns
        self.rounded = rounded
        self.write = write
        self.read = read
    }

    /// A text as it is, anything else as JSON.
    private static func cell(_ value: Value, _ write: (Value, inout JSONWriter) -> Void) -> String {
        if let text = value as? String { return text }
        var json = JSONWriter()
        write(value, &json)
        guard json.bytes.first == UInt8(ascii: "\""), let node = try? JSONParser.parse(json.bytes) else {
            return json.text
        }
        // A word of an enumeration: JSON that was written a moment ago is JSON.
        return node.string ?? json.text
    }
}

/// What the cells of a column are.
package enum CellType: Sendable, Hashable {
    case text, integer, number, flag

    /// What a value of a shape is in a cell: what isn't one of the others is a text, of JSON where it has parts.
    init(_ shape: Shape) {
        self =
            switch shape {
            case .integer: .integer
            case .number: .number
            case .boolean: .flag
            default: .text
            }
    }

    /// What cells of both types are.
    package func joined(_ other: CellType) -> CellType {
        if self == other { return self }
        return Set([self, other]) == [.integer, .number] ? .number : .text
    }
}

/// One column of a table of values.
package struct Column<Value>: Sendable {
    /// Name of the part of the value that the column shows; empty for the whole.
    package var name: String
    package var unit: String?
    /// What its cells are, written as text.
    package var type: CellType
    /// The cell; nil for an empty one.
    package var text: @Sendable (Value) -> String?

    package init(
        _ name: String, _ type: CellType = .text, unit: String? = nil,
        _ text: @escaping @Sendable (Value) -> String?
    ) {
        self.name = name
        self.unit = unit
        self.type = type
        self.text = text
    }
}

extension Format where Value == Double {
    /// A number.
    /// - Parameters:
    ///   - bounds: What it may be; any number where nothing is said.
    ///   - decimals: Decimals that are written; nil for all that the number has.
    public static func number(_ bounds: Bounds = Bounds(), decimals: Int? = nil) -> Format {
        Format(
            .number(bounds),
            rounded: decimals.map { decimals in { @Sendable value in value.rounded(toDecimals: decimals) } },
            write: { value, json in if let decimals { json.value(value, decimals: decimals) } else { json.value(value) }
            },
            read: \.number)
    }
}

extension Format where Value == Int {
    /// A whole number.
    public static func integer(_ range: ClosedRange<Int>? = nil) -> Format {
        Format(
            .integer(range), write: { $1.value($0) },
            // What is outside has been complained of; nobody sees it.
            read: { $0.integer.flatMap { range?.contains($0) ?? true ? $0 : nil } })
    }
}

extension Format where Value == Bool {
    /// `true` or `false`.
    public static var flag: Format { Format(.boolean, write: { $1.value($0) }, read: \.bool) }
}

extension Format where Value == String {
    /// A string that keeps a rule.
    public static func text(_ rule: TextRule = .any) -> Format {
        Format(.string(rule), write: { $1.value($0) }, read: \.string)
    }
}

extension Format where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of an enumeration's words, or of some of them; `otherNames` are what others call them, for suggestions.
    public static func choice(
        among words: [Value] = Array(Value.allCases), otherNames: [String: Value] = [:]
    ) -> Format {
        Format(
            .choice(words.map(\.rawValue), otherNames: otherNames.mapValues(\.rawValue)),
            write: { $1.value($0.rawValue) },
            read: { $0.string.flatMap(Value.init(rawValue:)) })
    }
}

extension Format where Value == JSONNode {
    /// A value of any shape, kept as it was read.
    public static func json(_ shape: Shape) -> Format { Format(shape, write: { $1.value($0.value) }, read: { $0 }) }
}

extension Format {
    /// Several values of one format.
    public static func list<Element: Sendable>(_ element: Format<Element>, count: ClosedRange<Int>? = nil) -> Format
    where Value == [Element] {
        Format(
            .array(of: element.shape, count: count),
            rounded: element.rounded.map { rounded in { @Sendable values in values.map { rounded($0) } } },
            write: { values, json in json.array { for value in values { element.write(value, &$0) } } },
            read: { node in
                guard let elements = node.elements, count?.contains(elements.count) ?? true else { return nil }
                let values = elements.compactMap(element.read)
                return values.count == elements.count ? values : nil
            })
    }

    /// Some of an enumeration's words.
    public static func subset<Word: RawRepresentable & CaseIterable & Sendable>() -> Format
    where Value == [Word], Word.RawValue == String {
        .list(.choice(), count: 1...Word.allCases.count)
    }

    /// An object whose members its type declares.
    /// - Parameters:
    ///   - doc: What the object is, in a sentence, for the schema.
    ///   - name: Under which a schema has its shape once, for all who use it.
    public static func record(doc: String, name: String? = nil) -> Format where Value: Record {
        Format(
            .object(Value.shape(doc: doc, name: name)),
            columns: Value.fields.flatMap(\.columns), rounded: { $0.rounded }, write: { $0.write(into: &$1) },
            read: { node in node.members == nil ? nil : Value(node) })
    }
}

extension Format where Value == [String: Double] {
    /// Numbers by names of the user's choosing.
    public static func numbers(_ bounds: Bounds, keys: TextRule, doc: String) -> Format {
        Format(
            .map(of: .number(bounds), keys: keys, doc: doc),
            write: { values, json in
                json.object { json in
                    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                        json.key(key)
                        json.value(value)
                    }
                }
            },
            read: { node in
                node.members.map { members in
                    Dictionary(
                        members.compactMap { member in member.value.number.map { (member.key, $0) } },
                        uniquingKeysWith: { first, _ in first })
                }
            })
    }
}

extension Format where Value == Point {
    /// A point as `[x, y]`, to hundredths.
    public static var point: Format {
        Format(
            .array(of: .number(), count: 2...2),
            columns: [Column("x", .number) { digits($0.x, 2) }, Column("y", .number) { digits($0.y, 2) }],
            rounded: { Point($0.x.rounded(toDecimals: 2), $0.y.rounded(toDecimals: 2)) },
            write: { point, json in
                json.array {
                    $0.value(point.x, decimals: 2)
                    $0.value(point.y, decimals: 2)
                }
            }, read: { $0.numbers(2).map { Point($0[0], $0[1]) } })
    }
}

extension Format where Value == Box {
    /// A box as `[left, top, width, height]`, to hundredths.
    public static var box: Format {
        Format(
            .array(of: .number(), count: 4...4),
            columns: [
                Column("left", .number) { digits($0.x, 2) }, Column("top", .number) { digits($0.y, 2) },
                Column("width", .number) { digits($0.width, 2) }, Column("height", .number) { digits($0.height, 2) },
            ],
            rounded: { box in
                Box(
                    x: box.x.rounded(toDecimals: 2), y: box.y.rounded(toDecimals: 2),
                    width: box.width.rounded(toDecimals: 2), height: box.height.rounded(toDecimals: 2))
            },
            write: { box, json in
                json.array { json in
                    for value in [box.x, box.y, box.width, box.height] { json.value(value, decimals: 2) }
                }
            }, read: { $0.numbers(4).map { Box(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) } })
    }
}

extension Format where Value == SIMD3<Double> {
    /// A vector as `[x, y, z]`, rounded to so many decimals.
    public static func vector(decimals: Int) -> Format {
        Format(
            .array(of: .number(), count: 3...3),
            columns: ["x", "y", "z"].enumerated().map { axis, name in
                Column(name, .number) { digits($0[axis], decimals) }
            },
            rounded: { vector in
                SIMD3(
                    vector.x.rounded(toDecimals: decimals), vector.y.rounded(toDecimals: decimals),
                    vector.z.rounded(toDecimals: decimals))
            },
            write: { vector, json in
                json.array { json in for axis in 0..<3 { json.value(vector[axis], decimals: decimals) } }
            }, read: { $0.numbers(3).map { [$0[0], $0[1], $0[2]] } })
    }
}

extension Format where Value == SIMD2<Double> {
    /// [width, height].
    package static func extent(decimals: Int) -> Format {
        Format(
            .array(of: .number(Bounds(0)), count: 2...2),
            columns: ["width", "height"].enumerated().map { axis, name in
                Column(name, .number) { digits($0[axis], decimals) }
            },
            rounded: { SIMD2($0.x.rounded(toDecimals: decimals), $0.y.rounded(toDecimals: decimals)) },
            write: { extent, json in
                json.array { json in for axis in 0..<2 { json.value(extent[axis], decimals: decimals) } }
            }, read: { $0.numbers(2).map { [$0[0], $0[1]] } })
    }
}

extension Format where Value == Rational {
    /// [numerator, denominator].
    package static var ratio: Format {
        Format(
            .array(of: .integer(1...Int(Int32.max)), count: 2...2),
            write: { ratio, json in
                json.array {
                    $0.value(ratio.numerator)
                    $0.value(ratio.denominator)
                }
            },
            read: { node in
                let parts = node.elements?.compactMap(\.integer) ?? []
                return parts.count == 2 ? Rational(parts[0], parts[1]) : nil
            })
    }
}

extension Format where Value == [UInt8] {
    /// Bytes in Base64.
    public static var base64: Format {
        Format(.string(), write: { $1.value(Base64.text($0)) }, read: { $0.string.flatMap(Base64.bytes) })
    }
}

private func digits(_ number: Double, _ decimals: Int) -> String {
    var json = JSONWriter()
    json.value(number, decimals: decimals)
    return json.text
}

extension JSONNode {
    /// So many numbers and nothing else.
    fileprivate func numbers(_ count: Int) -> [Double]? {
        guard let numbers = elements?.compactMap(\.number), numbers.count == count, elements?.count == count else {
            return nil
        }
        return numbers
    }
}
