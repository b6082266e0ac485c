import Annotate

/// An observation as a review's page has it: as it stands in the track file, with the lane that it belongs to and its
/// marks.
struct MarkJSON {
    let size: PictureSize
    /// Projection of things in space; nil where nobody knows the camera.
    let projection: CameraProjection?
    /// Skeleton of each stage's joints, by its id.
    let skeletons: [String: Skeleton]

    func write(_ observation: Observation, thing: Int, into json: inout JSONWriter) {
        json.object { json in
            observation.writeMembers(into: &json)
            json.member("thing", thing)
            guard let marks = marks(of: observation) else { return }
            json.key("marks")
            json.array { json in for mark in marks { write(mark, into: &json) } }
        }
    }

    /// Marks of an observation; nil where they are the outline of the polygon or box alone, which the page draws
    /// without being told.
    private func marks(of observation: Observation) -> [Mark]? {
        let marks = observation.marks(in: size, skeletons[observation.stage])
        return marks == observation.outline ? nil : marks
    }

    private func write(_ mark: Mark, into json: inout JSONWriter) {
        switch mark {
        case .outline(let points): write("outline", points, into: &json)
        case .dots(let points): write("dots", points, into: &json)
        case .box(let box):
            json.array { json in
                json.value("box")
                json.array { json in
                    for value in [box.x, box.y, box.width, box.height] { json.value(value, decimals: 2) }
                }
            }
        case .line(let a, let b):
            json.array { json in
                json.value("line")
                write(a, into: &json)
                write(b, into: &json)
            }
        case .pin(let point):
            json.array { json in
                json.value("pin")
                write(point, into: &json)
            }
        case .path(let points, let isClosed):
            json.array { json in
                json.value("path")
                json.array { json in for point in points { write(point, into: &json) } }
                json.value(isClosed)
            }
        case .region(let mask):
            json.array { json in
                json.value("region")
                json.array { json in
                    for value in [mask.box.x, mask.box.y, mask.box.width, mask.box.height] { json.value(value) }
                }
                json.value(mask.counts)
            }
        case .joints(let joints, let edges): write(joints, edges ?? [], into: &json)
        case .posed(let thing):
            // What can be seen of each axis.
            guard let axes = projection?.axes(of: thing), axes.allSatisfy({ $0.count > 1 }) else { return }
            json.array { json in
                json.value("axes")
                write(axes[0][0], into: &json)
                for axis in axes { write(axis[axis.count - 1], into: &json) }
            }
        // Names stand in the table, and pictures can't be told.
        case .names, .pictures: break
        }
    }

    /// Joints that weren't found are there too, so that bones name the others rightly.
    private func write(_ joints: [Joint], _ edges: [Skeleton.Pair], into json: inout JSONWriter) {
        json.array { json in
            json.value("joints")
            json.array { json in
                for joint in joints {
                    json.array { json in
                        json.value(joint.point.x, decimals: 2)
                        json.value(joint.point.y, decimals: 2)
                        json.value(joint.confidence, decimals: 3)
                        json.value(joint.visibility, decimals: 3)
                    }
                }
            }
            json.array { json in
                for edge in edges {
                    json.array { json in
                        json.value(edge.first)
                        json.value(edge.second)
                    }
                }
            }
        }
    }

    private func write(_ name: String, _ points: [Point], into json: inout JSONWriter) {
        json.array { json in
            json.value(name)
            json.array { json in for point in points { write(point, into: &json) } }
        }
    }

    private func write(_ point: Point, into json: inout JSONWriter) {
        json.array { json in
            json.value(point.x, decimals: 2)
            json.value(point.y, decimals: 2)
        }
    }
}
