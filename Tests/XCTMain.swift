import Testing

/// Runs the tests. Where SwiftPM finds this file it looks for no tests itself, which would take an index of their sources:
/// Swift Testing finds its own.
@main
struct Tests {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
