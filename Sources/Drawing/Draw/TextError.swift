/// The error of text that can't be rendered.
public struct TextError: Error, Hashable, CustomStringConvertible {
    /// The operation that failed.
    public var operation: String
    /// The code of the text library's shim.
    public var code: Int
    /// The library's own message.
    public var message: String

    public var description: String { "\(operation): \(message)" }
}
