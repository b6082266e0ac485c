internal import CFFmpeg

/// The places of a video at which decoding can begin as if all before had been decoded, and the times of its pictures, as
/// packets tell them.
package struct CutPlaces: Sendable {
    /// A picture with which decoding can begin.
    package struct Place: Sendable, Hashable {
        /// Its ordinal from the file's start.
        package var ordinal: Int
        /// Its time, ticks of the source's time base.
        package var tick: Int64

        package init(ordinal: Int, tick: Int64) { (self.ordinal, self.tick) = (ordinal, tick) }
    }

    /// Times of all pictures, in order, ticks.
    package private(set) var pts: [Int64] = []
    /// Seconds a tick.
    package let timeBase: Rational
    /// The pictures that are asked for, by their ordinals.
    package private(set) var frames = 0..<0
    /// In order; all of them inside `frames`.
    package private(set) var places: [Place] = []

    /// Reads a file's packets; nothing is decoded.
    /// - Returns: nil where its packets don't tell its pictures: only decoding does.
    /// - Throws: `FileError`.
    package init?(path: String, options: SourceOptions, cancellation: Cancellation?) throws {
        let demuxer = try Demuxer(
            path: path, frameRate: options.frameRate, limits: options.limits, cancellation: cancellation)
        let stream = try demuxer.videoStream()
        timeBase = Rational(stream.pointee.time_base)
        let access = RandomAccess(stream: stream)
        guard access.isPossible else { return nil }
        for other in demuxer.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
        var starts: [Int64] = []
        /// Parameters that packets so far carried: decoding needs them too.
        var carried: CarriedParameters = []
        while let packet = try demuxer.next() {
            guard packet.av.pointee.stream_index == stream.pointee.index else { continue }
            guard access.isOnePicture(packet) else { return nil }
            let time = packet.av.pointee.pts
            let own = access.parameters(of: packet)
            if carried.isSubset(of: own), access.isStart(packet) { starts.append(time) }
            carried.formUnion(own)
            // Pictures before the first one have lost what they refer to, and don't come out.
            if let first = pts.first ?? starts.first, time < first { return nil }
            if pts.isEmpty, starts.isEmpty { return nil }
            pts.append(time)
        }
        pts.sort()
        guard let first = pts.first, let last = pts.last, first > -MediaTime.latest(timeBase),
            last < MediaTime.latest(timeBase),
            zip(pts, pts.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        let range = TickRange(options.range, timeBase: timeBase)
        let begin = count(before: range.start)
        frames = begin..<max(begin, count(before: range.end))
        places = starts.map { Place(ordinal: count(before: $0), tick: $0) }.filter { frames.contains($0.ordinal) }
    }

    /// How many pictures begin before a tick.
    private func count(before tick: Int64) -> Int {
        var (low, high) = (0, pts.count)
        while low < high {
            let middle = (low + high) / 2
            if pts[middle] < tick { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The time of a picture, seconds.
    package func seconds(of ordinal: Int) -> Double { MediaTime(ticks: pts[ordinal], timeBase: timeBase).seconds }

    /// The places that divide the pictures most evenly.
    /// - Parameter parts: How many parts are wanted; there are fewer where there are too few places.
    /// - Returns: Where each part but the first begins, in order.
    package func dividing(into parts: Int) -> [Place] {
        var chosen: [Place] = []
        for part in stride(from: 1, to: parts, by: 1) {
            let goal = frames.lowerBound + frames.count * part / parts
            let least = chosen.last?.ordinal ?? frames.lowerBound
            guard
                let place = places.filter({ $0.ordinal > least }).min(by: {
                    abs($0.ordinal - goal) < abs($1.ordinal - goal)
                })
            else { break }
            // Two goals may have the same place next to them: the nearest one that is left is another's.
            if let next = chosen.last, abs(next.ordinal - goal) <= abs(place.ordinal - goal) { continue }
            chosen.append(place)
        }
        return chosen
    }
}
