/// Proves that an annotated video's sound hides what its track file says: what it is to be is made anew of the source's, and held
/// against what is heard.
///
/// AAC changes samples. So the question is, as of pictures, how much of the source is there again beside what it was made into: 0
/// for sound that is hidden, 1 for none, less where it was turned down.
struct SoundProof {
    /// Seconds of the parts that are judged on their own.
    private static let part = 0.1
    /// The part of the source from which on it is heard, whatever else is; and where what is heard is as like it.
    private static let heard = 0.5, faint = 0.05, likeness = 0.5
    /// What may be heard beside silence or a tone, of the source and of the tone, whatever it is: an encoder makes less.
    private static let anything = (source: 0.25, tone: 0.05)
    /// The share of a part that has to be there.
    private static let least = 0.1
    /// Mean square of what was taken away below which there is nothing to hear: 60 dB under full scale.
    private static let something = 1e-6

    /// - Parameter offset: Seconds by which the video's times are later than the source's.
    /// - Returns: A sentence for each of the first moments in which something is heard.
    static func problems(
        video: String, source: String, hidden: [HiddenSound], offset: Double, cancellation: Cancellation?
    ) throws -> [String] {
        guard !hidden.isEmpty else { return [] }
        var faults: [String] = []
        var faulty = 0
        // A track that couldn't be made is left out, and the others go on in its place: nothing can be said of them.
        let tracks = try SoundComparison.tracks(of: video, cancellation: cancellation)
        guard try tracks == SoundComparison.tracks(of: source, cancellation: cancellation) || tracks == 0 else {
            return [
                "the video has \(tracks) audio tracks, and its source others: what is hidden in them can't be proven"
            ]
        }
        for track in 0..<tracks {
            let comparison = try SoundComparison(
                source: source, output: video, track: track, hidden: hidden, offset: offset, cancellation: cancellation)
            try comparison.forEachPart(seconds: part) { time, part in
                // A few samples at the end are like anything.
                guard part.share >= least, part.taken >= something, part.before >= something,
                    isHeard(part)
                        || leavesNothing(hidden, at: time) && isAnythingHeard(part, isTone: isTone(hidden, at: time))
                else { return }
                faulty += 1
                if faulty <= 3 {
                    faults.append(
                        "\(plain((time * 1000).rounded() / 1000)) s: sound that is to be hidden is heard in the video")
                }
            }
        }
        return faults + (faulty > 3 ? ["… and \(faulty - 3) more such tenths of a second"] : [])
    }

    /// Whether what was to be heard in a part of time, all of it, is silence or a tone.
    private static func leavesNothing(_ hidden: [HiddenSound], at time: Double) -> Bool {
        hidden.contains {
            $0.style != .pitch && $0.start <= time && $0.end ?? .infinity >= time + part
        }
    }

    /// Whether a tone is to be heard in all of a part of time.
    private static func isTone(_ hidden: [HiddenSound], at time: Double) -> Bool {
        hidden.contains { $0.style == .bleep && $0.start <= time && $0.end ?? .infinity >= time + part }
    }

    /// Whether there is more than that: the source backwards, shifted, or with another pitch, or something else.
    private static func isAnythingHeard(_ part: SoundComparison.Part, isTone: Bool) -> Bool {
        let limit = anything.source * part.before + anything.tone * part.made
        // A piece at the very end is what an encoder makes of an end.
        return part.share >= 0.5 && part.heard > limit && !(isTone && part.besideTone <= limit)
    }

    private static func isHeard(_ part: SoundComparison.Part) -> Bool {
        part.back > heard * part.before
            || part.back > faint * part.before
                && part.back * part.back > likeness * likeness * part.before * part.heard
    }
}
