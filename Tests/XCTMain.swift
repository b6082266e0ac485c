import Testing

/// Runs the tests. SwiftPM finds the file by its name, and then needs no index of the tests' sources to look for tests itself:
/// Swift Testing finds its own. `swift test` starts it a second time, for tests of XCTest, of which there are none.
@main
struct Tests {
    static func main() async {
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
