/// Renders the frames of a scene and tells what is to be seen in them.
///
/// Any frame may be rendered at any time: a frame depends on the scene and its own number alone, and comes out the same
/// on every run and machine. A renderer keeps scratch memory and so belongs to one thread; others may have their own.
package final class SceneRenderer {
    /// The scene.
    package let scene: Scene
    private let surfaces: [AnySurface]
    private let backdrop: Backdrop
    private let painter: SurfacePainter
    private let finisher: FrameFinisher
    private let frame: WorkFrame
    let layout: SceneLayout

    /// A renderer of one scene.
    /// - Parameters:
    ///   - scene: what to render.
    ///   - markerBits: the pattern of a marker of a dictionary. Called once for each marker.
    ///   - loadImage: a picture file's pixels, by the path that the scene gives. Called once for each use.
    /// - Throws: `SceneError` for a value out of its range, and what the two closures throw.
    package init(
        scene: Scene,
        markerBits: (_ dictionary: String, _ id: Int) throws -> MarkerBits,
        loadImage: (_ path: String) throws -> RGBImage
    ) throws {
        try scene.checkLimits()
        self.scene = scene
        let coder = ColorCoder(scene.colorSpace)
        let focalLength = scene.focalLength
        surfaces = try withoutActuallyEscaping(loadImage) { loadImage in
            try scene.objects.enumerated().map { index, object in
                let seed = mixed(scene.seed ^ UInt64(index + 1) << 32)
                let baker = TextureBaker(coder: coder, seed: seed, loadImage: loadImage)
                // No nearer than 5 cm: a thing that passes the camera need not be finer than that.
                let scale = focalLength / max(object.motion.leastDepth, 0.05)
                switch object.content {
                case .marker(let card):
                    let bits = try markerBits(card.dictionary, card.id)
                    return .marker(MarkerSurface(card, bits: bits, coder: coder))
                case .picture(let picture): return .picture(try PictureSurface(picture, scale: scale, baker: baker))
                case .object(let shape):
                    let silhouette = Silhouette(shape.shape, size: shape.size)
                    return .shape(try ShapeSurface(silhouette, texture: shape.texture, scale: scale, baker: baker))
                case .occluder(let occluder):
                    let half = SIMD2<Float>(SIMD2(occluder.width, occluder.height) / 2)
                    let bar = Silhouette.rectangle(halfSize: half)
                    return .shape(try ShapeSurface(bar, texture: occluder.texture, scale: scale, baker: baker))
                }
            }
        }
        layout = SceneLayout(scene, silhouettes: surfaces.map(\.silhouette))
        backdrop = try Backdrop(scene, coder: coder, loadImage: loadImage)
        painter = SurfacePainter(shadow: scene.lighting.shadow)
        finisher = FrameFinisher(scene, coder: coder)
        frame = WorkFrame(width: scene.width, height: scene.height)
    }

    /// Renders a frame.
    ///
    /// - Parameters:
    ///   - index: the frame's number from 0. Numbers beyond the clip's last frame are rendered as well.
    ///   - planes: where to; every pixel is written.
    package func renderFrame(_ index: Int, into planes: FramePlanes) {
        backdrop.copy(at: scene.time(ofFrame: index), into: frame)
        for thing in layout.placed(inFrame: index) {
            guard let job = layout.job(for: thing, inFrame: index) else { continue }
            painter.paint(surfaces[thing.index], job, into: frame)
        }
        finisher.finish(frame, index: index, into: planes)
    }
}
