/// Label Studio's tasks of pictures, one a frame, with predictions: masks as brushes, joints as key points, else boxes and
/// outlines. Percent of the picture.
package final class LabelStudioImagesSink: Sink {
    package static let format = SinkFormat(
        name: "label-studio-images", title: "Label Studio for images", suffix: ".labelstudio-images.json",
        doc: "Label Studio tasks, a picture a frame, with masks, key points, boxes and outlines as predictions.",
        pictures: .beside)

    private let context: SinkContext
    private let tasks: LabelStudioTasks
    private let omissions = LabelStudioTasks.makeOmissions()

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        self.context = context
        tasks = try LabelStudioTasks(
            try ByteWriter(path: file.temporary), context.header.generator, omissions: omissions)
    }

    package func write(_ frame: FrameRecord) throws {
        try tasks.add(frame, id: "\(frame.frame)", image: context.pictureName(frame.frame), context.header)
    }

    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws { try tasks.finish() }

    package var notes: [String] { omissions.value.sentences }
}

/// Label Studio's tasks of pictures, of one clip or several.
final class LabelStudioTasks {
    private let writer: ByteWriter
    private let generator: String
    private let omissions: SharedOmissions
    private var header = TrackFileHeader()
    private var size: PictureSize { PictureSize(width: header.source.width, height: header.source.height) }
    private var isFirst = true

    /// A key point's dot, percent of the picture's width.
    private static let dot = 0.5

    static func makeOmissions() -> SharedOmissions {
        SharedOmissions(
            Omissions(
                "Label Studio for images", says: [.outlines, .names, .confidences, .masks, .joints, .turnedBoxes]))
    }

    init(_ writer: ByteWriter, _ generator: String, omissions: SharedOmissions) throws {
        (self.writer, self.generator, self.omissions) = (writer, generator, omissions)
        try writer.write(Array("[".utf8))
    }

    /// Adds a task.
    /// - Parameters:
    ///   - id: What its regions' ids begin with.
    ///   - image: The picture's name or path.
    func add(_ frame: FrameRecord, id: String, image: String, _ header: TrackFileHeader) throws {
        self.header = header
        var json = JSONWriter()
        json.object { json in
            json.key("data")
            json.members([("image", .text(image))])
            json.key("predictions")
            json.array { json in
                json.object { json in
                    json.key("model_version")
                    json.value(generator)
                    json.key("result")
                    json.array { json in
                        for (index, observation) in frame.observations.enumerated() {
                            guard let placement = omissions.value.placement(of: observation) else { continue }
                            write(observation, placement, id: "\(id)-\(index)", &json)
                        }
                    }
                }
            }
        }
        try writer.write(Array((isFirst ? "\n" : ",\n").utf8) + json.bytes)
        isFirst = false
    }

    func finish() throws {
        try writer.write(Array("\n]\n".utf8))
        try writer.finish()
    }

    private func write(
        _ observation: Observation, _ placement: PixelPlace, id: String, _ json: inout JSONWriter
    ) {
        let names = observation.skeleton(header.skeletons[observation.stage])?.names ?? []
        let joints = names.count == observation.joints.count ? observation.joints : []
        region(observation, id, &json) { json in
            if let mask = observation.mask {
                shape("brushlabels", observation.name, &json) { json in
                    json.key("format")
                    json.value("rle")
                    json.key("rle")
                    json.array { json in for byte in BrushCode(mask.inPicture(size)).bytes { json.value(Int(byte)) } }
                }
            } else if observation.turnedBox == nil, let polygon = placement.polygon {
                shape("polygonlabels", observation.name, &json) { json in
                    json.key("points")
                    json.array { json in
                        for corner in polygon {
                            json.array { json in for part in percent(corner) { json.value(part, decimals: 6) } }
                        }
                    }
                }
            } else {
                shape("rectanglelabels", observation.name, &json) { json in
                    box(observation.turnedBox, placement.box, &json)
                }
            }
        }
        for (index, joint) in joints.enumerated() where joint.isFound {
            region(observation, "\(id)-\(index)", parent: id, &json) { json in
                shape("keypointlabels", names[index], &json) { json in
                    let place = percent(joint.edgePoint)
                    json.members(inline: [
                        ("x", .number(place[0], 6)), ("y", .number(place[1], 6)), ("width", .number(Self.dot, 2)),
                    ])
                }
            }
        }
    }

    /// A turned box is turned about its top left corner.
    private func box(_ turned: TurnedBox?, _ upright: Box, _ json: inout JSONWriter) {
        let corner = turned?.corners.first.map { Point($0.x + 0.5, $0.y + 0.5) } ?? Point(upright.x, upright.y)
        let place = percent(corner)
        let extent = percent(Point(turned?.width ?? upright.width, turned?.height ?? upright.height))
        json.members(inline: [
            ("x", .number(place[0], 6)), ("y", .number(place[1], 6)), ("width", .number(extent[0], 6)),
            ("height", .number(extent[1], 6)), ("rotation", .number(turned?.angle ?? 0, 2)),
        ])
    }

    private func percent(_ point: Point) -> [Double] {
        [point.x / Double(size.width) * 100, point.y / Double(size.height) * 100]
    }

    private func region(
        _ observation: Observation, _ id: String, parent: String? = nil, _ json: inout JSONWriter,
        _ shape: (inout JSONWriter) -> Void
    ) {
        json.object { json in
            json.key("id")
            json.value(id)
            if let parent {
                json.key("parentID")
                json.value(parent)
            }
            json.members(inline: [
                ("to_name", .text("image")), ("original_width", .whole(size.width)),
                ("original_height", .whole(size.height)), ("image_rotation", .whole(0)),
            ])
            if let confidence = observation.confidence {
                json.key("score")
                json.value(confidence, decimals: 3)
            }
            shape(&json)
        }
    }

    /// - Parameter type: The word for its labels; the control that draws it is called as it is without “labels”.
    private func shape(
        _ type: String, _ label: String, _ json: inout JSONWriter, _ value: (inout JSONWriter) -> Void
    ) {
        json.members(inline: [("type", .text(type)), ("from_name", .text(String(type.dropLast("labels".count))))])
        json.key("value")
        json.object { json in
            value(&json)
            json.key(type)
            json.array { $0.value(label) }
        }
    }
}
