/// Reads a job's `lines` and `zones`.
struct GateReader {
    /// The job.
    let node: JSONNode
    let path: [PathComponent]
    let inputs: [String]
    let sizes: InputSizes
    var log: ProblemLog

    /// - Returns: Those that can be used; problems are in `log`.
    mutating func lines() -> [Line] {
        read("lines") { reader, element, place in
            var declared = LineDeclaration()
            let wrong = declared.read(element)
            guard wrong.isEmpty, ["id", "from", "to"].allSatisfy({ element[$0] != nil }) else { return nil }
            if declared.from == declared.to {
                let point = "[\(plain(declared.from.x)), \(plain(declared.from.y))]"
                reader.log.add(
                    "the line begins and ends at \(point); expected two different points", at: element["to"] ?? element,
                    path: place + [.key("to")])
                return nil
            }
            let line = Line(id: declared.id, from: declared.from, to: declared.to, units: declared.units.read)
            return (line, line.id, line.complaint)
        }
    }

    /// - Returns: Those that can be used; problems are in `log`.
    mutating func zones() -> [Zone] {
        read("zones") { reader, element, place in
            var declared = ZoneDeclaration()
            let wrong = declared.read(element)
            guard wrong.isEmpty, ["id", "polygon"].allSatisfy({ element[$0] != nil }) else { return nil }
            if Box(around: declared.polygon).map({ $0.width > 0 && $0.height > 0 }) != true {
                reader.log.add(
                    "a polygon without area; expected three corners or more around some of the picture",
                    at: element["polygon"] ?? element, path: place + [.key("polygon")])
                return nil
            }
            let zone = Zone(id: declared.id, polygon: declared.polygon, units: declared.units.read)
            return (zone, zone.id, zone.complaint)
        }
    }

    private typealias Read<Gate> = (
        gate: Gate, id: String, complaint: (_ picture: PictureSize, _ name: String) -> String?
    )

    private mutating func read<Gate>(
        _ key: String, _ one: (inout GateReader, JSONNode, [PathComponent]) -> Read<Gate>?
    ) -> [Gate] {
        guard let elements = node[key]?.elements, !elements.isEmpty else { return [] }
        let pictures = sizes.sizes(of: inputs)
        var ids: Set<String> = []
        var gates: [Gate] = []
        for (index, element) in elements.enumerated() {
            let place = path + [.key(key), .index(index)]
            // The shape's validation has complained of what can't be read.
            guard let (gate, id, complaint) = one(&self, element, place) else { continue }
            if !ids.insert(id).inserted {
                log.add(
                    "“\(id)” names two \(key) of this job; expected an id of its own for each",
                    at: element["id"] ?? element, path: place + [.key("id")])
            }
            if element["of"] != nil, element["units"]?.string == SeedDeclaration.Units.normalized.rawValue {
                log.add(
                    "“of” with “units”: “normalized”, which hold for any size; expected one of them",
                    at: element["of"] ?? element, path: place + [.key("of")])
            }
            for picture in pictures {
                guard let complaint = complaint(picture.size, picture.name) else { continue }
                log.add(complaint, at: element, path: place)
            }
            gates.append(gate)
        }
        return gates
    }
}
