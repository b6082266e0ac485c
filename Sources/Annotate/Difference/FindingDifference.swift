/// The difference of one member of a kind between two findings.
struct FindingDifference: Sendable {
    var name: String
    var unit: String?
    /// The largest difference of its numbers.
    var largest = 0.0
    /// Whether more than numbers differs: a text, a count, something that one of them hasn't.
    var isOther = false

    /// The members that differ.
    static func all(_ old: any Finding, _ new: any Finding) -> [FindingDifference] {
        let (a, b) = (JSONNode(JSONValue { old.write(into: &$0) }), JSONNode(JSONValue { new.write(into: &$0) }))
        return type(of: old).properties.compactMap { property in
            var difference = FindingDifference(name: property.name, unit: property.unit)
            difference.add(a[property.name], b[property.name])
            // A number that names a thing is no measure: 4 isn't nearer to 3 than 9 is.
            if property.name == "id", difference.largest > 0 { (difference.largest, difference.isOther) = (0, true) }
            return difference.largest > 0 || difference.isOther ? difference : nil
        }
    }

    private mutating func add(_ old: JSONNode?, _ new: JSONNode?) {
        guard let old, let new else {
            if old != nil || new != nil { isOther = true }
            return
        }
        if let a = old.number, let b = new.number {
            largest = max(largest, abs(a - b))
        } else if let a = old.elements, let b = new.elements, a.count == b.count {
            for (one, other) in zip(a, b) { add(one, other) }
        } else if let a = old.members, let b = new.members {
            for member in a { add(member.value, new[member.key]) }
            if b.contains(where: { old[$0.key] == nil }) { isOther = true }
        } else if case .null = old.value, case .null = new.value {
            return
        } else if old.string != new.string || old.string == nil && old.bool != new.bool
            || old.string == nil && old.bool == nil
        {
            isOther = true
        }
    }
}

extension Finding {
    fileprivate static var properties: [Property] { fields.map(\.property) }
}
