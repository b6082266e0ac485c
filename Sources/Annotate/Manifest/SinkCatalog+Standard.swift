extension SinkCatalog {
    /// THE list of sinks. A new one is one file and one line here.
    public static let standard = SinkCatalog([
        TracksSink.self, CSVSink.self, MOTSink.self, COCOSink.self, CVATSink.self, CVATImagesSink.self,
        LabelStudioSink.self, LabelStudioImagesSink.self, YOLOSink.self, YOLOSegmentSink.self, YOLOPoseSink.self,
        YOLOTurnedSink.self, VTTSink.self, AssSink.self,
    ])
}

extension TrackFileExport {
    /// To one of the standard formats.
    public init?(format: String, filter: ExportFilter, kinds: FindingCatalog) {
        self.init(format: format, filter: filter, kinds: kinds, sinks: .standard)
    }

    /// To one of the standard formats.
    /// - Parameter stages: Ids of those whose results are written; all where it is empty.
    public init?(format: String, stages: [String] = [], kinds: FindingCatalog) {
        self.init(format: format, filter: ExportFilter(stages: stages), kinds: kinds)
    }
}
