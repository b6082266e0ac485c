/// Audio on its way around the stages, from the reader to the writer.
///
/// Each packet goes behind the picture that was read after it, so that the output's order doesn't depend on the schedule.
package final class AudioQueue: Sendable {
    private let waiting = Monitor<[(picture: Int, packet: Packet)]>([])

    package init() {}

    /// Adds packets that go behind the picture before one.
    /// - Parameter picture: The ordinal of the picture that was read after the packets.
    package func add(_ packets: [Packet], with picture: Int) {
        guard !packets.isEmpty else { return }
        waiting.withLock { $0 += packets.map { (picture, $0) } }
    }

    /// The packets that go before the picture after this one.
    package func take(through picture: Int) -> [Packet] {
        waiting.withLock { waiting in
            let count = waiting.prefix { $0.picture <= picture }.count
            defer { waiting.removeFirst(count) }
            return waiting.prefix(count).map(\.packet)
        }
    }
}
