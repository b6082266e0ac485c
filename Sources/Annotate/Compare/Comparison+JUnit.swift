extension Comparison {
    /// The comparison as a JUnit report: a case for each track file, those that differ first.
    public var junit: String {
        var report = JUnit(old)
        report.name = "\(old) → \(new)"
        for file in differing + files.filter({ !$0.differs }) {
            var one = JUnit.Case(name: file.name)
            switch file.outcome {
            case .unreadable(let reason): one.result = .error(message: reason, details: reason)
            case .compared(let comparison) where comparison.verdict == .differs:
                one.result = .failed(
                    message: file.sentence,
                    details: (comparison.lines(name: file.name)
                        + comparison.worst.all.prefix(3).map {
                            "look at frame \($0.moment.frame) (\(Figures.decimals($0.moment.seconds, 3)) s): \($0.what)"
                        } + [comparison.old, comparison.new]).joined(separator: "\n"))
            case .compared(let comparison): one.output = [comparison.title]
            case .onlyOld, .onlyNew: one.result = .failed(message: file.sentence, details: file.sentence)
            }
            report.cases.append(one)
        }
        return report.xml
    }
}
