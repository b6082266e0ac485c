/// One of a job's `cover`: a place of the picture that the manifest hides for a time, whatever is seen there; or a thing that
/// a stage follows, by its track or region, that is hidden wherever it is, or isn't.
public struct HandCover: Sendable, Hashable {
    /// What coordinates count in: pixels of the picture, or parts of its width and height.
    public enum Units: String, Sendable, CaseIterable {
        /// Pixels, where 0 is the picture's left or upper edge, or parts of its width and height, 0…1.
        case pixels, normalized
    }

    /// The place from a moment on.
    public struct Keyframe: Sendable, Hashable {
        /// Seconds of the source's time; nil where it is given by frame.
        public var time: Double?
        /// The ordinal of a picture; nil where it is given by time.
        public var frame: Int?
        /// The place, for a cover that is a box.
        public var box: Box?
        /// The place's corners, for a cover that is a polygon.
        public var polygon: [Point]?
        /// True where nothing is hidden from then on.
        public var isAbsent: Bool?

        public init() {}
    }

    /// When a picture is shown: its ordinal, and the seconds of the source's time.
    package struct Moment: Sendable {
        package var frame: Int
        package var time: Double

        package init(frame: Int, time: Double) {
            self.frame = frame
            self.time = time
        }
    }

    /// A place; of what follows a thing, where it is when that is first seen. nil for a polygon, and for the thing itself.
    public var box: Box?
    /// Corners of the polygon that is hidden; nil where a box is.
    public var polygon: [Point]?
    /// Units of the coordinates.
    public var units = Units.pixels
    /// Time at which it begins, seconds of the source's clock; nil for the beginning of the video.
    public var start: Double?
    /// Time at which it ends, seconds of the source's clock; nil for the end of the video.
    public var end: Double?
    /// How its pixels are taken away.
    public var style = CoverStyle.fill
    /// The colour of a filled place; nil for the mean of what is around it.
    public var color: RGB?
    /// Places at later moments, in the moments' order, all by time or all by frame. Between two places it moves evenly.
    public var keyframes: [Keyframe] = []
    /// The job's zone whose place it has.
    public var zone: String?
    /// The track, by its number in the track file, of the thing that it follows.
    public var track: Int?
    /// The job's region of the thing that it follows.
    public var region: String?
    /// Whether the thing that it follows stays visible where a stage's cover would hide it.
    public var isException = false
    /// How the sound of its time is taken away, instead of a place; nil for a place.
    public var audio: SoundStyle?

    public init() {}

    /// The sound that it hides; nil for none.
    package var sound: HiddenSound? { audio.map { HiddenSound(start: start ?? -.infinity, end: end, style: $0) } }

    /// Its times, in words.
    package var times: String { "from \(plain(start ?? 0)) s\(end.map { " to \(plain($0)) s" } ?? " on")" }

    /// Whether it goes where a thing goes, rather than where it says itself.
    package var follows: Bool { track != nil || region != nil }

    /// How long before and after the thing that it follows is seen, seconds.
    package static let gap = DrawStyle().coverGap

    /// What it follows, in words.
    package var followed: String {
        track.map { "track \($0)" } ?? region.map { "region “\($0.inOneLine)”" } ?? "nothing"
    }

    /// The cover with coordinates in a picture's pixels, to hundredths.
    package func inPixels(of size: PictureSize) -> HandCover {
        var cover = self
        cover.units = .pixels
        if units == .normalized {
            let (width, height) = (Double(size.width), Double(size.height))
            func pixels(_ box: Box) -> Box {
                Box(x: box.x * width, y: box.y * height, width: box.width * width, height: box.height * height)
            }
            func pixels(_ corners: [Point]) -> [Point] {
                corners.map { Point($0.x * width - 0.5, $0.y * height - 0.5) }
            }
            cover.box = box.map(pixels)
            cover.polygon = polygon.map(pixels)
            for index in keyframes.indices {
                cover.keyframes[index].box = keyframes[index].box.map(pixels)
                cover.keyframes[index].polygon = keyframes[index].polygon.map(pixels)
            }
        }
        return cover.rounded
    }

    /// What is covered in a picture that is shown from a moment until the next picture is; nil for nothing.
    /// - Parameters:
    ///   - began: The first picture that it is seen in.
    ///   - next: Seconds.
    package func cover(at moment: Moment, until next: Double, began: Moment) -> Cover? {
        guard holds(from: moment.time, until: next), let spot = spot(at: moment, until: next, began) else { return nil }
        return Cover(spot: spot, style: style, color: color)
    }

    /// Where it is: in pixels, where 0 is the picture's edge. nil where it is absent.
    private func spot(at moment: Moment, until end: Double, _ began: Moment) -> Cover.Spot? {
        /// On the clock of the keyframes; a keyframe holds for the picture that is seen at its time.
        func position(_ keyframe: Keyframe) -> Double { keyframe.frame.map(Double.init) ?? keyframe.time ?? 0 }
        let isByFrame = keyframes.first?.frame != nil
        let now = isByFrame ? Double(moment.frame) : moment.time + Self.slack
        let next = keyframes.firstIndex { position($0) > now } ?? keyframes.endIndex
        var first = Keyframe()
        (first.box, first.polygon) = (box, polygon)
        first.time = isByFrame ? Double(began.frame) : start ?? 0
        let before = next > 0 ? keyframes[next - 1] : first
        if before.isAbsent == true {
            // A place that is there again while the picture is seen is covered in all of it.
            let later = keyframes[next...].prefix { !isByFrame && position($0) < end - Self.slack }
            guard let back = later.first(where: { $0.isAbsent != true }) else { return nil }
            return back.spot(toward: back, 0)
        }
        guard next < keyframes.endIndex, keyframes[next].isAbsent != true else { return before.spot(toward: before, 0) }
        let (from, to) = (position(before), position(keyframes[next]))
        return before.spot(toward: keyframes[next], to > from ? min(max((now - from) / (to - from), 0), 1) : 0)
    }

    /// The picture in which it is seen first, of one that is.
    /// - Parameters:
    ///   - moment: The first of the pictures that it is seen in.
    ///   - next: When that ends, seconds.
    ///   - isFirst: Whether there is none before it, as at the begin of a part of a video.
    package func began(at moment: Moment, until next: Double, isFirst: Bool) -> Moment {
        guard let start else { return Moment(frame: 0, time: 0) }
        guard isFirst, start < moment.time, next > moment.time else { return moment }
        // As many pictures earlier as there are at this one's rate: those are never decoded.
        let count = ((moment.time - start) / (next - moment.time) - Self.slack).rounded(.up)
        return Moment(frame: max(0, moment.frame - Int(inRange: count)), time: start)
    }

    /// How many keyframes no picture reaches. One at the very end isn't among them: it is where a place goes to.
    /// - Parameter end: The last picture's ordinal, and when it ends, seconds.
    package func keyframes(behind end: (frame: Int, time: Double)) -> Int {
        keyframes.count { keyframe in
            keyframe.frame.map { $0 > end.frame + 1 } ?? keyframe.time.map { $0 > end.time + Self.slack } ?? false
        }
    }

    /// The box around all of its places.
    package var bounds: Box? {
        let all = [box?.corners, polygon] + keyframes.flatMap { [$0.box?.corners, $0.polygon] }
        return Box(around: all.compactMap(\.self).flatMap(\.self))
    }

    /// Seconds by which a time that was written with few decimals may miss the time of its frame.
    private static let slack = 0.001

    /// Whether a picture is to be covered that is shown at a moment from its own time on until the next one's: it is seen
    /// within the time.
    /// - Parameter shown: Seconds; its end is after its start.
    package func holds(from time: Double, until next: Double) -> Bool {
        let slack = min(Self.slack, max(next - time, 0) / 2)
        return next > (start ?? -.infinity) + slack && time <= (end ?? .infinity) + slack
    }
}

extension HandCover.Keyframe {
    /// The place on the way to another one of the same form.
    /// - Parameter share: 0 for this one, 1 for the other.
    fileprivate func spot(toward other: HandCover.Keyframe, _ share: Double) -> Cover.Spot? {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        if let box {
            let to = other.box ?? box
            return .box(
                Box(
                    x: mix(box.x, to.x), y: mix(box.y, to.y), width: mix(box.width, to.width),
                    height: mix(box.height, to.height)))
        }
        guard let polygon else { return nil }
        let to = other.polygon.flatMap { $0.count == polygon.count ? $0 : nil } ?? polygon
        // The outline of a polygon's pixels reaches half a pixel beyond their centres.
        return .polygon(zip(polygon, to).map { Point(mix($0.x, $1.x) + 0.5, mix($0.y, $1.y) + 0.5) })
    }
}

extension HandCover.Keyframe: Record {
    public static let fields: [Field<HandCover.Keyframe>] = [
        Field("time", \.time, .number(Bounds(0)), unit: "s", doc: "Of the source's time; one of time and frame."),
        Field("frame", \.frame, .integer(0...Int.mostCounted), doc: "The ordinal of a picture."),
        Field("box", \.box, .box, doc: "[left, top, width, height]."),
        Field(
            "polygon", \.polygon, .list(.point, count: 3...1000),
            doc: "As many corners as the cover's own, in the same order."),
        Field("absent", \.isAbsent, .flag, doc: "true: nothing is hidden until the next keyframe."),
    ]
}

extension HandCover: Record {
    public static let fields: [Field<HandCover>] = [
        Field("box", \.box, .box, doc: "[left, top, width, height]; every pixel that it touches is covered."),
        Field(
            "polygon", \.polygon, .list(.point, count: 3...1000),
            doc: "Corners [x, y], instead of a box; every pixel that it touches is covered."),
        Field("zone", \.zone, .text(), doc: "The id of one of the job's zones, instead: its place."),
        Field(
            "track", \.track, .integer(1...Int.mostCounted),
            doc:
                "The number of a track in the job's track file: what is hidden is that thing wherever it is, or with “box” a "
                + "place that moves and grows with it."),
        Field(
            "region", \.region, .text(),
            doc:
                "The id of one of the job's regions: the thing that a stage follows from it, as with “track”."
        ),
        Field(
            "audio", \.audio, Format<SoundStyle>.choice(),
            doc: "Instead of a place: how the sound of the time is taken away."),
        Field(
            "except", \.isException, .flag, .optional,
            doc: "true: the thing stays visible where a stage's cover would hide it."),
        Field("units", \.units, Format<Units>.choice(), .optional, doc: "Of the coordinates."),
        Field(
            "start", \.start, .number(Bounds(0)), unit: "s",
            doc:
                "The first picture that is covered is the one that is seen then. The beginning of the video when left out."
        ),
        Field(
            "end", \.end, .number(Bounds(0)), unit: "s",
            doc: "The last one is the one that is seen then. The end of the video when left out."),
        Field("style", \.style, Format<CoverStyle>.choice(), .optional, doc: "How the pixels are taken away."),
        Field("color", \.color, .color, doc: "Of “fill”. The mean colour of what is around, where there is none."),
        Field(
            "keyframes", \.keyframes,
            .list(
                .record(
                    doc: "Where the place is from a moment on: one of box, polygon and absent.", name: "coverKeyframe")),
            .optional,
            doc: "Where it is later on, all by time or all by frame. Between two places it moves evenly."),
    ]

    package static let shape = shape(
        doc: "A place that is hidden for a time: a box, a polygon or a zone; or a thing that a stage follows.",
        name: "cover")
}
