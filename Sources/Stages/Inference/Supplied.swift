internal import Graph
internal import Glibc

/// What `make setup` fetches and `make install` puts beside the program: libraries and networks.
enum Supplied {
    /// OpenVINO's libraries.
    static var openVINO: String { folder("openvino", variable: "ANNOTATE_OPENVINO") }
    /// A folder for each stage that has networks of its own.
    static var networks: String { folder("networks", variable: "ANNOTATE_NETWORKS") }

    /// A network that the program brings along.
    /// - Parameters:
    ///   - folder: as in `support/downloads.json`.
    ///   - file: as there.
    /// - Throws: `InferenceError`, with the remedy, where it is not there.
    static func network(_ folder: String, _ file: String) throws -> String {
        let path = networks + "/\(folder)/\(file)"
        guard Files.exists(path) else {
            throw InferenceError("the network “\(path)” is not there; run `make setup`, which puts it there")
        }
        return path
    }

    /// Where it lies: what the variable says; in the checkout that the program was built in; beside an installed
    /// program. Never under the working directory, or in a folder that merely lies above: what is there is anybody's.
    private static func folder(_ name: String, variable: String) -> String {
        if let path = getenv(variable) { return String(cString: path) }
        let folder = Files.parent(of: programPath())
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
        if let build = parts.lastIndex(where: { $0 == ".build" || $0.hasPrefix(".build-") }) {
            return parts[..<build].joined(separator: "/") + "/.deps/" + name
        }
        return folder + "/../lib/annotate-batch/" + name
    }

    private static func programPath() -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
