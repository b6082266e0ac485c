private import Synchronization

/// A network that is loaded when it is needed first, by whichever thread that is: many videos never do.
final class LazyFaceNetwork: Sendable {
    private let form: FaceNetwork.Form
    private let network = Mutex<FaceNetwork?>(nil)
    let details: JSONMember

    /// - Parameter key: of its details.
    /// - Throws: `InferenceError` where its file is absent.
    init(_ form: FaceNetwork.Form, key: String) throws {
        self.form = form
        details = try form.details(key)
        // It may be wanted: where networks are kept it is compiled ahead with the others.
        _ = try NetworkCompiler.look(at: ModelFile(form.path()), shape: [])
    }

    /// - Throws: `InferenceError`.
    func loaded() throws -> FaceNetwork {
        try network.withLock { network in
            if let network { return network }
            let loaded = try FaceNetwork(form)
            network = loaded
            return loaded
        }
    }
}
