/// What stands around the options of one stage in a manifest.
public struct OptionContext: Sendable {
    private let node: JSONNode
    /// The folder that relative paths start from: the manifest's own.
    private let directory: String
    /// True where the stage takes the results of others.
    public let hasInputs: Bool
    /// How paths were written that have been filled in for a job's input, by their options.
    private let templates: [String: String]

    /// - Parameters:
    ///   - node: The stage as the manifest has it.
    ///   - directory: The manifest's folder.
    ///   - hasInputs: Whether the stage takes the results of others.
    ///   - templates: How paths were written that have been filled in for a job's input, by their options.
    public init(node: JSONNode, directory: String, hasInputs: Bool = false, templates: [String: String] = [:]) {
        self.node = node
        self.directory = directory
        self.hasInputs = hasInputs
        self.templates = templates
    }

    /// True where the manifest gives the member itself.
    public func isGiven<Options: Record>(_ member: PartialKeyPath<Options>) -> Bool {
        Options.name(of: member).map { node[$0] != nil } ?? false
    }

    /// A path of the manifest as one that can be opened.
    public func resolve(_ path: String) -> String { path.hasPrefix("/") ? path : directory + "/" + path }

    /// The file that a path names which may be another for each input, as one that can be opened; nil while that isn't known.
    public func file(_ template: String) -> String? { hasPlaceholder(template) ? nil : resolve(template) }

    /// Behind a path in a sentence: what it was written as, where that was filled in.
    public func origin<Options: Record>(of member: PartialKeyPath<Options>) -> String {
        Options.name(of: member).flatMap { templates[$0] }.map { ", which “\($0)” stands for" } ?? ""
    }
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
