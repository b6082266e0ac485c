/// Proves that an annotated video's sound hides what its track file says: what it is to be is made anew of the source's, and held
/// against what is heard.
///
/// AAC changes samples. So the question is, as of pictures, how much of what was taken away is there again: the part of the
/// difference between the source and what it was made into that is heard, 0 for sound that is hidden and 1 for none.
struct SoundProof {
    /// Seconds of the parts that are judged on their own.
    private static let part = 0.1
    /// The part of what was taken away from which on it is heard.
    private static let heard = 0.5
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
            try comparison.forEachPart(seconds: part) { time, taken, back in
                guard taken >= something, back > heard * taken else { return }
                faulty += 1
                if faulty <= 3 {
                    faults.append(
                        "\(plain((time * 1000).rounded() / 1000)) s: sound that is to be hidden is heard in the video")
                }
            }
        }
        return faults + (faulty > 3 ? ["… and \(faulty - 3) more such tenths of a second"] : [])
    }
}
