internal import CVision

/// A set of marker codes.
///
/// `@unchecked Sendable`: the shim's dictionary is immutable once created.
package final class MarkerDictionary: @unchecked Sendable {
    package let handle: OpaquePointer

    /// Names of the built-in dictionaries, as a manifest gives them.
    package static let names: [String] = (0..<ocv_marker_dictionary_name_count()).compactMap {
        ocv_marker_dictionary_name($0).map { String(cString: $0) }
    }

    /// The complaint about a name that no built-in dictionary has.
    package static func complaint(about name: String) -> String {
        let guess = nearest(to: name, among: names) ?? sharingParts(with: name, among: names)
        return "no dictionary “\(name)”; expected one of \(names.joined(separator: ", "))"
            + (guess.map { "; did you mean “\($0)”?" } ?? "")
    }

    /// A built-in dictionary.
    package init(name: String) throws {
        var handle: OpaquePointer?
        try check(ocv_marker_dictionary_create(name, &handle), "make the dictionary “\(name)”")
        self.handle = try Self.made(handle)
    }

    /// A dictionary from a file of OpenCV's form.
    init(path: String) throws {
        var handle: OpaquePointer?
        try check(ocv_marker_dictionary_read(path, &handle), "read a marker dictionary")
        self.handle = try Self.made(handle)
    }

    private static func made(_ handle: OpaquePointer?) throws -> OpaquePointer {
        guard let handle else { throw VisionError(operation: "make a dictionary", reason: "no memory") }
        return handle
    }

    deinit { ocv_marker_dictionary_destroy(handle) }

    /// Cells of one code, the border left out.
    var cells: Int { Int(ocv_marker_dictionary_bits(handle) * ocv_marker_dictionary_bits(handle)) }

    /// How many markers there are: ids run from 0 to this − 1.
    package var count: Int { Int(ocv_marker_dictionary_count(handle)) }
}
