import Annotate
import ArgumentParser

struct ListKinds: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "kinds", abstract: "Lists the kinds of results in track files, or one kind's fields.")

    @Argument(help: "A kind of result.", completion: .findingKinds)
    var kind: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print every line of a track file and every kind as Markdown, as docs/tracks.md has it.")
    var markdown = false

    var access: CommandAccess {
        .files(FileAccess())
    }

    func run() throws {
        if markdown { return Console.out(TrackReference.markdown(kinds)) }
        guard let kind else {
            if json { return Console.out(prettyJSON(.array(kinds.kinds.map { JSONNode($0.json) }))) }
            let width = kinds.kinds.map { $0.kind.count }.max() ?? 0
            for kind in kinds.kinds {
                Console.out(kind.kind + String(repeating: " ", count: width - kind.kind.count + 2) + kind.doc)
            }
            return
        }
        guard let found = kinds.kinds.first(where: { $0.kind == kind }) else {
            let names = kinds.kinds.map { $0.kind }
            let guess = nearestOrLonger(to: kind, among: names).map { " Did you mean “\($0)”?" } ?? ""
            throw ValidationError(
                "There is no kind of result “\(kind)”.\(guess) There are \(names.joined(separator: ", ")).")
        }
        Console.out(json ? prettyJSON(found.json) : found.reference)
    }
}

extension Finding {
    /// The stage types that emit the kind.
    fileprivate static var emitters: [String] {
        catalog.contracts.filter { contract in contract.emits.contains { $0.kind == kind } }.map(\.type)
    }

    fileprivate static var properties: [Property] { fields.map(\.property) }

    fileprivate static var reference: String {
        var lines = ["\(kind): \(doc)", "", "stages    \(emitters.joined(separator: ", "))", "", "Fields:"]
        lines += properties.isEmpty ? ["  none of its own"] : properties.flatMap(\.lines)
        lines += ["", "Fields of every kind:"]
        for property in Observation.headProperties { lines += property.lines }
        return lines.joined(separator: "\n")
    }

    fileprivate static var json: JSONValue {
        func strings(_ words: [String]) -> JSONValue { .array(words.map { JSONNode(.string($0)) }) }
        return .members([
            "kind": .string(kind), "doc": .string(doc), "stages": strings(emitters),
            "fields": .array(properties.map { JSONNode($0.json) }),
        ])
    }
}

/// The reference of track files, made from the declarations.
private enum TrackReference {
    static func markdown(_ catalog: FindingCatalog) -> String {
        let shape = TrackFileShape(catalog)
        var lines = ["## The header", ""] + table(shape.header.properties)
        lines += ["", "## A frame", ""] + table(shape.frame.properties.filter { $0.name != "observations" })
        lines += ["", "`observations` holds what the stages saw, in the header's order of stages."]
        lines += ["", "## An observation", "", "What every kind has:", ""] + table(Observation.headProperties)
        for kind in catalog.kinds {
            lines += ["", "### \(kind.kind)", "", kind.doc]
            let place =
                switch kind.place {
                case .box: "`box` is there while it is in sight."
                case .polygon: "`polygon` is there while it is in sight."
                case .any, .none: ""
                }
            let stages = kind.emitters.map { "`\($0)`" }.joined(separator: ", ")
            if !stages.isEmpty { lines += ["", "From \(stages). \(place)".trimmed] }
            if !kind.properties.isEmpty { lines += [""] + table(kind.properties) }
        }
        lines += ["", "## The summary", ""] + table(shape.summary.properties)
        return lines.joined(separator: "\n")
    }

    private static func table(_ properties: [Property]) -> [String] {
        ["| field | is | |", "| --- | --- | --- |"] + properties.flatMap { rows($0, under: "") }
    }

    private static func rows(_ property: Property, under path: String) -> [String] {
        let name = path + property.name
        let unit = property.unit.map { " Unit: \($0)." } ?? ""
        let what = property.isRequired ? describe(property.shape) : "\(describe(property.shape)); may be left out"
        var rows = ["| `\(name)` | \(what) | \(property.doc)\(unit) |".replacing("\n", with: " ")]
        for (object, suffix) in property.shape.members {
            rows += object.properties.flatMap { self.rows($0, under: "\(name)\(suffix).") }
        }
        return rows
    }
}

extension String {
    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}

extension Shape {
    /// The objects that a value of the shape has below it, and what is between.
    fileprivate var members: [(object: ObjectShape, suffix: String)] {
        switch self {
        case .object(let object): [(object, "")]
        case .array(.object(let object), _): [(object, "[]")]
        default: []
        }
    }
}
