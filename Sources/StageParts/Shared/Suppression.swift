/// Non-maximum suppression: of things that overlap the surest stays.
package struct Suppression: Sendable, Hashable {
    /// Overlap above which two things are one, 0…1.
    package var overlap: Double
    /// The most things that are looked at, the surest; more of them is noise.
    package var mostLookedAt: Int
    /// How many stay at most.
    package var mostKept: Int

    package init(overlap: Double, mostLookedAt: Int = 5000, mostKept: Int = .max) {
        (self.overlap, self.mostLookedAt, self.mostKept) = (overlap, mostLookedAt, mostKept)
    }

    /// Those of many things that stay.
    /// - Parameters:
    ///   - confidence: How sure it is that there is a thing.
    ///   - areRivals: Whether two things may be one at all: those of one class, say. Any may where it is left out.
    ///   - common: How much two things overlap, 0…1.
    /// - Returns: Indices of those that stay, the surest first, of two alike the first.
    @inlinable package func kept<Thing>(
        of things: [Thing], confidence: (Thing) -> Double, areRivals: (Thing, Thing) -> Bool = { _, _ in true },
        common: (Thing, Thing) -> Double
    ) -> [Int] {
        let sure = things.map(confidence)
        let order = things.indices.sorted { (sure[$0], $1) > (sure[$1], $0) }
        var kept: [Int] = []
        for index in order.prefix(mostLookedAt) {
            let isOther = kept.contains { other in
                areRivals(things[other], things[index]) && common(things[other], things[index]) > overlap
            }
            if !isOther { kept.append(index) }
            if kept.count == mostKept { break }
        }
        return kept
    }

    /// Boxes, by intersection over union.
    /// - Parameter classes: Boxes of different ones are different things; nil where all are of one.
    package func kept(of boxes: [Box], confidences: [Double], classes: [Int]? = nil) -> [Int] {
        kept(
            of: Array(boxes.indices), confidence: { confidences[$0] },
            areRivals: { classes?[$0] == classes?[$1] }, common: { boxes[$0].intersectionOverUnion(boxes[$1]) })
    }

    /// Convex polygons, turned boxes say, by intersection over union.
    /// - Parameter classes: Polygons of different ones are different things; nil where all are of one.
    package func kept(of polygons: [[Point]], confidences: [Double], classes: [Int]? = nil) -> [Int] {
        kept(
            of: Array(polygons.indices), confidence: { confidences[$0] },
            areRivals: { classes?[$0] == classes?[$1] },
            common: { ConvexPolygon(polygons[$0]).intersectionOverUnion(ConvexPolygon(polygons[$1])) })
    }
}
