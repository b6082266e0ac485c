internal import Synchronization

extension SinkCatalog {
    /// The program's own sinks. A new one is one file and one line here.
    public static let standard = SinkCatalog([
        TracksSink.self, CSVSink.self, ParquetSink.self, MOTSink.self, COCOSink.self, CVATSink.self,
        CVATImagesSink.self,
        LabelStudioSink.self, LabelStudioImagesSink.self, YOLOSink.self, YOLOSegmentSink.self, YOLOPoseSink.self,
        YOLOTurnedSink.self, VTTSink.self, AssSink.self,
    ])

    /// The standard sinks and what was registered beside them: what a manifest's `output.formats` and exports may name.
    public static let known: SinkCatalog = registered.withLock {
        $0.isRead = true
        return SinkCatalog(standard.sinks + $0.sinks)
    }

    private static let registered = Mutex<(sinks: [any Sink.Type], isRead: Bool)>(([], false))

    /// Adds a sink of a program's own, under a name and a suffix that none has. When a program starts: as soon as the list has
    /// been read, it is what it is.
    public static func register(_ sink: any Sink.Type) {
        registered.withLock {
            precondition(!$0.isRead, "a sink is registered before manifests and exports are read, as a program starts")
            let isTaken = (standard.sinks + $0.sinks).contains {
                $0.format.name == sink.format.name || $0.format.suffix == sink.format.suffix
            }
            precondition(!isTaken, "there is a sink “\(sink.format.name)”, or one with suffix “\(sink.format.suffix)”")
            $0.sinks.append(sink)
        }
    }
}

extension TrackFileExport {
    /// To one of the formats that there are.
    public init?(format: String, filter: ExportFilter, kinds: FindingCatalog) {
        self.init(format: format, filter: filter, kinds: kinds, sinks: .known)
    }

    /// To one of the formats that there are.
    /// - Parameter stages: Ids of those whose results are written; all where it is empty.
    public init?(format: String, stages: [String] = [], kinds: FindingCatalog) {
        self.init(format: format, filter: ExportFilter(stages: stages), kinds: kinds)
    }
}
