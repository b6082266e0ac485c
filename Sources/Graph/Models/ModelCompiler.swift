/// A network that a stage has looked at: which file, and in what size.
package struct ModelOrder: Record, Hashable {
    /// The file, as the stage opened it.
    package var path = ""
    /// Shape of its only input where it is another than the file's; empty for the file's own.
    package var shape: [Int] = []

    package init() {}

    package init(path: String, shape: [Int]) { (self.path, self.shape) = (path, shape) }

    package static let fields: [Field<ModelOrder>] = [
        Field("path", \.path, .text(), doc: "The file."),
        Field("shape", \.shape, .list(.integer()), doc: "Another size of its input."),
    ]
}

/// Compiles the networks of stages, which takes longer than many a job, so that it can be kept from run to run.
package protocol ModelCompiler: Sendable {
    /// What a compiled network depends on: the file, the library, the processor, how it is to compute.
    /// - Throws: Where there is no such file.
    static func key(of order: ModelOrder) throws -> String

    /// What is known of a model's file.
    /// - Throws: Where there is no such file.
    static func facts(of path: String) throws -> ModelCache.Facts

    /// SHA-256 of the model that a network was compiled from, by the network's key.
    static func model(ofKey key: String) -> String

    /// SHA-256 of the program's own models, which any job may have.
    static var ownModels: Set<String> { get }

    /// Whether a file is one of the program's own.
    static func isOwn(_ path: String) -> Bool

    /// Files beside a model that belong to it.
    static func companions(of path: String) -> [String]

    /// The networks that stages of this process have looked at, each once.
    static func takeOrders() -> [ModelOrder]

    /// Compiles a network into a file.
    /// - Returns: What stages want to know of it before they use it, as JSON.
    /// - Throws: An error that says why it can't be.
    static func compile(_ order: ModelOrder, into path: String) throws -> String
}
