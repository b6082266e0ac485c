/// Looks at what has changed alone, where that is all that a look is due for.
extension NetworkTextTracking {
    /// The parts of a frame in which a look that is due has to search; nil where that is all of it.
    mutating func changedParts(of frame: VideoFrame, _ followed: [(index: Int, known: Known)]) -> [FramePart]? {
        guard hides else { return nil }
        let cells = FrameCells.fine(frame)
        if cadence?.isOfChanges == true {
            let lines = followed.map(\.known.detected)
            let parts = changed.parts(of: cells, lines: lines, in: frame, scale: scale(of: frame))
            if let parts {
                changed.searched(parts, of: cells)
                return parts
            }
        }
        changed.searchedAll(of: cells)
        cadence?.searchedAll()
        return nil
    }

    /// What lines are seen in parts of a frame, as large as where all of it is searched.
    func regions(in frame: VideoFrame, changed parts: [FramePart]) throws -> [TextRegion] {
        let (scale, least) = (scale(of: frame), leastHeight(in: frame.height))
        var regions: [TextRegion] = []
        for part in parts {
            func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale / 32).rounded())) * 32 }
            let found = try networks.regions(
                in: frame, part: part, as: (side(part.width), side(part.height)), limit: effort.limit)
            regions.add(found.filter { $0.height >= least }, limit: effort.limit)
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
