/// One way to alter a picture.
struct AlterStyle: Sendable {
    enum Kind: Sendable {
        case builtIn(BuiltInStyle)
        case model(StyleModel, style: Int)
    }

    var name: String
    var kind: Kind

    /// Size of the picture that the style works on: a model's own; for a built-in style, that of the quad, its longer
    /// side being `resolution`.
    func size(for quad: [Point], resolution: Int) -> PictureSize {
        switch kind {
        case .model(let model, _): return model.size
        case .builtIn:
            let (width, height) = Self.sides(quad)
            let scale = Double(resolution) / max(width, height, 1e-9)
            func side(_ length: Double) -> Int { min(max(Int((length * scale).rounded()), 8), resolution) }
            return PictureSize(width: side(width), height: side(height))
        }
    }

    /// Mean lengths of a quad's upper and lower sides, and of its others, pixels.
    static func sides(_ quad: [Point]) -> (width: Double, height: Double) {
        (
            (quad[0].distance(to: quad[1]) + quad[3].distance(to: quad[2])) / 2,
            (quad[0].distance(to: quad[3]) + quad[1].distance(to: quad[2])) / 2
        )
    }

    /// The altered picture.
    /// - Parameter quad: The quad on which it is shown.
    func apply(to picture: ReferencePicture, on quad: [Point]) throws -> ReferencePicture {
        let (width, height) = Self.sides(quad)
        switch kind {
        case .builtIn(let style): return try style.apply(to: picture, shownAt: max(width, height))
        case .model(let model, let style): return try model.apply(to: picture, style: style)
        }
    }
}

/// The sequence of styles over time.
struct StyleSequence: Sendable {
    var count: Int
    /// Time for which a style is shown, seconds of video; 0 for the first style alone.
    var interval: Double
    /// Time for which a style fades in at the beginning of each interval, seconds.
    var fade: Double

    struct Moment: Sendable, Equatable {
        var style: Int
        /// Time at which the style began, seconds; −∞ where there was none before.
        var start = -Double.infinity
        /// The style before it, while the new one fades in; nil otherwise.
        var from: Int?
        var share = 1.0
    }

    var changes: Bool { count > 1 && interval > 0 }

    func moment(at time: Double) -> Moment {
        guard changes, time >= interval else { return Moment(style: 0) }
        // Times are read from ticks: a hair before a change counts as the change.
        let number = ((time + 1e-6) / interval).rounded(.down)
        let style = Int(number.truncatingRemainder(dividingBy: Double(count)))
        var moment = Moment(style: style, start: number * interval)
        let elapsed = max(time - moment.start, 0)
        if elapsed < fade {
            moment.from = (style + count - 1) % count
            moment.share = elapsed / fade
        }
        return moment
    }
}
