/// Pictures laid on things, and what stands on them.
extension Annotator {
    // MARK: Pictures

    /// Covers a quad with an altered picture, or with the style's own where it has no place in space.
    func drawPicture(on observation: Observation, _ style: DrawStyle, onto canvas: Canvas) {
        let layers = observation.alteration?.layers ?? style.image.map { [.init(texture: $0, weight: 1)] } ?? []
        guard !layers.isEmpty, observation.state != .lost, observation.state != .ended,
            !liesInSpace(observation, style)
        else { return }
        // A box begins half a pixel before the centre of its first pixel.
        let box = observation.box.map { Box(x: $0.x - 0.5, y: $0.y - 0.5, width: $0.width, height: $0.height) }
        guard var quad = observation.polygon ?? box?.corners, quad.count == 4 else { return }
        if observation.alteration == nil, style.imageScale != 1, let map = Homography(unitSquareTo: quad) {
            let (low, high) = (0.5 - style.imageScale / 2, 0.5 + style.imageScale / 2)
            let corners = [Point(low, low), Point(high, low), Point(high, high), Point(low, high)]
            guard corners.allSatisfy({ map.depth($0) > 0 }) else { return }
            quad = corners.map { map($0) }
        }
        guard let placement = PicturePlacement(quad: quad) else { return }
        pictures.paint(layers, at: placement, opacity: style.opacity, onto: canvas)
    }

    /// True where the style's picture is painted among what stands in space, in its order.
    func liesInSpace(_ observation: Observation, _ style: DrawStyle) -> Bool {
        style.image != nil && observation.alteration == nil && observation.pose != nil && projection != nil
    }

    private func drawImage(
        _ image: PictureTexture, _ style: DrawStyle, pose: Pose, extent: SIMD2<Double>, onto canvas: Canvas
    ) {
        guard let projection,
            let placement = PicturePlacement(
                pose: pose, size: (style.imageSize ?? extent) * style.imageScale, projection: projection)
        else { return }
        pictures.paint([.init(texture: image, weight: 1)], at: placement, opacity: style.opacity, onto: canvas)
    }

    // MARK: In space

    func drawPoses(
        _ items: [(item: NumberedObservation, style: DrawStyle)], at time: Double, onto canvas: Canvas
    ) {
        guard let poses, let models else { return }
        smoother.forget(before: time)
        let things = items.compactMap { item, style in
            item.observation.pose.flatMap { estimate in
                style.standsInSpace && item.observation.state != .lost && item.observation.state != .ended
                    ? (
                        item, style, estimate,
                        smoother.smooth(estimate.pose, track: item.track, timeConstant: style.smoothing, at: time)
                    ) : nil
            }
        }
        for (item, style, estimate, pose) in things.sorted(by: { $0.3.translation.z > $1.3.translation.z }) {
            if let image = style.image, item.observation.alteration == nil {
                drawImage(image, style, pose: pose, extent: estimate.extent, onto: canvas)
                if style.outline, let shape = shape(of: item, on: canvas) {
                    drawOutline(of: item, shape, style, onto: canvas)
                }
            }
            if let model = style.model {
                models.draw(
                    model, pose: pose, size: style.modelSize ?? min(estimate.extent.x, estimate.extent.y),
                    opacity: style.opacity * Self.emphasis(of: item.observation), onto: canvas)
            }
            poses.draw(
                pose, extent: estimate.extent, axes: style.axes, cube: style.cube,
                thickness: style.lineThickness(for: canvas), color: color(of: item, style),
                opacity: style.opacity * Self.emphasis(of: item.observation), painter: painter, onto: canvas)
        }
    }
}
