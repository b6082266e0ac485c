import Testing

/// What `readelf` says of the program under test.
private let headers: [String]? = {
    let outcome = try? Program.run("readelf", ["-dlW", "--dyn-syms", Program.annotateBatch])
    return outcome?.status == 0 ? outcome?.outputLines : nil
}()

private func lines(_ name: String) -> [String] { (headers ?? []).filter { $0.contains(name) } }

/// How the program is linked: what an attacker could overwrite is read-only, or can't be run.
@Suite(.enabled(if: headers != nil, "readelf, of binutils, is not installed"))
struct HardeningTests {
    @Test func addressesAreResolvedAtTheStartAndReadOnlyFromThen() {
        #expect(lines("(FLAGS)").contains { $0.hasSuffix("BIND_NOW") }, "the Makefile has the linker's flags")
        #expect(lines(" GNU_RELRO ").count == 1)
    }

    @Test func itLiesAnywhereAndNothingIsBothWrittenAndRun() {
        #expect(lines("Elf file type is DYN").count == 1)
        #expect(lines(" GNU_STACK ").count == 1)
        let segments = lines(" LOAD ") + lines(" GNU_STACK ")
        #expect(segments.count > 2 && !segments.contains { $0.contains(" RWE ") })
    }

    @Test func stacksAreGuarded() {
        #expect(!lines(" __stack_chk_fail@").isEmpty)
    }
}
