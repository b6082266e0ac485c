/// Which clips of a data set are of one video: their pictures are the same.
enum ClipSources {
    /// Ids of clips, those of one video together.
    /// - Throws: `TrackFileError`.
    static func groups(of clips: [DataSet.Clip], _ kinds: FindingCatalog) throws -> [[String]] {
        var groups: [[String]] = []
        // Group of each key. One that was put into another has no ids any more.
        var places: [String: Int] = [:]
        for clip in clips {
            let keys = clip.source.isEmpty ? [try key(of: clip, kinds)] : clip.source
            let known = Set(keys.compactMap { places[$0] }).sorted()
            let place = known.first ?? groups.count
            if known.isEmpty { groups.append([]) }
            for other in known.dropFirst() {
                groups[place] += groups[other]
                groups[other] = []
                for (key, old) in places where old == other { places[key] = place }
            }
            groups[place].append(clip.id)
            for key in keys { places[key] = place }
        }
        return groups.filter { !$0.isEmpty }
    }

    /// What a track file says of its video, where nothing else is known of it.
    private static func key(of clip: DataSet.Clip, _ kinds: FindingCatalog) throws -> String {
        let source = try TrackFileReader(path: clip.tracks, kinds: kinds).header.source
        return "\(source.name)\n\(source.width) \(source.height) \(source.timeBase) \(source.frames ?? -1)"
    }
}
