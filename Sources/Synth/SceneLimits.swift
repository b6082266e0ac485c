extension Scene {
    /// Checks every value against the range that its documentation gives.
    ///
    /// - Throws: `SceneError` that names the first value out of range.
    package func checkLimits() throws(SceneError) {
        try check("width", Double(width), 16...8192)
        try check("height", Double(height), 16...8192)
        guard width % 2 == 0, height % 2 == 0 else {
            throw SceneError("size: \(width) × \(height); 4:2:0 needs an even width and height")
        }
        try check("frameRate", Double(frameRate.numerator), 1...1e6)
        try check("frameRate", Double(frameRate.denominator), 1...1e6)
        try check("frames", Double(frames), 1...1e6)
        switch camera.lens {
        case .focalLength(let pixels): try check("camera.focalLength", pixels, 1...1e5)
        case .fieldOfView(let degrees): try check("camera.fieldOfView", degrees, 1...170)
        }
        try background.check(self)
        try lighting.check()
        try check("blur.gaussian", blur.gaussian, 0...10)
        try check("blur.shutter", blur.shutter, 0...1)
        try check("noise.luma", noise.luma, 0...50)
        try check("noise.chroma", noise.chroma, 0...50)
        try check("objects", Double(objects.count), 0...200)
        for (index, object) in objects.enumerated() { try object.check("objects[\(index)]") }
    }
}

/// The smallest length in metres and the shortest period in seconds.
private let least = 1e-4

private func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws(SceneError) {
    // NaN is in no range.
    guard range.contains(value) else {
        throw SceneError("\(name): \(value); expected \(range.lowerBound)…\(range.upperBound)")
    }
}

private func check(_ name: String, _ value: SIMD3<Double>, within limit: Double) throws(SceneError) {
    for axis in 0..<3 { try check("\(name)[\(axis)]", value[axis], -limit...limit) }
}

extension BackgroundStyle {
    fileprivate func check(_ scene: Scene) throws(SceneError) {
        try Synth.check("background.scale", scale, 0.005...2)
        try Synth.check("background.contrast", contrast, 0...1)
        for axis in 0..<2 { try Synth.check("background.pan[\(axis)]", pan[axis], -2000...2000) }
        let duration = scene.time(ofFrame: scene.frames)
        let width = Double(scene.width) + abs(pan.x) * duration, height = Double(scene.height) + abs(pan.y) * duration
        guard width * height <= 67e6 else {
            throw SceneError(
                "background.pan: \(Int(width)) × \(Int(height)) pixels pass through the frame; expected at most 67 million"
            )
        }
    }
}

extension Lighting {
    fileprivate func check() throws(SceneError) {
        try Synth.check("lighting.gain", gain, 0...4)
        try Synth.check("lighting.amplitude", amplitude, 0...1)
        try Synth.check("lighting.period", period, least...1e6)
        try Synth.check("lighting.vignette", vignette, 0...1)
        for axis in 0..<2 { try Synth.check("lighting.gradient[\(axis)]", gradient[axis], -1...1) }
        try Synth.check("lighting.shadow.strength", shadow.strength, 0...1)
        try Synth.check("lighting.shadow.offset", shadow.offset, 0...1)
        try Synth.check("lighting.shadow.softness", shadow.softness, least...1)
    }
}

extension SceneObject {
    fileprivate func check(_ path: String) throws(SceneError) {
        try Synth.check("\(path).from", from, -1e6...1e6)
        if let to { try Synth.check("\(path).to", to, from...1e6) }
        let length = least...100
        switch content {
        case .marker(let card):
            try Synth.check("\(path).id", Double(card.id), 0...1e6)
            try Synth.check("\(path).size", card.size, length)
            try Synth.check("\(path).quietZone", card.quietZone, 0...20)
        case .picture(let picture):
            try Synth.check("\(path).width", picture.width, length)
            try Synth.check("\(path).height", picture.height, length)
            let half = min(picture.width, picture.height) / 2
            try Synth.check("\(path).frame", picture.frame, 0...half)
            try Synth.check("\(path).mat", picture.mat, 0...(half - picture.frame))
            try picture.texture.check(path)
        case .object(let shape):
            try Synth.check("\(path).size", shape.size, length)
            try shape.texture.check(path)
        case .occluder(let occluder):
            try Synth.check("\(path).width", occluder.width, length)
            try Synth.check("\(path).height", occluder.height, length)
            try occluder.texture.check(path)
        }
        try motion.check(path)
    }
}

extension TextureStyle {
    fileprivate func check(_ path: String) throws(SceneError) {
        try Synth.check("\(path).texture.scale", scale, 0.01...1)
    }
}

extension Motion {
    fileprivate func check(_ path: String) throws(SceneError) {
        var previous: Double?
        for (index, keyframe) in keyframes.enumerated() {
            let path = "\(path).keyframes[\(index)]"
            try Synth.check("\(path).time", keyframe.time, -1e6...1e6)
            if let previous, keyframe.time <= previous {
                throw SceneError("\(path).time: \(keyframe.time); expected more than \(previous), the time before it")
            }
            previous = keyframe.time
            try Synth.check("\(path).position", keyframe.position, within: 1000)
            try Synth.check("\(path).rotation", keyframe.rotation, within: 36000)
        }
        if let orbit {
            try Synth.check("\(path).orbit.radius", orbit.radius, 0...1000)
            try Synth.check("\(path).orbit.period", abs(orbit.period), least...1e6)
            try Synth.check("\(path).orbit.phase", orbit.phase, -1...1)
        }
        if let sway {
            try Synth.check("\(path).sway.position", sway.position, within: 1000)
            try Synth.check("\(path).sway.rotation", sway.rotation, within: 360)
            try Synth.check("\(path).sway.period", sway.period, least...1e6)
            try Synth.check("\(path).sway.phase", sway.phase, -1...1)
        }
    }
}
