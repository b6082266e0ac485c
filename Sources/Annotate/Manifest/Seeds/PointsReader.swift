/// Reads a job's `points`: what somebody pointed at, to be labelled.
struct PointsReader {
    /// The job.
    let node: JSONNode
    let path: [PathComponent]
    let inputs: [String]
    let plan: GraphPlan?
    let sizes: InputSizes
    var log: ProblemLog

    mutating func read() -> [TappedPoint] {
        guard let node = node["points"], let elements = node.elements, !elements.isEmpty else { return [] }
        let path = path + [.key("points")]
        if let plan, !plan.takesPoints {
            log.add(
                "the graph has no stage that labels points; expected one of type “labels”", at: node, path: path)
        }
        let pictures = sizes.sizes(of: inputs)
        var ids: Set<String> = []
        var points: [TappedPoint] = []
        for (index, element) in elements.enumerated() {
            let place = path + [.index(index)]
            guard let point = point(element, place) else { continue }
            if !ids.insert(point.id).inserted {
                log.add(
                    "“\(point.id)” names two points of this job; expected an id of its own for each",
                    at: element["id"] ?? element, path: place + [.key("id")])
            }
            points.append(point)
            for picture in pictures { checkInside(point, element, place, picture.name, picture.size) }
        }
        return points
    }

    private mutating func point(_ node: JSONNode, _ place: [PathComponent]) -> TappedPoint? {
        var declared = PointDeclaration()
        let wrong = declared.read(node)
        let (start, end) = declared.seed.moments(of: "point", node, path: place, log: &log)
        // The shape's validation has complained where any of these fails.
        guard node["id"] != nil, node["point"] != nil, !wrong.contains("id"), !wrong.contains("point") else {
            return nil
        }
        return TappedPoint(
            id: declared.id, text: declared.text, start: start, end: end, point: declared.point,
            isNormalized: declared.seed.units == .normalized)
    }

    private mutating func checkInside(
        _ point: TappedPoint, _ node: JSONNode, _ place: [PathComponent], _ name: String, _ size: PictureSize
    ) {
        let pixel = point.seed(width: size.width, height: size.height).point
        let isInside =
            (-0.5...Double(size.width) - 0.5).contains(pixel.x) && (-0.5...Double(size.height) - 0.5).contains(pixel.y)
        guard !isInside else { return }
        let expected =
            point.isNormalized ? "coordinates from 0 to 1" : "one within \(size.width)×\(size.height) pixels"
        let given = node["point"] ?? node
        log.add(
            "the point [\(plain(point.point.x)), \(plain(point.point.y))] lies outside the picture of \(name); "
                + "expected \(expected)", at: given, path: place + [.key("point")])
    }
}
