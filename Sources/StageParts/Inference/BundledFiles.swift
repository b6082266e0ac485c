internal import Glibc

/// Libraries and networks that `make setup` fetches and `make install` puts beside the program.
package enum BundledFiles {
    /// Folder of OpenVINO's libraries.
    package static var openVINO: String { folder("openvino", variable: "ANNOTATE_OPENVINO") }
    /// Folder of the networks, with a folder for each stage that has networks of its own.
    package static var networks: String { folder("networks", variable: "ANNOTATE_NETWORKS") }

    /// Path of a network of the program's own.
    /// - Parameters:
    ///   - folder: as in `support/downloads.json`.
    ///   - file: as there.
    /// - Throws: `InferenceError`, with the remedy, where it is not there.
    package static func network(_ folder: String, _ file: String) throws -> String {
        let path = networks + "/\(folder)/\(file)"
        guard Files.exists(path) else {
            throw InferenceError("the network “\(path)” is not there; run `make setup`, which puts it there")
        }
        return path
    }

    /// Where it lies: what the variable says; in the checkout that the program was built in, or beside an installed
    /// program; where `make install-libraries` puts it for every program. Never under the working directory, or in a folder
    /// that merely lies above: what is there is anybody's.
    private static func folder(_ name: String, variable: String) -> String {
        if let path = getenv(variable) { return String(cString: path) }
        let folder = Files.parent(of: programPath())
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
        let build = parts.lastIndex { $0 == ".build" || $0.hasPrefix(".build-") }
        let own = build.map { parts[..<$0].joined(separator: "/") + "/.deps/" } ?? folder + "/../lib/annotate-batch/"
        let all = "/usr/local/lib/annotate-batch/"
        return Files.exists(own + name) || !Files.exists(all + name) ? own + name : all + name
    }

    private static func programPath() -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
