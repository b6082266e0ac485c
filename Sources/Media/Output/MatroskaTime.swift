/// Matroska's time: whole thousandths of a second.
package enum MatroskaTime {
    /// - Parameters:
    ///   - time: When a picture is shown, thousandths.
    ///   - last: The same of the one before it.
    /// - Throws: `FileError` where the two can't be told apart.
    package static func check(_ time: Int64, after last: Int64?, path: String) throws {
        guard let last, time <= last else { return }
        throw FileError(
            "write", path: path,
            reason:
                "two of the source's pictures, near \(plain(Double(last) / 1000)) s, are less than a thousandth of a second "
                + "apart, which is all that Matroska counts in; expected another codec (“h264”, “none”), or a “range” "
                + "without them")
    }
}
