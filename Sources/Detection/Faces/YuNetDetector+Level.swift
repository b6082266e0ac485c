internal import CVision
internal import Glibc

extension YuNetDetector {
    /// The five points lag behind a face that is tilted: a third to a half of the tilt is all that they show. So the
    /// face is looked at again, upright by what is known so far; then once more from either side, where what is left of
    /// the lag is equal and opposite.
    func levelled(_ face: FoundFace, in frame: VideoFrame) throws -> FoundFace {
        guard let first = face.landmarks.tilt, abs(first) > Self.leastTilt,
            max(face.box.width, face.box.height) >= Self.leastLevelled
        else { return face }
        var tilt = first * Self.tiltGain
        for _ in 0..<2 {
            guard let rest = try look(at: face, in: frame, tilted: tilt)?.tilt else { return face }
            // A face that is nearly upright is done: its points are right.
            if abs(first) < Self.plainTilt, abs(rest) < Self.leastTilt { return face }
            tilt += rest * Self.tiltGain
            if abs(rest) < 0.1 { break }
        }
        guard let left = try look(at: face, in: frame, tilted: tilt - Self.aside)?.tilt,
            let right = try look(at: face, in: frame, tilted: tilt + Self.aside)?.tilt
        else { return face }
        tilt += (left + right) / 2 * Self.tiltGain
        guard let upright = try look(at: face, in: frame, tilted: tilt), let rest = upright.tilt else { return face }
        var levelled = face
        let turn = Turn(by: tilt - rest, about: face.box.center)
        levelled.landmarks = upright.map { turn.place(of: $0) }
        return levelled
    }

    /// The points of a face, pixels of the frame, about its middle in a picture that is turned about it.
    private func look(at face: FoundFace, in frame: VideoFrame, tilted angle: Double) throws -> [Point]? {
        let (width, height) = fixed ?? (Self.levelSide, Self.levelSide)
        let scale = Self.levelMargin * max(face.box.width, face.box.height) / Double(min(width, height))
        let turn = Turn(by: angle, about: face.box.center)
        let half = Point(Double(width), Double(height)) * (scale / 2)
        let corners = [Point(-half.x, -half.y), Point(half.x, -half.y), half, Point(-half.x, half.y)]
        var picture = [UInt8](repeating: 0, count: width * height * 3)
        let options = ocv_crop_options(
            width: Int32(width), height: Int32(height), channels: OCV_CHANNELS_BGR, geometry: OCV_GEOMETRY_STRETCH,
            antialias: true, padding: 0)
        try frame.crop(corners.map { turn.place(of: $0) }, options, into: &picture, stride: width * 3)
        let middle = Point(Double(width), Double(height)) * 0.5
        func distance(_ face: FoundFace) -> Double { face.box.center.distance(to: middle) }
        let found = try read(picture, width, height, minimumConfidence: 0.3, scaleX: 1, scaleY: 1)
        guard let nearest = FaceSuppression.surest(found).min(by: { distance($0) < distance($1) }),
            distance(nearest) < middle.x.magnitude / 2
        else { return nil }
        return nearest.landmarks.map { ($0 + Point(0.5, 0.5) - middle) * scale }
    }

    /// Least tilt of the line through the eyes, radians: of what is looked at again, of what is plain to see, and how
    /// much more than that a face is tilted.
    private static let leastTilt = 0.03
    private static let plainTilt = 0.12
    private static let tiltGain = 1.6
    /// Angle to either side at which it is looked at, radians.
    private static let aside = 0.2
    /// Least longer side of a face, pixels: smaller ones have no points to speak of.
    private static let leastLevelled = 40.0
    /// Side of the square that a face is looked at in, pixels; and its side over the face's.
    private static let levelSide = 160
    private static let levelMargin = 1.5

    /// A turn about a place of the frame.
    private struct Turn {
        private let center: Point
        private let right: Point

        /// - Parameter angle: clockwise, radians.
        init(by angle: Double, about center: Point) {
            self.center = center
            right = Point(cos(angle), sin(angle))
        }

        /// - Parameter offset: from the centre, before the turn.
        func place(of offset: Point) -> Point { center + right * offset.x + Point(-right.y, right.x) * offset.y }
    }
}

extension [Point] {
    /// Tilt of the line from the first to the second, the eyes, radians clockwise; nil where there is none.
    fileprivate var tilt: Double? {
        guard count == 5, self[0].distance(to: self[1]) > 1 else { return nil }
        return atan2(self[1].y - self[0].y, self[1].x - self[0].x)
    }
}
