import Testing

@testable import Annotate
@testable import Media
@testable import TestSupport

/// From a place at which a video can be divided decoding gives the pictures of a full run.
@Suite struct CutPlacesTests {
    @Test(arguments: RangeTests.kinds.map(\.name))
    func partsAreThoseOfTheWhole(name: String) throws {
        let folder = try TemporaryFolder()
        let clip = try RangeTests.clip(name, in: folder, seconds: 3)
        let whole = try readFrames(clip)
        var options = SourceOptions()
        options.knowsEnd = true
        guard let cuts = try CutPlaces(path: clip, options: options, cancellation: nil) else {
            // Of these only decoding tells the pictures.
            #expect(
                ["altref.webm", "mpeg4.avi", "palette.avi", "vp9.webm", "late.ts", "mpeg2.ts"].contains(name), "\(name)"
            )
            return
        }
        #expect(cuts.frames == 0..<whole.count)
        let parts = cuts.dividing(into: 4)
        // Of these a decoder can begin with the first picture alone.
        let isOne = ["refresh.mkv", "opengop.mp4", "palette.avi"].contains(name)
        #expect(parts.count == (isOne ? 0 : 3), "\(parts)")
        for place in parts {
            options.start = .at(place.tick)
            let reader = try SourceReader(path: clip, options: options)
            #expect(reader.decodedFrom == place.tick)
            for expected in whole[place.ordinal...].prefix(14) {
                let frame = try #require(try reader.next())
                #expect(frame.ordinal == expected.ordinal && frame.pts == expected.pts)
                #expect(frame.duration == expected.duration)
                #expect(frame.planarBytes == expected.planarBytes, "\(frame.ordinal)")
            }
        }
        // Of a part of the video.
        options.range = FrameRange(start: 0.5, end: 2)
        let inner = try #require(try CutPlaces(path: clip, options: options, cancellation: nil))
        options.start = .nearest
        let range = try readFrames(clip, options).map(\.ordinal)
        #expect(inner.frames.lowerBound == range.first && inner.frames.count == range.count)
        #expect(inner.places.allSatisfy { inner.frames.contains($0.ordinal) })
    }

    /// Places are chosen for even parts, each once, in order.
    @Test(arguments: [1, 2, 3, 7, 100]) func evenParts(parts: Int) throws {
        let folder = try TemporaryFolder()
        let clip = try RangeTests.clip("bframes.mp4", in: folder, seconds: 4)
        let cuts = try #require(try CutPlaces(path: clip, options: SourceOptions(), cancellation: nil))
        let chosen = cuts.dividing(into: parts).map(\.ordinal)
        #expect(chosen == Array(Set(chosen)).sorted() && chosen.allSatisfy { $0 > 0 && $0 < 100 })
        #expect(chosen.count == min(parts, cuts.places.count) - 1)
        if parts == 3 { #expect(zip(chosen, [33, 67]).allSatisfy { abs($0 - $1) <= 5 }, "\(chosen)") }
    }
}
