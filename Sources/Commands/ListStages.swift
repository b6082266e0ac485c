import Annotate
import ArgumentParser

struct ListStages: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "stages", abstract: "Lists the stage types, or one type's inputs and options.")

    @Argument(help: "A stage type.", completion: .stageTypes)
    var type: String?

    @Flag(help: "Print JSON.")
    var json = false

    var access: CommandAccess {
        .files(FileAccess())
    }

    func run() throws {
        guard let type else {
            if json { return Console.out(prettyJSON(.array(catalog.contracts.map { JSONNode($0.json) }))) }
            let width = catalog.contracts.map(\.type.count).max() ?? 0
            for contract in catalog.contracts {
                Console.out(
                    contract.type + String(repeating: " ", count: width - contract.type.count + 2) + contract.summary)
            }
            return
        }
        guard let contract = catalog.contracts.first(where: { $0.type == type }) else {
            let types = catalog.contracts.map(\.type)
            let guess = nearestOrLonger(to: type, among: types).map { " Did you mean “\($0)”?" } ?? ""
            throw ValidationError(
                "There is no stage type “\(type)”.\(guess) There are \(types.joined(separator: ", ")).")
        }
        Console.out(json ? prettyJSON(contract.json) : contract.reference)
    }
}

extension StageContract {
    /// Everything about the type, for people.
    fileprivate var reference: String {
        var lines = [
            "\(type): \(summary)", "",
            "consumes  \(consumes.map(\.rawValue).joined(separator: ", "))",
            "produces  "
                + (produces.isEmpty ? "nothing for other stages" : produces.map(\.rawValue).joined(separator: ", ")),
            "state     \(keepsState ? "kept from frame to frame" : "none: frames are independent")",
        ]
        lines += takes.map { "seeds     the job's \($0.word)" }
        lines += ["", "Options:"]
        for property in options { lines += property.lines }
        lines += ["", "Options of every stage:"]
        for property in ManifestShape.stageProperties(for: emits) where property.name != "type" {
            lines += property.lines
        }
        return lines.joined(separator: "\n")
    }

    fileprivate var json: JSONValue {
        func words(_ ports: [Port]) -> JSONValue { .array(ports.map { JSONNode(.string($0.rawValue)) }) }
        return .members([
            "type": .string(type), "summary": .string(summary), "consumes": words(consumes),
            "produces": words(produces),
            "keepsState": .bool(keepsState), "takesSeeds": .bool(takes(Region.self)),
            "takesPoints": .bool(takes(TappedPoint.self)),
            "options": .array(options.map { JSONNode($0.json) }),
        ])
    }
}

extension Property {
    /// The property and the members of its value, for people.
    var lines: [String] {
        var first = "  \(name)  \(describe(shape))"
        if let unit { first += " [\(unit)]" }
        if let defaultValue {
            first += ", default " + (isAll(defaultValue) ? "all" : prettyJSON(defaultValue))
        } else if isRequired {
            first += ", required"
        }
        var lines = [first, "      \(doc)"]
        // The members of an object, one level down.
        for object in objects { lines += object.properties.flatMap(\.lines).map { "    " + $0 } }
        if case .tagged(let tagged) = shape {
            lines += tagged.common.properties.flatMap(\.lines).map { "    " + $0 }
            for variant in tagged.variants {
                lines.append("      \(variant.name): \(variant.doc)")
                lines += variant.properties.flatMap(\.lines).map { "    " + $0 }
            }
        }
        return lines
    }

    private var objects: [ObjectShape] {
        func objects(_ shape: Shape) -> [ObjectShape] {
            switch shape {
            case .object(let object): [object]
            case .array(let element, _): objects(element)
            case .anyOf(let shapes, _): shapes.flatMap(objects)
            default: []
            }
        }
        return objects(shape)
    }

    /// Whether a default has every word that there is.
    private func isAll(_ value: JSONValue) -> Bool {
        guard case .array(.string(.choice(let words, _)), _) = shape, case .array(let elements) = value else {
            return false
        }
        return elements.compactMap(\.string) == words
    }

    var json: JSONValue {
        var members = [
            JSONMember(key: "name", value: JSONNode(.string(name))),
            JSONMember(key: "expected", value: JSONNode(.string(describe(shape)))),
            JSONMember(key: "required", value: JSONNode(.bool(isRequired))),
        ]
        if case .number(let bounds) = shape {
            if let minimum = bounds.minimum {
                members.append(JSONMember(key: "minimum", value: JSONNode(.number(minimum))))
            }
            if let maximum = bounds.maximum {
                members.append(JSONMember(key: "maximum", value: JSONNode(.number(maximum))))
            }
        }
        if case .integer(let range?) = shape {
            members.append(JSONMember(key: "minimum", value: JSONNode(.integer(range.lowerBound))))
            if ![.max, .mostCounted].contains(range.upperBound) {
                members.append(JSONMember(key: "maximum", value: JSONNode(.integer(range.upperBound))))
            }
        }
        if let unit { members.append(JSONMember(key: "unit", value: JSONNode(.string(unit)))) }
        if let defaultValue { members.append(JSONMember(key: "default", value: JSONNode(defaultValue))) }
        members.append(JSONMember(key: "doc", value: JSONNode(.string(doc))))
        return .object(members)
    }
}
