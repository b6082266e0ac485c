import Testing

@testable import Annotate
@testable import TestSupport

/// Files that are no manifests at all: a sentence, and no place in them.
@Suite struct ManifestFileTests {
    private func failure(_ bytes: [UInt8]?, name: String = "x.json", beside: [String] = []) throws -> String? {
        let folder = try TemporaryFolder()
        for other in beside { try folder.write("{}", to: other) }
        if let bytes { try folder.write(bytes, to: name) }
        do {
            _ = try ManifestReader(catalog: TestCatalog.catalog).read(folder.file(name))
            return nil
        } catch let error as ManifestFileError {
            return error.description.replacing(folder.path + "/", with: "")
        } catch is InvalidFileError {
            return "parsed"
        }
    }

    @Test func oneThatIsNotThere() throws {
        #expect(
            try failure(nil) == "no file “x.json”; expected a manifest, such as “annotate-batch init” writes")
        #expect(
            try failure(nil, name: "manifst.json", beside: ["manifest.json", "other.txt"])
                == "no file “manifst.json”; expected a manifest, such as “annotate-batch init” writes; did you mean “manifest.json”?"
        )
    }

    @Test func aFolder() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: ManifestFileError.self) {
            try ManifestReader(catalog: TestCatalog.catalog).read(folder.path)
        }
        #expect(error?.description == "“\(folder.path)” is a folder; expected a manifest, which is a JSON file")
    }

    @Test(arguments: ["", " \n\t "])
    func nothing(text: String) throws {
        #expect(
            try failure(Array(text.utf8))
                == "“x.json” is empty; expected a manifest, such as “annotate-batch init” writes")
    }

    @Test(
        arguments: [
            ("a video", Array("\0\0\0 ftypisom".utf8)), ("a video", [0x1A, 0x45, 0xDF, 0xA3, 1]),
            ("a video", Array("RIFF....AVI LIST".utf8)),
            ("a video", (0..<600).map { $0 % 188 == 0 ? 0x47 : 0xFF }), ("a picture", [0xFF, 0xD8, 0xFF, 0xE0]),
            ("a picture", Array("RIFF....WEBPVP8 ".utf8)), ("a picture", [0x89, 0x50, 0x4E, 0x47]),
        ] as [(String, [UInt8])])
    func whatIsSomethingElse(kind: String, bytes: [UInt8]) throws {
        #expect(
            try failure(bytes, name: "c.mp4")
                == "“c.mp4” is \(kind), not a manifest; expected a JSON file, such as “annotate-batch init c.mp4” writes for it"
        )
    }

    @Test(arguments: [
        ("a track file", #"{"format":"annotate-tracks","version":1}"# + "\n{}\n"),
        ("a ZIP archive", "PK\u{3}\u{4}\u{14}\0"),
    ])
    func whatInitMakesNoManifestFor(kind: String, text: String) throws {
        #expect(
            try failure(Array(text.utf8))
                == "“x.json” is \(kind), not a manifest; expected a JSON file, such as “annotate-batch init” writes")
    }

    @Test func aProgram() throws {
        #expect(
            try failure([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0])
                == "“x.json” is a binary file, not a manifest; expected a JSON file, such as “annotate-batch init” writes"
        )
    }

    /// The parser says where.
    @Test(
        arguments: [Array("{\"version\": \0}".utf8), [0xFF, 0xFE, 0x7B, 0], [0x7B, 0, 0x22, 0], Array("GRAPH".utf8)]
            as [[UInt8]])
    func whatMayBeText(bytes: [UInt8]) throws { #expect(try failure(bytes) == "parsed") }
}
