/// Checks a job whose overlay is laid over a video, for what can't be laid over or said in one.
struct OverlayReader {
    let node: JSONNode
    let path: [PathComponent]
    /// Whether it is laid over the source's own packets.
    let isCopied: Bool
    /// Whether it is written beside the track file.
    let isWritten: Bool
    let log: ProblemLog

    /// Refuses inputs that can't be copied: what is copied has packets, and is read twice.
    func check(inputs: [String], sizes: InputSizes) {
        guard isCopied else { return }
        for input in inputs {
            let reason: String
            switch MediaInput(path: input) {
            case .standardInput: reason = "standard input, which can be read once: “copy” reads it again"
            case .sequence: reason = "a sequence of pictures, and no video whose packets “copy” could keep"
            case .file:
                guard sizes.isPhoto(input) else { continue }
                reason = "a photo, and no video whose packets “copy” could keep"
            }
            log.add(
                "“\(input)” is \(reason); expected a video file, or another codec", at: node["input"] ?? node,
                path: path + [.key("input")])
        }
    }

    /// Refuses what stages draw and an overlay can't.
    func check(_ graph: Graph) {
        guard isCopied || isWritten else { return }
        if let covers = node["cover"], covers.elements?.isEmpty == false {
            log.add(coverComplaint, at: covers, path: path + [.key("cover")])
        }
        let stages = graph.node["stages"]?.elements ?? []
        for stage in graph.plan.nodes {
            guard let index = stages.firstIndex(where: { $0["id"]?.string == stage.id }) else { continue }
            let place = self.place(of: graph) + [.key("stages"), .index(index)]
            func complain(_ key: String, _ message: String) {
                log.add(
                    message, at: stages[index]["draw"]?[key] ?? stages[index], path: place + [.key("draw"), .key(key)])
            }
            let styles = stage.styles.values
            if styles.contains(where: { $0.cover != nil }) {
                complain("cover", coverComplaint)
            }
            guard isCopied else { continue }
            for (key, isThere) in [
                ("image", styles.contains { $0.image != nil }), ("model", styles.contains { $0.model != nil }),
            ] where isThere {
                complain(key, "“\(key)” with “copy”, whose overlay draws lines and text alone; expected another codec")
            }
            if stage.contract.emits.contains(where: { $0.showsPictures && stage.styles[$0.kind] != nil }) {
                log.add(
                    "stage type “\(stage.contract.type)” lays pictures on the video, and “copy” changes none; expected "
                        + "another codec, or “draw”: false", at: stages[index], path: place)
            }
        }
    }

    /// Refuses stages that lay altered pictures of the video itself on it, where something of it is hidden: they show it.
    func checkAltered(_ graph: Graph) {
        let nodes = graph.plan.nodes
        let covers = node["cover"]?.elements?.contains { $0["audio"] == nil } == true
        guard !isCopied, covers || nodes.indices.contains(where: { graph.plan.hides($0) }) else { return }
        let stages = graph.node["stages"]?.elements ?? []
        for stage in nodes where stage.contract.attachmentUse == .toDrawing && !stage.styles.isEmpty {
            guard let index = stages.firstIndex(where: { $0["id"]?.string == stage.id }) else { continue }
            log.add(
                "stage type “\(stage.contract.type)” lays pictures made of the video on it, and something in that is covered, which they "
                    + "would show; expected no cover, or “draw”: false here", at: stages[index],
                path: place(of: graph) + [.key("stages"), .index(index)])
        }
    }

    private var coverComplaint: String {
        let (cause, way) =
            isCopied ? ("“copy”", "another codec") : ("the format “ass”", "no “ass” among the formats")
        return
            "a cover with \(cause): an overlay takes no pixel away, and what is covered would be seen; expected \(way)"
    }

    /// A graph of a name stands among the others, another one in the job.
    private func place(of graph: Graph) -> [PathComponent] {
        if let name = node["graph"]?.string { return [.key("graphs"), .key(name)] }
        return path + [.key("graph")]
    }
}
