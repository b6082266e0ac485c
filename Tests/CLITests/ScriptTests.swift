import Foundation
import Testing

/// Scripts that try what the documents promise.
@Suite struct ScriptTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// README's rule and those of docs/examples/make, with `make -j2`: all, nothing, one.
    @Test func makeRunsWhatIsToBeRun() throws {
        let outcome = try Program.run(Self.repository + "/scripts/check/check-make.sh", [Program.annotateBatch])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.outputLines.last == "check-make: all passed")
    }
}
