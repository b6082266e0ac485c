import Annotate

/// Figures of what was found in some clips of some classes, against the truth. nil is what nobody can say: the precision of
/// nothing, the recall where there is nothing to be found.
package struct MetricFigures: Sendable {
    /// One figure: its name in files, how it is headed, and what it says.
    package struct Figure: Sendable {
        package var name: String
        package var title: String
        package var doc: String
        /// Whether it counts things or frames.
        package var isCount: Bool
        package var value: @Sendable (MetricFigures) -> Double?

        private init(
            _ name: String, _ title: String, _ doc: String, isCount: Bool,
            _ value: @escaping @Sendable (MetricFigures) -> Double?
        ) {
            (self.name, self.title, self.doc, self.isCount, self.value) = (name, title, doc, isCount, value)
        }

        static func share(
            _ name: String, _ title: String, _ doc: String, _ value: @escaping @Sendable (MetricFigures) -> Double?
        ) -> Figure {
            Figure(name, title, doc, isCount: false, value)
        }

        static func count(
            _ name: String, _ title: String, _ doc: String, _ value: @escaping @Sendable (MetricFigures) -> Int?
        ) -> Figure {
            Figure(name, title, doc, isCount: true) { value($0).map(Double.init) }
        }
    }

    /// Boxes of the truth, and those found.
    package var truth = 0
    package var found = 0
    package var right = 0
    package var wrong = 0
    /// Average precision at an overlap of 0.5, and the mean over 0.5 to 0.95, of one class or the mean of all.
    package var ap50: Double?
    package var ap: Double?
    package var overlap: Double?
    package var maskOverlap: Double?
    package var jointSimilarity: Double?
    var clear: ClearTally?
    var identity: IdentityTally?
    var higherOrder: HigherOrderTally?

    /// Whether there is anything in the truth or in the results.
    package var hasThings: Bool { truth > 0 || found > 0 }
    package var missed: Int { truth - right }
    package var precision: Double? { right + wrong == 0 ? nil : Double(right) / Double(right + wrong) }
    package var recall: Double? { truth == 0 ? nil : Double(right) / Double(truth) }
    package var f1: Double? {
        truth + right + wrong == 0 ? nil : 2 * Double(right) / Double(truth + right + wrong)
    }

    /// All figures, in the order in which they are told.
    package static let all: [Figure] = [
        .count("truth", "truth", "Boxes of the truth.") { $0.truth },
        .count("right", "right", "Those that were found.") { $0.right },
        .count("missed", "missed", "Those that weren't.") { $0.missed },
        .count("false", "false", "What was found where nothing is.") { $0.wrong },
        .share("precision", "precision", "The share of what was found that is right.") { $0.precision },
        .share("recall", "recall", "The share of the truth that was found.") { $0.recall },
        .share("f1", "F1", "The harmonic mean of precision and recall.") { $0.f1 },
        .share("ap50", "AP50", "Average precision at an overlap of 0.5.") { $0.ap50 },
        .share("ap", "AP50:95", "Its mean over overlaps from 0.5 to 0.95.") { $0.ap },
        .share("meanIoU", "mean IoU", "Mean overlap of what is right.") { $0.overlap },
        .share("maskIoU", "mask IoU", "The same of masks.") { $0.maskOverlap },
        .share("oks", "OKS", "Mean object key point similarity of what is right.") { $0.jointSimilarity },
        .share("hota", "HOTA", "Higher order tracking accuracy.") { $0.higherOrder?.accuracy },
        .share("detA", "DetA", "Its part that is about finding.") { $0.higherOrder?.detection },
        .share("assA", "AssA", "Its part that is about joining.") { $0.higherOrder?.association },
        .share("locA", "LocA", "How exactly boxes lie.") { $0.higherOrder?.localization },
        .share("mota", "MOTA", "Multiple object tracking accuracy.") { $0.clear?.accuracy },
        .share("motp", "MOTP", "Mean overlap of its pairs.") { $0.clear?.precision },
        .share("idf1", "IDF1", "F1 of identities.") { $0.identity?.f1 },
        .share("idp", "IDP", "Precision of identities.") { $0.identity?.precision },
        .share("idr", "IDR", "Recall of identities.") { $0.identity?.recall },
        .count("switches", "switches", "How often a thing got another track.") { $0.clear?.switches },
        .count("fragments", "fragments", "How often a thing's track was broken off and went on.") {
            $0.clear?.fragments
        },
        .count("tracks", "tracks", "Tracks of the truth.") { $0.clear?.tracks },
        .count("mostlyTracked", "mostly tracked", "Those followed for over 80 %.") { $0.clear?.mostlyTracked },
        .count("mostlyLost", "mostly lost", "Those followed for under 20 %.") { $0.clear?.mostlyLost },
    ]
}

/// What figures of one class in one clip, or in several, are made of.
struct ClassTally: Sendable {
    var detection = DetectionTally()
    var clear = ClearTally()
    var identity = IdentityTally()
    var higherOrder = HigherOrderTally()

    /// Of a class that a clip has nothing of: it has been looked for.
    static let ofNothing: ClassTally = {
        var tally = ClassTally()
        tally.clear = ClearTally(TrackedClip([]))
        return tally
    }()

    mutating func add(_ other: ClassTally) {
        detection.add(other.detection)
        clear.add(other.clear)
        identity.add(other.identity)
        higherOrder.add(other.higherOrder)
    }
}

extension MetricFigures {
    /// Figures of some classes together: sums, and of average precisions the mean over the classes that there are.
    /// - Parameter isTracked: Whether both sides have tracks.
    init(_ classes: [ClassTally], isTracked: Bool) {
        var (overlaps, masks, joints) = (Mean(), Mean(), Mean())
        var (clear, identity, higherOrder) = (ClearTally(), IdentityTally(), HigherOrderTally())
        var precisions: [[Double]] = []
        for one in classes {
            let detection = one.detection
            truth += detection.truth
            found += detection.entries.count
            right += detection.right
            wrong += detection.wrong
            overlaps.add(detection.overlap)
            masks.add(detection.maskOverlap)
            joints.add(detection.jointSimilarity)
            if let all = detection.averagePrecisions { precisions.append(all) }
            clear.add(one.clear)
            identity.add(one.identity)
            higherOrder.add(one.higherOrder)
        }
        (overlap, maskOverlap, jointSimilarity) = (overlaps.value, masks.value, joints.value)
        if !precisions.isEmpty {
            ap50 = precisions.reduce(0) { $0 + $1[0] } / Double(precisions.count)
            let all = precisions.flatMap(\.self)
            ap = all.reduce(0, +) / Double(all.count)
        }
        if isTracked { (self.clear, self.identity, self.higherOrder) = (clear, identity, higherOrder) }
    }
}
