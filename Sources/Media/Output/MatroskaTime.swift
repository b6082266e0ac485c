/// Matroska's time: whole thousandths of a second.
package enum MatroskaTime {
    /// Refuses a picture that is shown in the same thousandth as the one before it.
    /// - Parameters:
    ///   - time: When the picture is shown, thousandths of a second.
    ///   - last: When the one before it is shown; nil for the first.
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
