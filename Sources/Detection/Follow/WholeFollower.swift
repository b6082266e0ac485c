/// Follows with all frames at hand: the second pass.
///
/// What the first pass told apart for sure are tracklets; they are joined with what is known from both sides, loose
/// detections on the paths between them are taken in, and short gaps that are left are filled. Nothing that was measured is
/// moved.
struct WholeFollower {
    /// What a frame says of a track.
    typealias Told = FrameFollower.Told

    /// A frame of the first pass.
    struct Frame {
        var seconds: Double
        /// False where a rate left the frame out: that nothing is seen in it says nothing.
        var isLooked = true
        var sightings: [Loose]
    }

    /// A detection without its appearance.
    struct Loose {
        var box: Box
        var score: Double
        var index: Int
    }

    let model: FollowModel
    let memory: Double

    /// - Parameters:
    ///   - tracklets: Of the first pass.
    ///   - frames: All of them, in order.
    /// - Returns: What each frame says, tracks numbered in order of their beginnings.
    func follow(_ tracklets: [Tracklet], _ frames: [Frame]) -> [[Told]] {
        var judging = model
        judging.looks = model.looks.learned(from: tracklets)
        let looks = frames.filter(\.isLooked).map(\.seconds)
        var tracks = TrackletJoiner(model: judging, memory: memory, looks: looks).join(tracklets)
        collect(&tracks, frames)
        tracks = tracks.filter { assurance(of: $0) >= model.worth }
            .sorted { ($0.first.frame, $0.first.index ?? 0) < ($1.first.frame, $1.first.index ?? 0) }
        var told = [[Told]](repeating: [], count: frames.count)
        for (index, track) in tracks.enumerated() { tell(track, number: index + 1, frames, &told) }
        return told
    }

    /// Takes loose detections in that lie on a path between two looks.
    private func collect(_ tracks: inout [Tracklet], _ frames: [Frame]) {
        var used = [Set<Int>](repeating: [], count: frames.count)
        var wanted = [[(track: Int, box: Box)]](repeating: [], count: frames.count)
        for (index, track) in tracks.enumerated() {
            for step in track.steps { if let place = step.index { used[step.frame].insert(place) } }
            for (step, next) in zip(track.steps, track.steps.dropFirst()) where next.frame - step.frame > 1 {
                for frame in step.frame + 1..<next.frame {
                    wanted[frame].append((index, step.box(towards: next, at: frames[frame].seconds)))
                }
            }
        }
        var more = [[TrackStep]](repeating: [], count: tracks.count)
        for (frame, wanted) in wanted.enumerated() where !wanted.isEmpty {
            let loose = frames[frame].sightings.filter { !used[frame].contains($0.index) }
            let rows = loose.map { sighting in
                wanted.enumerated().compactMap { place, path -> (column: Int, weight: Double)? in
                    let overlap = path.box.intersectionOverUnion(sighting.box)
                    return overlap > model.pathOverlap ? (place, overlap) : nil
                }
            }
            for (sighting, place) in zip(loose, SparseAssignment.solve(rows)) {
                guard let place else { continue }
                more[wanted[place].track].append(
                    TrackStep(
                        frame: frame, seconds: frames[frame].seconds, box: sighting.box, score: sighting.score,
                        index: sighting.index))
            }
        }
        for index in tracks.indices { tracks[index].insert(more[index]) }
    }

    /// That a track is more than false alarms, nats.
    private func assurance(of track: Tracklet) -> Double {
        var (sum, last) = (0.0, Double?.none)
        for step in track.steps {
            sum += model.assurance(score: step.score, after: last.map { step.seconds - $0 })
            last = step.seconds
        }
        return sum
    }

    private func tell(_ track: Tracklet, number: Int, _ frames: [Frame], _ told: inout [[Told]]) {
        var last: TrackStep?
        for step in track.steps {
            var state = TrackState.tracked
            if let last, step.frame - last.frame > 1 {
                let between = frames[last.frame + 1..<step.frame]
                let isFilled = step.seconds - last.seconds <= model.fill || !between.contains(where: \.isLooked)
                if !isFilled { state = .recovered }
                for frame in last.frame + 1..<step.frame {
                    // As sure as the less sure of both ends.
                    told[frame].append(
                        Told(
                            number: number, state: isFilled ? .predicted : .lost,
                            box: isFilled ? last.box(towards: step, at: frames[frame].seconds) : nil,
                            confidence: isFilled ? min(last.score, step.score) : 0, label: track.label,
                            isLooked: frames[frame].isLooked))
                }
            }
            told[step.frame].append(
                Told(
                    number: number, state: state, box: step.box, index: step.index, confidence: step.score,
                    label: track.label))
            last = step
        }
        // What no look missed any more is still there when the frames end.
        guard let last else { return }
        let end = frames[(last.frame + 1)...].firstIndex(where: \.isLooked)
        for frame in last.frame + 1..<(end ?? frames.count) {
            told[frame].append(
                Told(
                    number: number, state: .predicted, box: last.box, confidence: last.score, label: track.label,
                    isLooked: false))
        }
        if let end { told[end].append(Told(number: number, state: .ended, confidence: 0, label: track.label)) }
    }
}
