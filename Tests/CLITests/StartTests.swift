import Annotate
import Testing

private func libraries(of program: String) -> [String]? {
    guard let outcome = try? Program.run("readelf", ["-dW", program]), outcome.status == 0 else { return nil }
    return outcome.outputLines.filter { $0.contains("(NEEDED)") }
        .compactMap { $0.split(separator: "[").last?.split(separator: "]").first.map(String.init) }
}

/// What a start costs is what is opened for it: libraries that few commands call are opened when they are called.
@Suite struct StartTests {
    private static let late = [
        "libav", "libswscale", "libswresample", "libopencv", "libtesseract", "libpango", "libcairo", "libglib",
    ]

    /// Where this fails a function of one of these libraries is called that `Sources/CLate/names.inc` doesn't have: `make late`.
    @Test(.enabled(if: libraries(of: Program.annotateBatch) != nil, "readelf, of binutils, is not installed"))
    func theProgramNamesNoLibraryThatIsOpenedLate() throws {
        let named = try #require(libraries(of: Program.annotateBatch))
        #expect(named.contains("libc.so.6"))
        #expect(named.filter { name in Self.late.contains { name.hasPrefix($0) } } == [])
    }

    @Test func theVersionIsToldWithoutThem() throws {
        let outcome = try annotateBatch("--version", environment: ["LD_DEBUG": "files"])
        #expect(outcome.status == 0 && outcome.output == "annotate-batch 0.1.0\n")
        #expect(outcome.errors.contains("libc.so.6"))
        for library in Self.late { #expect(!outcome.errors.contains("\(library)"), "\(library)") }
    }

    @Test func theSchemaOfManifestsIsToldWithoutThem() throws {
        let outcome = try annotateBatch("schema", "manifest", environment: ["LD_DEBUG": "files"])
        #expect(outcome.status == 0 && outcome.output.hasPrefix("{"))
        for library in Self.late { #expect(!outcome.errors.contains("\(library)"), "\(library)") }
    }

    /// As where a program starts without one: the loader's own sentence and status.
    @Test func oneThatCantBeOpenedIsNamed() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 1)
        // What the loader finds first is no library.
        for version in 58...64 { try workspace.write("", to: "lib/libavformat.so.\(version)") }
        let outcome = try annotateBatch(
            "probe", workspace.file("a.mp4"), environment: ["LD_LIBRARY_PATH": workspace.file("lib")])
        #expect(outcome.status == 127)
        #expect(outcome.errors.contains("error while loading shared libraries: libavformat.so."), "\(outcome.errors)")
    }
}
