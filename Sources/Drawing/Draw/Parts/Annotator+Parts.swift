/// Masks and joints.
extension Annotator {
    /// Radius of a joint's dot, in thicknesses of the outline.
    private static let jointRadius = 1.5
    /// Opacity of what is hidden, 0…1.
    private static let hidden = 0.5

    func drawRegions(of item: Item, on surface: any Surface) {
        let opacity = item.style.maskOpacity * item.style.opacity * item.emphasis
        for case .region(let mask) in item.marks { surface.fill(mask, color: item.color, opacity: opacity) }
    }

    /// Draws bones in the thing's colour, and joints over them.
    func drawJoints(of item: Item, on surface: any Surface) {
        let thickness = item.style.lineThickness(for: surface.size)
        let opacity = item.style.opacity * item.emphasis
        for case .joints(let joints, let edges) in item.marks {
            let isDrawn = joints.map { joint in
                joint.isFound && joint.confidence >= item.style.jointConfidence && joint.point.isDrawable
            }
            func strength(_ index: Int) -> Double { joints[index].isVisible ? 1 : Self.hidden }
            var bones: [(point: Point, strength: Double)] = []
            for edge in edges ?? [] where joints.indices.contains(edge.first) && joints.indices.contains(edge.second) {
                guard isDrawn[edge.first], isDrawn[edge.second] else { continue }
                bones.append((joints[edge.first].point, 0))
                bones.append((joints[edge.second].point, min(strength(edge.first), strength(edge.second))))
            }
            surface.trail(bones, thickness: thickness, color: item.color, opacity: opacity)
            for index in joints.indices where isDrawn[index] {
                surface.dot(
                    at: joints[index].point, radius: Self.jointRadius * thickness, color: Palette.features,
                    opacity: opacity * strength(index))
            }
        }
    }
}
