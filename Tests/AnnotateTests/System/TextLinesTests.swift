import Testing

@testable import Annotate

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
}
