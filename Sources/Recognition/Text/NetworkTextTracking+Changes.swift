/// Looks at what has changed alone, where that is all that a look is due for.
extension NetworkTextTracking {
    /// The parts of a frame in which a look that is due has to search, and what is found there; nil where all of it has to be searched.
    mutating func changes(
        of frame: VideoFrame, _ followed: [(index: Int, known: Known)]
    ) throws -> (parts: [FramePart], regions: [TextRegion])? {
        guard cadence?.isOfChanges == true else { return nil }
        let cells = FrameCells.fine(frame)
        // What is hidden is never lost; else what says nothing isn't followed, but is as whole as what does.
        let lines = followed.map(\.known.detected) + (hides ? [] : changed.regions)
        guard let parts = changed.parts(of: cells, lines: lines, in: frame, scale: scale(of: frame)),
            let regions = try regions(in: frame, changed: parts)
        else { return nil }
        changed.searched(parts, of: cells, regions)
        return (parts, regions)
    }

    /// Notes that all of a frame was searched, and what was found.
    mutating func searchedAll(of frame: VideoFrame, _ regions: [TextRegion]) {
        changed.searchedAll(of: FrameCells.fine(frame), regions)
        cadence?.searchedAll()
    }

    /// Whether a line that was followed lies where a look at parts of a frame didn't search.
    func isBeside(_ known: Known, _ parts: [FramePart]?) -> Bool {
        guard !hides, let parts else { return false }
        return !parts.contains { $0.contains(known.detected.center) }
    }

    /// What lines are seen in parts of a frame, as large as where all of it is searched; nil where one may go on beyond them. What is
    /// hidden is covered as far as it is seen.
    private func regions(in frame: VideoFrame, changed parts: [FramePart]) throws -> [TextRegion]? {
        let (scale, least) = (scale(of: frame), leastHeight(in: frame.height))
        var regions: [TextRegion] = []
        for part in parts {
            func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale / 32).rounded())) * 32 }
            let found = try networks.regions(
                in: frame, part: part, as: (side(part.width), side(part.height)), limit: effort.limit
            ).filter { $0.height >= least }
            guard hides || !found.contains(where: { part.cuts($0, in: frame) }) else { return nil }
            regions.add(found, limit: effort.limit)
        }
        return regions
    }

    private func scale(of frame: VideoFrame) -> Double {
        let size = TextNetworks.size(of: frame.width, frame.height, shorterSide: effort.shorterSide, all: hides)
        return Double(size.width) / Double(frame.width)
    }
}

extension [TextRegion] {
    /// Adds those that another part shows, too, once: as the one shows it that shows more of it.
    mutating func add(_ others: [TextRegion], limit: Int) {
        for region in others {
            if let same = firstIndex(where: { $0.contains(region.center) || region.contains($0.center) }) {
                if region.width > self[same].width { self[same] = region }
            } else if count < limit {
                append(region)
            }
        }
    }
}
