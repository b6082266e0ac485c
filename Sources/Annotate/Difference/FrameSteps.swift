/// One frame as two track files have it; nil where one of them hasn't.
struct FramePair: Sendable {
    var old: FrameRecord?
    var new: FrameRecord?

    /// The frame's number and time: the old file's, where it has the frame.
    var moment: Moment {
        let frame = old ?? new
        return Moment(frame: frame?.frame ?? 0, seconds: frame?.pts.seconds ?? 0)
    }
}

/// Reads two track files frame by frame: by their time stamps where these are of one time base, else by their numbers.
final class FrameSteps {
    let old: TrackFileReader
    let new: TrackFileReader
    private var nextOld: FrameRecord?
    private var nextNew: FrameRecord?
    private let isByTime: Bool

    /// - Throws: What `TrackFileReader` does.
    init(old: String, new: String, kinds: FindingCatalog) throws {
        self.old = try TrackFileReader(path: old, kinds: kinds)
        self.new = try TrackFileReader(path: new, kinds: kinds)
        isByTime = self.old.header.source.timeBase == self.new.header.source.timeBase
        nextOld = try self.old.next()
        nextNew = try self.new.next()
    }

    /// The next frame; nil behind the last ones of both.
    func next() throws -> FramePair? {
        // Behind the end of one of them all is the other's.
        guard let first = nextOld.map(key) ?? nextNew.map({ _ in Int64.max }),
            let second = nextNew.map(key) ?? nextOld.map({ _ in Int64.max })
        else { return nil }
        let pair = FramePair(
            old: nextNew == nil || first <= second ? nextOld : nil,
            new: nextOld == nil || second <= first ? nextNew : nil)
        if pair.old != nil { nextOld = try old.next() }
        if pair.new != nil { nextNew = try new.next() }
        return pair
    }

    private func key(_ frame: FrameRecord) -> Int64 { isByTime ? frame.pts.ticks : Int64(frame.frame) }
}
