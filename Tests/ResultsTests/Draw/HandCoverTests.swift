import Testing

@testable import Annotate

@Suite struct HandCoverTests {
    private func cover(_ text: String) throws -> HandCover { HandCover(try JSONParser.parse(Array(text.utf8))) }

    /// Frames of 25 a second that are covered.
    private func frames(_ text: String, rate: Double = 25, count: Int = 100) throws -> [Int] {
        let cover = try cover(text)
        return (0..<count).filter { cover.holds(from: Double($0) / rate, until: Double($0 + 1) / rate) }
    }

    /// Where it is in the first picture.
    private func spot(_ cover: HandCover) -> Cover.Spot? {
        let first = HandCover.Moment(frame: 0, time: 0)
        return cover.cover(at: first, until: 0.04, began: first)?.spot
    }

    @Test func theFramesOfATime() throws {
        #expect(try frames(#"{"start": 1, "end": 2}"#) == Array(25...50))
        #expect(try frames(#"{"end": 0.08}"#) == [0, 1, 2])
        #expect(try frames(#"{"start": 3.9}"#) == [97, 98, 99])
        #expect(try frames("{}") == Array(0..<100))
        // Between two frames the one counts that is seen.
        #expect(try frames(#"{"start": 1.01, "end": 1.05}"#) == [25, 26])
        // A third of a second in three decimals means its frame.
        #expect(try frames(#"{"start": 0.333, "end": 0.667}"#, rate: 30) == Array(10...20))
        #expect(try frames(#"{"start": 0.002, "end": 0.003}"#, rate: 2000) == [4, 5, 6])
    }

    @Test func places() throws {
        let size = PictureSize(width: 200, height: 100)
        let box = try cover(#"{"box": [0.25, 0.5, 0.5, 0.25], "units": "normalized"}"#).inPixels(of: size)
        #expect(spot(box) == .box(Box(x: 50, y: 50, width: 100, height: 25)))
        #expect(box.units == .pixels)
        let polygon = #"{"polygon": [[0, 0], [1, 0], [1, 1]], "units": "normalized"}"#
        let whole = try cover(polygon).inPixels(of: size)
        #expect(spot(whole) == .polygon([Point(0, 0), Point(200, 0), Point(200, 100)]))
        #expect(
            spot(try cover(#"{"polygon": [[0, 0], [9, 0], [9, 9]]}"#))?.bounds
                == Box(x: 0.5, y: 0.5, width: 9, height: 9))
        #expect(try cover("{}").style == .fill)
    }

    /// Files may begin before 0: what begins with the video begins with its first picture.
    @Test func fromTheBeginning() throws {
        let whole = try cover(#"{"end": 1}"#)
        #expect(whole.holds(from: -0.5, until: -0.46) && whole.sound == nil)
        #expect(!(try cover(#"{"start": 0}"#).holds(from: -0.5, until: -0.46)))
        #expect(try cover(#"{"audio": "mute"}"#).sound?.start == -.infinity)
    }

    /// In a part of a video it is where it is in the whole one.
    @Test func whereItBegan() throws {
        func began(_ text: String, _ frame: Int, isFirst: Bool = true) throws -> Int {
            let now = HandCover.Moment(frame: frame, time: Double(frame) / 25)
            return try cover(text).began(at: now, until: Double(frame + 1) / 25, isFirst: isFirst).frame
        }
        #expect(try began("{}", 20) == 0)
        #expect(try began(#"{"start": 0.4}"#, 20) == 10)
        #expect(try began(#"{"start": 0.41}"#, 20) == 10)
        #expect(try began(#"{"start": 0.8}"#, 20) == 20)
        #expect(try began(#"{"start": 0.79}"#, 20) == 19)
        #expect(try began(#"{"start": 0.4}"#, 20, isFirst: false) == 20)
    }

    /// A picture is covered that is seen when its place is there again.
    @Test func backFromAbsence() throws {
        let own = try cover(
            #"{"box": [0, 0, 9, 9], "keyframes": [{"time": 1, "absent": true}, {"time": 1.5, "box": [20, 0, 9, 9]}]}"#)
        let first = HandCover.Moment(frame: 0, time: 0)
        func x(_ from: Double, _ to: Double) -> Double? {
            own.cover(at: HandCover.Moment(frame: 7, time: from), until: to, began: first)?.spot.bounds?.x
        }
        #expect(x(0.9, 1.1) == 0 && x(1.1, 1.3) == nil && x(1.1, 1.5) == nil)
        #expect(x(1.2, 1.6) == 20 && x(1.5, 1.6) == 20 && x(0.95, 1.6) == 0)
    }

    /// A moment that no picture reaches is a slip of the hand, one at the very end is where a place goes to.
    @Test func keyframesThatNeverCome() {
        func late(_ keyframes: [(frame: Int?, time: Double?)]) -> Int {
            var cover = HandCover()
            cover.keyframes = keyframes.map {
                var keyframe = HandCover.Keyframe()
                (keyframe.frame, keyframe.time) = $0
                return keyframe
            }
            return cover.keyframes(behind: (frame: 99, time: 4))
        }
        #expect(late([(60, nil), (100, nil)]) == 0)
        #expect(late([(60, nil), (101, nil), (600, nil)]) == 2)
        #expect(late([(nil, 3.9), (nil, 4)]) == 0)
        #expect(late([(nil, 3.9), (nil, 40)]) == 1)
    }
}
