/// A table for each part, `<part>.csv`: a row a thing, one for a picture without any, the picture's path in the last column.
final class CSVSet: DataSetWriter {
    private let tables: SubsetFiles<CSVTable>
    private var table: CSVTable?
    private var clip: DataSetClip?

    init(_ plan: DataSetPlan) throws {
        tables = try SubsetFiles(plan.subsets) { subset in
            try CSVTable(
                try ByteWriter(path: "\(plan.folder)/\(subset).csv"), kinds: plan.kinds, last: ["picture"],
                keepsFormulas: plan.keepsFormulas, writesEmpty: true)
        }
    }

    func begin(_ clip: DataSetClip) throws { (self.clip, table) = (clip, tables[clip.subset]) }

    func write(_ picture: DataSetPicture) throws -> Bool {
        guard let clip, let table else { return false }
        try table.write(picture.record, clip: clip.id, last: [picture.path])
        return true
    }

    func finish() throws { try tables.forEach { try $1.finish() } }

    var notes: [String] { [] }
}
