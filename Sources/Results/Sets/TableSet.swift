/// A table for each part, `<part>.csv`: a row a thing, one for a picture without any, the picture's path in the last
/// column, where pictures are written.
final class TableSet<Form: TableSink>: DataSetWriter {
    private let tables: SubsetFiles<ObservationTable>
    private var table: ObservationTable?
    private var clip: DataSetClip?
    private let hasPictures: Bool

    init(_ plan: DataSetPlan) throws {
        hasPictures = plan.pictures != nil
        tables = try SubsetFiles(plan.subsets) { subset in
            try ObservationTable(kinds: plan.kinds, last: ["picture"], writesEmpty: true) { columns in
                try Form.file(
                    try ByteWriter(path: "\(plan.folder)/\(subset)\(Form.format.suffix)"), columns,
                    generator: plan.generator, keepsFormulas: plan.keepsFormulas)
            }
        }
    }

    /// Nobody looks for a picture by a table's row: clip and frame say which it is. So none is named that isn't there.
    func path(of frame: Int, _ numberInClip: Int, in clip: DataSetClip, _ format: PictureFormat) -> String {
        hasPictures ? "images/\(clip.subset)/\(Self.stem(frame, clip)).\(format.rawValue)" : ""
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
