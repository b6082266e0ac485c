/// Figures as people read them.
package enum Words {
    /// A share in whole percents: 100 % only for all, and 0 % only for nothing.
    package static func percent(_ count: Int, of all: Int) -> String {
        guard count > 0, all > 0 else { return "0" }
        let rounded = (Double(count) / Double(all) * 100).rounded()
        return count >= all ? "100" : rounded < 1 ? "<1" : String(Int(min(99, rounded)))
    }

    /// A time: `6.3 s`, and `0.04 s` for what is short.
    package static func seconds(_ value: Double) -> String {
        var json = JSONWriter()
        json.value(value, decimals: value < 1 ? 2 : 1)
        return json.text + " s"
    }

    /// A number without an exponent, down to what a track file has of it: `3`, `0.25`, `0.00005`.
    package static func number(_ value: Double) -> String {
        let text = plain(value)
        guard text.contains("e"), value.magnitude < 1 else { return text }
        var json = JSONWriter()
        json.value(value, decimals: 9)
        return json.text == "0" ? text : json.text
    }

    /// A value that is out of its bounds, with as many decimals as show that: `1.0004`, where at most 1 is expected.
    /// - Parameter decimals: As many as do elsewhere.
    package static func value(_ value: Double, outOf range: Expectation.Range?, decimals: Int) -> String {
        let places = decimals...max(decimals, 6)
        let enough = places.first { range?.holds(value.rounded(toDecimals: $0)) == false } ?? decimals
        var json = JSONWriter()
        json.value(value, decimals: enough)
        return json.text
    }

    /// A count with its noun: `1 frame`, `2 frames`, `2 boxes`.
    package static func plural(_ count: Int, _ noun: String) -> String {
        let ending = noun.hasSuffix("x") || noun.hasSuffix("s") || noun.hasSuffix("h") ? "es" : "s"
        return count == 1 ? "1 \(noun)" : "\(count) \(noun)\(ending)"
    }
}
