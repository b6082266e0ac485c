/// A kind whose things have masks: which pixels are theirs.
///
/// Its fields have `RunMask.field(\.mask)`. In a track file a mask is of the pixels that the head's box touches, or the box
/// around its outline: `Observation.rounded` makes it that, whatever part of the picture the stage has given it for.
public protocol MaskedFinding: Finding {
    /// Which pixels are the thing's; nil where it isn't known.
    var mask: RunMask? { get set }
}

/// A kind whose things have joints.
///
/// Its fields have `Joint.fields(\.joints)`, and its stage's blueprint a `skeleton`; a kind that has its joints under another
/// name says itself what they are.
public protocol JointedFinding: Finding {
    /// The joints, in the skeleton's order; empty where none are known.
    var joints: [Joint] { get }
    /// Names and bones of the joints; nil where the stage's skeleton has them.
    var skeleton: Skeleton? { get }
    /// Name of the field that has the joints.
    static var jointsField: String { get }
}

extension JointedFinding {
    /// By default the stage's skeleton.
    public var skeleton: Skeleton? { nil }
    /// By default `joints`.
    public static var jointsField: String { "joints" }
}

/// A kind whose things may lie in turned boxes: the head's outline has four corners then, clockwise from the one that is the
/// top left of the box before it is turned.
///
/// Its fields have `TurnedBox.field(\.angle)`.
public protocol TurnedFinding: Finding {
    /// Degrees clockwise in the picture; nil where the outline isn't a turned box.
    var angle: Double? { get }
}

extension RunMask {
    /// The member of a finding that says which pixels are the thing's.
    public static func field<Root: Record>(_ path: Member<Root, RunMask?>) -> Field<Root> {
        Field(
            "mask", path, .mask, .whileInSight,
            doc:
                "Which pixels are the thing's, of those that its box touches, or the box around its outline: COCO's column "
                + "runs, compressed.")
    }
}

extension Joint {
    /// The members of a finding that say where its joints are.
    public static func fields<Root: Record>(_ path: Member<Root, [Joint]>) -> [Field<Root>] {
        [
            Field(
                "joints", .list(.joint, count: 1...1000), .whileInSight, unit: "px",
                doc:
                    "[x, y, confidence, visibility] of each joint, in the order of the skeleton in the header; confidence and "
                    + "visibility 0…1, a confidence of 0 for a joint that wasn't found.",
                get: { $0[keyPath: path].isEmpty ? nil : $0[keyPath: path] },
                set: { joints, root in root[keyPath: path] = joints }),
            Field(
                "metres", .list(.place, count: 1...1000), .whileInSight, unit: "m",
                doc: "[x, y, z] of each joint in space, to 0.0001; null for one whose place isn't known.",
                get: { root in
                    let places = root[keyPath: path].map(\.metres)
                    return places.contains { $0 != nil } ? places : nil
                },
                set: { places, root in
                    for (index, place) in places.enumerated() where index < root[keyPath: path].count {
                        root[keyPath: path][index].metres = place
                    }
                }),
        ]
    }
}

extension TurnedBox {
    /// The member of a finding that says by how much its box is turned.
    public static func field<Root: Record>(_ path: Member<Root, Double?>) -> Field<Root> {
        Field(
            "angle", path, .number(Bounds(-180, 180), decimals: 2), .whileInSight, unit: "°",
            doc:
                "Clockwise, by which the box is turned whose four corners the polygon is: from the picture's x axis to its "
                + "first side.")
    }
}

extension Format where Value == SIMD3<Double>? {
    /// [x, y, z] in metres, or null.
    fileprivate static var place: Format {
        let vector = Format<SIMD3<Double>>.vector(decimals: 4)
        return Format(
            .anyOf([vector.shape, .constant(.null)], doc: "[x, y, z] or null"),
            rounded: { place in place.map { vector.rounded?($0) ?? $0 } },
            write: { place, json in
                if let place { vector.write(place, &json) } else { json.null() }
            },
            read: { node in
                if case .null = node.value { return .some(nil) }
                return vector.read(node).map { .some($0) }
            })
    }
}

// MARK: Of observations

extension Observation {
    /// The pixels that are the thing's, in the picture; nil where none are known.
    public var mask: RunMask? { (finding.base as? any MaskedFinding)?.mask }

    /// The thing's joints; empty where none are known.
    public var joints: [Joint] { (finding.base as? any JointedFinding)?.joints ?? [] }

    /// Names and bones of its joints.
    /// - Parameter skeleton: Its stage's.
    package func skeleton(_ skeleton: Skeleton?) -> Skeleton? {
        guard let jointed = finding.base as? any JointedFinding else { return nil }
        return jointed.skeleton ?? skeleton
    }

    /// The turned box that its outline is; nil for what isn't one.
    public var turnedBox: TurnedBox? {
        guard let angle = (finding.base as? any TurnedFinding)?.angle, let polygon else { return nil }
        return TurnedBox(corners: polygon, angle: angle)
    }

    /// Marks of its mask and joints.
    public var parts: [Mark] {
        let (mask, joints) = (mask, joints)
        return (mask.map { [.region($0)] } ?? []) + (joints.isEmpty ? [] : [.joints(joints, edges: nil)])
    }

    /// Gives the mask the box that a track file has it for; where there is a mask alone, gives the head the mask's box.
    mutating func fitMask() {
        guard var masked = finding.base as? any MaskedFinding, let mask = masked.mask else { return }
        guard isInSight else {
            masked.mask = nil
            return finding = AnyFinding(masked)
        }
        if bounds == nil { box = mask.box.box }
        guard let pixels = bounds?.pixels, pixels != mask.box else { return }
        masked.mask = mask.of(pixels)
        finding = AnyFinding(masked)
    }

    /// What is wrong with joints that were read; nil where they are those of the skeleton.
    ///
    /// - Parameters:
    ///   - node: What it was read from.
    ///   - skeleton: Its stage's.
    func jointFault(of node: JSONNode, _ skeleton: Skeleton?) -> String? {
        guard let jointed = finding.base as? any JointedFinding else { return nil }
        let count = jointed.joints.count
        if let places = node["metres"]?.elements?.count, places != count {
            return "“metres” has \(places) places, and “joints” \(count); expected as many"
        }
        guard count > 0, jointed.skeleton == nil else { return nil }
        guard let skeleton else {
            return "it has joints, and its stage in the header no “skeleton” that says what they are"
        }
        guard count != skeleton.names.count else { return nil }
        return "“joints” has \(count); expected \(skeleton.names.count), as the skeleton in the header has names"
    }

    /// Puts a mask that was read where its box is.
    /// - Returns: What is wrong with it; nil where it is the mask of its box.
    mutating func placeMask() -> String? {
        guard var masked = finding.base as? any MaskedFinding, let mask = masked.mask else { return nil }
        guard let pixels = bounds?.pixels else { return "“mask” is there without a “box” or “polygon”" }
        guard mask.box.width == pixels.width, mask.box.height == pixels.height else {
            return "“mask” has the size [\(mask.box.height), \(mask.box.width)]; expected [\(pixels.height), "
                + "\(pixels.width)], the pixels that its box touches"
        }
        masked.mask = mask.at(x: pixels.x, y: pixels.y)
        finding = AnyFinding(masked)
        return nil
    }
}
