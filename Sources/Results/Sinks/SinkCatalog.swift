/// The forms of results that there are.
public struct SinkCatalog: Sendable {
    package let sinks: [any Sink.Type]

    /// The forms of these types, in the order in which they are listed.
    public init(_ sinks: [any Sink.Type]) { self.sinks = sinks }

    /// The forms' names and properties, in the order of the list.
    public var formats: [SinkFormat] { sinks.map { $0.format } }

    /// Forms that a run may write beside the track file, which it always writes.
    package var besideTracks: [SinkFormat] { formats.filter { $0.name != TracksSink.format.name } }

    /// The sink that writes a form, by its name.
    public func sink(named name: String) -> (any Sink.Type)? { sinks.first { $0.format.name == name } }
}
