/// The manifest's `defaults`: what every job has that doesn't say otherwise.
struct JobDefaults {
    /// Members in the file's order.
    private let members: [JSONMember]

    static let path: [PathComponent] = [.key("defaults")]
    /// Members that are objects, which are put together key by key.
    private static let merged = Set(
        JobDeclaration.shape(doc: "").properties.filter { if case .object = $0.shape { true } else { false } }.map(
            \.name))
    /// Members that exclude each other: the job's own counts.
    private static let rivals = ["crf": "bitrate", "bitrate": "crf"]
    /// Members that mean something else to each codec.
    private static let ofCodec: Set = ["crf", "bitrate", "preset"]

    init(_ node: JSONNode?) { members = node?.members?.filter { $0.key != "input" } ?? [] }

    /// A job's entry with what it inherits.
    /// - Parameters:
    ///   - path: The entry's.
    ///   - origins: Learns where the rest of it stands.
    func complete(_ job: JSONNode, at path: [PathComponent], origins: inout Origins) -> JSONNode {
        guard !members.isEmpty, var own = job.members else { return job }
        for inherited in members {
            let place = path + [.key(inherited.key)], origin = Self.path + [.key(inherited.key)]
            guard let index = own.firstIndex(where: { $0.key == inherited.key }) else {
                own.append(inherited)
                origins.add(place, from: origin)
                continue
            }
            guard Self.merged.contains(inherited.key), var parts = own[index].value.members else { continue }
            for part in inherited.value.members ?? [] where !Self.isReplaced(part.key, by: own[index].value, inherited)
            {
                parts.append(part)
                origins.add(place + [.key(part.key)], from: origin + [.key(part.key)])
            }
            own[index].value.value = .object(parts)
        }
        return JSONNode(.object(own), at: job.position)
    }

    /// A job's entry with members of another in the place of its own; of `encode` and `range` each part counts for itself.
    /// - Parameters:
    ///   - members: What takes the place.
    ///   - place: Where that stands.
    ///   - path: The entry's.
    static func replace(
        _ job: JSONNode, by members: [JSONMember], from place: [PathComponent], at path: [PathComponent],
        origins: inout Origins
    ) -> JSONNode {
        guard var own = job.members else { return job }
        for member in members {
            origins.add(path + [.key(member.key)], from: place + [.key(member.key)])
            guard let index = own.firstIndex(where: { $0.key == member.key }) else {
                own.append(member)
                continue
            }
            guard merged.contains(member.key), var parts = member.value.members else {
                own[index] = member
                continue
            }
            let before = own[index]
            for part in before.value.members ?? [] where !isReplaced(part.key, by: member.value, before) {
                parts.append(part)
            }
            own[index] = member
            own[index].value.value = .object(parts)
        }
        return JSONNode(.object(own), at: job.position)
    }

    private static func isReplaced(_ key: String, by own: JSONNode, _ inherited: JSONMember) -> Bool {
        if own[key] != nil { return true }
        guard inherited.key == "encode" else { return false }
        if let rival = rivals[key], own[rival] != nil { return true }
        guard let codec = own["codec"]?.string else { return false }
        // Where nothing is encoded, or a photo is made, nothing says how.
        if codec == EncodeSettings.Codec.copy.rawValue { return true }
        if EncodeSettings.Codec(rawValue: codec)?.picture != nil { return true }
        guard ofCodec.contains(key) else { return false }
        return codec != inherited.value["codec"]?.string ?? EncodeSettings().codec.rawValue
    }
}
