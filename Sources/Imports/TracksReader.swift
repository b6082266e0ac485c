/// A track file's observations: their heads, and the parts of detections and objects; what kinds say beyond that is left out.
struct TracksReader {
    private let request: ImportRequest
    private let reader: TrackFileReader

    init(_ request: ImportRequest) throws {
        self.request = request
        reader = try TrackFileReader(path: request.path, kinds: Self.kinds(request.kinds))
        let stages = reader.header.stages.map(\.id)
        if let missing = request.stages.first(where: { !stages.contains($0) }) {
            let told = stages.map { "“\($0)”" }.joined(separator: ", ")
            throw request.failure(1, "no stage “\(missing)”; expected one of \(told)")
        }
    }

    /// What track files hold: the stages' results, and the truth of rendered clips, which are markers, cards and objects.
    private static func kinds(_ kinds: FindingCatalog) -> FindingCatalog {
        let rendered = ["markers", "rectangles"].flatMap { kinds.kinds(of: $0) ?? [] }
        return kinds.adding("synth", rendered + [ObjectFinding.self])
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
                row.parts = parts(of: observation, &rows)
                rows.kinds.insert(observation.kind)
                rows.append(row)
            }
        }
        return rows
    }

    /// Mask, joints and angle. Joints of one skeleton, the first one's: a stage has one.
    private func parts(of observation: Observation, _ rows: inout ImportedRows) -> ObjectFinding? {
        guard [ObjectFinding.kind, DetectionFinding.kind].contains(observation.kind) else { return nil }
        var parts = ObjectFinding(partsOf: observation.finding.base)
        if !parts.joints.isEmpty {
            let skeleton = observation.skeleton(reader.header.skeletons[observation.stage])
            rows.skeleton = rows.skeleton ?? skeleton
            if skeleton != rows.skeleton {
                parts.joints = []
                rows.omissions.insert("joints of another skeleton than the first one")
            }
        }
        return parts.mask == nil && parts.joints.isEmpty && parts.angle == nil ? nil : parts
    }
}
