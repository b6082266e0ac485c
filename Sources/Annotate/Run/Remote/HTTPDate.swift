internal import Glibc

/// A date of HTTP (RFC 9110, 5.6.7) in seconds since 1970: in the form of today, or in one of the two that may still come.
enum HTTPDate {
    /// - Returns: nil for a text that is no such date.
    static func seconds(_ text: String) -> Double? {
        // The words are English in the locale that every program begins in.
        for form in ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %d %H:%M:%S %Y"] {
            var time = tm()
            let isOne = text.withCString { strptime($0, form, &time)?.pointee == 0 }
            if isOne { return Double(timegm(&time)) }
        }
        return nil
    }
}
