import Annotate
import Testing

@testable import Pages

struct RemarksTests {
    private func complaint(_ text: String) throws -> String? {
        let folder = try Folder()
        try Files.write(text, to: folder.file("r.json"))
        do {
            _ = try Remarks(path: folder.file("r.json"))
            return nil
        } catch let error as FileError {
            return error.reason
        }
    }

    @Test func areTakenBack() throws {
        #expect(
            try complaint(
                #"{"format":"annotate-review","version":1,"reviewed":["a"],"#
                    + #""remarks":[{"job":"a","frame":3,"track":1,"mark":"wrong","text":"no"}]}"#) == nil)
    }

    @Test(arguments: [
        ("{", "line 1, column 2: "), ("[]", "it has no “format” of “annotate-review”"),
        (#"{"format":"annotate-review","version":2}"#, "its “version” isn't 1"),
        (#"{"format":"annotate-review","version":1,"remarks":[{"job":"a"}]}"#, "line 1: /remarks/0: "),
        (
            #"{"format":"annotate-review","version":1,"remarks":[{"job":"a","frame":1,"mark":"bad"}]}"#,
            "line 1: /remarks/0/mark: "
        ),
    ])
    func othersAreRefused(text: String, start: String) throws {
        let complaint = try #require(try complaint(text))
        #expect(complaint.hasPrefix(start), "\(complaint)")
    }
}
