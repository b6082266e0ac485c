internal import Annotate
internal import COpenVINO
internal import Glibc
internal import Synchronization

/// A model could not be loaded or run.
struct InferenceError: Error, CustomStringConvertible {
    var code: Int32
    var description: String

    init(_ status: ovn_status) {
        code = status.code
        description = withUnsafeBytes(of: status.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    init(_ description: String) {
        code = Int32(OVN_ARGUMENT)
        self.description = description
    }
}

func check(_ status: ovn_status) throws {
    guard status.code != OVN_OK else { return }
    throw InferenceError(status)
}

/// The inference library, loaded when the first graph has a model.
enum InferenceRuntime {
    // The handle is never released and its calls are thread-safe.
    private struct Handle: @unchecked Sendable { var runtime: OpaquePointer? }
    private static let shared = Mutex(Handle())

    static func open() throws -> OpaquePointer {
        try shared.withLock { shared in
            if let runtime = shared.runtime { return runtime }
            var runtime: OpaquePointer?
            try check(ovn_runtime_open(directory, &runtime))
            guard let runtime else { throw InferenceError("the inference library gave no runtime") }
            shared.runtime = runtime
            return runtime
        }
    }

    /// `ANNOTATE_OPENVINO`; in the checkout that the program was built in; beside an installed program. Never under the
    /// working directory, or in a folder that merely lies above: what is there is anybody's.
    static var directory: String {
        if let path = getenv("ANNOTATE_OPENVINO") { return String(cString: path) }
        let folder = Files.parent(of: programPath())
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
        if let build = parts.lastIndex(where: { $0 == ".build" || $0.hasPrefix(".build-") }) {
            return parts[..<build].joined(separator: "/") + "/.deps/openvino"
        }
        return folder + "/../lib/annotate-batch/openvino"
    }

    private static func programPath() -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
