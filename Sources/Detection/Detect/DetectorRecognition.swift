/// Finds out how a detector's outputs are to be read: by what its file says, by names, by shapes, and by a look at what it
/// gives for a picture.
struct DetectorRecognition {
    let evidence: DetectorEvidence

    /// One way to read the outputs.
    struct Guess {
        var reading: DetectorReading
        /// Whether the values that were looked at can be such.
        var isPlausible = true
        /// Scores that aren't between 0 and 1, where they have to be and all else is as it should be: whatever a file says, a network
        /// doesn't give such.
        var oddScores: DetectorEvidence.Range?
        /// Outputs that aren't read, of which it is known what they are.
        var besides: Set<Int> = []
        /// How far-fetched: only the least far-fetched guesses count.
        var distance = 0
    }

    /// All ways to read the outputs.
    func guesses() -> [Guess] { tables() + lists() + grids() }

    /// Outputs that a reading leaves unread though they may change what the others mean: an objectness, say, or other grids. A single
    /// number can't.
    private func strangers(_ guess: Guess) -> [Int] {
        let known = guess.reading.outputs.union(guess.besides)
        return evidence.considered.filter { !known.contains($0) && evidence.runs[$0].values.count != 1 }
    }

    /// What a reading does without, in words for its reasons.
    private func without(_ outputs: some Collection<Int>) -> [String] {
        outputs.isEmpty ? [] : ["without \(quoted(outputs.sorted()))"]
    }

    /// - Parameter decoder: What the manifest says.
    /// - Throws: `InferenceError`, with the shapes that were found and what could be said.
    func reading(_ decoder: DetectorLayout) throws -> DetectorReading {
        let every = guesses()
        guard decoder == .auto else { return try reading(named: decoder, among: every) }
        let all = every.filter { strangers($0).isEmpty }
        if evidence.metadata.tells, !all.contains(where: isOfTask), let reading = try readingOfFewer(isOfTask) {
            return reading.recognised(by: ["metadata"] + reading.reasons)
        }
        let parts = ["segment": "masks", "pose": "points", "obb": "angles"]
        let classes = evidence.metadata.names?.count
        func isMeant(_ guess: Guess) -> Bool {
            isOfTask(guess) && (classes == nil || guess.reading.classes == nil || guess.reading.classes == classes)
        }
        if let task = evidence.metadata.task, let part = parts[task], !all.contains(where: isMeant) {
            throw InferenceError(
                "its metadata says that its task is “\(task)”, and its outputs are \(evidence.described); expected \(part) "
                    + "among them, or “decoder” for how they are read")
        }
        var (left, reasons) = told(among: all)
        if let nearest = left.map(\.distance).min() { left.removeAll { $0.distance > nearest } }
        if let names = evidence.names {
            narrow(&left, &reasons, "\(names) class names") { $0.reading.classes == names }
        }
        if Set(left.map(\.reading.layout)).count > 1 {
            narrow(&left, &reasons, "80 classes, as COCO has") { $0.reading.classes == 80 }
        }
        guard let first = left.first else {
            if let note = anchorsNote { throw InferenceError(note) }
            let odd = all.filter { $0.oddScores != nil && isOfTask($0) && $0.distance == 0 }
            if let guess = odd.first, Set(odd.map(\.reading.layout)).count == 1 { try refuseOddScores(guess) }
            // Some of the outputs may be what a detector gives: only the user knows whether they are.
            if let fewer = try readingOfFewer({ _ in true }) {
                throw InferenceError(
                    "its outputs are \(evidence.described), which can be read as “\(fewer.layout.rawValue)” \(fewer.reasons.last ?? ""); "
                        + "say so by “decoder”, or export it without the others")
            }
            throw InferenceError(
                "its outputs are \(evidence.described); expected those of a detector that “decoder” has a word for")
        }
        let words = left.reduce(into: [String]()) { words, guess in
            let word = guess.reading.layout.rawValue
            if !words.contains(word) { words.append(word) }
        }
        guard words.count == 1 else {
            let told = words.map { "“\($0)”" }.joined(separator: " and ")
            throw InferenceError(
                "its outputs are \(evidence.described), which can be read as \(told); say which by “decoder”")
        }
        try refuseOddScores(first)
        var reading = first.reading
        reading.reasons = reasons + reading.reasons + without(first.besides)
        return reading
    }

    private func refuseOddScores(_ guess: Guess) throws {
        guard let odd = guess.oddScores else { return }
        throw InferenceError(
            "its outputs are \(evidence.described), and its scores go from \(odd.least) to \(odd.most); expected those of "
                + "“\(guess.reading.layout.rawValue)”, 0 to 1: an export with its last sigmoid")
    }

    private func reading(named decoder: DetectorLayout, among all: [Guess]) throws -> DetectorReading {
        // A table that lies on its side has thousands of classes.
        let fitting = all.filter { guess in
            let isFlipped = !guess.isPlausible && guess.distance >= 2 && guess.reading.classes ?? 0 > Self.mostClasses
            return guess.reading.layout == decoder && !isFlipped
        }
        let best = fitting.first(where: { $0.isPlausible && fits($0) }) ?? fitting.first(where: fits)
        if let best {
            try refuseOddScores(best)
            return best.reading.recognised(by: ["“decoder”"] + without(best.besides.union(strangers(best))))
        }
        if let reading = try readingOfFewer({ $0.reading.layout == decoder }) {
            return reading.recognised(by: ["“decoder”"] + reading.reasons.suffix(1))
        }
        guard let reading = fitting.first?.reading else {
            throw InferenceError(
                "its outputs are \(evidence.described); “decoder” “\(decoder.rawValue)” expects \(decoder.expectation)")
        }
        return reading.recognised(by: ["“decoder”"])
    }

    /// More classes than detectors have.
    private static let mostClasses = 2000

    /// What the file's own words leave of all guesses, and whether they did. Where they leave few, values that look odd are
    /// no objection: what a network gives for a picture that shows nothing may be odd.
    private func told(among all: [Guess]) -> (guesses: [Guess], reasons: [String]) {
        let told = evidence.metadata.tells ? all.filter(isOfTask) : []
        let plausible = told.filter(\.isPlausible)
        if !plausible.isEmpty { return (plausible, ["metadata"]) }
        let fitting = told.filter { $0.reading.classes == nil || $0.reading.classes == evidence.names }
        if !fitting.isEmpty { return (fitting, ["metadata"]) }
        return (all.filter(\.isPlausible), [])
    }

    private func narrow(
        _ left: inout [Guess], _ reasons: inout [String], _ reason: String, _ fits: (Guess) -> Bool
    ) {
        let fitting = left.filter(fits)
        guard !fitting.isEmpty, fitting.count < left.count else { return }
        left = fitting
        reasons.append(reason)
    }

    /// Whether a guess has as many classes as there are names, and what the file says.
    func fits(_ guess: Guess) -> Bool {
        isOfTask(guess)
            && (evidence.names == nil || guess.reading.classes == nil || guess.reading.classes == evidence.names)
    }

    /// Whether the file's own words allow a reading.
    private func isOfTask(_ guess: Guess) -> Bool {
        let (metadata, layout) = (evidence.metadata, guess.reading.layout)
        if metadata.isRTDETR { return [.rtdetr, .rtdetrLogits].contains(layout) }
        if let isEndToEnd = metadata.isEndToEnd, metadata.isUltralytics {
            let word = layout.rawValue.hasPrefix("endToEnd")
            if word != isEndToEnd { return false }
        }
        switch metadata.task {
        case "detect": return [.yolov5, .yolov8, .endToEnd, .yolov8Heads].contains(layout)
        case "segment": return [.yolov5Seg, .yolov8Seg, .endToEndSeg].contains(layout)
        case "pose": return [.yolov8Pose, .endToEndPose].contains(layout)
        case "obb": return [.yolov8Obb, .endToEndObb].contains(layout)
        default: break
        }
        switch metadata.modelType {
        case "ssd": return [.ssd, .boxes, .tensorflow, .torchvision].contains(layout)
        case "yolov5", "yolov7": return [.yolov5, .yolov5Seg].contains(layout)
        case "yolov8", "yolo8", "yolo11", "yolov11": return layout.rawValue.hasPrefix("yolov8")
        case "yolox": return [.yolox, .yoloxDecoded].contains(layout)
        case "nanodet": return layout == .nanodet
        case "nanodet-plus": return [.nanodetPlus, .nanodet].contains(layout)
        case "detr": return [.detr, .rfdetr, .rtdetrLogits].contains(layout)
        default: return true
        }
    }
}

/// Readings of a model that gives more than where things are: features, say, or what it had before it was done.
extension DetectorRecognition {
    /// A reading of as many outputs as can be read so, whose last reason says which it does without; nil where none can.
    /// - Throws: `InferenceError` where it fits different ones.
    func readingOfFewer(_ isMeant: (Guess) -> Bool) throws -> DetectorReading? {
        let outputs = evidence.considered
        guard (2...16).contains(outputs.count) else { return nil }
        // A result beside two outputs for each of three strides: of more, not every set is tried.
        let most = outputs.count <= 7 ? outputs.count - 1 : 2
        // What comes first is kept first.
        let sets = (1..<(1 << outputs.count)).reversed().filter { $0.nonzeroBitCount <= most }.map { bits in
            Set(outputs.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
        }
        for count in 1...most {
            let found = sets.filter { $0.count == count }.compactMap { ignored in
                reading(without: ignored, isMeant).map { (reading: $0, ignored: ignored) }
            }
            guard var reading = found.first?.reading else { continue }
            // Of more than two, none is likely to be all of a detector.
            guard found.count <= 2 else { return nil }
            guard found.count == 1 else {
                let fitting = found.map { set in quoted(outputs.filter { !set.ignored.contains($0) }) }
                throw InferenceError(
                    "its outputs are \(evidence.described), of which each of \(fitting.joined(separator: "; ")) can be read as "
                        + "“\(reading.layout.rawValue)”; expected an export without the others")
            }
            reading.reasons.append("without \(quoted(found[0].ignored.sorted()))")
            return reading
        }
        return nil
    }

    private func quoted(_ outputs: [Int]) -> String {
        outputs.map { "“\(evidence.outputs[$0].name)”" }.joined(separator: ", ")
    }

    /// Whether what is left out has to do with what is read: other numbers of the same places, say an objectness, or the other half
    /// of a grid. What is the same once more is for the user to choose from.
    private func areTorn(_ reading: DetectorReading, from ignored: Set<Int>) -> Bool {
        let read = reading.outputs
        let places = Set(read.compactMap(evidence.places))
        let shapes = Set(read.map { evidence.runs[$0].shape })
        return ignored.contains { output in
            !shapes.contains(evidence.runs[output].shape) && evidence.places(output).map(places.contains) ?? false
        }
    }

    /// The least far-fetched one whose values are right, or whose classes are those that have names; nil where several are.
    private func reading(without ignored: Set<Int>, _ isMeant: (Guess) -> Bool) -> DetectorReading? {
        var fewer = evidence
        fewer.ignored = ignored
        let recognition = DetectorRecognition(evidence: fewer)
        let guesses = recognition.guesses().filter { guess in
            isMeant(guess) && fits(guess) && recognition.strangers(guess).isEmpty
                && !areTorn(guess.reading, from: ignored)
                && (guess.isPlausible || evidence.names != nil && guess.reading.classes != nil)
        }
        let nearest = guesses.map(\.distance).min()
        let left = guesses.filter { $0.distance == nearest }
        return Set(left.map(\.reading.layout)).count == 1 ? left[0].reading : nil
    }
}
