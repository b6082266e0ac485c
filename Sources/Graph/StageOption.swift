/// One option of a stage: its declaration and how its value is read, in one place.
///
///     static let minimumSize = StageOption(
///         "minimumSize", .number(Bounds(0, 1)), default: 0.2, unit: "of the picture's smaller dimension", doc: "…")
///     …
///     let size = options[Self.minimumSize]
public struct StageOption<Value: Sendable>: Sendable {
    public let property: Property
    let fallback: Value
    let read: @Sendable (JSONNode) -> Value?

    /// An option with a default.
    public init(
        _ name: String, _ format: Format<Value>, default fallback: Value, unit: String? = nil, doc: String
    ) {
        property = Property(
            name, format.shape, default: JSONValue { format.write(fallback, &$0) }, unit: unit, doc: doc)
        self.fallback = fallback
        read = format.read
    }

    /// An option whose absence has a meaning of its own.
    public init<Wrapped>(
        _ name: String, _ format: Format<Wrapped>, required: Bool = false, unit: String? = nil, doc: String
    ) where Value == Wrapped? {
        property = Property(name, format.shape, required: required, unit: unit, doc: doc)
        fallback = nil
        read = { format.read($0) }
    }
}

extension StageOption {
    /// Some of an enumeration's words; all when left out.
    public static func subset<Word: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, doc: String
    ) -> StageOption where Value == [Word], Word.RawValue == String {
        let all = Array(Word.allCases)
        return StageOption(name, .list(.choice(), count: 1...all.count), default: all, doc: doc)
    }
}

extension StageOption where Value == [String: Double] {
    /// Numbers by name; none when left out.
    public static func numbersByName(
        _ name: String, _ bounds: Bounds, keys: TextRule, unit: String? = nil, doc: String
    ) -> StageOption {
        let format = Format<Value>(
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
        return StageOption(name, format, default: [:], unit: unit, doc: doc)
    }
}

/// The options of one stage in a manifest, already held against the contract's shapes.
public struct StageOptions: Sendable {
    public let node: JSONNode
    /// The folder that relative paths start from: the manifest's own.
    public let directory: String
    /// True where the stage takes the results of others.
    public let hasInputs: Bool
    /// How paths were written that have been filled in for a job's input, by their options.
    private let templates: [String: String]

    public init(node: JSONNode, directory: String, hasInputs: Bool = false, templates: [String: String] = [:]) {
        self.node = node
        self.directory = directory
        self.hasInputs = hasInputs
        self.templates = templates
    }

    /// The value given, or the default.
    public subscript<Value>(option: StageOption<Value>) -> Value {
        node[option.property.name].flatMap(option.read) ?? option.fallback
    }

    /// True where the manifest gives the option itself.
    public func isGiven<Value>(_ option: StageOption<Value>) -> Bool { node[option.property.name] != nil }

    /// The file that a path names, as one that can be opened; nil while it depends on a job's input, which isn't known yet.
    public func file(_ option: StageOption<String?>) -> String? {
        self[option].flatMap { option.property.dependsOnInput($0) ? nil : resolve($0) }
    }

    /// Behind a path in a sentence: what it was written as, where that was filled in.
    public func origin(of option: StageOption<String?>) -> String {
        templates[option.property.name].map { ", which “\($0)” stands for" } ?? ""
    }

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
