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

    /// Adds a sink of a program's own. When a program starts: as soon as the list has been read, it is what it is.
    /// - Throws: `RegistrationError` where it comes too late, or its name or suffix is another one's or none.
    public static func register(_ sink: any Sink.Type) throws {
        try registered.withLock {
            let format = sink.format
            guard !$0.isRead else {
                throw RegistrationError(
                    "the sink “\(format.name)” comes too late; expected it before a manifest or an export is read")
            }
            guard TextRule.identifier.accepts(format.name) else {
                throw RegistrationError(
                    "a sink's name is “\(format.name.inOneLine)”; expected letters, digits, “.”, “-” and “_”")
            }
            guard format.suffix.hasPrefix("."), format.suffix.count > 1, !format.suffix.contains("/") else {
                throw RegistrationError(
                    "the sink “\(format.name)” has the suffix “\(format.suffix.inOneLine)”; expected one such as “.txt”, without “/”"
                )
            }
            for other in (standard.sinks + $0.sinks).map({ $0.format })
            where other.name == format.name || other.suffix == format.suffix {
                throw RegistrationError(
                    "the sink “\(format.name)”, suffix “\(format.suffix)”, has a name or suffix of the sink “\(other.name)”, "
                        + "“\(other.suffix)”; expected others")
            }
            $0.sinks.append(sink)
        }
    }

    /// The error of a sink that can't be added.
    public struct RegistrationError: Error, CustomStringConvertible {
        public let description: String

        fileprivate init(_ description: String) { self.description = description }
    }
}

extension TrackFileExport {
    /// To one of the formats that there are.
    public init?(format: String, filter: ExportFilter, kinds: FindingCatalog) {
        self.init(format: format, filter: filter, kinds: kinds, sinks: .known)
    }

    /// To one of the formats that there are.
    /// - Parameters:
    ///   - format: Its name, as `output.formats` has it.
    ///   - stages: Ids of those whose results are written; all where it is empty.
    ///   - kinds: Kinds of results that the program knows.
    public init?(format: String, stages: [String] = [], kinds: FindingCatalog) {
        self.init(format: format, filter: ExportFilter(stages: stages), kinds: kinds)
    }
}
