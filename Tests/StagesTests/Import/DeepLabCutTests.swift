import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// DeepLabCut's tables, as pandas' `to_csv` writes those of its column levels.
@Suite struct DeepLabCutTests {
    private let folder: ImportFolder

    init() throws { folder = try ImportFolder() }

    private func read(_ text: String, video: String? = nil) throws -> (rows: [ImportedRow], all: ImportedRows) {
        var request = ImportRequest(
            format: .deeplabcut, path: try folder.write(text, "a.csv"), by: nil, firstFrame: 0, classes: [], stages: [])
        request.video = video
        let all = try request.read()
        return (all.rows(in: Int64.min...Int64.max), all)
    }

    private func failure(_ text: String) -> String? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return "\(error)".replacing(folder.path + "/", with: "")
        }
    }

    private static let animals = """
        scorer,DLC_r50,DLC_r50,DLC_r50,DLC_r50,DLC_r50,DLC_r50,DLC_r50,DLC_r50,DLC_r50,DLC_r50,DLC_r50,DLC_r50,DLC_r50,DLC_r50,DLC_r50
        individuals,mouse1,mouse1,mouse1,mouse1,mouse1,mouse1,mouse2,mouse2,mouse2,mouse2,mouse2,mouse2,single,single,single
        bodyparts,nose,nose,nose,tail,tail,tail,nose,nose,nose,tail,tail,tail,food,food,food
        coords,x,y,likelihood,x,y,likelihood,x,y,likelihood,x,y,likelihood,x,y,likelihood
        0,10.5,20,0.9,30,40,0.7,,,,,,,5,6,0.99
        1,11.0,21,0.1,31,41,0.2,50.0,60.0,0.8,70.25,80.0,0.95,5,6,0.3
        2,,,,,,,,,,,,,,,

        """

    @Test func severalAnimals() throws {
        let (rows, all) = try read(Self.animals)
        #expect(all.skeleton?.names == ["nose", "tail", "food"])
        #expect(all.listed == [0, 1, 2])
        // Mouse 1 is unsure in frame 1, as the food is; mouse 2 isn't in frame 0.
        #expect(rows.map(\.key) == [0, 0, 1])
        #expect(rows.map(\.id) == [1, 3, 2])
        #expect(rows.map(\.label) == ["mouse1", "single", "mouse2"])
        #expect(rows.map(\.state) == [.tracked, .tracked, .tracked])
        #expect(
            rows.map(\.box) == [
                Box(x: 10.5, y: 20, width: 20.5, height: 21), Box(x: 5, y: 6, width: 1, height: 1),
                Box(x: 50, y: 60, width: 21.25, height: 21),
            ])
        #expect(abs((rows[0].confidence ?? 0) - 0.8) < 1e-12)
        let joints = try #require(rows[0].parts?.joints)
        #expect(joints.map(\.point) == [Point(10.5, 20), Point(30, 40), Point(0, 0)])
        #expect(joints.map(\.confidence) == [0.9, 0.7, 0])
        #expect(joints.map(\.isFound) == [true, true, false])
    }

    /// One animal has no name; what people labelled has no likelihood, and pictures' names for frames.
    @Test(arguments: ["labeled-data,clip,img0003.png", "labeled-data/clip/img0003.png"])
    func labelsOfPeople(picture: String) throws {
        let lead = String(repeating: ",", count: picture.split(separator: ",").count - 1)
        let other = picture.replacing("clip", with: "other").replacing("0003", with: "0004")
        let text = """
            scorer\(lead),Alice,Alice,Alice,Alice
            bodyparts\(lead),nose,nose,tail,tail
            coords\(lead),x,y,x,y
            \(picture),1,2,3.0,4.0
            \(other),1,2,,

            """
        let (rows, _) = try read(text)
        #expect(rows.map(\.key) == [3, 4] && rows.map(\.id) == [1, 1] && rows.map(\.label) == [nil, nil])
        #expect(rows[0].parts?.joints.map(\.confidence) == [1, 1])
        #expect(rows[1].parts?.joints.map(\.isFound) == [true, false])
        #expect(rows[1].box == Box(x: 1, y: 2, width: 1, height: 1))
        #expect(try read(text, video: "clip").rows.map(\.key) == [3])
    }

    @Test func whatIsWrongIsSaidWithItsLine() throws {
        let lines = Self.animals.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        func with(_ line: Int, _ text: String) -> String {
            var lines = lines
            lines[line - 1] = text
            return lines.joined(separator: "\n")
        }
        #expect(
            failure("frame,left,top,width,height\n0,1,2,3,4\n")
                == "a.csv:1: no line of DeepLabCut's; expected those of scorer, bodyparts and coords above the frames")
        #expect(failure("")?.contains("no line of DeepLabCut's") == true)
        #expect(failure(with(5, "0,10.5,20")) == "a.csv:5: 3 cells; expected 16, as the lines above have")
        #expect(
            failure(with(6, lines[5].replacing("11.0", with: "far"))) == "a.csv:6: “far”; expected a number or nothing")
        #expect(failure(with(6, lines[4])) == "a.csv:6: frame 0 a second time; expected each once")
        #expect(
            failure(with(4, lines[3].replacing("likelihood", with: "z")))
                == "a.csv:4: the column “z”; expected x, y or likelihood")
        try Files.write([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], to: folder.path + "/b.h5")
        let binary = ImportRequest(
            format: .deeplabcut, path: folder.path + "/b.h5", by: nil, firstFrame: 0, classes: [], stages: [])
        let error = #expect(throws: ImportError.self) { try binary.read() }
        #expect(
            error?.message
                == "an HDF5 file; expected the table as CSV, which analyze_videos writes with save_as_csv=True")
    }

    @Test func aTableIsNoLargerThanAnybodyNeeds() {
        func line(_ word: String, _ cell: (Int) -> String) -> String {
            word + (0..<2002).map { "," + cell($0) }.joined() + "\n"
        }
        let text =
            line("scorer") { _ in "A" } + line("bodyparts") { "part\($0 / 2)" }
            + line("coords") { $0 % 2 == 0 ? "x" : "y" }
        #expect(failure(text) == "a.csv:3: over 1000 body parts or animals; expected fewer")
    }

    /// A quote too many doesn't take time that grows with the square of the file, and ends somewhere.
    @Test(.timeLimit(.minutes(1))) func aQuoteTooMany() throws {
        let rows = (0..<700_000).map { "\($0),1,2,0.9\n" }.joined()
        let error = failure("scorer,A,A,A\nbodyparts,n,n,n\ncoords,x,y,likelihood\n\"0,1,2,0.9\n" + rows)
        #expect(error == "a.csv:4: a cell in quotes that doesn't end; expected a closing quote")
        let more = failure("scorer,A,A,A\nbodyparts,n,n,n\ncoords,x,y,likelihood\n\"0,1,2,0.9\n" + rows + rows)
        #expect(more == "a.csv:4: a cell in quotes of over 16 MiB; expected a closing quote before")
    }
}
