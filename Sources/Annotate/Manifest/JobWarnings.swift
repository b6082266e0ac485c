extension Job {
    /// What a user should know of the job before it runs.
    var warnings: [String] {
        var warnings: [String] = []
        if graph.takesSeeds, regions.isEmpty {
            let stages = graph.nodes.filter(\.contract.takesSeeds).map { "“\($0.id)”" }.joined(separator: ", ")
            warnings.append("its graph tracks regions (stage \(stages)), and it has none")
        }
        if graph.takesPoints, points.isEmpty {
            warnings.append("its graph labels points, and it has none")
        }
        if graph.takesGates, gates.lines.isEmpty, gates.zones.isEmpty {
            warnings.append("its graph counts, and it has no “lines” and no “zones”")
        }
        if !graph.takesGates, !gates.lines.isEmpty || !gates.zones.isEmpty {
            warnings.append(
                "it has “lines” or “zones”, and its graph has no stage that counts; expected one of type “count”")
        }
        if case .assumed = camera, graph.usesCamera {
            let stages = graph.nodes.filter(\.blueprint.usesCamera).map { "“\($0.id)”" }.joined(separator: ", ")
            warnings.append(
                "the poses of stage \(stages) come from an assumed camera, with a field of view of "
                    + "\(plain(CameraDeclaration.assumedFieldOfView))°, so distances are rough; name one under “camera”"
            )
        }
        return warnings
    }
}

/// What a user should know of jobs before they run, each sentence once.
struct BatchWarnings {
    private var order: [String] = []
    private var ids: [String: [String]] = [:]

    mutating func add(_ warnings: [String], of id: String) {
        for warning in warnings {
            if ids[warning] == nil { order.append(warning) }
            ids[warning, default: []].append(id)
        }
    }

    /// Jobs that are named in one sentence.
    private static let mostNamed = 3

    var sentences: [String] {
        order.map { warning in
            let all = ids[warning] ?? []
            let named = all.prefix(Self.mostNamed).map { "“\($0)”" }.joined(separator: ", ")
            let more = all.count > Self.mostNamed ? " and \(all.count - Self.mostNamed) more" : ""
            return "job\(all.count == 1 ? "" : "s") \(named)\(more): \(warning)"
        }
    }
}
