/// An alteration: the style that is laid over a tracked quad.
struct AlterationFinding: Finding {
    static let kind = "alteration"
    static let doc = "An altered picture that is laid over the quad of the track that `of` names."
    static let place = Place.polygon
    static let showsPictures = true
    static let style = DrawStyle {
        $0.outline = false
        $0.label = false
    }

    var alteration = Alteration()

    static let fields: [Field<AlterationFinding>] = [
        Field(
            "alteration", \.alteration, .record(doc: "A style that a quad is covered with."),
            doc: "What is laid over the polygon.")
    ]
}

/// A style in one frame.
struct Alteration: Record, Hashable {
    /// The style's name.
    var style = ""
    /// The style before it, while one fades into the other.
    var from: String?
    /// Opacity of the style while it fades in, 0…1.
    var fade: Double?

    static let fields: [Field<Alteration>] = [
        Field("style", \.style, .text(), doc: "The style, or the model's name."),
        Field("from", \.from, .text(), doc: "The style before it, while one fades into the other."),
        Field(
            "fade", \.fade, .number(Bounds(0, 1), decimals: 3),
            doc: "How much of the style is to be seen, while fading."),
    ]
}

/// The pictures that an altered quad is painted with.
struct AlteredPicture: Attachment {
    var picture: PictureTexture
    /// Picture of the style before it, and opacity of the new one, 0…1; nil while none fades.
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
