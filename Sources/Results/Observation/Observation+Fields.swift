/// How observations stand in a track file: the head's members, then those of the finding, in one object.
extension Observation {
    package static let head: [Field<Observation>] = [
        Field("stage", .text(.identifier), .always, doc: "The stage that saw it.", get: \.stage) { $1.stage = $0 },
        // Read before the finding is made.
        Field("kind", .text(), .always, doc: "What kind of thing.", get: \.kind) { _, _ in },
        Field(
            "track", .integer(1...Int.mostCounted), .optional,
            doc: "Stays with one physical thing; left out until it is confirmed.", get: \.track?.number
        ) { $1.track = TrackReference(stage: $1.stage, number: $0) },
        // The stage that keeps the other track is known to who has read the lines before.
        Field(
            "of", .integer(1...Int.mostCounted), .optional,
            doc: "The track that a classification or an alteration is about.", get: \.about?.number
        ) { $1.about = TrackReference(stage: "", number: $0) },
        Field(
            "region", .text(), .optional, doc: "The manifest's region or point that seeded the track.", get: \.region
        ) { $1.region = $0 },
        Field("label", .text(), .optional, doc: "A name.", get: \.label) { $1.label = $0 },
        Field(
            "confidence", .number(Bounds(0, 1), decimals: 3), .optional, doc: "0…1.", get: \.confidence
        ) { $1.confidence = $0 },
        Field(
            "state", Format<TrackState>.choice(), .optional, doc: "Where the track stands.", get: \.state
        ) { $1.state = $0 },
        Field(
            "box", .box, .optional, unit: "px", doc: "[left, top, width, height] of the pixels that it covers.",
            get: \.box
        ) { $1.box = $0 },
        Field(
            "polygon", .list(.point, count: 3...64), .optional, unit: "px",
            doc: "Corners, clockwise; a marker's start at its own top left.", get: \.polygon
        ) { $1.polygon = $0 },
        Field(
            "held", .flag, .optional,
            doc:
                "True where a rate left the frame out: the last result is carried, or the thing is where it is supposed.",
            get: { $0.isHeld ? true : nil }
        ) { $1.isHeld = $0 },
    ]

    /// Members that an observation of any kind has, for the reference.
    public static var headProperties: [Property] { head.map(\.property) }

    /// Writes the observation as an object.
    package func write(into json: inout JSONWriter) { json.object { writeMembers(into: &$0) } }

    /// Writes the observation's members into an object that is open.
    package func writeMembers(into json: inout JSONWriter) {
        for field in Self.head { field.write(self, &json) }
        finding.base.writeMembers(into: &json)
    }

    /// The observation that is read back when this one has been written.
    ///
    /// Whatever is made of an observation, by another stage or a painter, is made of this one, so that it is the same when
    /// it is made of the track file.
    package var rounded: Observation {
        var rounded = self
        for field in Self.head { field.round?(&rounded) }
        rounded.finding = AnyFinding(finding.base.rounded)
        rounded.fitMask()
        return rounded
    }

    /// What is wrong with an object that fits its kind's shape all the same.
    package struct Misfit: Error {
        /// JSON pointer of the member; empty for the object as a whole.
        package var pointer = ""
        package var reason: String
    }

    /// Reads an observation.
    /// - Parameters:
    ///   - node: An object that fits its kind's shape.
    ///   - wrong: Gets the names of members that don't fit all the same.
    init(_ node: JSONNode, kind: any Finding.Type, wrong: inout [String]) {
        var finding = kind.init()
        wrong += finding.read(node)
        self.init(finding, stage: "")
        for field in Self.head {
            if let value = node[field.name], !field.read(value, &self) { wrong.append(field.name) }
        }
    }

    /// Reads an observation, and holds it against what each of its kind has.
    /// - Parameters:
    ///   - node: An object that fits its kind's shape.
    ///   - skeleton: Of the joints that its stage gives.
    /// - Throws: `Misfit`.
    init(_ node: JSONNode, kind: any Finding.Type, _ skeleton: Skeleton?) throws(Misfit) {
        var wrong: [String] = []
        self.init(node, kind: kind, wrong: &wrong)
        if let name = wrong.first { throw Misfit(pointer: "/" + name, reason: "what it says can't be read") }
        if let reason = kind.lack(of: node, isInSight: isInSight) ?? placeMask() ?? jointFault(of: node, skeleton) {
            throw Misfit(reason: reason)
        }
    }
}

extension Finding {
    /// A name that two of its fields have, or one of its and one of every observation's; nil where each has its own.
    package static var repeatedField: String? {
        var names = Set(Observation.head.map(\.name))
        return fields.first { !names.insert($0.name).inserted }?.name
    }

    /// The shape of an observation of the kind, without its stage and kind.
    package static var variant: TaggedShape.Variant {
        TaggedShape.Variant(name: kind, doc: doc, properties: fields.map(\.property))
    }

    /// What the kind's object lacks or has too much, though each of its members is right; nil where it is whole.
    ///
    /// - Parameter node: The object.
    package static func lack(of node: JSONNode, isInSight: Bool) -> String? {
        if isInSight, place == .box, node["box"] == nil { return "“box” is missing; every \(kind) in sight has one" }
        if isInSight, place == .polygon, node["polygon"] == nil {
            return "“polygon” is missing; every \(kind) in sight has one"
        }
        if !isInSight {
            let places =
                ["box", "polygon"]
                + fields.filter { $0.presence == .inSight || $0.presence == .whileInSight }.map(\.name)
            if let place = places.first(where: { node[$0] != nil }) {
                return "“\(place)” is there; what is lost or has ended has no place"
            }
        }
        for field in fields where node[field.name] == nil {
            switch field.presence {
            case .inSight where isInSight: return "“\(field.name)” is missing; every \(kind) in sight has one"
            case .without(let other) where node[other] == nil:
                return "“\(field.name)” or “\(other)” is missing; every \(kind) has one of them"
            default: break
            }
        }
        return nil
    }
}
