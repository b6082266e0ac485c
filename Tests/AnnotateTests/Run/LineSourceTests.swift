import Glibc
import Testing

@testable import Annotate

/// Lines of a stream.
@Suite struct LineSourceTests {
    /// What a source makes of some bytes, which lie in a file.
    private func lines(_ text: [UInt8]) throws -> [LineSource.Line] {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        #expect(fwrite(text, 1, text.count, file) == text.count)
        rewind(file)
        var source = LineSource(descriptor: fileno(file))
        var all: [LineSource.Line] = []
        while let line = try source.next(isCancelled: { false }) { all.append(line) }
        return all
    }

    @Test func ofAnyLength() throws {
        for length in [0, 1, 4095, 4096, 4097, 70_000, 200_000] {
            let long = [UInt8](repeating: 0x61, count: length)
            let text = Array("one\n".utf8) + long + Array("\n\ntwo\nthree".utf8)
            let all = try lines(text)
            #expect(
                all == [
                    .text(Array("one".utf8)), .text(long), .text([]), .text(Array("two".utf8)),
                    .text(Array("three".utf8)),
                ], "\(length)")
        }
        #expect(try lines([]).isEmpty)
        #expect(try lines([0x0A]) == [.text([])])
    }

    @Test func oneThatIsTooLongIsPassedOver() throws {
        let most = [UInt8](repeating: 0x61, count: LineSource.longest)
        #expect(try lines(most + [0x0A, 0x62]) == [.text(most), .text([0x62])])
        #expect(try lines(most + [0x61, 0x0A, 0x62, 0x0A]) == [.tooLong, .text([0x62])])
        #expect(try lines(most + [0x61]) == [.tooLong])
    }

    /// What nobody asked for stays with whoever writes.
    @Test func noMoreIsReadThanTheLine() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(write(ends[1], "one\ntwo\n", 8) == 8)
        var source = LineSource(descriptor: ends[0])
        #expect(try source.next(isCancelled: { false }) == .text(Array("one".utf8)))
        var left: Int32 = 0
        #expect(ioctl(ends[0], UInt(FIONREAD), &left) == 0 && left == 4)
    }
}
