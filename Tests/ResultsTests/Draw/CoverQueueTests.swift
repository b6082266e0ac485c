import CFFmpeg
import Testing

@testable import Annotate
@testable import Drawing
@testable import Media
@testable import TestSupport

/// Pictures in which a thing that its stage misses is covered all the same.
@Suite struct CoverQueueTests {
    private static let width = 320, height = 200
    private static let side = 32.0

    /// The same for the same place: blocks of noise, of 4 pixels a side.
    private static func noise(_ x: Int, _ y: Int, _ seed: Int) -> UInt8 {
        var mixed = UInt64((x / 4) &* 7919 &+ (y / 4) &* 104_729 &+ seed &* 15_485_863) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 29)) &* 0xBF58_476D_1CE4_E5B9
        return UInt8(truncatingIfNeeded: mixed >> 40)
    }

    /// A noisy square on another noise, 25 pictures a second.
    private func frame(_ ordinal: Int, _ x: Double?, y: Double = 80, background: Int = 1) throws -> VideoFrame {
        let buffer = try FrameBuffer(width: Self.width, height: Self.height, format: AV_PIX_FMT_GRAY8)
        let plane = buffer.planes()[0]
        for row in 0..<Self.height {
            for column in 0..<Self.width {
                // The background's contrast is half of the square's.
                var value = 64 + Self.noise(column / 8, row / 8, background) / 2
                if let x, Double(column) >= x, Double(column) < x + Self.side, Double(row) >= y,
                    Double(row) < y + Self.side
                {
                    value = Self.noise(column - Int(x), row - Int(y), 99)
                }
                plane.base[row * plane.stride + column] = value
            }
        }
        return VideoFrame(
            ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
            picture: buffer, original: nil)
    }

    private var style: DrawStyle {
        DrawStyle {
            $0.cover = .fill
            $0.coverGap = 0.4
        }
    }

    private func seen(_ x: Double, y: Double = 80, track: Int? = 1) -> DrawnObservation {
        DrawnObservation(
            Observation(
                FaceFinding(), stage: "f", track: track.map { TrackReference(stage: "f", number: $0) }, state: .tracked,
                box: Box(x: x, y: y, width: Self.side, height: Self.side)), style: style)
    }

    /// The covers of each picture.
    private func covers(_ frames: [(VideoFrame, [DrawnObservation])]) -> [[Cover]] {
        var queue = CoverQueue(styles: [("f", style)], hidden: [], first: frames[0].0)
        var all: [[Cover]] = []
        for (frame, observations) in frames {
            queue.add(frame, observations)
            while let picture = queue.next(isEnd: false) { all.append(picture.covers) }
        }
        while let picture = queue.next(isEnd: true) { all.append(picture.covers) }
        return all
    }

    /// What part of a square is covered, 0…1.
    private func share(_ covers: [Cover], _ x: Double, y: Double = 80) -> Double {
        let square = Box(x: x, y: y, width: Self.side, height: Self.side)
        var hidden = 0
        for row in 0..<Int(Self.side) {
            for column in 0..<Int(Self.side) {
                let (px, py) = (square.x + Double(column) + 0.5, square.y + Double(row) + 0.5)
                if covers.contains(where: { cover in
                    cover.spot.bounds.map { $0.x <= px && px <= $0.right && $0.y <= py && py <= $0.bottom } ?? false
                }) {
                    hidden += 1
                }
            }
        }
        return Double(hidden) / Double(Int(Self.side) * Int(Self.side))
    }

    private func area(_ covers: [Cover]) -> Double { covers.compactMap(\.spot.bounds?.area).reduce(0, +) }

    /// It turns while nobody looks: neither of the two places says where it was.
    @Test func betweenTwoSightings() throws {
        func x(_ frame: Int) -> Double { Double(40 + 12 * (frame < 6 ? frame : 12 - frame)) }
        let frames = try (0..<13).map { (try frame($0, x($0)), [0, 1, 11, 12].contains($0) ? [seen(x($0))] : []) }
        let covers = covers(frames)
        for frame in 0..<13 { #expect(share(covers[frame], x(frame)) == 1, "\(frame)") }
    }

    /// What is seen first in the tenth picture is covered from the first on, wherever it was.
    @Test func beforeItIsSeenFirst() throws {
        func place(_ frame: Int) -> (x: Double, y: Double) { (Double(20 + 11 * frame), Double(30 + 9 * frame)) }
        let frames = try (0..<14).map { ordinal in
            let at = place(ordinal)
            return (try frame(ordinal, at.x, y: at.y), ordinal < 9 ? [] : [seen(at.x, y: at.y)])
        }
        let covers = covers(frames)
        for frame in 0..<14 {
            let at = place(frame)
            #expect(share(covers[frame], at.x, y: at.y) == 1, "\(frame)")
            // By its picture, not by covering everything.
            #expect(area(covers[frame]) < 6 * Self.side * Self.side, "\(frame)")
        }
    }

    /// What looks the same and is seen elsewhere all the time isn't taken for what is seen first.
    @Test func anotherOfTheSameLook() throws {
        let (one, other) = (Double(60), Double(92))
        let frames = try (0..<12).map { ordinal in
            let frame = try frame(ordinal, one)
            // The other one looks so only from where it is seen on.
            let square = try self.frame(ordinal, other, background: ordinal < 9 ? 5 : 1)
            let (from, to) = (square.picture.planes()[0], frame.picture.planes()[0])
            let shift = ordinal < 9 ? 120 : 0
            for row in 80..<112 {
                for column in 92..<124 {
                    to.base[row * to.stride + column] = from.base[row * from.stride + column + shift]
                }
            }
            return (frame, [seen(one)] + (ordinal < 9 ? [] : [seen(other, track: 2)]))
        }
        let covers = covers(frames)
        for frame in 0..<12 { #expect(share(covers[frame], other) == 1, "\(frame)") }
    }

    /// Of what is first seen in part more is covered before that, too.
    @Test func firstSeenInPart() throws {
        let frames = try (0..<12).map { ordinal in
            let part = DrawnObservation(
                Observation(
                    FaceFinding(), stage: "f", track: TrackReference(stage: "f", number: 1), state: .tracked,
                    box: Box(x: 100, y: 80, width: 14, height: Self.side)), style: style)
            return (try frame(ordinal, 100), ordinal < 8 ? [] : ordinal == 8 ? [part] : [seen(100)])
        }
        let covers = covers(frames)
        for frame in 0..<12 { #expect(share(covers[frame], 100) == 1, "\(frame)") }
    }

    @Test func afterItIsLost() throws {
        func x(_ frame: Int) -> Double { Double(20 + 10 * frame + frame * frame / 3) }
        let frames = try (0..<16).map { (try frame($0, x($0)), $0 < 6 ? [seen(x($0))] : []) }
        let covers = covers(frames)
        for frame in 0..<15 { #expect(share(covers[frame], x(frame)) == 1, "\(frame)") }
    }

    /// Where it was says nothing of the next shot, and what is found in that is followed back to the cut, no farther.
    @Test func throughACut() throws {
        let frames = try (0..<12).map { ordinal in
            let isSecond = ordinal >= 5
            let frame = try frame(ordinal, isSecond ? 220 : 40, background: isSecond ? 7 : 1)
            return (frame, isSecond ? (ordinal < 8 ? [] : [seen(220, track: 2)]) : [seen(40)])
        }
        let covers = covers(frames)
        for frame in 0..<12 { #expect(share(covers[frame], frame < 5 ? 40 : 220) == 1, "\(frame)") }
        for frame in 5..<12 { #expect(share(covers[frame], 40) == 0, "\(frame)") }
        for frame in 0..<5 { #expect(share(covers[frame], 220) == 0, "\(frame)") }
    }

    /// A camera that is shaken shows something else in each picture, and the thing among it.
    @Test func throughAShake() throws {
        let frames = try (0..<18).map { ordinal in
            let isStill = ordinal < 4 || ordinal > 13
            let frame = try frame(ordinal, 100, background: isStill ? 1 : ordinal)
            return (frame, ordinal < 7 || ordinal > 11 ? [seen(100)] : [])
        }
        let covers = covers(frames)
        for frame in 0..<18 { #expect(share(covers[frame], 100) == 1, "\(frame)") }
    }

    /// Shots of a fifth of a second: what was to be hidden in one says nothing of the next, for the camera rests in each.
    @Test func shortShots() throws {
        let places = [40.0, 220, 100, 160]
        let frames = try (0..<20).map { ordinal in
            let shot = ordinal / 5
            return (try frame(ordinal, places[shot], background: shot + 1), [seen(places[shot], track: shot + 1)])
        }
        let covers = covers(frames)
        for frame in 0..<20 {
            for (shot, place) in places.enumerated() {
                #expect(share(covers[frame], place) == (shot == frame / 5 ? 1 : 0), "\(frame) \(place)")
            }
        }
    }

    /// A black picture between two shots is no bridge between them.
    @Test func throughBlack() throws {
        let frames = try (0..<12).map { ordinal in
            let isSecond = ordinal > 5
            let frame = try frame(ordinal, isSecond ? 220 : 40, background: isSecond ? 7 : 1)
            if ordinal == 5 {
                let plane = frame.picture.planes()[0]
                for index in 0..<plane.stride * Self.height { plane.base[index] = 16 }
            }
            return (frame, isSecond ? (ordinal < 9 ? [] : [seen(220, track: 2)]) : ordinal < 5 ? [seen(40)] : [])
        }
        let covers = covers(frames)
        for frame in 6..<12 {
            #expect(share(covers[frame], 220) == 1, "\(frame)")
            #expect(share(covers[frame], 40) == 0, "\(frame)")
        }
    }

    /// A flash and a fade change brightness alone.
    @Test func whatIsNoCut() throws {
        let plain = try frame(0, 40)
        func changed(_ change: (UInt8) -> UInt8) throws -> VideoFrame {
            let other = try frame(1, 52)
            let plane = other.picture.planes()[0]
            for index in 0..<plane.stride * Self.height { plane.base[index] = change(plane.base[index]) }
            return other
        }
        let look = ShotLook(plain)
        #expect(!ShotLook(try changed { $0 }).isOther(than: look))
        #expect(!ShotLook(try changed { UInt8(clamping: Int($0) + 90) }).isOther(than: look))
        #expect(!ShotLook(try changed { $0 / 4 }).isOther(than: look))
        #expect(!ShotLook(try changed { _ in 0 }).isOther(than: look))
        #expect(ShotLook(try frame(1, 40, background: 5)).isOther(than: look))
    }

    @Test func aPatchIsFoundWhereItIs() throws {
        let patch = try #require(
            try frame(0, 100).withLuma { CoverPatch($0, Box(x: 100, y: 80, width: Self.side, height: Self.side)) })
        for (x, y) in [(100.0, 80.0), (118, 71), (84, 96), (130, 80)] {
            let found = try frame(1, x, y: y).withLuma {
                patch.find(in: $0, around: Box(x: 100, y: 80, width: Self.side, height: Self.side), reach: (32, 32))
            }
            let place = try #require(found)
            #expect(place.likeness > 0.8 && abs(place.box.x - x) <= 2 && abs(place.box.y - y) <= 2, "\(x), \(y)")
        }
        let gone = try frame(1, nil).withLuma {
            patch.find(in: $0, around: Box(x: 100, y: 80, width: Self.side, height: Self.side), reach: (32, 32))
        }
        #expect(gone?.likeness ?? 0 < 0.8)
        // Nothing to tell by, and places that no picture has.
        let flat = try FrameBuffer(width: 64, height: 64, format: AV_PIX_FMT_GRAY8)
        let plane = flat.planes()[0]
        for index in 0..<plane.stride * 64 { plane.base[index] = 9 }
        let still = VideoFrame(
            ordinal: 0, pts: MediaTime(ticks: 0, timeBase: Rational(1, 25)), duration: 1, picture: flat, original: nil)
        #expect(still.withLuma { CoverPatch($0, Box(x: 8, y: 8, width: 32, height: 32)) } == nil)
        _ = try frame(0, 100).withLuma { CoverPatch($0, Box(x: -1e300, y: 1e300, width: 1e308, height: 40)) }
    }

    // MARK: By hand

    private func hidden(_ keyframes: [(frame: Int, x: Double?)], start: Double = 0) -> HandCover {
        var cover = HandCover()
        cover.box = Box(x: 10, y: 10, width: 20, height: 20)
        cover.start = start
        cover.keyframes = keyframes.map { moment in
            var keyframe = HandCover.Keyframe()
            keyframe.frame = moment.frame
            if let x = moment.x {
                keyframe.box = Box(x: x, y: 10, width: 20, height: 20)
            } else {
                keyframe.isAbsent = true
            }
            return keyframe
        }
        return cover
    }

    /// Evenly from place to place, nothing while it is absent.
    @Test func keyframes() throws {
        let cover = hidden([(4, 50), (6, nil), (8, 100)], start: 0.08)
        var queue = CoverQueue(styles: [], hidden: [cover], first: try frame(0, nil))
        var places: [Double?] = []
        for ordinal in 0..<11 {
            queue.add(try frame(ordinal, nil), [])
            while let picture = queue.next(isEnd: ordinal == 10) { places.append(picture.covers.first?.spot.bounds?.x) }
        }
        // It is seen from frame 2 on, at 10, and at 50 in frame 4.
        #expect(places == [nil, nil, 10, 30, 50, 50, nil, nil, 100, 100, 100])
        #expect(queue.notes.isEmpty)
    }

    /// A part of the video has the covers of the whole.
    @Test func keyframesInAPart() throws {
        for (start, expected) in [(nil, [20.0, 21, 22]), (0.4, [20, 21, 22])] as [(Double?, [Double])] {
            var cover = hidden([(40, 40)])
            // From frame 0 on, or from frame 10 on: the same line.
            cover.box = Box(x: start == nil ? 0 : 10, y: 10, width: 20, height: 20)
            cover.start = start
            var queue = CoverQueue(styles: [], hidden: [cover], first: try frame(20, nil))
            var places: [Double] = []
            for ordinal in 20..<23 {
                queue.add(try frame(ordinal, nil), [])
                while let picture = queue.next(isEnd: ordinal == 22) {
                    places.append(picture.covers.first?.spot.bounds?.x ?? -1)
                }
            }
            try #require(places.count == 3)
            for (place, expected) in zip(places, expected) { #expect(abs(place - expected) < 1e-9, "\(places)") }
        }
    }

    /// What is written in a place that is hidden by hand isn't written beside it; a number of a track may be.
    @Test func wordsOfWhatIsHidden() throws {
        var cover = HandCover()
        cover.box = Box(x: 90, y: 70, width: 60, height: 60)
        func label(_ usual: CoverStyle, x: Double) throws -> Bool? {
            var queue = CoverQueue(styles: [], hidden: [cover], first: try frame(0, nil))
            var drawn = seen(x)
            drawn.style = DrawStyle { $0.usualCover = usual }
            queue.add(try frame(0, nil), [drawn])
            return queue.next(isEnd: true)?.observations.first?.style?.label
        }
        #expect(try label(.fill, x: 100) == false)
        // A letter's place is enough.
        #expect(try label(.fill, x: 148) == false)
        #expect(try label(.fill, x: 200) == true)
        #expect(try label(.blur, x: 100) == true)
    }

    /// What an exception leaves visible is so from its first picture to its last one: what is known of the thing before and
    /// after reaches not into its time.
    @Test(arguments: [true, false]) func anException(isSeen: Bool) throws {
        var exception = HandCover()
        (exception.track, exception.isException, exception.start, exception.end) = (1, true, 0.4, 0.8)
        var queue = CoverQueue(styles: [("f", style)], hidden: [exception], first: try frame(0, 100))
        var covered: [Bool] = []
        for ordinal in 0..<30 {
            // Its stage may miss it there for a while.
            let isMissed = !isSeen && (12..<18).contains(ordinal)
            queue.add(try frame(ordinal, 100), isMissed ? [] : [seen(100)])
            while let picture = queue.next(isEnd: ordinal == 29) {
                covered.append(!picture.covers.isEmpty)
                if covered.count - 1 == 11 { #expect(picture.left.map(\.x) == [100]) }
            }
        }
        #expect(covered.indices.filter { !covered[$0] } == Array(10...20))
    }

    /// A stage that finds nothing but what stays visible has found something, and lost nothing.
    @Test func whatStaysVisibleIsNotDoubtful() throws {
        var exception = HandCover()
        (exception.track, exception.isException) = (1, true)
        var queue = CoverQueue(styles: [("f", style)], hidden: [exception], first: try frame(0, 100))
        for ordinal in 0..<30 {
            queue.add(try frame(ordinal, 100), (8..<20).contains(ordinal) ? [seen(100)] : [])
            while let picture = queue.next(isEnd: ordinal == 29) { #expect(picture.covers.isEmpty) }
        }
        #expect(queue.summary?.doubtful == 0 && queue.summary?.frames == 0)
    }
}
