/// Numbers as a comparison's table has them.
package enum Figures {
    /// A number with a fixed count of decimals: `0.980`.
    package static func decimals(_ value: Double, _ count: Int) -> String {
        var scale = 1.0
        for _ in 0..<count { scale *= 10 }
        let scaled = (abs(value) * scale).rounded(.toNearestOrAwayFromZero)
        guard value.isFinite, scaled < 1e15 else { return plain(value) }
        let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: Int(scale))
        let digits = String(rest)
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return sign + "\(whole)"
            + (count == 0 ? "" : "." + String(repeating: "0", count: count - digits.count) + digits)
    }

    /// A number with three significant digits: `0.0123`, `12.3`.
    static func short(_ value: Double) -> String {
        let size = abs(value)
        return decimals(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.01 ? 3 : 6)
    }

    /// A run of frames: `120`, `120–131`.
    static func span(_ run: Runs.Run) -> String {
        run.first.frame == run.last.frame ? "\(run.first.frame)" : "\(run.first.frame)–\(run.last.frame)"
    }
}
