/// The numbers that stand in lines, in parts of the picture's size.
extension YOLOSink {
    /// Middle and size of a box.
    func numbers(of box: Box) -> [Double] {
        let (width, height) = (Double(size.width), Double(size.height))
        return [box.center.x / width, box.center.y / height, box.width / width, box.height / height]
    }

    /// Coordinates of corners; the picture's own edges are 0 and 1.
    func numbers(of corners: [Point]) -> [Double] {
        corners.flatMap { [$0.x / Double(size.width), $0.y / Double(size.height)] }
    }

    /// The part of a box that lies in the picture: readers refuse what goes beyond it.
    func inside(_ box: Box, _ stage: String) -> Box? {
        let picture = PixelBox(size).box
        guard let part = box.intersection(picture) else {
            omissions.add("\(Self.format.title) has no boxes without a part in the picture; left out", stage)
            return nil
        }
        guard part != box else { return box }
        // What differs in the last digits of a number is the same.
        let beyond = [part.x - box.x, part.y - box.y, box.right - part.right, box.bottom - part.bottom].max() ?? 0
        if beyond > 1e-6 {
            omissions.add("\(Self.format.title) has no boxes beyond the picture; cut at its edges", stage)
        }
        return part
    }

    /// A corner, moved to the picture's edge where it lies outside.
    func clamped(_ point: Point) -> Point {
        Point(min(max(point.x, 0), Double(size.width)), min(max(point.y, 0), Double(size.height)))
    }
}

/// YOLO's segmentation: outlines. A mask's, several parts and holes joined by lines of no width, as Ultralytics joins
/// parts; else the observation's own, or its box.
package final class YOLOSegmentSink: YOLOSink {
    package override class var format: SinkFormat { format("yolo-seg", "YOLO-seg", "outlines of masks") }
    override class var abilities: Omissions.Abilities { [.names, .outlines, .masks] }

    override func numbers(of observation: Observation, _ placement: PixelPlace) -> [Double]? {
        guard inside(placement.box, observation.stage) != nil else { return nil }
        guard let mask = observation.mask else {
            // Cut, not moved: what is moved to an edge corner by corner has another shape.
            let outline = (placement.polygon ?? placement.box.corners).inside(PixelBox(size).box)
            guard outline.count >= 3 else {
                omissions.add("YOLO-seg has no outlines without a part in the picture; left out", observation.stage)
                return nil
            }
            return numbers(of: outline.map(clamped))
        }
        let outlines = mask.of(mask.box.intersection(PixelBox(size))).smoothOutlines()
        guard !outlines.isEmpty else {
            omissions.add("YOLO-seg has no masks without a pixel in the picture; left out", observation.stage)
            return nil
        }
        // Pixel centres are half a pixel from the picture's edge.
        return numbers(of: Self.joined(outlines).map { clamped(Point($0.x + 0.5, $0.y + 0.5)) })
    }

    /// One line through several: to each of the others from the nearest point of what is joined already, and back.
    static func joined(_ outlines: [[Point]]) -> [Point] {
        var joined = outlines.first ?? []
        for other in outlines.dropFirst() {
            var best = (distance: Double.infinity, from: 0, to: 0)
            for (from, a) in joined.enumerated() {
                for (to, b) in other.enumerated() {
                    let distance = a.distance(to: b)
                    if distance < best.distance { best = (distance, from, to) }
                }
            }
            let round = other[best.to...] + other[...best.to]
            joined.insert(contentsOf: round + [joined[best.from]], at: best.from + 1)
        }
        return joined
    }
}

/// YOLO's poses: a box, then x, y and 0 (not labelled), 1 (hidden) or 2 (seen) of each joint. All lines of a set have
/// one skeleton.
package final class YOLOPoseSink: YOLOSink {
    package override class var format: SinkFormat { format("yolo-pose", "YOLO-pose", "boxes with joints") }
    override class var abilities: Omissions.Abilities { [.names, .joints] }

    override class func says(_ thing: Observation, of header: TrackFileHeader) -> Bool {
        thing.skeleton(header.skeletons[thing.stage]) != nil
    }

    /// The skeleton of the set: the first that came.
    private var skeleton: Skeleton?

    override func numbers(of observation: Observation, _ placement: PixelPlace) -> [Double]? {
        guard let own = observation.skeleton(context.header.skeletons[observation.stage]) else {
            omissions.add("YOLO-pose has no things without joints; left out", observation.stage)
            return nil
        }
        let known = skeleton ?? own
        skeleton = known
        guard known == own else {
            omissions.add("YOLO-pose has one skeleton; things with another left out", observation.stage)
            return nil
        }
        guard let box = inside(placement.box, observation.stage) else { return nil }
        // A thing whose joints weren't looked for has the place of each.
        let joints =
            observation.joints.isEmpty ? known.names.map { _ in Joint(Point(0, 0), confidence: 0) } : observation.joints
        return numbers(of: box)
            + joints.flatMap { joint -> [Double] in
                let place = joint.edgePoint
                guard joint.isFound else { return [0, 0, 0] }
                guard clamped(place) == place else {
                    omissions.add(
                        "YOLO-pose has no joints beyond the picture; written as not labelled", observation.stage)
                    return [0, 0, 0]
                }
                return numbers(of: [place]) + [Double(joint.labelling)]
            }
    }

    override func settings(classes: Int) -> String {
        guard let skeleton else { return "" }
        let names = skeleton.names.map { "    - \(Self.quoted($0))\n" }.joined()
        return "kpt_shape: [\(skeleton.names.count), 3]\n"
            + "flip_idx: [\(skeleton.mirror.map(String.init).joined(separator: ", "))]\n"
            + "kpt_names:\n" + (0..<classes).map { "  \($0):\n\(names)" }.joined()
    }
}

/// YOLO's turned boxes: four corners, those of turned boxes and other outlines of four, else of the box.
package final class YOLOTurnedSink: YOLOSink {
    package override class var format: SinkFormat { format("yolo-obb", "YOLO-OBB", "four corners of turned boxes") }
    override class var abilities: Omissions.Abilities { [.names, .turnedBoxes, .quads] }

    override func numbers(of observation: Observation, _ placement: PixelPlace) -> [Double]? {
        guard inside(placement.box, observation.stage) != nil else { return nil }
        let corners = placement.polygon.flatMap { $0.count == 4 ? $0 : nil } ?? placement.box.corners
        return numbers(of: corners.map(clamped))
    }
}
