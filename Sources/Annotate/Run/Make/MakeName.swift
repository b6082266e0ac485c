/// A file's name as GNU make reads it in a rule. Each of these was tried with make 4.3, since its manual tells of few.
struct MakeName {
    /// As what is made.
    let target: String

    /// As what something is made of.
    let prerequisite: String

    /// - Returns: nil for a name that make has no way to write: with “;”, a backslash, a tab or another control character; one that
    ///   ends with a space, “&” or “)” (of an archive's member), or begins with a folder named “~”.
    init?(_ path: String) {
        var name = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        let isControl = name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
        guard !name.isEmpty, !isControl, !name.contains(";"), !name.contains("\\"), !name.hasPrefix("~/"),
            let last = name.last, !" &)".contains(last)
        else { return nil }
        // A word of make's, as “include” is, or somebody's home; make leaves “./” out again.
        if name.hasPrefix("~") || !name.contains(".") && !name.contains("/") { name = "./" + name }
        target = Self.escaped(name, " #:*?[%")
        prerequisite = Self.escaped(name, " #:*?[|")
    }

    private static func escaped(_ name: String, _ special: String) -> String {
        var text = ""
        for character in name {
            switch character {
            case "$": text += "$$"
            // Else the rule is a variable's definition.
            case "=": text += "$(if x,=)"
            case _ where special.contains(character): text += "\\" + String(character)
            default: text.append(character)
            }
        }
        return text
    }
}
