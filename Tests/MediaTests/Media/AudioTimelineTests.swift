@testable import Media
import Testing

@testable import Annotate

@Suite struct AudioTimelineTests {
    @Test func theFirstPieceSaysWhereTimeBegins() {
        for start in [Int64(0), 96000, -4800] {
            var timeline = AudioTimeline(rate: 48000)
            #expect(timeline.end == nil)
            #expect(timeline.place(start, samples: 1000) == .init(leap: start))
            #expect(timeline.end == start + 1000)
            #expect(timeline.place(start + 1000, samples: 500) == .init())
            #expect(timeline.end == start + 1500)
        }
        var timeline = AudioTimeline(rate: 48000)
        #expect(timeline.place(nil, samples: 1000) == .init(leap: 0))
    }

    @Test(arguments: [nil, 1000, 1000 + 2399, 1000 - 2399] as [Int64?])
    func inexactAndMissingStampsRunOn(stamp: Int64?) {
        var timeline = AudioTimeline(rate: 48000, end: 1000)
        #expect(timeline.place(stamp, samples: 480) == .init())
        #expect(timeline.end == 1480)
    }

    @Test func gaps() {
        var timeline = AudioTimeline(rate: 48000, end: 1000)
        #expect(timeline.place(1000 + 2401, samples: 480) == .init(silence: 2401))
        #expect(timeline.end == 3881)
        // Ten minutes at most.
        #expect(timeline.place(3881 + 28_800_000, samples: 480) == .init(silence: 28_800_000))
        let end = 3881 + 28_800_480 as Int64
        #expect(timeline.place(end + 28_800_001, samples: 480) == .init(leap: end + 28_800_001))
        #expect(timeline.end == end + 28_800_481)
    }

    @Test func afterDamageAnyGapIsFilled() {
        var timeline = AudioTimeline(rate: 48000, end: 1000)
        #expect(timeline.place(1010, samples: 480, isExact: true) == .init(silence: 10))
        #expect(timeline.place(1480, samples: 480, isExact: true) == .init())
        #expect(timeline.end == 1970)
    }

    @Test func overlaps() {
        var timeline = AudioTimeline(rate: 48000, end: 10000)
        #expect(timeline.place(10000 - 2401, samples: 4800) == .init(trimmed: 2401))
        #expect(timeline.end == 12399)
        #expect(timeline.place(5000, samples: 4800) == .init(trimmed: 4800))
        // To its end, though little is left.
        #expect(timeline.place(9800, samples: 2500) == .init(trimmed: 2500))
        #expect(timeline.place(12300, samples: 4800) == .init(trimmed: 99))
        #expect(timeline.end == 17100)
        #expect(timeline.place(17000, samples: 480) == .init())
        #expect(timeline.end == 17580)
        // A clock that was set anew.
        #expect(timeline.place(17580 - 480_001, samples: 480) == .init())
        #expect(timeline.end == 18060)
    }

    @Test(arguments: [.min, .max, (1 << 53) + 1] as [Int64])
    func absurdStampsAreNone(stamp: Int64) {
        var timeline = AudioTimeline(rate: 48000)
        #expect(timeline.place(stamp, samples: 10) == .init(leap: 0))
        #expect(timeline.place(stamp, samples: 10) == .init())
        #expect(timeline.place(1 << 53, samples: 10) == .init(leap: 1 << 53))
        #expect(timeline.place(1 << 53, samples: 10) == .init())
        #expect(timeline.end == (1 << 53) + 20 as Int64)
    }
}
