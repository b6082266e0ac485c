import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct TrackFileReaderTests {
    private static let header =
        #"{"format":"annotate-tracks","version":1,"generator":"test 1","source":{"name":"a.mp4","width":64,"height":48,"rotation":0,"timeBase":[1,25],"frames":1},"stages":[{"id":"a","type":"markers"},{"id":"f","type":"track"}]}"#
    private static let frame = #"{"frame":0,"pts":0,"duration":1,"time":0,"observations":[]}"#
    private static let summary = #"{"summary":{"frames":1,"complete":true,"tracks":[]}}"#

    private static let marker = #""stage":"a","kind":"marker","polygon":[[0,0],[9,0],[9,9],[0,9]],"id":1"#

    /// A frame with one observation of these members.
    private static func seen(_ members: String) -> String { frame.replacing("[]", with: "[{\(members)}]") }

    /// The error of reading a track file of these lines, without the path; nil for a whole one.
    private func failure(_ text: String) throws -> String? {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "a.tracks.jsonl")
        do {
            let reader = try TrackFileReader(path: path, kinds: TestFindings.catalog)
            while try reader.next() != nil {}
            return nil
        } catch let error as TrackFileError {
            return error.description.replacing(path, with: "a")
        }
    }

    @Test(arguments: ["\n", ""])
    func aWholeTrackFile(end: String) throws {
        #expect(try failure([Self.header, Self.frame, Self.summary].joined(separator: "\n") + end) == nil)
        #expect(try failure([Self.header, Self.summary].joined(separator: "\n") + end) == nil)
    }

    @Test func anEmptyFileIsCalledEmpty() throws {
        #expect(try failure("") == "a: it is empty; expected a track file with its header line")
    }

    @Test(arguments: [header + "\n", header + "\n" + frame + "\n", header + "\n" + frame])
    func aTrackFileWithoutItsSummaryIsABrokenRun(text: String) throws {
        #expect(try failure(text) == "a: it ends without its summary line: the run that wrote it was broken off")
    }

    @Test func everyTruncationIsAnError() throws {
        let text = [Self.header, Self.frame, Self.summary].joined(separator: "\n")
        for length in stride(from: 0, to: text.utf8.count, by: 7) {
            #expect(try failure(String(text.prefix(length))) != nil, "\(length)")
        }
        #expect(try failure(String(text.dropLast())) != nil)
    }

    @Test(arguments: [
        ([frame, summary], "a:1: /: “format” is missing; expected \"annotate-tracks\""),
        (["x"], "a: it is text, no track file; expected a track file that run wrote, *.tracks.jsonl"),
        (
            ["\u{89}PNG\r\n\u{1A}\n"],
            "a: it is a binary file, no track file; expected a track file that run wrote, *.tracks.jsonl"
        ),
        (["{\"frame\"}"], "a:1: column 9: “}” where “:” was expected"),
        (
            [header.replacing("64", with: "60000").replacing("48", with: "60000")],
            "a:1: /source: 60000×60000 pixels; expected at most 268435456, as decoders have"
        ),
        (
            [header, frame.replacing(":0,\"pts", with: ":9223372036854775807,\"pts")],
            "a:2: /frame: 9223372036854775807; expected at most 9007199254740991"
        ),
        ([header, ""], "a:2: column 1: the file ends where a value was expected"),
        ([header, frame, summary, frame], "a:4: a line after the summary; expected the end of the file"),
        ([header, header], "a:2: /: “frame” is missing; expected a whole number from 0"),
        (
            [header, frame.replacing("\"time\"", with: "\"tiem\"")],
            "a:2: /: “time” is missing; expected a number"
        ),
        (
            [header, seen(#""stage":"a","kind":"marker","id":1,"colour":1"#)],
            "a:2: /observations/0/colour: unknown key “colour”; expected one of “stage”, “kind”, “track”, “of”, “region”, "
                + "“label”, “confidence”, “state”, “box”, “polygon”, “held”, “id”, “pose”"
        ),
        (
            [header, seen(#""stage":"a","kind":"thing""#)],
            "a:2: /observations/0/kind: unknown kind of observation “thing”; expected one of “marker”, “board”, “rectangle”, "
                + "“object”, “face”, “classification”, “annotation”"
        ),
        (
            [header, seen(#""stage":"a","kind":"marker","track":0,"id":1"#)],
            "a:2: /observations/0/track: 0; expected a whole number from 1"
        ),
        (
            [header, seen(marker.replacing("\"a\"", with: "\"b\""))],
            "a:2: /observations/0/stage: “b”, which the header has not; expected one of “a”, “f”"
        ),
        (
            [header, seen(#""stage":"a","kind":"object","box":[0,0,1,1]"#)],
            "a:2: /observations/0/kind: “object”, which stage “a” doesn't give; expected one of “marker”, “board”"
        ),
        (
            [header, seen(#""stage":"a","kind":"marker","id":1"#)],
            "a:2: /observations/0: “polygon” is missing; every marker in sight has one"
        ),
        (
            [header, seen(#""stage":"f","kind":"object","state":"tracked""#)],
            "a:2: /observations/0: “box” is missing; every object in sight has one"
        ),
        (
            [header, seen(marker + #","of":7"#)],
            "a:2: /observations/0/of: 7, a track that nothing has had so far"
        ),
        (
            [header, seen(#""stage":"a","kind":"marker","polygon":[[0,0],[9,0],[9,9],[0,9]]"#)],
            "a:2: /observations/0: “id” is missing; expected a whole number from 0"
        ),
        (
            [header.replacing("\"track\"", with: "\"trakc\"")],
            "a:1: /stages/1/type: this program has no stage type “trakc”"
        ),
        ([header, frame, summary.replacing("true", with: "false")], "a:3: /summary/complete: false; expected true"),
        ([header.replacing("\"version\":1", with: "\"version\":2")], "a:1: /version: 2; expected 1"),
    ])
    func whatDoesNotFit(lines: [String], expected: String) throws {
        let found = try failure(lines.joined(separator: "\n") + "\n")
        #expect(found?.hasPrefix(expected) == true, "\(found ?? "nothing")")
    }

    /// What is out of sight has no place.
    @Test(arguments: ["lost", "ended"])
    func outOfSight(state: String) throws {
        let lost = Self.seen(#""stage":"f","kind":"object","state":"\#(state)""#)
        #expect(try failure([Self.header, lost, Self.summary].joined(separator: "\n")) == nil)
    }

    @Test func linesOverSeveralReads() throws {
        let long = Self.frame.replacing(
            "[]",
            with: "[" + Array(repeating: "{\(Self.marker)}", count: 20_000).joined(separator: ",") + "]")
        #expect(try failure([Self.header, long, Self.summary].joined(separator: "\n")) == nil)
    }

    @Test func aFileThatIsNotThere() {
        let error = #expect(throws: FileError.self) {
            try TrackFileReader(path: "missing.jsonl", kinds: TestFindings.catalog)
        }
        #expect(error?.description == "could not read missing.jsonl: No such file or directory")
    }
}
