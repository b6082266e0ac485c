package import COpenVINO
internal import Glibc
internal import Synchronization

/// The error of a model that could not be loaded or run.
package struct InferenceError: Error, CustomStringConvertible {
    package var code: Int32
    package var description: String

    package init(_ status: ovn_status) {
        code = status.code
        description = withUnsafeBytes(of: status.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    package init(_ description: String) {
        code = Int32(OVN_ARGUMENT)
        self.description = description
    }

    /// Whether the model itself is to blame, and not what is there to run it.
    package var isOfModel: Bool { [OVN_MODEL_UNREADABLE, OVN_MODEL_UNSUPPORTED].contains { code == $0 } }
}

/// Throws where a call of the inference library failed.
package func check(_ status: ovn_status) throws {
    guard status.code != OVN_OK else { return }
    let error = InferenceError(status)
    // Of a network that can't have its threads the library says what the system's is.
    let lack = String(cString: strerror(EAGAIN))
    if error.description.contains(lack) { throw FileError("start", path: "a thread", code: -EAGAIN, reason: lack) }
    throw error
}

/// The inference library, loaded when the first graph has a model.
package enum InferenceRuntime {
    // The handle is never released and its calls are thread-safe.
    private struct Handle: @unchecked Sendable { var runtime: OpaquePointer? }
    private static let shared = Mutex(Handle())

    /// The library's handle, the same each time.
    package static func open() throws -> OpaquePointer {
        // Without threads it may wait for what nobody does: a network has one a request and a few, and all of them one a core.
        if let lack = Worker.lack { throw lack }
        return try shared.withLock { shared in
            if let runtime = shared.runtime { return runtime }
            var runtime: OpaquePointer?
            try check(ovn_runtime_open(BundledFiles.openVINO, &runtime))
            guard let runtime else { throw InferenceError("the inference library gave no runtime") }
            shared.runtime = runtime
            return runtime
        }
    }
}
