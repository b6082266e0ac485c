/// The surroundings of one stage's options in a manifest.
public struct OptionContext: Sendable {
    private let node: JSONNode
    /// The folder that relative paths start from: the manifest's own.
    private let directory: String
    /// Whether the stage takes the results of others.
    public let hasInputs: Bool
    /// Paths as they were written, by their options, where they have been filled in for a job's input.
    private let templates: [String: String]
    /// What the program's stages find: what track files may hold.
    package let kinds: FindingCatalog

    /// The surroundings of a stage's options.
    /// - Parameters:
    ///   - node: The stage as the manifest has it.
    ///   - directory: The manifest's folder.
    ///   - hasInputs: Whether the stage takes the results of others.
    ///   - templates: How paths were written that have been filled in for a job's input, by their options.
    ///   - kinds: What the program's stages find.
    public init(
        node: JSONNode, directory: String, hasInputs: Bool = false, templates: [String: String] = [:],
        kinds: FindingCatalog = FindingCatalog([])
    ) {
        self.node = node
        self.directory = directory
        self.hasInputs = hasInputs
        self.templates = templates
        self.kinds = kinds
    }

    /// Whether the manifest gives the member itself.
    public func isGiven<Options: Record>(_ member: PartialKeyPath<Options>) -> Bool {
        Options.name(of: member).map { node[$0] != nil } ?? false
    }

    /// A path of the manifest as one that can be opened.
    public func resolve(_ path: String) -> String { path.hasPrefix("/") ? path : directory + "/" + path }

    /// A path that may name another file for each input, as one that can be opened; nil while the input isn't known.
    public func file(_ template: String) -> String? { hasPlaceholder(template) ? nil : resolve(template) }

    /// A path of the manifest that is a pattern, as one that can be searched for: of the manifest's folder no sign is a pattern's, nor
    /// of a file that is there.
    public func pattern(_ path: String) -> String {
        let place = resolve(path)
        if Files.isRegular(place) { return Files.literal(place) }
        return path.hasPrefix("/") ? path : Files.literal(directory) + "/" + path
    }

    /// Words that go behind a path in a sentence: what it was written as, where it was filled in.
    public func origin<Options: Record>(of member: PartialKeyPath<Options>) -> String {
        Options.name(of: member).flatMap { templates[$0] }.map { ", which “\($0)” stands for" } ?? ""
    }
}

/// The error of options that don't go together, or name something that can't be used.
public struct StageOptionError: Error, Sendable {
    /// The option to blame; nil for the stage as a whole.
    public var option: String?
    /// The part of the option's value to blame, from there on.
    public var part: [PathComponent]
    /// What was found; what was expected; what to do.
    public var message: String

    /// An error of an option, or of a part of its value; of the stage as a whole where none is named.
    public init(option: String? = nil, part: [PathComponent] = [], _ message: String) {
        self.option = option
        self.part = part
        self.message = message
    }
}

/// Several errors of a stage's options at once.
public struct StageOptionErrors: Error, Sendable {
    /// The errors, at least one.
    public var errors: [StageOptionError]

    /// The errors in the order in which they are told; at least one.
    public init(_ errors: [StageOptionError]) { self.errors = errors }
}
