internal import Graph

/// A track file's observations: their heads; what their kinds say beyond that is left out.
struct TracksReader {
    private let request: ImportRequest
    private let reader: TrackFileReader

    init(_ request: ImportRequest) throws {
        self.request = request
        reader = try TrackFileReader(path: request.path, kinds: StageCatalog.trackFileKinds)
        let stages = reader.header.stages.map(\.id)
        if let missing = request.stages.first(where: { !stages.contains($0) }) {
            let told = stages.map { "“\($0)”" }.joined(separator: ", ")
            throw request.failure(1, "no stage “\(missing)”; expected one of \(told)")
        }
    }

    func read() throws -> ImportedRows {
        let source = reader.header.source
        var rows = ImportedRows(clock: request.by == .time ? .ticks(source.timeBase) : .frames)
        rows.size = PictureSize(width: source.width, height: source.height)
        // The header's line is the first one.
        var line = 1
        while let frame = try reader.next() {
            line += 1
            for observation in frame.observations {
                guard request.stages.isEmpty || request.stages.contains(observation.stage) else { continue }
                let isInSight = observation.isInSight
                guard observation.bounds != nil || !isInSight && observation.track != nil else { continue }
                var row = ImportedRow()
                row.line = line
                row.key = request.by == .time ? frame.pts.ticks : Int64(frame.frame)
                row.id = observation.track?.number
                (row.label, row.region) = (observation.label, observation.region)
                (row.confidence, row.state, row.isHeld) =
                    (observation.confidence, observation.state, observation.isHeld)
                row.polygon = try observation.polygon.map { try request.polygon($0, line: line) }
                row.box = try observation.box.map { try request.box([$0.x, $0.y, $0.width, $0.height], line: line) }
                rows.kinds.insert(observation.kind)
                rows.append(row)
            }
        }
        return rows
    }
}

extension StageCatalog {
    /// What track files hold: the stages' results, and the truth of rendered clips.
    static var trackFileKinds: FindingCatalog {
        standard.findings.adding("synth", [MarkerFinding.self, RectangleFinding.self, ObjectFinding.self])
    }
}
