/// Where in a table with a column `clip` the rows of each clip stand: a table of hundreds of clips is gone through once then, and not
/// once for each.
final class CSVClips: Sendable {
    /// Rows of one clip that follow one another, or between which there are only a few of others.
    struct Run: Sendable {
        /// Of the first byte.
        var offset: Int64
        /// Of the first row, from 1.
        var line: Int
        var rows: Int
    }

    /// The clips in their order.
    let names: ImportedNames
    /// All stages that its rows are of.
    let stages: Set<String>
    private let runs: [String: [Run]]

    private static let known = ReadFiles<CSVClips>()

    /// The clips of a table, which is gone through once, until it changes.
    /// - Throws: A sentence with file and line.
    static func of(_ path: String) throws -> CSVClips { try known.value(of: path) { try CSVClips(path) } }

    private init(_ path: String) throws {
        let records = try CSVRecords(path: path)
        let titles = (try records.next() ?? []).map(CSVReader.name)
        var (names, stages, runs): (ImportedNames, Set<String>, [String: [Run]]) = (ImportedNames(), [], [:])
        if let clip = titles.firstIndex(of: "clip") {
            let stage = titles.firstIndex(of: "stage")
            var (last, run) = ("", Run(offset: 0, line: 0, rows: 0))
            func end() { if run.rows > 0 { runs[last, default: []].append(run) } }
            while let cells = try records.next() {
                let name = clip < cells.count ? cells[clip] : ""
                if let stage, stage < cells.count, !cells[stage].isEmpty { stages.insert(cells[stage]) }
                if name != last || run.rows == 0 {
                    end()
                    (last, run) = (name, Run(offset: records.offset, line: records.line, rows: 0))
                    if !name.isEmpty { names.add(name) }
                }
                run.rows += 1
            }
            end()
        }
        (self.names, self.stages, self.runs) = (names, stages, runs)
    }

    /// Rows of a clip, and those of none, which are everybody's, in the table's order.
    func runs(of clip: String) -> [Run] {
        var joined: [Run] = []
        var last: Int64 = 0
        for run in ((runs[clip] ?? []) + (clip.isEmpty ? [] : runs[""] ?? [])).sorted(by: { $0.offset < $1.offset }) {
            if !joined.isEmpty, run.offset - last < Self.nearby {
                joined[joined.count - 1].rows += run.rows
            } else {
                joined.append(run)
            }
            last = run.offset
        }
        return joined
    }

    /// Bytes between runs' beginnings that are rather read than begun anew behind: as many as are read at once.
    private static let nearby: Int64 = 1 << 18
}
