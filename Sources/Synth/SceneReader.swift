import Graph

/// Reads a scene file.
package enum SceneReader {
    /// Reads a file.
    /// - Throws: `InvalidFileError` with all problems of the file.
    package static func read(_ path: String) throws -> Scene {
        var validator = ShapeValidator(file: path)
        let root: JSONNode
        do {
            root = try JSONParser.parse(try Files.read(path))
        } catch let error as JSONSyntaxError {
            validator.log.add(error.message, at: error.position, path: [])
            throw InvalidFileError(problems: validator.log.sorted)
        } catch let error as FileError {
            validator.log.add(
                "the file can't be read: \(error.reason); expected a scene, a JSON file", at: JSONNode(.null), path: [])
            throw InvalidFileError(problems: validator.log.sorted)
        }
        validator.validate(root, against: SceneShape.shape)
        for (index, object) in (root["objects"]?.elements ?? []).enumerated() {
            if let keyframes = object["keyframes"], object["position"] != nil || object["rotation"] != nil {
                validator.log.add(
                    "“keyframes” beside “position” or “rotation”; expected one or the other", at: keyframes,
                    path: [.key("objects"), .index(index), .key("keyframes")])
            }
        }
        if let camera = root["camera"], camera["focalLength"] != nil, camera["fieldOfView"] != nil {
            validator.log.add(
                "“focalLength” and “fieldOfView” together; expected one of them", at: camera, path: [.key("camera")])
        }
        if validator.log.isEmpty {
            let scene = scene(root)
            do {
                try scene.checkLimits()
                return scene
            } catch {
                validator.log.add("\(error)", at: root, path: [])
            }
        }
        throw InvalidFileError(problems: validator.log.sorted)
    }

    private static func scene(_ node: JSONNode) -> Scene {
        var scene = Scene()
        if let size = integers(node["size"], 2) { (scene.width, scene.height) = (size[0], size[1]) }
        if let rate = integers(node["frameRate"], 2) { scene.frameRate = FrameRate(rate[0], rate[1]) }
        set(&scene.frames, node["frames"]?.integer)
        set(&scene.seed, node["seed"]?.integer.map(UInt64.init))
        if let space = node["colorSpace"] {
            set(&scene.colorSpace.matrix, space["matrix"]?.string.flatMap(ColorSpace.Matrix.init(rawValue:)))
            set(&scene.colorSpace.fullRange, space["fullRange"]?.bool)
        }
        if let pixels = node["camera"]?["focalLength"]?.number { scene.camera.lens = .focalLength(pixels) }
        if let degrees = node["camera"]?["fieldOfView"]?.number { scene.camera.lens = .fieldOfView(degrees) }
        if let background = node["background"] { read(background, into: &scene.background) }
        if let lighting = node["lighting"] { read(lighting, into: &scene.lighting) }
        set(&scene.blur.gaussian, node["blur"]?["gaussian"]?.number)
        set(&scene.blur.shutter, node["blur"]?["shutter"]?.number)
        set(&scene.noise.luma, node["noise"]?["luma"]?.number)
        set(&scene.noise.chroma, node["noise"]?["chroma"]?.number)
        scene.objects = (node["objects"]?.elements ?? []).compactMap(object)
        return scene
    }

    private static func read(_ node: JSONNode, into background: inout BackgroundStyle) {
        switch node["kind"]?.string {
        case "plain": background.kind = .plain
        case "gradient": background.kind = .gradient
        case "checker": background.kind = .checker
        case "image": background.kind = .image(path: node["image"]?.string ?? "")
        default: background.kind = .structured
        }
        set(&background.color, color(node["color"]))
        set(&background.accent, color(node["accent"]))
        set(&background.scale, node["scale"]?.number)
        set(&background.contrast, node["contrast"]?.number)
        if let pan = numbers(node["pan"], 2) { background.pan = SIMD2(pan[0], pan[1]) }
    }

    private static func read(_ node: JSONNode, into lighting: inout Lighting) {
        set(&lighting.gain, node["gain"]?.number)
        set(&lighting.amplitude, node["amplitude"]?.number)
        set(&lighting.period, node["period"]?.number)
        set(&lighting.vignette, node["vignette"]?.number)
        if let gradient = numbers(node["gradient"], 2) { lighting.gradient = SIMD2(gradient[0], gradient[1]) }
        set(&lighting.shadow.strength, node["shadow"]?["strength"]?.number)
        set(&lighting.shadow.offset, node["shadow"]?["offset"]?.number)
        set(&lighting.shadow.softness, node["shadow"]?["softness"]?.number)
    }

    private static func object(_ node: JSONNode) -> SceneObject? {
        guard let content = content(node) else { return nil }
        var object = SceneObject(content, motion: motion(node), name: node["name"]?.string)
        object.label = node["label"]?.string
        set(&object.from, node["from"]?.number)
        object.to = node["to"]?.number
        set(&object.shadow, node["shadow"]?.bool)
        return object
    }

    private static func content(_ node: JSONNode) -> SceneObject.Content? {
        switch node["kind"]?.string {
        case "marker":
            var card = MarkerCard(dictionary: node["dictionary"]?.string ?? "", id: node["id"]?.integer ?? 0)
            set(&card.size, node["size"]?.number)
            set(&card.quietZone, node["quietZone"]?.number)
            return .marker(card)
        case "picture":
            var picture = Picture()
            set(&picture.width, node["width"]?.number)
            set(&picture.height, node["height"]?.number)
            set(&picture.frame, node["frame"]?.number)
            set(&picture.mat, node["mat"]?.number)
            set(&picture.frameColor, color(node["frameColor"]))
            set(&picture.matColor, color(node["matColor"]))
            texture(node["texture"], into: &picture.texture)
            return .picture(picture)
        case "object":
            var shape = ColoredShape(shape: node["shape"]?.string.flatMap(ShapeKind.init(rawValue:)) ?? .circle)
            set(&shape.size, node["size"]?.number)
            texture(node["texture"], into: &shape.texture)
            return .object(shape)
        case "occluder":
            var occluder = Occluder()
            set(&occluder.width, node["width"]?.number)
            set(&occluder.height, node["height"]?.number)
            texture(node["texture"], into: &occluder.texture)
            return .occluder(occluder)
        default: return nil
        }
    }

    private static func texture(_ node: JSONNode?, into style: inout TextureStyle) {
        guard let node else { return }
        switch node["pattern"]?.string {
        case "plain": style.pattern = .plain
        case "stripes": style.pattern = .stripes
        case "checks": style.pattern = .checks
        case "dots": style.pattern = .dots
        case "noise": style.pattern = .noise
        case "shape": style.pattern = .shape(node["shape"]?.string.flatMap(ShapeKind.init(rawValue:)) ?? .circle)
        case "image": style.pattern = .image(path: node["image"]?.string ?? "")
        default: break
        }
        set(&style.color, color(node["color"]))
        set(&style.accent, color(node["accent"]))
        set(&style.scale, node["scale"]?.number)
    }

    private static func motion(_ node: JSONNode) -> Motion {
        func keyframe(_ node: JSONNode) -> Motion.Keyframe {
            var frame = Motion.Keyframe()
            set(&frame.time, node["time"]?.number)
            set(&frame.position, vector(node["position"]))
            set(&frame.rotation, vector(node["rotation"]))
            return frame
        }
        let keyframes = node["keyframes"]?.elements?.map(keyframe)
        var placed = keyframe(node)
        placed.time = 0
        var motion = Motion(keyframes: keyframes ?? [placed])
        set(&motion.interpolation, node["interpolation"]?.string.flatMap(Motion.Interpolation.init(rawValue:)))
        if let orbit = node["orbit"] {
            var circle = Motion.Orbit()
            set(&circle.radius, orbit["radius"]?.number)
            set(&circle.period, orbit["period"]?.number)
            set(&circle.phase, orbit["phase"]?.number)
            set(&circle.plane, orbit["plane"]?.string.flatMap(Motion.Orbit.Plane.init(rawValue:)))
            motion.orbit = circle
        }
        if let sway = node["sway"] {
            var swing = Motion.Sway()
            set(&swing.position, vector(sway["position"]))
            set(&swing.rotation, vector(sway["rotation"]))
            set(&swing.period, sway["period"]?.number)
            set(&swing.phase, sway["phase"]?.number)
            motion.sway = swing
        }
        return motion
    }

    /// Keeps the default where the file gives nothing.
    private static func set<Value>(_ target: inout Value, _ value: Value?) { if let value { target = value } }

    private static func color(_ node: JSONNode?) -> RGB? { node?.string.flatMap(RGB.init(hex:)) }

    private static func numbers(_ node: JSONNode?, _ count: Int) -> [Double]? {
        node?.elements?.compactMap(\.number).exactly(count)
    }

    private static func integers(_ node: JSONNode?, _ count: Int) -> [Int]? {
        node?.elements?.compactMap(\.integer).exactly(count)
    }

    private static func vector(_ node: JSONNode?) -> SIMD3<Double>? {
        numbers(node, 3).map { SIMD3($0[0], $0[1], $0[2]) }
    }
}

extension Array {
    /// The array where it has so many elements.
    fileprivate func exactly(_ count: Int) -> [Element]? { self.count == count ? self : nil }
}
