package import Graph
internal import CVision

/// Renders a scene into an MP4 with its ground truth beside it.
package struct ClipRenderer {
    private let scene: Scene
    private let renderer: SceneRenderer

    /// A renderer of one scene.
    /// - Parameter directory: the folder that the scene's paths start from.
    package init(scene: Scene, directory: String) throws {
        self.scene = scene
        renderer = try SceneRenderer(
            scene: scene, markerBits: Self.markerBits,
            loadImage: { path in
                let image = try ImageFile(path: path.hasPrefix("/") ? path : directory + "/" + path)
                return try RGBImage(width: image.width, height: image.height, pixels: image.pixels)
            })
    }

    /// Renders the clip.
    /// - Parameters:
    ///   - path: the MP4; the truth goes to the same name with `.tracks.jsonl` instead of `.mp4`, the camera to
    ///     `.camera.json`.
    ///   - progress: called after each frame with the number of frames done; false stops the work.
    /// - Throws: `CancelledError` where it was stopped; nothing is left then.
    package func render(to path: String, settings: EncodeSettings, generator: String, progress: (Int) -> Bool) throws {
        let rate = Rational(scene.frameRate.numerator, scene.frameRate.denominator)
        let clip = try ClipWriter(
            path: path, width: scene.width, height: scene.height, frameRate: rate, colorSpace: scene.colorSpace,
            settings: settings)
        let truth = try TrackFileWriter(
            path: Self.truthPath(of: path),
            header: TrackFileHeader(
                generator: generator,
                source: .init(
                    name: Files.name(of: path), width: scene.width, height: scene.height, timeBase: clip.timeBase,
                    frameRate: rate),
                camera: scene.intrinsics,
                stages: [.init(id: SceneRenderer.truthStage, type: SceneRenderer.truthType)]))
        var numbering = TrackNumbering()
        for index in 0..<scene.frames {
            try clip.write { canvas in
                guard let (cb, cr) = canvas.chroma else { return }
                renderer.renderFrame(
                    index,
                    into: FramePlanes(
                        luma: canvas.luma.base, lumaStride: canvas.luma.stride, cb: cb.base, cr: cr.base,
                        chromaStride: cb.stride))
            }
            try truth.write(
                FrameRecord(
                    frame: index, pts: MediaTime(ticks: Int64(index) * clip.frameDuration, timeBase: clip.timeBase),
                    duration: clip.frameDuration, observations: renderer.truth(index).map { numbering.number($0) }))
            guard progress(index + 1) else { throw CancelledError() }
        }
        try clip.finish()
        try truth.finish()
        try Files.write(prettyJSON(scene.intrinsics.json) + "\n", to: Self.cameraPath(of: path))
    }

    /// Path of the truth of a clip: a track file beside it.
    package static func truthPath(of path: String) -> String {
        (path.hasSuffix(".mp4") ? String(path.dropLast(4)) : path) + ".tracks.jsonl"
    }

    /// Path of the camera file of a clip.
    package static func cameraPath(of path: String) -> String {
        (path.hasSuffix(".mp4") ? String(path.dropLast(4)) : path) + ".camera.json"
    }

    static func markerBits(dictionary name: String, id: Int) throws -> MarkerBits {
        var dictionary: OpaquePointer?
        let made = ocv_marker_dictionary_create(name, &dictionary)
        guard made.code == 0, let dictionary else { throw SceneError("no marker dictionary “\(name)”") }
        defer { ocv_marker_dictionary_destroy(dictionary) }
        let size = Int(ocv_marker_dictionary_bits(dictionary))
        var bits = [UInt8](repeating: 0, count: size * size)
        let count = Int(ocv_marker_dictionary_count(dictionary))
        guard (0..<count).contains(id),
            ocv_marker_dictionary_code(dictionary, Int32(id), &bits, Int32(bits.count)).code == 0
        else { throw SceneError("no marker \(id) in “\(name)”, which has 0 to \(count - 1)") }
        return try MarkerBits(size: size, isWhite: bits.map { $0 != 0 })
    }
}
