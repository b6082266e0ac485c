/// The shapes of a sidecar's three kinds of lines: what `schema tracks` prints and `verify` checks.
public enum SidecarShape {
    public static let line = Shape.anyOf(
        [.object(header), .object(frame), .object(summary)], doc: "a header, a frame or a summary")

    private static let ratio = Shape.array(of: .integer(1...Int(Int32.max)), count: 2...2)
    private static let point = Shape.array(of: .number(), count: 2...2)
    private static let frameNumber = Shape.integer(0...Int.max)
    private static let count = Shape.integer(0...Int.max)
    private static let trackNumber = Shape.integer(1...Int.max)
    private static let confidence = Shape.number(Bounds(0, 1))

    public static let header = ObjectShape(
        doc: "The first line: what was read and how.",
        properties: [
            Property(
                "format", .constant(.string("annotate-tracks")), required: true, doc: "What kind of file this is."),
            Property("version", .constant(.integer(1)), required: true, doc: "The format's version."),
            Property("generator", .string(), required: true, doc: "The program and its version."),
            Property("source", .object(source), required: true, doc: "The video that was read."),
            Property("range", .object(ManifestShape.range), doc: "The part of it that was worked on."),
            Property(
                "camera", .object(CameraShape.inForce),
                doc: "The camera in force, scaled to the picture; left out where none was named and no stage needs one."
            ),
            Property("stages", .array(of: .object(stage)), required: true, doc: "The stages, inputs first."),
        ])

    static let source = ObjectShape(
        doc: "The video that was read.",
        properties: [
            Property("name", .string(), required: true, doc: "The file's name without its folder."),
            Property("width", .integer(1...Int.max), required: true, unit: "px", doc: "Of the picture as shown."),
            Property("height", .integer(1...Int.max), required: true, unit: "px", doc: "Of the picture as shown."),
            Property(
                "rotation", .integer(0...359), required: true, unit: "°",
                doc: "Clockwise, by which stored pictures were turned."),
            Property("mirrored", .boolean, doc: "True where stored pictures were mirrored as well."),
            Property(
                "fieldOrder", .choice(["topFirst", "bottomFirst"]),
                doc: "Of interlaced pictures; left out where all are progressive."),
            Property("deinterlaced", .boolean, doc: "True where interlaced pictures were made whole ones."),
            Property("timeBase", ratio, required: true, unit: "s", doc: "A tick, as numerator and denominator."),
            Property("frameRate", ratio, unit: "1/s", doc: "Nominal, as numerator and denominator."),
            Property(
                "videoOffset", .integer(1...Int.max), unit: "ticks",
                doc: "Added to pts in the annotated video, which can't start before zero; left out where it is nothing."
            ),
            Property("frames", count, doc: "Presented pictures, counted by decoding; left out under a range."),
        ])

    static let stage = ObjectShape(
        doc: "A stage with every option in force.",
        properties: [
            Property("id", .string(.identifier), required: true, doc: "Its id in the graph."),
            Property("type", .string(), required: true, doc: "Its type."),
            Property("inputs", .array(of: .string()), doc: "The stages whose results it took; none for the frame."),
            Property("rate", .number(Bounds(0, excludesMinimum: true)), unit: "1/s", doc: "Runs a second at the most."),
            Property("options", .map(of: .any, keys: .any, doc: "Options by name."), doc: "Every option in force."),
            Property(
                "model", .map(of: .any, keys: .any, doc: "The model."),
                doc: "The model's hash, input and preprocessing."),
            Property("models", .array(of: .any), doc: "Each model's hash, input and preprocessing."),
            Property(
                "landmarksModel", .map(of: .any, keys: .any, doc: "The landmark model."),
                doc: "The landmark model's hash, input and preprocessing."),
            Property(
                "cascade", .map(of: .any, keys: .any, doc: "The cascade."),
                doc: "The face cascade's name, hash and number of stages."),
            Property(
                "labels", .map(of: .any, keys: .any, doc: "The labels file."), doc: "The labels file's hash and size."),
            Property(
                "files", .array(of: .map(of: .any, keys: .any, doc: "A file.")), doc: "The pictures' hashes and sizes."),
            Property(
                "dictionary", .map(of: .any, keys: .any, doc: "The dictionary file."),
                doc: "The custom dictionary's hash and size."),
        ])

    public static let frame = ObjectShape(
        doc: "One decoded frame, also where nothing was seen.",
        properties: [
            Property(
                "frame", frameNumber, required: true,
                doc: "Ordinal of the presented picture from the start of the file, from 0."),
            Property("pts", .integer(), required: true, unit: "ticks", doc: "The source's own time stamp."),
            Property("duration", count, required: true, unit: "ticks", doc: "The source's own duration."),
            Property("time", .number(), required: true, unit: "s", doc: "pts in seconds, for people."),
            Property("observations", .array(of: .object(observation)), required: true, doc: "What the stages saw."),
        ])

    static let observation = ObjectShape(
        doc: "One thing that one stage saw.",
        properties: [
            Property("stage", .string(.identifier), required: true, doc: "The stage that saw it."),
            Property(
                "kind", .choice(ObservationKind.allCases.map(\.rawValue)), required: true, doc: "What kind of thing."),
            Property("track", trackNumber, doc: "Stays with one physical thing; left out until it is confirmed."),
            Property("of", trackNumber, doc: "The track that a classification or an alteration is about."),
            Property("region", .string(), doc: "The manifest's region or point that seeded the track."),
            Property("label", .string(), doc: "A name."),
            Property("id", count, doc: "A marker's id."),
            Property("box", .array(of: .number(), count: 4...4), unit: "px", doc: "[left, top, width, height]."),
            Property(
                "polygon", .array(of: point, count: 3...64), unit: "px",
                doc: "Corners, clockwise; a marker's start at its own top left."),
            Property(
                "pose", .object(ObjectShape(doc: "A pose.", properties: pose + [alternative])),
                doc:
                    "Where a marker or board of known size is, in OpenCV's camera coordinates (x right, y down, z forward); "
                    + "its own are x right, y up, z out of it, from its middle."),
            Property("confidence", confidence, doc: "0…1."),
            Property("state", .choice(TrackState.allCases.map(\.rawValue)), doc: "Where the track stands."),
            Property(
                "labels",
                .array(
                    of: .object(
                        ObjectShape(
                            doc: "A class.",
                            properties: [
                                Property("label", .string(), required: true, doc: "Its name."),
                                Property(
                                    "confidence", .number(), required: true,
                                    doc: "0…1 after a softmax; the model's score otherwise."),
                            ]))), doc: "Classes, the best first."),
            Property("landmarks", .array(of: point, count: 5...68), unit: "px", doc: FaceFeatures.doc),
            Property(
                "angles", .object(angles), unit: "°",
                doc: "How a head is turned, by its landmarks on a generic head; good to some 10°."),
            Property("isTracked", .boolean, doc: "Whether a picture that is looked for is seen just now."),
            Property("alteration", .object(alteration), doc: "What is laid over the polygon."),
            Property("text", .string(), doc: "A string, as recognised."),
            Property(
                "parts", .array(of: .object(textPart)),
                doc: "The string's words or characters, where they are asked for."),
            Property("payload", .string(), doc: "What a code says."),
            Property("payloadBase64", .string(), doc: "The same in Base64, where its bytes are no UTF-8."),
            Property("horizon", .object(horizon), doc: "Where the horizon crosses the picture."),
            Property("point", point, unit: "px", doc: "Where an annotation's point is."),
            Property("held", .boolean, doc: "True where a rate-limited stage carries its last result."),
        ])

    private static let alteration = ObjectShape(
        doc: "A style that a quad is covered with.",
        properties: [
            Property("style", .string(), required: true, doc: "The style, or the model's name."),
            Property("from", .string(), doc: "The style before it, while one fades into the other."),
            Property("fade", .number(Bounds(0, 1)), doc: "How much of the style is to be seen, while fading."),
        ])

    private static let textPart = ObjectShape(
        doc: "A word or a character.",
        properties: [
            Property("text", .string(), required: true, doc: "What it says."),
            Property(
                "polygon", .array(of: point, count: 4...4), required: true, unit: "px",
                doc: "Corners, clockwise from its own top left."),
            Property("confidence", confidence, required: true, doc: "0…1."),
        ])

    private static let horizon = ObjectShape(
        doc: "A line across the picture.",
        properties: [
            Property(
                "angle", .number(Bounds(-90, 90)), required: true, unit: "°",
                doc:
                    "Clockwise: over 0 where it falls towards the right; turned by as much anticlockwise the picture is level."
            ),
            Property(
                "offset", .number(), required: true, unit: "px",
                doc: "From the picture's middle at right angles to the line; over 0 where the middle is above it."),
        ])

    private static let pose = [
        Property(
            "rotation", .array(of: .number(), count: 3...3), required: true, unit: "rad",
            doc: "Axis times angle (Rodrigues), to 0.00001."),
        Property(
            "translation", .array(of: .number(), count: 3...3), required: true, unit: "m",
            doc: "Of its middle, to 0.000001."),
        Property(
            "reprojectionError", .number(Bounds(0)), required: true, unit: "px",
            doc: "Root mean square over its corners, to 0.001."),
    ]

    private static let alternative = Property(
        "alternative", .object(ObjectShape(doc: "A pose.", properties: pose)),
        doc: "The other pose that explains the corners of a flat thing, with its error.")

    private static let angles = ObjectShape(
        doc: "A head's angles; all 0 looks straight out of the picture.",
        properties: [
            Property("roll", .number(Bounds(-180, 180)), required: true, unit: "°", doc: "Clockwise in the picture."),
            Property(
                "yaw", .number(Bounds(-90, 90)), required: true, unit: "°", doc: "Towards the picture's right."),
            Property("pitch", .number(Bounds(-180, 180)), required: true, unit: "°", doc: "Upwards."),
        ])

    public static let summary = ObjectShape(
        doc: "The last line; a sidecar without it is a broken run.",
        properties: [
            Property(
                "summary",
                .object(
                    ObjectShape(
                        doc: "The whole.",
                        properties: [
                            Property("frames", count, required: true, doc: "Lines written."),
                            Property("complete", .constant(.bool(true)), required: true, doc: "true."),
                            Property("concealed", count, doc: "Damaged pictures that the decoder patched up."),
                            Property("skipped", count, doc: "Damaged packets that the decoder left out."),
                            Property("cutOff", .boolean, doc: "True where the source's end is missing."),
                            Property("tracks", .array(of: .object(track)), required: true, doc: "Every track."),
                        ])), required: true, doc: "The whole.")
        ])

    static let track = ObjectShape(
        doc: "One track.",
        properties: [
            Property("track", trackNumber, required: true, doc: "Its number."),
            Property("stage", .string(.identifier), required: true, doc: "The stage that kept it."),
            Property(
                "kind", .choice(ObservationKind.allCases.map(\.rawValue)), required: true, doc: "What kind of thing."),
            Property("label", .string(), doc: "A name."),
            Property("first", frameNumber, required: true, doc: "The first frame with it."),
            Property("last", frameNumber, required: true, doc: "The last frame with it."),
            Property("observations", count, required: true, doc: "Frames with it, lost ones left out."),
            Property("meanConfidence", confidence, doc: "Over frames in which it was measured."),
        ])
}
