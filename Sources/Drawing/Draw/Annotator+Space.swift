/// Pictures laid on things, and what stands on them.
extension Annotator {
    // MARK: Pictures

    /// Covers a quad with the pictures that its stage made, or with the style's own where it has no place in space.
    func drawPictures(on item: Item, on surface: any Surface) {
        guard let canvas = surface.canvas, item.observation.isInSight else { return }
        var placed = item.alteration
        if placed == nil, let image = item.style.image, !liesInSpace(item), var quad = item.observation.quad {
            if item.style.imageScale != 1, let map = Homography(unitSquareTo: quad) {
                let (low, high) = (0.5 - item.style.imageScale / 2, 0.5 + item.style.imageScale / 2)
                let corners = [Point(low, low), Point(high, low), Point(high, high), Point(low, high)]
                guard corners.allSatisfy({ map.depth($0) > 0 }) else { return }
                quad = corners.map { map($0) }
            }
            placed = ([PictureLayer(texture: image, weight: 1)], quad)
        }
        guard let placed, let placement = PicturePlacement(quad: placed.quad) else { return }
        pictures.paint(placed.layers, at: placement, opacity: item.style.opacity, onto: canvas)
    }

    /// True where the style's picture is painted among what stands in space, in its order.
    func liesInSpace(_ item: Item) -> Bool {
        item.style.image != nil && item.alteration == nil && item.pose != nil && projection != nil
    }

    private func drawImage(
        _ image: PictureTexture, _ style: DrawStyle, pose: Pose, extent: SIMD2<Double>, on surface: any Surface
    ) {
        guard let canvas = surface.canvas, let projection,
            let placement = PicturePlacement(
                pose: pose, size: (style.imageExtent ?? extent) * style.imageScale, projection: projection)
        else { return }
        pictures.paint([PictureLayer(texture: image, weight: 1)], at: placement, opacity: style.opacity, onto: canvas)
    }

    // MARK: In space

    func drawPoses(_ items: [Item], at time: Double, on surface: any Surface) {
        guard let poses, let models else { return }
        smoother.forget(before: time)
        let things = items.compactMap { item in
            item.pose.flatMap { estimate in
                item.style.standsInSpace && item.observation.isInSight
                    ? (
                        item, estimate,
                        smoother.smooth(
                            estimate.pose, track: item.observation.track?.number, timeConstant: item.style.smoothing,
                            at: time)
                    ) : nil
            }
        }
        for (item, estimate, pose) in things.sorted(by: { $0.2.translation.z > $1.2.translation.z }) {
            let (style, opacity) = (item.style, item.style.opacity * item.emphasis)
            if let image = style.image, item.alteration == nil {
                drawImage(image, style, pose: pose, extent: estimate.extent, on: surface)
                if style.outline { drawOutline(of: item, on: surface) }
            }
            if let model = style.model, let canvas = surface.canvas {
                models.draw(
                    model, pose: pose, size: style.modelSize ?? min(estimate.extent.x, estimate.extent.y),
                    opacity: opacity, onto: canvas)
            }
            poses.draw(
                pose, extent: estimate.extent, axes: style.axes, cube: style.cube,
                thickness: style.lineThickness(for: surface.size), color: item.color, opacity: opacity, on: surface)
        }
    }
}

extension Annotator.Item {
    fileprivate var alteration: (layers: [PictureLayer], quad: [Point])? {
        for case .pictures(let layers, let quad) in marks where quad.count == 4 { return (layers, quad) }
        return nil
    }

    fileprivate var pose: EstimatedPose? {
        for case .posed(let pose) in marks { return pose }
        return nil
    }
}
