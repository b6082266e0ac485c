/// The files that a value names.
extension Shape {
    /// Calls `body` with every path in a value of this shape, its node and where it is.
    package func visitPaths(
        in node: JSONNode, at place: [PathComponent], _ body: (String, JSONNode, [PathComponent]) -> Void
    ) {
        switch self {
        case .string(.path), .string(.pathTemplate):
            if let text = node.string { body(text, node, place) }
        case .array(let element, _):
            let elements = node.elements ?? []
            // A million regions name no file.
            guard elements.count < Self.fewElements || element.holdsPaths else { return }
            for (index, item) in elements.enumerated() {
                element.visitPaths(in: item, at: place + [.index(index)], body)
            }
        case .object(let object):
            for property in object.properties {
                guard let value = node[property.name] else { continue }
                property.shape.visitPaths(in: value, at: place + [.key(property.name)], body)
            }
        case .map(let value, _, _):
            for member in node.members ?? [] {
                value.visitPaths(in: member.value, at: place + [.key(member.key)], body)
            }
        case .tagged(let tagged):
            let variant = tagged.variants.first { $0.name == node[tagged.tag]?.string }
            let object = ObjectShape(
                doc: "", properties: tagged.common.properties + (variant?.properties ?? []))
            Shape.object(object).visitPaths(in: node, at: place, body)
        case .anyOf(let shapes, _):
            for shape in shapes { shape.visitPaths(in: node, at: place, body) }
        default: break
        }
    }

    private static let fewElements = 16

    /// Whether a value of this shape may name a file.
    private var holdsPaths: Bool {
        switch self {
        case .string(.path), .string(.pathTemplate): true
        case .array(let element, _): element.holdsPaths
        case .object(let object): object.properties.contains { $0.shape.holdsPaths }
        case .map(let value, _, _): value.holdsPaths
        case .tagged(let tagged):
            tagged.common.properties.contains { $0.shape.holdsPaths }
                || tagged.variants.contains { $0.properties.contains { $0.shape.holdsPaths } }
        case .anyOf(let shapes, _): shapes.contains(where: \.holdsPaths)
        default: false
        }
    }

    /// A value of this shape with absolute paths cut to their last parts, so that results don't depend on the machine.
    package func withoutFolders(_ node: JSONNode) -> JSONNode {
        switch self {
        case .string(.path), .string(.pathTemplate):
            guard let path = node.string, path.hasPrefix("/") else { return node }
            return JSONNode(.string(path.split(separator: "/").last.map(String.init) ?? path))
        case .array(let element, _):
            guard let elements = node.elements else { return node }
            return JSONNode(.array(elements.map(element.withoutFolders)))
        case .object(let object):
            guard let members = node.members else { return node }
            return JSONNode(
                .object(
                    members.map { member in
                        guard let property = object.properties.first(where: { $0.name == member.key }) else {
                            return member
                        }
                        return JSONMember(key: member.key, value: property.shape.withoutFolders(member.value))
                    }))
        default: return node
        }
    }
}
