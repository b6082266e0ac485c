internal import CFFmpeg

/// Checks a copied video against its source before it gets its name: as `verify` would.
struct CopyCheck {
    let size: PictureSize
    /// Whether the source is shown lying on its side, which not every Matroska file can say.
    let isTurned: Bool
    /// Whether the frames are a part of the source alone.
    let isPart: Bool
    /// Whether the frames aren't as they were decoded.
    let isAltered: Bool
    let cancellation: Cancellation?
    /// Times of the frames, in the copy's thousandths of a second.
    private var times: [Int64] = []
    /// A sum of the first frame's luma.
    private var first: UInt64?

    init(size: PictureSize, isTurned: Bool, isPart: Bool, isAltered: Bool, cancellation: Cancellation?) {
        (self.size, self.isTurned, self.isPart) = (size, isTurned, isPart)
        (self.isAltered, self.cancellation) = (isAltered, cancellation)
    }

    /// Takes the next frame.
    /// - Parameter time: When it is shown, in the copy's thousandths.
    /// - Throws: `FileError` where it can't be told from the one before it.
    mutating func add(_ frame: VideoFrame, at time: Int64, path: String) throws {
        if first == nil { first = frame.lumaHash }
        try MatroskaTime.check(time, after: times.last, path: path)
        times.append(time)
    }

    /// What isn't as it should be, in words; nil where all is well.
    /// - Parameters:
    ///   - file: The copy, finished.
    ///   - offset: Ticks that its stamps lie behind the source's.
    ///   - isWhole: Whether every packet of the source made its picture, and is one of the frames but for a range: then the
    ///     same packets make the same pictures, and the first tells whether they can be decoded.
    func problem(
        _ file: String, of source: Demuxer, offset: Int64, _ outcome: SourceOutcome, _ isWhole: Bool
    ) throws -> String? {
        do {
            let copy = try Demuxer(path: file, limits: source.limits, cancellation: cancellation)
            if let problem = try PacketComparison.problem(try source.again(), copy, offset: offset, cancellation) {
                return problem
            }
            return try pictures(file, source.limits, outcome, isWhole)
        } catch let error as FileError where error.isAbout(file) {
            return error.reason
        }
    }

    private func pictures(
        _ file: String, _ limits: MediaLimits, _ outcome: SourceOutcome, _ isWhole: Bool
    ) throws -> String? {
        var options = SourceOptions()
        options.limits = limits
        options.knowsEnd = true
        let isDamaged = outcome.concealed + outcome.skipped > 0 || outcome.isCutOff
        if isDamaged || isPart { options.onError = .skipFrame }
        let reader = try SourceReader(path: file, options: options, cancellation: cancellation)
        let isSideways = isTurned && reader.info.rotation == 0
        let shown = isSideways ? PictureSize(width: size.height, height: size.width) : size
        var count = 0
        while let frame = try reader.next() {
            if cancellation?.isCancelled == true { throw CancelledError() }
            if isWhole, isPart { return nil }
            let time = frame.pts.ticks
            guard let start = times.first, let end = times.last, time >= start, time <= end else { continue }
            guard PictureSize(width: frame.width, height: frame.height) == shown else {
                return "its pictures have \(frame.width)×\(frame.height) pixels there"
            }
            guard count < times.count, times[count] == time else { return "its pictures have other times there" }
            if isWhole {
                let isSame = isSideways || isAltered || first == frame.lumaHash
                return isSame ? nil : "its pictures look otherwise there"
            }
            count += 1
        }
        return count == times.count ? nil : "\(count) of its \(times.count) pictures are there"
    }
}
