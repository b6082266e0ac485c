/// How inputs that lie elsewhere are fetched.
public struct FetchOptions: Sendable {
    /// A command for addresses that aren't the web's: words, of which `{url}` and `{file}` are filled in.
    public var command: [String]?
    /// Why there is none, for people.
    public var whyNoCommand: String?
    /// Bytes that may lie here at once; nil for half of what is free.
    public var space: Int64?

    /// No command, and half of the free space.
    public init() {}

    /// Why a command can't be one, in a sentence; nil for one that can.
    public static func complaint(_ command: [String]) -> String? {
        let lacks = ["{url}", "{file}"].filter { word in !command.contains { $0.contains(word) } }
        if command.first?.isEmpty != false { return "the command is empty; expected a program and its arguments" }
        return lacks.isEmpty
            ? nil : "the command has no \(list(lacks)); expected words that say where from and where to"
    }
}
