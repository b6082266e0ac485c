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
            try check(ovn_runtime_open(directory(), &runtime))
            guard let runtime else { throw InferenceError("the inference library gave no runtime") }
            shared.runtime = runtime
            return runtime
        }
    }

    /// `ANNOTATE_OPENVINO`; beside an installed program; in the checkout that the program was built in.
    private static func directory() -> String {
        if let path = getenv("ANNOTATE_OPENVINO") { return String(cString: path) }
        var folder = Files.parent(of: programPath())
        let installed = folder + "/../lib/annotate-batch/openvino"
        if Files.isDirectory(installed) { return installed }
        while folder != "/" && folder != "." {
            let candidate = folder + "/.deps/openvino"
            if Files.isDirectory(candidate) { return candidate }
            folder = Files.parent(of: folder)
        }
        return ".deps/openvino"
    }

    private static func programPath() -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
