import Annotate

/// What was found held against the truth frame by frame, as pycocotools' `COCOeval` does it for boxes: for each of ten
/// overlaps from 0.5 to 0.95 the surest come first, and each takes the thing that it covers most.
///
/// Tallies of clips and classes add up, so that figures of all of them are those of one data set.
struct DetectionTally: Sendable {
    /// One thing that was found: bit n is about the n-th overlap.
    struct Entry: Sendable {
        var confidence: Double
        /// Of those as sure, those of the lower image come first.
        var image = JudgedImage()
        var matches: UInt16
        /// Found where the truth is many things, which is neither right nor wrong.
        var ignored: UInt16
    }

    /// Overlaps from which on a thing counts as found, as NumPy's `linspace` has them.
    static let thresholds: [Double] = (0..<10).map { (index: Int) -> Double in
        let step: Double = (0.95 - 0.5) / 9
        return index == 9 ? 0.95 : 0.5 + Double(index) * step
    }
    /// Recalls at which precisions are read off.
    static let recalls: [Double] = (0...100).map { (index: Int) -> Double in index == 100 ? 1 : Double(index) * 0.01 }
    /// The most things of a class that count in one frame, the surest.
    static let most = 100

    /// Everything that was found, frame by frame, within one the surest first.
    private(set) var entries: [Entry] = []
    /// How many things there are; crowds don't count.
    private(set) var truth = 0
    /// Sums over the things found at 0.5.
    private(set) var overlap = Mean()
    private(set) var maskOverlap = Mean()
    private(set) var jointSimilarity = Mean()

    /// What is wrong in one frame at an overlap of 0.5: places in the frame's lists.
    struct Faults {
        var missed: [Int] = []
        var wrong: [Int] = []
    }

    /// Adds the next frame.
    /// - Parameter skeleton: Of the joints.
    mutating func add(_ frame: JudgedFrame, _ skeleton: Skeleton?) -> Faults {
        // Crowds come last, as they do there.
        let truths =
            frame.truth.indices.filter { !frame.truth[$0].isCrowd }
            + frame.truth.indices.filter { frame.truth[$0].isCrowd }
        let founds = frame.found.indices.sorted { a, b in
            let (one, other) = (frame.found[a].confidence, frame.found[b].confidence)
            return one != other ? one > other : a < b
        }.prefix(Self.most)
        var rows: [Int: [Int: Double]] = [:]
        for pair in frame.overlaps { rows[pair.found, default: [:]][pair.truth] = pair.overlap }
        truth += frame.truth.count { !$0.isCrowd }
        var new = founds.map {
            Entry(confidence: frame.found[$0].confidence, image: frame.image, matches: 0, ignored: 0)
        }
        var faults = Faults()
        for (bit, threshold) in Self.thresholds.enumerated() {
            var taken: Set<Int> = []
            for (place, found) in founds.enumerated() {
                guard let row = rows[found] else { continue }
                guard let match = Self.match(truths, taken, row, frame.truth, threshold) else { continue }
                taken.insert(match)
                new[place].matches |= 1 << bit
                if frame.truth[match].isCrowd { new[place].ignored |= 1 << bit }
                if bit == 0, !frame.truth[match].isCrowd {
                    add(frame.truth[match], frame.found[found], row[match] ?? 0, skeleton)
                }
            }
            if bit == 0 { faults.missed = truths.filter { !frame.truth[$0].isCrowd && !taken.contains($0) } }
        }
        faults.wrong = zip(founds, new).filter { $1.matches & 1 == 0 }.map(\.0)
        entries += new
        return faults
    }

    private static func match(
        _ truths: [Int], _ taken: Set<Int>, _ row: [Int: Double], _ things: [JudgedThing], _ threshold: Double
    ) -> Int? {
        var (best, match): (Double, Int?) = (min(threshold, 1 - 1e-10), nil)
        for truth in truths where things[truth].isCrowd || !taken.contains(truth) {
            // A thing of its own is better than a part of a crowd.
            if let match, !things[match].isCrowd, things[truth].isCrowd { break }
            let overlap = row[truth] ?? 0
            if overlap >= best { (best, match) = (overlap, truth) }
        }
        return match
    }

    private mutating func add(_ truth: JudgedThing, _ found: JudgedThing, _ overlap: Double, _ skeleton: Skeleton?) {
        self.overlap.add(overlap)
        if let mask = truth.mask, let other = found.mask { maskOverlap.add(mask.intersectionOverUnion(other)) }
        guard truth.joints.contains(where: \.isFound) else { return }
        // Where a result has no idea it is judged all the same, by the place that it gives.
        let joints = found.joints.map { Joint($0.point, confidence: 1) }
        if let similarity = truth.joints.similarity(to: joints, area: truth.area, skeleton) {
            jointSimilarity.add(similarity)
        }
    }

    /// Adds another tally behind this one.
    mutating func add(_ other: DetectionTally) {
        entries += other.entries
        truth += other.truth
        overlap.add(other.overlap)
        maskOverlap.add(other.maskOverlap)
        jointSimilarity.add(other.jointSimilarity)
    }

    /// Things found at an overlap of 0.5 or more.
    var right: Int { entries.count { $0.matches & 1 != 0 && $0.ignored & 1 == 0 } }
    /// Things found where there are none.
    var wrong: Int { entries.count { $0.matches & 1 == 0 } }

    /// Average precision at each overlap; nil where there is nothing to be found.
    var averagePrecisions: [Double]? {
        guard truth > 0 else { return nil }
        let order = entries.indices.sorted { a, b in
            let (one, other) = (entries[a], entries[b])
            if one.confidence != other.confidence { return one.confidence > other.confidence }
            return one.image != other.image ? one.image < other.image : a < b
        }
        return Self.thresholds.indices.map { averagePrecision(order, bit: $0) }
    }

    private func averagePrecision(_ order: [Int], bit: Int) -> Double {
        var (right, wrong) = (0.0, 0.0)
        var (recalls, precisions): ([Double], [Double]) = ([], [])
        for index in order {
            let entry = entries[index]
            let isIgnored = entry.ignored >> bit & 1 != 0
            if !isIgnored { if entry.matches >> bit & 1 != 0 { right += 1 } else { wrong += 1 } }
            recalls.append(right / Double(truth))
            precisions.append(right / (wrong + right + 1.0.ulp))
        }
        for index in precisions.indices.dropLast().reversed() {
            precisions[index] = max(precisions[index], precisions[index + 1])
        }
        var (sum, place) = (0.0, 0)
        for recall in Self.recalls {
            while place < recalls.count, recalls[place] < recall { place += 1 }
            if place < precisions.count { sum += precisions[place] }
        }
        return sum / Double(Self.recalls.count)
    }
}

/// A mean whose sum is kept, in the order in which values come.
struct Mean: Sendable {
    private(set) var sum = 0.0
    private(set) var count = 0

    mutating func add(_ value: Double) { (sum, count) = (sum + value, count + 1) }
    mutating func add(_ other: Mean) { (sum, count) = (sum + other.sum, count + other.count) }

    /// The mean; nil for none.
    var value: Double? { count == 0 ? nil : sum / Double(count) }
}
