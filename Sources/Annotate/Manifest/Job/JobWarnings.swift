extension Job {
    /// Warnings about the job before it runs.
    var warnings: [String] {
        var warnings = absent
        // One kind of several that a stage takes is enough for it.
        let idle = graph.nodes.filter { node in
            node.needsGiven && !node.contract.takes.contains { given.has($0) }
        }
        for kind in graph.given {
            let stages = idle.filter { $0.contract.takes(kind) }.map { "“\($0.id)”" }
            guard !stages.isEmpty else { continue }
            let warning = kind.warning(of: stages.joined(separator: ", "))
            if !warnings.contains(warning) { warnings.append(warning) }
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

/// Warnings about jobs before they run, each sentence once.
struct BatchWarnings {
    private var order: [String] = []
    private var ids: [String: [String]] = [:]

    mutating func add(_ warnings: [String], of id: String) {
        for warning in warnings {
            if ids[warning] == nil { order.append(warning) }
            ids[warning, default: []].append(id)
        }
    }

    /// The most jobs that are named in one sentence.
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
