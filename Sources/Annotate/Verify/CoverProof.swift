internal import CFFmpeg

/// Proves that an annotated video hides what its track file says: what is covered in each picture of the source is worked out
/// as the job did, and the video's pixels under every cover are held against what the cover makes of the source's.
struct CoverProof {
    /// Faults that are told one by one.
    private static let most = 3

    private let header: TrackFileHeader
    private let styles: [String: [String: DrawStyle]]
    /// Of what is covered by hand, too: moments by their number, first of all.
    private var faults: [String] = []
    private var faulty = 0
    private var isFirst = true
    /// Looks for what is neither the source nor a cover.
    private var foreign = ForeignPart()
    /// Looks for what was to be hidden in the video itself; nil where nobody asks for it.
    private var again: AgainCheck?

    /// - Parameter again: Looks for what was to be hidden in the video itself.
    /// - Returns: A sentence for each of the first moments in which something is seen, and how many more there are; and what is to
    ///   be known besides.
    /// - Throws: `TrackFileError`, `MediaError`.
    static func problems(
        trackFile: String, video: String, source: String, options: SourceOptions, kinds: FindingCatalog,
        again: AgainCheck? = nil, cancellation: Cancellation?
    ) throws -> (problems: [String], notes: [String]) {
        let tracks = try TrackFileReader(path: trackFile, kinds: kinds)
        var proof = CoverProof(tracks.header, kinds)
        proof.again = again
        var options = options
        options.deinterlacing = tracks.header.source.isDeinterlaced ? .always : .never
        let pictures = try SourceReader(path: source, options: options, cancellation: cancellation)
        var shown = SourceOptions()
        shown.knowsEnd = true
        let video = try SourceReader(path: video, options: shown, cancellation: cancellation)
        try proof.run(tracks, pictures, video)
        let faults = proof.faults + (proof.faulty > most ? ["… and \(proof.faulty - most) more such frames"] : [])
        return (faults + (proof.again?.problems ?? []), proof.again?.notes ?? [])
    }

    private init(_ header: TrackFileHeader, _ kinds: FindingCatalog) {
        self.header = header
        styles = header.coveringStyles(kinds)
    }

    private mutating func run(_ tracks: TrackFileReader, _ source: SourceReader, _ video: SourceReader) throws {
        var queue: CoverQueue?
        let all = styles.sorted { $0.key < $1.key }.flatMap { stage, kinds in kinds.values.map { (stage, $0) } }
        while let record = try tracks.next(), let frame = try source.next() {
            let covers =
                queue
                ?? CoverQueue(styles: all, hidden: header.cover, pauses: header.pauses, first: frame)
            queue = covers
            queue?.add(
                frame,
                record.observations.map { observation in
                    DrawnObservation(observation, style: styles[observation.stage]?[observation.kind])
                })
            while let picture = queue?.next(isEnd: false) { try check(picture, try video.next()) }
        }
        while let picture = queue?.next(isEnd: true) { try check(picture, try video.next()) }
        if let said = tracks.summary?.cover, let found = queue?.summary, let difference = said.difference(from: found) {
            faults.append(difference)
        }
    }

    private mutating func check(_ picture: CoverQueue.Picture, _ shown: VideoFrame?) throws {
        // Pictures that are missing are told of elsewhere.
        guard let shown else { return }
        if isFirst {
            isFirst = false
            if let strange = aspect(shown, of: picture.frame) { faults.append(strange) }
        }
        guard !isOther(shown, than: picture) else {
            return tell("frame \(picture.frame.ordinal): the video shows another picture than the source")
        }
        try again?.look(at: shown, source: picture.frame, CoveredPlaces(picture))
        let when = "frame \(picture.frame.ordinal) (\(plain((picture.frame.seconds * 1000).rounded() / 1000)) s)"
        if !picture.covers.isEmpty, let place = BareCover.first(of: picture, in: shown) {
            return tell(
                "\(when): what the cover at \(Int(inRange: place.x)), \(Int(inRange: place.y)) hides, "
                    + "\(Int(inRange: place.width))×\(Int(inRange: place.height)) pixels, is seen in the video")
        }
        guard header.isBare, let place = foreign.largest(of: picture, in: shown) else { return }
        tell(
            "\(when): at \(Int(inRange: place.x)), \(Int(inRange: place.y)), \(Int(inRange: place.width))×"
                + "\(Int(inRange: place.height)) pixels, the video shows what is neither its source nor a cover")
    }

    private static func ratio(_ frame: VideoFrame) -> (Int, Int) {
        let ratio = frame.picture.av.pointee.sample_aspect_ratio
        return ratio.num > 0 && ratio.den > 0 ? (Int(ratio.num), Int(ratio.den)) : (1, 1)
    }

    /// Whether pixels have another form than the source's, in words: its numbers may be anybody's.
    private func aspect(_ shown: VideoFrame, of frame: VideoFrame) -> String? {
        let (found, own) = (Self.ratio(shown), Self.ratio(frame))
        let (value, expected) = (Double(found.0) / Double(found.1), Double(own.0) / Double(own.1))
        // Encoders have numbers of 16 bits for it, Matroska the width in whole pixels.
        return abs(value - expected) <= expected * max(0.001, 1 / Double(max(shown.width, 1)))
            ? nil : "the video's pixels are \(found.0)∶\(found.1), its source's \(own.0)∶\(own.1)"
    }

    private mutating func tell(_ fault: String) {
        faulty += 1
        if faulty <= Self.most { faults.append(fault) }
    }

    /// Whether the video shows something else beside what is covered and drawn.
    private func isOther(_ shown: VideoFrame, than picture: CoverQueue.Picture) -> Bool {
        let blocks = PictureSignature.Blocks(
            of: picture.observations.map(\.observation), hiding: picture.covers.compactMap(\.spot.bounds),
            in: PictureSize(width: picture.frame.width, height: picture.frame.height))
        return PictureSignature(shown).isOther(than: picture.frame, besides: blocks)
    }
}
