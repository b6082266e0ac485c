public import Annotate

/// What is laid over a tracked quad.
public struct AlterationFinding: Finding {
    public static let kind = "alteration"
    public static let doc = "An altered picture that is laid over the quad of the track that `of` names."
    public static let place = Place.polygon
    public static let style: DrawStyle = {
        var style = DrawStyle()
        style.outline = false
        style.label = false
        return style
    }()

    public var alteration = Alteration()

    public init() {}

    init(_ alteration: Alteration) { self.alteration = alteration }

    public static let fields: [Field<AlterationFinding>] = [
        Field(
            "alteration", \.alteration, .record(doc: "A style that a quad is covered with."),
            doc: "What is laid over the polygon.")
    ]
}

/// A style in one frame.
public struct Alteration: Record, Hashable {
    /// The style's name.
    public var style = ""
    /// The style before it, while one fades into the other.
    public var from: String?
    /// How much of the style is to be seen while fading, 0…1.
    public var fade: Double?

    public init() {}

    init(style: String, from: String? = nil, fade: Double? = nil) {
        self.style = style
        self.from = from
        self.fade = fade
    }

    public static let fields: [Field<Alteration>] = [
        Field("style", \.style, .text(), doc: "The style, or the model's name."),
        Field("from", \.from, .text(), doc: "The style before it, while one fades into the other."),
        Field(
            "fade", \.fade, .number(Bounds(0, 1), decimals: 3),
            doc: "How much of the style is to be seen, while fading."),
    ]
}

/// What an altered quad is painted with.
struct AlteredPicture: Attachment {
    var picture: PictureTexture
    /// The picture of the style before it, and how much of the new one is to be seen, 0…1.
    var previous: (picture: PictureTexture, share: Double)?

    func marks(_ observation: Observation) -> [Mark] {
        guard let quad = observation.polygon else { return [] }
        guard let previous else { return [.pictures([PictureLayer(texture: picture, weight: 1)], on: quad)] }
        let share = Float(min(max(previous.share, 0), 1))
        return [
            .pictures(
                [
                    PictureLayer(texture: previous.picture, weight: 1 - share),
                    PictureLayer(texture: picture, weight: share),
                ], on: quad)
        ]
    }
}
