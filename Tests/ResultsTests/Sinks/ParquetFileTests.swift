import Testing

@testable import Annotate
@testable import Results
@testable import TestSupport

/// Tables in Parquet, read back by the format's documents.
@Suite struct ParquetFileTests {
    private static let columns = [
        TableColumn("clip", .text, isAlwaysThere: true), TableColumn("frame", .integer, isAlwaysThere: true),
        TableColumn("x", .number), TableColumn("label", .text), TableColumn("held", .flag), TableColumn("none", .text),
    ]

    private func read(_ rows: [[String?]]) throws -> ParquetReader {
        let folder = try TemporaryFolder()
        let path = folder.file("t.parquet")
        let file = try ParquetFile(try ByteWriter(path: path), Self.columns, generator: "test 1")
        for row in rows { try file.write(row) }
        try file.finish()
        return try ParquetReader(try Files.read(path))
    }

    private func value(_ cell: String?, _ type: Int) -> ParquetReader.Value? {
        guard let cell else { return nil }
        return switch type {
        case 0: .flag(cell == "true")
        case 2: Int64(cell).map { .integer($0) }
        case 5: Double(cell).map { .number($0) }
        default: .text(cell)
        }
    }

    /// Rows that repeat themselves now and then, in runs of many lengths.
    private func rows(_ count: Int) -> [[String?]] {
        var state = UInt64(7)
        func random(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        var rows: [[String?]] = []
        while rows.count < count {
            let row: [String?] = [
                "clip \(random(3))", "\(Int64(random(1 << 30)) - (1 << 29))",
                random(4) == 0 ? nil : "\(Double(random(1_000_000)) / 100 - 3000)",
                random(3) == 0 ? nil : random(5) == 0 ? "" : "ключ “\(random(400))”, 車",
                random(3) == 0 ? nil : random(2) == 0 ? "true" : "false", nil,
            ]
            for _ in 0...random(random(8) == 0 ? 40 : 3) { rows.append(row) }
        }
        return Array(rows.prefix(count))
    }

    @Test(arguments: [0, 1, 7, 8, 9, 1000, 4321]) func whatIsWrittenIsReadBack(count: Int) throws {
        let rows = rows(count)
        let table = try read(rows)
        #expect(table.createdBy == "test 1")
        #expect(table.rows == count)
        #expect(table.groups == (count > 0 ? [count] : []))
        #expect(table.columns.map(\.title) == Self.columns.map(\.title))
        #expect(table.columns.map(\.type) == [6, 2, 5, 6, 0, 6])
        #expect(table.columns.map(\.isOptional) == [false, false, true, true, true, true])
        for (index, column) in table.columns.enumerated() {
            #expect(column.values == rows.map { value($0[index], column.type) }, "\(column.title)")
        }
    }

    /// Groups are written as they fill up: by their rows, and by their bytes.
    @Test func groupsAreBounded() throws {
        let many = try read([[String?]](repeating: ["a", "1", "1.5", nil, nil, nil], count: (1 << 16) + 3))
        #expect(many.groups == [1 << 16, 3])
        #expect(many.columns[2].values.allSatisfy { $0 == .number(1.5) })
        let long = String(repeating: "x", count: 9 << 20)
        let large = try read([
            ["a", "1", nil, long, nil, nil], ["a", "2", nil, long, nil, nil], ["a", "3", nil, "y", nil, nil],
        ])
        #expect(large.groups == [2, 1])
        #expect(large.columns[3].values == [.text(long), .text(long), .text("y")])
    }

    /// A saved track file's table has the columns and cells of the CSV.
    @Test func typesFollowFromTheFields() {
        #expect(CellType.integer.joined(.number) == .number)
        #expect(CellType.flag.joined(.number) == .text)
        #expect(CellType.text.joined(.text) == .text)
    }
}
