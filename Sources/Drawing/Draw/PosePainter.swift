/// Draws axes and cubes where things are in space, as the job's camera sees them.
///
/// Everything is cut before the camera and where the lens model ends, bent as the lens bends it, and drawn in the order
/// in which it hides what is behind it: of a cube, which is convex, the faces turned towards the camera hide the others.
struct PosePainter {
    private let projection: CameraProjection

    init(camera: CameraIntrinsics) { projection = CameraProjection(camera) }

    private static let xColor = RGB(255, 60, 60)
    private static let yColor = RGB(60, 220, 70)
    private static let zColor = RGB(70, 130, 255)

    /// Draws a thing's axes, and a cube on it.
    /// - Parameters:
    ///   - pose: The thing's.
    ///   - extent: Its width and height, metres.
    ///   - thickness: Of lines, pixels.
    ///   - color: The cube's.
    func draw(
        _ pose: Pose, extent: SIMD2<Double>, axes: Bool, cube: CubeStyle?, thickness: Double, color: RGB,
        opacity: Double, on surface: any Surface
    ) {
        let side = min(extent.x, extent.y)
        guard side > 0, pose.translation.z.isFinite else { return }
        let box = SpaceBox(pose: pose, extent: extent, height: side)
        // The two axes of the base are hidden by a solid box where they run inside it, and stick out of it.
        let isHidden = cube == .shaded
        if axes, isHidden { drawAxes(pose, side, height: 0, thickness, opacity, surface) }
        switch cube {
        case .wire: drawWires(box, thickness, color, opacity, surface)
        case .shaded: drawFaces(box, thickness, color, opacity, surface)
        case nil: break
        }
        guard axes else { return }
        if isHidden {
            let top = SIMD3(0, 0, side)
            line(pose(top), pose(top * 1.5), thickness * 1.5, Self.zColor, opacity, surface)
        } else {
            drawAxes(pose, side, height: cube == nil ? 0.75 : 1.5, thickness, opacity, surface)
        }
    }

    // MARK: Parts

    private func drawAxes(
        _ pose: Pose, _ side: Double, height: Double, _ thickness: Double, _ opacity: Double, _ surface: any Surface
    ) {
        let ends: [(SIMD3<Double>, RGB)] = [
            ([side * 0.75, 0, 0], Self.xColor), ([0, side * 0.75, 0], Self.yColor),
            ([0, 0, side * height], Self.zColor),
        ]
        // The farther end first.
        for (end, color) in ends.sorted(by: { pose($0.0).z > pose($1.0).z }) where end != .zero {
            line(pose(.zero), pose(end), thickness * 1.5, color, opacity, surface)
        }
    }

    private func drawWires(
        _ box: SpaceBox, _ thickness: Double, _ color: RGB, _ opacity: Double, _ surface: any Surface
    ) {
        for isFront in [false, true] {
            let edges = box.edges.filter { $0.isFront == isFront }
            surface.trail(
                edges.flatMap { polyline($0.from, $0.to) }, thickness: isFront ? thickness : thickness * 0.75,
                color: color, opacity: isFront ? opacity : opacity * 0.45)
        }
    }

    private func drawFaces(
        _ box: SpaceBox, _ thickness: Double, _ color: RGB, _ opacity: Double, _ surface: any Surface
    ) {
        for face in box.faces where face.isFront {
            surface.fill(
                projection.outline(face.corners), color: color.scaled(face.light), opacity: opacity * 0.85
            )
        }
        surface.trail(
            box.edges.filter(\.isFront).flatMap { polyline($0.from, $0.to) }, thickness: thickness * 0.75,
            color: color.scaled(0.35), opacity: opacity)
    }

    private func line(
        _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ thickness: Double, _ color: RGB, _ opacity: Double,
        _ surface: any Surface
    ) {
        surface.trail(polyline(a, b), thickness: thickness, color: color, opacity: opacity)
    }

    /// A segment as a trail that begins anew at its start.
    private func polyline(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> [(point: Point, strength: Double)] {
        projection.path(a, b).enumerated().map { ($0.element, $0.offset == 0 ? 0 : 1) }
    }
}

extension RGB {
    fileprivate func scaled(_ factor: Double) -> RGB {
        func part(_ value: UInt8) -> UInt8 { RGB.code(Double(value) / 255 * factor) }
        return RGB(part(red), part(green), part(blue))
    }
}
