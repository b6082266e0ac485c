import CFFmpeg
import Testing

@testable import Annotate
@testable import Drawing
@testable import Media
@testable import TestSupport

/// What a region says to be there and its stage says to have lost stays hidden.
@Suite struct MissingCoverTests {
    private static let width = 640, height = 360

    /// A slope of grey, one way or the other, in a light that grows, so that nobody knows what is ground.
    private func frame(_ ordinal: Int, turned: Bool) throws -> VideoFrame {
        let buffer = try FrameBuffer(width: Self.width, height: Self.height, format: AV_PIX_FMT_GRAY8)
        let plane = buffer.planes()[0]
        for row in 0..<Self.height {
            for column in 0..<Self.width {
                plane.base[row * plane.stride + column] = UInt8(
                    40 + ordinal + 100 * (turned ? Self.width - column : column) / Self.width)
            }
        }
        return VideoFrame(
            ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
            picture: buffer, original: nil)
    }

    private func thing(_ x: Double?, state: TrackState, region: String? = "it") -> DrawnObservation {
        DrawnObservation(
            Observation(
                ObjectFinding(), stage: "t", track: TrackReference(stage: "t", number: 1), region: region,
                confidence: x == nil ? 0 : 1, state: state,
                box: x.map { Box(x: $0, y: 160, width: 30, height: 40) }),
            style: DrawStyle {
                $0.cover = .fill
                $0.coverGap = 0.4
            })
    }

    /// Widths of what is covered in each of 100 pictures, four seconds.
    /// - Parameter cut: The first picture of another shot.
    private func widths(cut: Int = .max, _ told: (Int) -> [DrawnObservation]) throws -> [Double] {
        var queue: CoverQueue?
        var all: [Double] = []
        func take(_ covers: [Cover]) {
            let boxes = covers.compactMap(\.spot.bounds)
            all.append((boxes.map(\.right).max() ?? 0) - (boxes.map(\.x).min() ?? 0))
        }
        for ordinal in 0..<100 {
            let frame = try frame(ordinal, turned: ordinal >= cut)
            if queue == nil {
                queue = CoverQueue(styles: [("t", thing(nil, state: .lost).style!)], hidden: [], first: frame)
            }
            queue?.add(frame, told(ordinal))
            while let picture = queue?.next(isEnd: false) { take(picture.covers) }
        }
        while let picture = queue?.next(isEnd: true) { take(picture.covers) }
        return all
    }

    @Test func lostInFullSightItIsHiddenEverFartherAround() throws {
        let widths = try widths { [$0 < 20 ? thing(200 + 4 * Double($0), state: .tracked) : thing(nil, state: .lost)] }
        #expect(widths.count == 100 && widths.allSatisfy { $0 > 30 })
        for (before, after) in zip(widths[20...], widths[21...]) { #expect(after >= before) }
        // It went on at 100 pixels a second: after three seconds it may be 300 farther.
        #expect(widths[95] > 300)
    }

    @Test func seenAgainItIsHiddenThereAlone() throws {
        let widths = try widths {
            [$0 < 20 || $0 >= 70 ? thing(200, state: .tracked) : thing(nil, state: .lost)]
        }
        #expect(widths[60] > 100)
        #expect(widths[70...].allSatisfy { $0 == 36 })
    }

    /// The manifest says that it is nowhere, or its stage has given it up.
    @Test func endedItIsHiddenNoLongerThanTheGap() throws {
        let widths = try widths {
            $0 < 20 ? [thing(200, state: .tracked)] : $0 == 20 ? [thing(nil, state: .ended)] : []
        }
        #expect(widths[29] > 30 && widths[32...].allSatisfy { $0 == 0 })
    }

    /// Its stage looks for such things everywhere, and would have found it.
    @Test func whatNoRegionNamesIsHiddenNoLongerThanTheGap() throws {
        let widths = try widths {
            [$0 < 20 ? thing(200, state: .tracked, region: nil) : thing(nil, state: .lost, region: nil)]
        }
        #expect(widths[29] > 30 && widths[32...].allSatisfy { $0 == 0 })
    }

    @Test func whatLeftAtTheEdgeIsThereNoLonger() throws {
        let widths = try widths { [$0 < 20 ? thing(220 + 20 * Double($0), state: .tracked) : thing(nil, state: .lost)] }
        #expect(widths[19] > 0 && widths[32...].allSatisfy { $0 == 0 })
    }

    /// Nobody knows whether it is in the next shot: the summary tells where it was lost.
    @Test func aCutEndsIt() throws {
        let widths = try widths(cut: 50) { [$0 < 20 ? thing(200, state: .tracked) : thing(nil, state: .lost)] }
        #expect(widths[49] > 100 && widths[50...].allSatisfy { $0 == 0 })
    }

    /// Nobody knows where in another shot it is: that is told, where its stage goes on to look for it.
    @Test(arguments: [true, false]) func behindACutItIsTold(isLookedFor: Bool) throws {
        var queue: CoverQueue?
        for ordinal in 0..<60 {
            let frame = try frame(ordinal, turned: ordinal >= 30)
            if queue == nil {
                queue = CoverQueue(styles: [("t", thing(nil, state: .lost).style!)], hidden: [], first: frame)
            }
            let after = isLookedFor ? [thing(nil, state: .lost)] : []
            queue?.add(frame, ordinal < 30 ? [thing(300, state: .tracked)] : after)
            while queue?.next(isEnd: false) != nil {}
        }
        while queue?.next(isEnd: true) != nil {}
        let moments = queue?.summary?.moments ?? []
        #expect(moments.map(\.reason) == (isLookedFor ? [.lost] : []))
        #expect(moments.map(\.frame) == (isLookedFor ? [29] : []))
    }
}
