/// One option of a stage: its declaration and how its value is read, in one place.
///
///     static let minimumSize = StageOption.number(
///         "minimumSize", Bounds(0, 1), default: 0.2, unit: "of the picture's smaller dimension", doc: "…")
///     …
///     let size = options[Self.minimumSize]
public struct StageOption<Value: Sendable>: Sendable {
    public let property: Property
    let fallback: Value
    let read: @Sendable (JSONNode) -> Value?
}

extension StageOption where Value == Double {
    public static func number(
        _ name: String, _ bounds: Bounds, default fallback: Double, unit: String? = nil, doc: String
    ) -> StageOption {
        StageOption(
            property: Property(name, .number(bounds), default: .number(fallback), unit: unit, doc: doc),
            fallback: fallback, read: { $0.number })
    }
}

extension StageOption where Value == Double? {
    /// A number whose absence has a meaning of its own.
    public static func optionalNumber(
        _ name: String, _ bounds: Bounds, unit: String? = nil, doc: String
    ) -> StageOption {
        StageOption(property: Property(name, .number(bounds), unit: unit, doc: doc), fallback: nil, read: { $0.number })
    }
}

extension StageOption where Value == Int {
    public static func integer(
        _ name: String, _ range: ClosedRange<Int>, default fallback: Int, unit: String? = nil, doc: String
    ) -> StageOption {
        StageOption(
            property: Property(name, .integer(range), default: .integer(fallback), unit: unit, doc: doc),
            fallback: fallback,
            // What is outside has been complained of; no stage sees it.
            read: { $0.integer.flatMap { range.contains($0) ? $0 : nil } })
    }
}

extension StageOption where Value == Bool {
    public static func flag(_ name: String, default fallback: Bool, doc: String) -> StageOption {
        StageOption(
            property: Property(name, .boolean, default: .bool(fallback), doc: doc), fallback: fallback,
            read: { $0.bool })
    }
}

extension StageOption where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of an enumeration's words, or of some of them.
    public static func choice(
        _ name: String, among words: [Value] = Array(Value.allCases), default fallback: Value, doc: String
    ) -> StageOption {
        StageOption(
            property: Property(
                name, .choice(words.map(\.rawValue)), default: .string(fallback.rawValue), doc: doc),
            fallback: fallback, read: { $0.string.flatMap(Value.init(rawValue:)) })
    }
}

extension StageOption where Value == String {
    /// A text with a default.
    public static func text(_ name: String, _ shape: Shape, default fallback: String, doc: String) -> StageOption {
        StageOption(
            property: Property(name, shape, default: .string(fallback), doc: doc), fallback: fallback,
            read: { $0.string })
    }
}

extension StageOption where Value == String? {
    /// A path, as the manifest gives it; `StageOptions.resolve` makes it one that can be opened.
    public static func path(_ name: String, required: Bool = false, doc: String) -> StageOption {
        StageOption(
            property: Property(name, .string(.path), required: required, doc: doc), fallback: nil, read: { $0.string })
    }
}

extension StageOption {
    /// Any number of an enumeration's words, in order; none when left out.
    public static func choices<Word: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, doc: String
    ) -> StageOption where Value == [Word], Word.RawValue == String {
        StageOption(
            property: Property(
                name, .array(of: .choice(Word.allCases.map(\.rawValue))), default: .array([]), doc: doc), fallback: [],
            read: { $0.elements?.compactMap { $0.string.flatMap(Word.init(rawValue:)) } })
    }
}

extension StageOption where Value == [String] {
    /// Any number of paths, as the manifest gives them; none when left out.
    public static func paths(_ name: String, doc: String) -> StageOption {
        StageOption(
            property: Property(name, .array(of: .string(.path)), default: .array([]), doc: doc), fallback: [],
            read: { $0.elements?.compactMap(\.string) })
    }
}

extension StageOption where Value == [Int] {
    /// A list of whole numbers; empty when left out.
    public static func integers(_ name: String, _ range: ClosedRange<Int>, doc: String) -> StageOption {
        StageOption(
            property: Property(name, .array(of: .integer(range)), default: .array([]), doc: doc), fallback: [],
            read: { $0.elements?.compactMap { $0.integer.flatMap { range.contains($0) ? $0 : nil } } })
    }
}

extension StageOption where Value == [JSONNode] {
    /// A list of objects, which the stage reads itself; empty when left out.
    public static func objects(_ name: String, _ shape: ObjectShape, doc: String) -> StageOption {
        StageOption(
            property: Property(name, .array(of: .object(shape)), default: .array([]), doc: doc), fallback: [],
            read: { $0.elements })
    }
}

extension StageOption {
    /// Some of an enumeration's words; all when left out.
    public static func subset<Choice>(_ name: String, doc: String) -> StageOption
    where Value == [Choice], Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        let all = Array(Choice.allCases)
        return StageOption(
            property: Property(
                name, .array(of: .choice(all.map(\.rawValue)), count: 1...all.count),
                default: .array(all.map { JSONNode(.string($0.rawValue)) }), doc: doc), fallback: all,
            read: { $0.elements?.compactMap { $0.string.flatMap(Choice.init(rawValue:)) } })
    }
}

extension StageOption where Value == [String] {
    /// A list of texts.
    public static func texts(
        _ name: String, _ shape: Shape, count: ClosedRange<Int>, default fallback: [String], doc: String
    ) -> StageOption {
        StageOption(
            property: Property(
                name, .array(of: shape, count: count), default: .array(fallback.map { JSONNode(.string($0)) }), doc: doc
            ),
            fallback: fallback, read: { $0.elements?.compactMap(\.string) })
    }
}

extension StageOption where Value == JSONNode? {
    /// An object, which the stage reads itself.
    public static func object(_ name: String, _ shape: Shape, doc: String) -> StageOption {
        StageOption(property: Property(name, shape, doc: doc), fallback: nil, read: { $0 })
    }
}

extension StageOption where Value == [String: Double] {
    /// Numbers by name; none when left out.
    public static func numbersByName(
        _ name: String, _ bounds: Bounds, keys: TextRule, unit: String? = nil, doc: String
    ) -> StageOption {
        StageOption(
            property: Property(
                name, .map(of: .number(bounds), keys: keys, doc: doc), default: .object([]), unit: unit, doc: doc),
            fallback: [:],
            read: { node in
                node.members.map { members in
                    Dictionary(
                        members.compactMap { member in member.value.number.map { (member.key, $0) } },
                        uniquingKeysWith: { first, _ in first })
                }
            })
    }
}

extension StageOption where Value == [Double] {
    /// A list of numbers.
    public static func numbers(
        _ name: String, _ bounds: Bounds, count: ClosedRange<Int>, default fallback: [Double], unit: String? = nil,
        doc: String
    ) -> StageOption {
        StageOption(
            property: Property(
                name, .array(of: .number(bounds), count: count), default: .numbers(fallback), unit: unit, doc: doc),
            fallback: fallback, read: { $0.elements?.compactMap(\.number) })
    }
}

/// The options of one stage in a manifest, already held against the contract's shapes.
public struct StageOptions: Sendable {
    public let node: JSONNode
    /// The folder that relative paths start from: the manifest's own.
    public let directory: String
    /// True where the stage takes the results of others.
    public let hasInputs: Bool

    public init(node: JSONNode, directory: String, hasInputs: Bool = false) {
        self.node = node
        self.directory = directory
        self.hasInputs = hasInputs
    }

    /// The value given, or the default.
    public subscript<Value>(option: StageOption<Value>) -> Value {
        node[option.property.name].flatMap(option.read) ?? option.fallback
    }

    /// True where the manifest gives the option itself.
    public func isGiven<Value>(_ option: StageOption<Value>) -> Bool { node[option.property.name] != nil }

    /// A path of the manifest as one that can be opened.
    public func resolve(_ path: String) -> String { path.hasPrefix("/") ? path : directory + "/" + path }
}

/// A stage's options don't go together, or name something that can't be used.
public struct StageOptionError: Error, Sendable {
    /// The option to blame; nil for the stage as a whole.
    public var option: String?
    /// The part of the option's value to blame, from there on.
    public var part: [PathComponent]
    /// What was found; what was expected; what to do.
    public var message: String

    public init(option: String? = nil, part: [PathComponent] = [], _ message: String) {
        self.option = option
        self.part = part
        self.message = message
    }
}

/// Several things are wrong with a stage's options.
public struct StageOptionErrors: Error, Sendable {
    public var errors: [StageOptionError]

    public init(_ errors: [StageOptionError]) { self.errors = errors }
}
