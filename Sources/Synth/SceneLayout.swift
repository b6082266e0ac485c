import Graph
import Glibc

/// The layout of a scene in a frame: where everything is, and what hides what.
struct SceneLayout {
    /// A thing that a frame may show.
    struct Placed {
        /// Its number in `Scene.objects`.
        let index: Int
        let placement: Placement
        let map: PlaneMap
    }

    private let scene: Scene
    private let silhouettes: [Silhouette]
    /// Metres before the camera where things begin to be seen.
    private static let near = 1e-3
    /// How many moments of an exposure are drawn at most.
    private static let momentLimit = 16

    init(_ scene: Scene, silhouettes: [Silhouette]) {
        self.scene = scene
        self.silhouettes = silhouettes
    }

    /// The things in a frame, from the farthest to the nearest. Things that reach behind the camera, are seen edge-on
    /// or from behind are left out.
    func placed(inFrame index: Int) -> [Placed] {
        let time = scene.time(ofFrame: index)
        return scene.objects.indices
            .filter { scene.objects[$0].exists(at: time) }
            .compactMap { place($0, at: time) }
            .sorted { ($0.placement.position.z, $1.index) > ($1.placement.position.z, $0.index) }
    }

    private func place(_ index: Int, at time: Double) -> Placed? {
        let (position, rotation) = scene.objects[index].motion.placement(at: time)
        let placement = Placement(position: position, rotation: rotation)
        let isFront = (placement.zAxis * position).sum() > 0
        guard isFront, corners(index, margin: margin(index)).allSatisfy({ placement.depth($0) > Self.near }),
            let map = PlaneMap(placement, focalLength: scene.focalLength, principalPoint: scene.principalPoint)
        else { return nil }
        return Placed(index: index, placement: placement, map: map)
    }

    /// How to paint a thing in a frame; nil where it is out of the picture.
    func job(for thing: Placed, inFrame index: Int) -> SurfacePainter.Job? {
        let time = scene.time(ofFrame: index)
        let reach = corners(thing.index, margin: margin(thing.index))
        guard let maps = mapsOfExposure(thing, at: time, reach: reach),
            let area = PixelArea(maps.map { reach.map($0.project) }, width: scene.width, height: scene.height)
        else { return nil }
        let shadow = scene.lighting.shadow
        let castsShadow = scene.objects[thing.index].shadow && shadow.strength > 0
        // The light comes from the upper left of the camera, however the thing is turned.
        let offset = thing.placement.inPlane(SIMD3(0.6, 0.8, 0) * shadow.offset)
        return SurfacePainter.Job(
            maps: maps, shadowOffset: castsShadow ? SIMD2<Float>(offset) : nil, area: area,
            pixelSize: thing.map.pixelArea(at: .zero).squareRoot())
    }

    private func mapsOfExposure(_ thing: Placed, at time: Double, reach: [SIMD2<Double>]) -> [PlaneMap]? {
        let exposure = scene.blur.shutter * scene.time(ofFrame: 1)
        guard exposure > 0 else { return [thing.map] }
        guard let start = place(thing.index, at: time - exposure / 2),
            let end = place(thing.index, at: time + exposure / 2)
        else { return nil }
        let travel = reach.map { start.map.project($0).distance(to: end.map.project($0)) }.max() ?? 0
        let count = min(max(Int(inRange: (min(travel, 1000) / 0.75).rounded(.up)), 1), Self.momentLimit)
        if count == 1 { return [thing.map] }
        return (0..<count).compactMap { k in
            place(thing.index, at: time + exposure * ((Double(k) + 0.5) / Double(count) - 0.5))?.map
        }
    }

    /// The corners of a thing's bounding box in its own plane, moved out by a margin.
    private func corners(_ index: Int, margin: Double) -> [SIMD2<Double>] {
        let half = silhouettes[index].halfSize + margin
        return [[-half.x, -half.y], [half.x, -half.y], [half.x, half.y], [-half.x, half.y]]
    }

    /// Metres by which the shadow reaches beyond the thing.
    private func margin(_ index: Int) -> Double {
        let shadow = scene.lighting.shadow
        return scene.objects[index].shadow && shadow.strength > 0 ? shadow.offset + shadow.softness : 0
    }

    // MARK: Visibility

    /// The share of a thing's area in the picture that is inside the frame and not hidden, 0…1; 1 only where nothing
    /// of it is missing.
    ///
    /// - Parameter nearer: the things drawn after it.
    func visibleShare(of thing: Placed, behind nearer: ArraySlice<Placed>) -> Double {
        let silhouette = silhouettes[thing.index]
        func isVisible(_ p: SIMD2<Double>) -> Bool {
            let point = thing.map.project(p)
            return contains(point) && !nearer.contains { hides($0, point) }
        }
        let half = silhouette.halfSize
        let side = 48
        var (visible, total) = (0.0, 0.0)
        for row in 0..<side {
            for column in 0..<side {
                let place = (SIMD2(Double(column), Double(row)) + 0.5) / Double(side) * 2 - 1
                let p = place * half
                guard silhouette.distance(SIMD2<Float>(p)) < 0 else { continue }
                let area = 1 / thing.map.pixelArea(at: p)
                total += area
                if isVisible(p) { visible += area }
            }
        }
        guard visible > 0 else { return 0 }
        // The samples may all miss a sliver that is gone; the outline tells.
        let share = visible / total
        return share < 0.999 || outline(of: thing.index).allSatisfy(isVisible) ? share : 0.999
    }

    /// Whether a place is in the picture, whose pixels reach half a pixel beyond their centres.
    private func contains(_ point: Point) -> Bool {
        point.x > -0.5 && point.y > -0.5 && point.x < Double(scene.width) - 0.5 && point.y < Double(scene.height) - 0.5
    }

    private func hides(_ thing: Placed, _ point: Point) -> Bool {
        silhouettes[thing.index].distance(SIMD2<Float>(thing.map.unproject(point))) < 0
    }

    /// Places along the outline, at least 64.
    private func outline(of index: Int) -> [SIMD2<Double>] {
        let corners = silhouettes[index].outline
        let parts = max(64 / corners.count, 1)
        return corners.indices.flatMap { k in
            let (from, to) = (corners[k], corners[(k + 1) % corners.count])
            return (0..<parts).map { from + (to - from) * (Double($0) / Double(parts)) }
        }
    }

    /// The box of the part of a thing that is inside the frame, hidden or not; nil for none.
    func boxInFrame(of thing: Placed) -> Box? {
        var polygon = silhouettes[thing.index].outline.map(thing.map.project)
        let (right, bottom) = (Double(scene.width) - 0.5, Double(scene.height) - 0.5)
        // Sutherland and Hodgman's clipping, one edge of the frame after the other.
        polygon = Self.clip(polygon) { $0.x + 0.5 }
        polygon = Self.clip(polygon) { right - $0.x }
        polygon = Self.clip(polygon) { $0.y + 0.5 }
        polygon = Self.clip(polygon) { bottom - $0.y }
        // A box counts pixels from their left and top edges, points from their centres.
        guard let box = Box(around: polygon), box.area > 0 else { return nil }
        return Box(x: box.x + 0.5, y: box.y + 0.5, width: box.width, height: box.height)
    }

    private static func clip(_ polygon: [Point], _ inside: (Point) -> Double) -> [Point] {
        polygon.indices.flatMap { k -> [Point] in
            let (from, to) = (polygon[k], polygon[(k + 1) % polygon.count])
            let (a, b) = (inside(from), inside(to))
            let kept = a >= 0 ? [from] : []
            return (a >= 0) == (b >= 0) ? kept : kept + [from + (to - from) * (a / (a - b))]
        }
    }
}
