/// What a detector's classes are called, and which of them are wanted from what score on.
struct DetectedClasses: Sendable {
    /// By the number that the network gives; empty where nobody names them.
    private let names: [String?]
    /// How many names there are; nil where nobody names them.
    let count: Int?
    let limits: ScoreLimits

    /// - Parameters:
    ///   - names: by class; nil where nobody names them.
    ///   - reading: how the network gives their numbers.
    ///   - wanted: names, or numbers where there are none; all for none.
    /// - Throws: `StageOptionError` for a name that isn't a class's.
    init(
        names: [String]?, _ reading: DetectorReading, wanted: [String], least: LeastConfidence
    ) throws {
        self.count = names?.count
        let count = reading.classes
        // COCO's own numbers have gaps, which a list of its eighty names hasn't.
        let countsFromOne = Self.countsFromOne(reading.layout)
        let hasGaps = names?.count == COCO.names.count && (count == 90 || count == 91 || countsFromOne)
        let byNumber: [String?]
        if let names, hasGaps {
            let start = countsFromOne ? 1 : 0
            byNumber = (0...90).map { COCO.index(of: $0 + start).map { names[$0] } }
        } else if let names, names.count == 90, reading.layout == .rfdetr, count == 90 || count == 91 {
            // Column 0 of COCO's is nobody's.
            byNumber = [nil] + names
        } else {
            byNumber = names ?? []
        }
        self.names = byNumber
        let all = names.map(Set.init)
        func check(_ word: String, _ option: String) throws {
            if let all, !all.contains(word) {
                throw StageOptionError(
                    option: option,
                    "“\(word)” is none of the model's \(all.count) classes; expected \(Self.some(names ?? []))")
            }
            if all == nil, Int(word).map({ $0 < 0 || $0 >= count ?? .max }) ?? true {
                throw StageOptionError(
                    option: option,
                    "“\(word)”, and the model doesn't name its classes; expected “labels”, or their numbers from 0")
            }
        }
        for word in wanted { try check(word, "classes") }
        for word in least.byName.keys.sorted() { try check(word, "minimumConfidence") }
        func limit(_ name: String) -> Float {
            wanted.isEmpty || wanted.contains(name) ? Float(least.byName[name] ?? least.all) : .infinity
        }
        let numbers = (wanted + least.byName.keys).compactMap { Int($0) }.max().map { min($0, 9999) + 1 } ?? 0
        limits = ScoreLimits(
            byClass: (0..<max(count ?? 0, byNumber.count, all == nil ? numbers : 0)).map {
                limit(Self.name($0, byNumber))
            },
            others: wanted.isEmpty ? Float(least.all) : .infinity)
    }

    /// Whether a layout's classes are counted from 1, 0 being nothing.
    static func countsFromOne(_ layout: DetectorLayout) -> Bool {
        [.tensorflow, .torchvision, .efficientdet].contains(layout)
    }

    /// Whether a class has a name, or none has.
    func isNamed(_ label: Int) -> Bool { names.isEmpty || names.indices.contains(label) && names[label] != nil }

    func name(of label: Int) -> String { Self.name(label, names) }

    private static func name(_ label: Int, _ names: [String?]) -> String {
        names.indices.contains(label) ? names[label] ?? "\(label)" : "\(label)"
    }

    /// The first few of some names, for a message.
    private static func some(_ names: [String]) -> String {
        names.prefix(5).map { "“\($0)”" }.joined(separator: ", ") + (names.count > 5 ? " …" : "")
    }
}
