internal import Glibc

/// COCO with `videos` and `tracks`, as TAO has it: an image a frame, also where nothing was seen, an annotation an
/// observation with a place. Masks are COCO's run-length code of the whole picture, joints key points with their category's
/// skeleton.
///
/// Images and annotations go to files of their own first: what goes before them in the file is known at the end alone.
package final class COCOSink: Sink {
    package static let format = SinkFormat(
        name: "coco", title: "COCO", suffix: ".coco.json",
        doc: "COCO with videos and tracks, as in TAO: boxes, outlines, masks, key points, scores.",
        pictures: .beside)

    private let output: OutputFile
    private let context: SinkContext
    private let images: OutputFile
    private let annotations: OutputFile
    private let imageWriter: ByteWriter
    private let annotationWriter: ByteWriter
    private var imageCount = 0
    private var annotationCount = 0
    private var names = NameBook()
    /// Each track's category, in the order of their numbers' coming.
    private var tracks: [(number: Int, category: Int)] = []
    private var known: Set<Int> = []
    private var omissions = Omissions(
        "COCO", says: [.outlines, .names, .confidences, .predictions, .holding, .fields])
    /// Skeleton of each category, by its number.
    private var skeletons: [Int: Skeleton] = [:]
    private var json = JSONWriter()

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        output = file
        self.context = context
        images = OutputFile(target: file.target + ".images")
        annotations = OutputFile(target: file.target + ".annotations")
        imageWriter = try ByteWriter(images)
        annotationWriter = try ByteWriter(annotations)
    }

    package func write(_ frame: FrameRecord) throws {
        let source = context.header.source
        try add(to: imageWriter, isFirst: imageCount == 0) { json in
            json.members([
                ("id", .whole(frame.frame &+ 1)), ("video_id", .whole(1)), ("frame_index", .whole(frame.frame)),
                ("width", .whole(source.width)), ("height", .whole(source.height)),
                ("file_name", .text(context.pictureName(frame.frame))), ("pts", .whole(Int(frame.pts.ticks))),
                ("time", .number(frame.pts.seconds, 6)),
            ])
        }
        imageCount += 1
        for observation in frame.observations {
            guard let placement = omissions.placement(of: observation) else { continue }
            annotationCount += 1
            let category = names.number(of: observation.name) + 1
            if let number = observation.track?.number, known.insert(number).inserted {
                tracks.append((number, category))
            }
            let joints = joints(of: observation, category)
            try add(to: annotationWriter, isFirst: annotationCount == 1) { json in
                json.object { json in
                    annotate(observation, placement, joints, frame: frame.frame, category: category, &json)
                }
            }
        }
    }

    /// Its joints, where they are those of its category's skeleton.
    private func joints(of observation: Observation, _ category: Int) -> [Joint] {
        let joints = observation.joints
        guard !joints.isEmpty, let skeleton = observation.skeleton(context.header.skeletons[observation.stage]) else {
            return []
        }
        let known = skeletons[category, default: skeleton]
        skeletons[category] = known
        guard known == skeleton, known.names.count == joints.count else {
            omissions.add("COCO has one skeleton for a category; joints of another left out", observation.stage)
            return []
        }
        return joints
    }

    private func add(to writer: ByteWriter, isFirst: Bool, _ body: (inout JSONWriter) -> Void) throws {
        json.removeAll()
        body(&json)
        try writer.write((isFirst ? [] : Array(",\n".utf8)) + json.bytes)
    }

    private func annotate(
        _ observation: Observation, _ placement: PixelPlace, _ joints: [Joint], frame: Int, category: Int,
        _ json: inout JSONWriter
    ) {
        func put(_ key: String, _ numbers: [Double]) {
            json.key(key)
            json.array { json in for number in numbers { json.value(number, decimals: 2) } }
        }
        json.key("id")
        json.value(annotationCount)
        json.key("image_id")
        json.value(frame &+ 1)
        json.key("video_id")
        json.value(1)
        if let number = observation.track?.number {
            json.key("track_id")
            json.value(number)
        }
        json.key("category_id")
        json.value(category)
        let box = placement.box
        put("bbox", [box.x, box.y, box.width, box.height])
        let source = context.header.source
        let mask = observation.mask?.inPicture(PictureSize(width: source.width, height: source.height))
        json.key("area")
        json.value(mask.map { Double($0.area) } ?? placement.area, decimals: 2)
        json.key("iscrowd")
        json.value(0)
        if let mask {
            json.key("segmentation")
            Format<RunMask>.mask.write(mask, &json)
        } else if let polygon = placement.polygon {
            json.key("segmentation")
            json.array { json in
                json.array { json in
                    for number in polygon.flatMap({ [$0.x, $0.y] }) { json.value(number, decimals: 2) }
                }
            }
        }
        if !joints.isEmpty {
            json.key("keypoints")
            json.array { json in
                for joint in joints {
                    // The numbers of pixels, as COCO has them: without half a pixel.
                    json.value(joint.isFound ? joint.point.x : 0, decimals: 2)
                    json.value(joint.isFound ? joint.point.y : 0, decimals: 2)
                    json.value(joint.labelling)
                }
            }
            json.key("num_keypoints")
            json.value(joints.count(where: \.isFound))
        }
        if let confidence = observation.confidence {
            json.key("score")
            json.value(confidence, decimals: 3)
        }
        // The rest of the head, and what the kind says beyond it, under names that no reader takes for its own.
        json.key("attributes")
        json.object { json in
            for field in Observation.head where !Self.said.contains(field.name) { field.write(observation, &json) }
            observation.finding.base.writeMembers(into: &json, besides: mask == nil ? [] : ["mask"])
        }
    }

    /// Members of an observation for which annotations have COCO's own words.
    private static let said: Set<String> = ["track", "confidence", "box", "polygon"]

    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws {
        try imageWriter.finish()
        try annotationWriter.finish()
        let whole = try ByteWriter(output)
        try whole.write(head)
        try Files.forEachPiece(of: images.temporary, whole.write)
        try whole.write(Array("\n],\n\"annotations\":[\n".utf8))
        try Files.forEachPiece(of: annotations.temporary, whole.write)
        try whole.write(Array("\n]}\n".utf8))
        try whole.finish()
        images.discard()
        annotations.discard()
    }

    /// The file's text up to the images.
    private var head: [UInt8] {
        let header = context.header
        var json = JSONWriter()
        json.key("info")
        json.members([("description", .text(header.source.name)), ("contributor", .text(header.generator))])
        json.endLine()
        var text = "{" + json.text
        func section(_ key: String, _ entries: [[(String, JSONWriter.Member)]]) {
            var json = JSONWriter()
            json.key(key)
            json.array { json in for entry in entries { json.members(entry) } }
            json.endLine()
            text += "," + json.text
        }
        section("licenses", [])
        section(
            "videos",
            [
                [
                    ("id", .whole(1)), ("name", .text(header.source.name)), ("width", .whole(header.source.width)),
                    ("height", .whole(header.source.height)),
                ]
            ])
        section(
            "categories",
            names.all.enumerated().map { index, name in
                [("id", .whole(index + 1)), ("name", .text(name))]
                    + (skeletons[index + 1].map { skeleton in
                        [
                            ("keypoints", .texts(skeleton.names)),
                            // Counted from 1 here.
                            ("skeleton", .pairs(skeleton.edges.map { [$0.first + 1, $0.second + 1] })),
                        ]
                    } ?? [])
            })
        section(
            "tracks",
            tracks.map { [("id", .whole($0.number)), ("category_id", .whole($0.category)), ("video_id", .whole(1))] })
        return Array((text + ",\"images\":[\n").utf8)
    }

    package var notes: [String] { omissions.sentences }
}

extension JSONWriter {
    /// A member of a flat object.
    enum Member {
        case whole(Int)
        case text(String)
        /// A number and its decimals.
        case number(Double, Int)
        case texts([String])
        case pairs([[Int]])
    }

    mutating func members(_ members: [(String, Member)]) {
        object { json in json.members(inline: members) }
    }

    /// Members of an object that is open.
    mutating func members(inline members: [(String, Member)]) {
        for (key, member) in members {
            self.key(key)
            switch member {
            case .whole(let number): value(number)
            case .text(let text): value(text)
            case .number(let number, let decimals): value(number, decimals: decimals)
            case .texts(let texts): array { json in for text in texts { json.value(text) } }
            case .pairs(let pairs):
                array { json in for pair in pairs { json.array { json in for number in pair { json.value(number) } } } }
            }
        }
    }
}

/// Names in the order in which they came.
struct NameBook {
    private(set) var all: [String] = []
    private var numbers: [String: Int] = [:]

    /// The number of a name, from 0; new ones are added.
    mutating func number(of name: String) -> Int {
        if let number = numbers[name] { return number }
        numbers[name] = all.count
        all.append(name)
        return all.count - 1
    }
}
