/// Comparison of the files' headers and summaries.
extension TrackFileComparison {
    mutating func addHeaders(_ old: TrackFileHeader, _ new: TrackFileHeader) {
        func differ(_ name: String, _ a: String, _ b: String) {
            if a != b { notes.append("\(name) \(a) and \(b)") }
        }
        differ("written by", old.generator, new.generator)
        differ("sources", old.source.name.inOneLine, new.source.name.inOneLine)
        func ratio(_ value: Rational?) -> String { value.map { "\($0.numerator)/\($0.denominator)" } ?? "none" }
        differ("time bases", ratio(old.source.timeBase), ratio(new.source.timeBase))
        if old.source.timeBase != new.source.timeBase { notes.append("frames are matched by their numbers") }
        differ("frame rates", ratio(old.source.frameRate), ratio(new.source.frameRate))
        func range(_ header: TrackFileHeader) -> String {
            header.range.map { "\(plain($0.start))–\($0.end.map { plain($0) } ?? "")" } ?? "none"
        }
        differ("ranges", range(old), range(new))
        addStages(old.stages, new.stages)
    }

    private mutating func addStages(_ old: [TrackFileHeader.Stage], _ new: [TrackFileHeader.Stage]) {
        for stage in old where !new.contains(where: { $0.id == stage.id }) {
            differences.append("stage “\(stage.id)” is only in the old one")
        }
        for stage in new {
            guard let before = old.first(where: { $0.id == stage.id }) else {
                differences.append("stage “\(stage.id)” is only in the new one")
                continue
            }
            if before.type != stage.type {
                notes.append("stage “\(stage.id)” is of type \(before.type) and \(stage.type)")
                continue
            }
            for name in Self.changes(before.options + before.details, stage.options + stage.details) {
                notes.append("stage “\(stage.id)” has another \(name)")
            }
        }
    }

    /// Names of members that don't have the same value.
    private static func changes(_ old: [JSONMember], _ new: [JSONMember]) -> [String] {
        func text(_ members: [JSONMember], _ key: String) -> String? {
            members.first { $0.key == key }.map { member in
                var json = JSONWriter()
                json.value(member.value.value)
                return json.text
            }
        }
        let keys = (old + new).map(\.key).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return keys.filter { text(old, $0) != text(new, $0) }
    }

    /// Compares what summaries say beyond the frames; and, where the frames say the same, what they say otherwise all
    /// the same.
    mutating func addSummaries(_ old: TrackFileSummary?, _ new: TrackFileSummary?) {
        guard let old, let new else { return }
        func differ(_ name: String, _ a: Int, _ b: Int) {
            if a != b { differences.append("\(name): \(a) and \(b)") }
        }
        differ("damaged pictures that were patched up", old.concealed, new.concealed)
        differ("damaged packets that were left out", old.skipped, new.skipped)
        if old.isCutOff != new.isCutOff { differences.append("the source is cut off in one of them only") }
        guard verdict == .equal, renumbered.isEmpty else { return }
        let tracks = zip(old.tracks, new.tracks).allSatisfy { old, new -> Bool in
            guard new.track == old.track else { return false }
            // A file of before says less.
            return (old.seen == nil ? old.difference(from: new) : new.difference(from: old)) == nil
        }
        let stages = zip(old.stages ?? [], new.stages ?? []).allSatisfy { old, new -> Bool in
            new.difference(from: old) == nil
        }
        guard old.tracks.count == new.tracks.count, tracks, old.frames == new.frames, stages else {
            differences.append("the summaries, though the frames are the same: see what verify says")
            return
        }
    }
}
