/// Reads when a region or point begins and ends.
struct MomentReader {
    let node: JSONNode
    let path: [PathComponent]
    /// What begins.
    let noun: String
    var log: ProblemLog

    mutating func read() -> (start: Seed.Moment, end: Seed.Moment?) {
        if let frame = node["frame"], node["time"] != nil {
            log.add("“time” and “frame” together; expected one of them", at: frame, path: path + [.key("frame")])
        }
        let end = node["end"]?.number
        if let frame = node["frame"]?.integer {
            checkEnd(Double(frame))
            guard let end else { return (.frame(frame), nil) }
            return (.frame(frame), .frame(Int(exactly: end.rounded(.up)) ?? .max))
        }
        let time = node["time"]?.number ?? 0
        checkEnd(time)
        guard let end else { return (.seconds(time), nil) }
        return (.seconds(time), .seconds(end))
    }

    private mutating func checkEnd(_ start: Double) {
        guard let end = node["end"], let value = end.number, value <= start else { return }
        log.add(
            "the \(noun) ends at \(plain(value)) and starts at \(plain(start)); expected an end after the start",
            at: end, path: path + [.key("end")])
    }
}
