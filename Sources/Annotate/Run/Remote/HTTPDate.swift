/// A date of HTTP (RFC 9110, 5.6.7) in seconds since 1970: in the form of today, or in one of the two that may still come.
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Returns: nil for a text that is no such date.
    static func seconds(_ text: String) -> Double? {
        let words = text.split { " ,-:".contains($0) }.map(String.init)
        // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT; Sun Nov  6 08:49:37 1994
        let isOld = words.count == 7
        guard isOld || words.count == 8 && words[7] == "GMT", let month = months.firstIndex(of: words[isOld ? 1 : 2])
        else { return nil }
        let written = isOld ? [words[6], words[2]] + words[3...5] : [words[3], words[1]] + words[4...6]
        let numbers = written.compactMap { $0.utf8.count <= 4 && $0.allSatisfy(\.isNumber) ? Int($0) : nil }
        guard numbers.count == 5 else { return nil }
        // Two digits of a year are of these days.
        let year = written[0].utf8.count > 2 ? numbers[0] : numbers[0] + (numbers[0] < 70 ? 2000 : 1900)
        let (day, hour, minute, second) = (numbers[1], numbers[2], numbers[3], numbers[4])
        guard 1...31 ~= day, 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second, year >= 1970 else { return nil }
        return Double(((days(year, month + 1, day) * 24 + hour) * 60 + minute) * 60 + second)
    }

    /// Days since 1970 of a date of the Gregorian calendar, whose years begin with March here, so that a leap day is their last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + ofYear - 719_468
    }
}
