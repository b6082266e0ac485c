/// The error of a scene that can't be rendered.
package struct SceneError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
