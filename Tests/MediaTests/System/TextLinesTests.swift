import Testing

@testable import Annotate
@testable import TestSupport

/// Lines of text files, as editors of all systems write them.
@Suite struct TextLinesTests {
    @Test(arguments: [
        ("car\nbus\n", ["car", "bus", ""]), ("car\r\nbus", ["car", "bus"]),
        ("\u{FEFF}car\r\n\r\nbus", ["car", "", "bus"]),
        ("", [""]), ("\u{FEFF}", [""]),
    ])
    func areWhatStandsThere(text: String, lines: [String]) throws {
        let folder = try TemporaryFolder()
        #expect(try Files.lines(of: try folder.write(text, to: "names.txt")) == lines)
    }

    /// Latin-1, UTF-16, a character cut in two.
    @Test(
        arguments: [
            (Array("bus\nc".utf8) + [0xE4] + Array("r\n".utf8), 2), ([0xFF, 0xFE, 0x61, 0x00], 1),
            ([0x61, 0x0A, 0x0A, 0xC3], 3),
        ] as [([UInt8], Int)])
    func areWrittenInUTF8(bytes: [UInt8], line: Int) throws {
        let folder = try TemporaryFolder()
        try folder.write(bytes, to: "names.txt")
        let error = #expect(throws: FileError.self) { try Files.lines(of: folder.file("names.txt")) }
        #expect(error?.reason == "line \(line) is not valid UTF-8; save it as UTF-8")
    }
}
