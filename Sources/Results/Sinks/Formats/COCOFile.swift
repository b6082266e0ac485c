internal import Glibc

/// A COCO file of one clip or several: an image a picture, an annotation an observation with a place. Masks are COCO's
/// run-length code of the whole picture, joints key points with their category's skeleton.
///
/// Its lists go to files of their own first: what goes before them in the file is known at the end alone.
final class COCOFile {
    /// A clip as the file has it.
    struct Clip {
        /// Its number, from 1.
        var number: Int
        var name: String
        var header: TrackFileHeader
        /// What is added to its tracks' numbers.
        var firstTrack = 0
        /// Whether it is one of a data set's.
        var isPart = false
    }

    /// A list that is written while it is long.
    private final class List {
        private let file: OutputFile
        private let writer: ByteWriter
        private let separator: [UInt8]
        private(set) var count = 0

        init(_ target: String, separator: String) throws {
            file = OutputFile(target: target)
            writer = try ByteWriter(file)
            self.separator = Array(separator.utf8)
        }

        func add(_ json: JSONWriter) throws {
            if count > 0 { try writer.write(separator) }
            try writer.write(json.bytes)
            count += 1
        }

        func move(into whole: ByteWriter) throws {
            try writer.finish()
            try Files.forEachPiece(of: file.temporary, whole.write)
            file.discard()
        }
    }

    private let videos: List
    private let tracks: List
    private let images: List
    private let annotations: List
    private var names: NameBook
    /// Tracks of the clip that have come.
    private var known: Set<Int> = []
    /// Skeleton of each category, by its number.
    private var skeletons: [Int: Skeleton] = [:]
    private let omissions: SharedOmissions
    private let numbers: Numbers

    /// Ids of annotations, from 1: unique over all files that share them.
    final class Numbers {
        private var last = 0

        func next() -> Int {
            last += 1
            return last
        }
    }

    static func makeOmissions() -> SharedOmissions {
        SharedOmissions(
            Omissions(
                "COCO", says: [.outlines, .names, .confidences, .predictions, .holding, .fields]))
    }

    /// - Parameters:
    ///   - target: The file's path; lists are written beside it.
    ///   - names: Names of categories, in the order of their numbers; more are added as they come.
    ///   - skeletons: Skeletons of those, by their names; of others they are added as they come.
    ///   - numbers: Of the annotations.
    init(
        beside target: String, names: [String] = [], _ skeletons: [String: Skeleton] = [:], omissions: SharedOmissions,
        numbers: Numbers = Numbers()
    ) throws {
        for (index, name) in names.enumerated() { self.skeletons[index + 1] = skeletons[name] }
        videos = try List(target + ".videos", separator: ",")
        tracks = try List(target + ".tracks", separator: ",")
        images = try List(target + ".images", separator: ",\n")
        annotations = try List(target + ".annotations", separator: ",\n")
        self.names = NameBook(names)
        (self.omissions, self.numbers) = (omissions, numbers)
    }

    /// Begins a clip.
    func begin(_ clip: Clip) throws {
        known = []
        let source = clip.header.source
        var json = JSONWriter()
        json.members([
            ("id", .whole(clip.number)), ("name", .text(clip.name)), ("width", .whole(source.width)),
            ("height", .whole(source.height)),
        ])
        try videos.add(json)
    }

    /// Adds a picture.
    /// - Parameters:
    ///   - image: Its id.
    ///   - name: Its file's name.
    ///   - isEmpty: Whether it is known that nothing is in it; nil for what doesn't say so.
    func add(_ frame: FrameRecord, image: Int, name: String, isEmpty: Bool?, of clip: Clip) throws {
        let source = clip.header.source
        var json = JSONWriter()
        json.object { json in
            json.members(inline: [
                ("id", .whole(image)), ("video_id", .whole(clip.number)), ("frame_index", .whole(frame.frame)),
                ("width", .whole(source.width)), ("height", .whole(source.height)),
                ("file_name", .text(name)), ("pts", .whole(Int(frame.pts.ticks))),
                ("time", .number(frame.pts.seconds, 6)),
            ])
            if let isEmpty {
                json.key("background")
                json.value(isEmpty)
            }
        }
        try images.add(json)
        for observation in frame.observations {
            guard let placement = omissions.value.placement(of: observation) else { continue }
            let category = names.number(of: observation.name) + 1
            if let number = observation.track?.number, known.insert(number).inserted {
                var json = JSONWriter()
                json.members([
                    ("id", .whole(number &+ clip.firstTrack)), ("category_id", .whole(category)),
                    ("video_id", .whole(clip.number)),
                ])
                try tracks.add(json)
            }
            let joints = joints(of: observation, category, clip)
            var json = JSONWriter()
            json.object { json in
                annotate(observation, placement, joints, image: image, category: category, clip, &json)
            }
            try annotations.add(json)
        }
    }

    /// Its joints, where they are those of its category's skeleton.
    private func joints(of observation: Observation, _ category: Int, _ clip: Clip) -> [Joint] {
        let joints = observation.joints
        guard !joints.isEmpty, let skeleton = observation.skeleton(clip.header.skeletons[observation.stage]) else {
            return []
        }
        let known = skeletons[category, default: skeleton]
        skeletons[category] = known
        guard known == skeleton, known.names.count == joints.count else {
            omissions.value.add(
                "COCO has one skeleton for a category; joints of another left out", observation.stage)
            return []
        }
        return joints
    }

    private func annotate(
        _ observation: Observation, _ placement: PixelPlace, _ joints: [Joint], image: Int, category: Int, _ clip: Clip,
        _ json: inout JSONWriter
    ) {
        func put(_ key: String, _ numbers: [Double]) {
            json.key(key)
            json.array { json in for number in numbers { json.value(number, decimals: 2) } }
        }
        json.members(inline: [
            ("id", .whole(numbers.next())), ("image_id", .whole(image)), ("video_id", .whole(clip.number)),
        ])
        if let number = observation.track?.number {
            json.key("track_id")
            json.value(number &+ clip.firstTrack)
        }
        json.key("category_id")
        json.value(category)
        let box = placement.box
        put("bbox", [box.x, box.y, box.width, box.height])
        let source = clip.header.source
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
        } else if clip.isPart {
            // Readers of data sets look for it.
            json.key("segmentation")
            json.array { _ in }
        }
        if !joints.isEmpty { write(joints, &json) }
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

    private func write(_ joints: [Joint], _ json: inout JSONWriter) {
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

    /// Members of an observation for which annotations have COCO's own words.
    private static let said: Set<String> = ["track", "confidence", "box", "polygon"]

    /// Writes the whole file.
    func finish(into whole: ByteWriter, description: String, contributor: String) throws {
        func put(_ text: String) throws { try whole.write(Array(text.utf8)) }
        var info = JSONWriter()
        info.key("info")
        info.members([("description", .text(description)), ("contributor", .text(contributor))])
        try put("{\(info.text)\n,\"licenses\":[]\n,\"videos\":[")
        try videos.move(into: whole)
        try put("]\n,\"categories\":[\(categories.joined(separator: ","))]\n,\"tracks\":[")
        try tracks.move(into: whole)
        try put("]\n,\"images\":[\n")
        try images.move(into: whole)
        try put("\n],\n\"annotations\":[\n")
        try annotations.move(into: whole)
        try put("\n]}\n")
        try whole.finish()
    }

    private var categories: [String] {
        names.all.enumerated().map { index, name in
            var json = JSONWriter()
            json.object { json in
                json.members(inline: [("id", .whole(index + 1)), ("name", .text(name))])
                guard let skeleton = skeletons[index + 1] else { return }
                json.members(inline: [
                    ("keypoints", .texts(skeleton.names)),
                    // Counted from 1 here.
                    ("skeleton", .pairs(skeleton.edges.map { [$0.first + 1, $0.second + 1] })),
                ])
            }
            return json.text
        }
    }
}
