import Annotate
import ArgumentParser
import Stages

/// The error of a command line: what was typed wrongly, and the usage of the command that it was meant for.
struct UsageError: Error {
    let message: String
    private let command: any ParsableCommand.Type

    init(_ message: String, _ command: any ParsableCommand.Type = AnnotateBatch.self) {
        (self.message, self.command) = (message, command)
    }

    var text: String {
        let isRoot = command == AnnotateBatch.self
        let words = CommandWords.words(to: command) ?? [command._commandName]
        let name = ([AnnotateCommand.current.name] + words).joined(separator: " ")
        let usage = isRoot ? AnnotateBatch.usageString() : AnnotateBatch.usageString(for: command)
        return "Error: \(message)\nUsage: \(usage)\n  See '\(name) --help' for more information."
    }
}

/// Checks of a command line's words before it is parsed as a whole: a slip in the command's name would be taken for a
/// manifest of the default command.
enum CommandWords {
    static let commands = AnnotateBatch.configuration.subcommands.filter { $0.configuration.shouldDisplay }

    private static var names: [String] { commands.map { $0._commandName } + ["help"] }

    /// - Throws: `UsageError` where the first word is a command's name mistyped, or no command and no manifest.
    static func check(_ arguments: [String]) throws {
        guard let first = arguments.first else { return }
        if first == "help", let word = arguments.dropFirst().first, !word.hasPrefix("-"), !isName(word) {
            throw complaint(word)
        }
        guard !first.hasPrefix("-"), !isName(first), !first.contains("/"), !first.hasSuffix(".json"),
            !Files.exists(first)
        else { return }
        let isFollowed = arguments.dropFirst().first.map { !$0.hasPrefix("-") } ?? false
        if isFollowed || nearest(to: first, among: names) != nil { throw complaint(first) }
    }

    private static func isName(_ word: String) -> Bool {
        word == "help" || AnnotateBatch.configuration.subcommands.contains { $0._commandName == word }
    }

    private static func complaint(_ word: String) -> UsageError {
        let guess = nearest(to: word, among: names).map { "did you mean “\($0)”?" }
        return UsageError("there is no command “\(word)”; \(guess ?? "there are \(names.joined(separator: ", ")).")")
    }

    /// The command that the words are for.
    private static func command(_ arguments: [String]) -> any ParsableCommand.Type {
        guard var command = commands.first(where: { $0._commandName == arguments.first }) else { return Run.self }
        for word in arguments.dropFirst() {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            command = next
        }
        return command.configuration.defaultSubcommand ?? command
    }

    /// The words that lead to a command, `networks get`; none for the program itself, nil for one that isn't its own.
    static func words(
        to command: any ParsableCommand.Type, below root: any ParsableCommand.Type = AnnotateBatch.self
    ) -> [String]? {
        if command == root { return [] }
        for next in root.configuration.subcommands {
            if let rest = words(to: command, below: next) { return [next._commandName] + rest }
        }
        return nil
    }

    /// The first option that the command doesn't have.
    static func unknownOption(_ arguments: [String]) -> UsageError? {
        let command = command(arguments)
        let known = AnnotateBatch.helpMessage(for: command, includeHidden: true).split(separator: "\n")
            .filter { $0.hasPrefix("  -") }.flatMap { $0.split(whereSeparator: { " ,/".contains($0) }) }
            .filter { $0.hasPrefix("-") }.map(String.init)
        for argument in arguments.prefix(while: { $0 != "--" }) {
            let isLong = argument.hasPrefix("--")
            // Behind one dash there is a letter; -1 is a number.
            guard isLong || argument.hasPrefix("-") && argument.dropFirst().first?.isLetter == true else { continue }
            let name = isLong ? String(argument.prefix { $0 != "=" }) : String(argument.prefix(2))
            guard !known.contains(name) else { continue }
            // In the words of the parser, which says so where nothing is missing.
            let guess = nearest(to: name, among: known).map { ". Did you mean '\($0)'?" } ?? ""
            return UsageError("Unknown option '\(name)'\(guess)", command)
        }
        return nil
    }

    /// Whether standard error is to be a stream of events, from the first word on.
    static func asksForEvents(_ arguments: [String]) -> Bool {
        guard command(arguments) == Run.self else { return false }
        var style: String?
        for (word, next) in zip(arguments, arguments.dropFirst() + [""]) {
            if word == "--progress" { style = next }
            if word.hasPrefix("--progress=") { style = String(word.dropFirst("--progress=".count)) }
        }
        return style == ProgressStyle.json.rawValue
    }
}

/// Completions that a shell offers for a word. Lists are made when the completion script is: they have what this
/// program knows.
extension CompletionKind {
    static var stageTypes: CompletionKind { .list(catalog.contracts.map(\.type)) }
    static var findingKinds: CompletionKind { .list(kinds.kinds.map { $0.kind }) }
    static var exportFormats: CompletionKind { .list(SinkCatalog.known.formats.map(\.name)) }
    static var dictionaries: CompletionKind { .list(MarkerDictionary.names) }
    static var manifest: CompletionKind { .file(extensions: ["json"]) }
}
