/// Formats that lose nothing, for what one part of a stage hands the other; what users read is rounded.
extension Format where Value == Point {
    /// A point as `[x, y]`, with all digits.
    public static var exactPoint: Format {
        numbers(2, write: { [$0.x, $0.y] }, read: { Point($0[0], $0[1]) })
    }
}

extension Format where Value == Box {
    /// A box as `[x, y, width, height]`, with all digits.
    public static var exactBox: Format {
        numbers(
            4, write: { [$0.x, $0.y, $0.width, $0.height] },
            read: { Box(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) })
    }
}

extension Format where Value == Joint {
    /// Place, confidence and visibility; behind them the position in space, where it is known.
    public static var exactJoint: Format {
        numbers(
            4...7,
            write: { joint in
                let metres = joint.metres.map { [$0.x, $0.y, $0.z] } ?? []
                return [joint.point.x, joint.point.y, joint.confidence, joint.visibility] + metres
            },
            read: { numbers in
                Joint(
                    Point(numbers[0], numbers[1]), confidence: numbers[2], visibility: numbers[3],
                    metres: numbers.count == 7 ? [numbers[4], numbers[5], numbers[6]] : nil)
            })
    }
}

extension Format where Value == RunMask {
    /// The box's x, y, width and height, and behind them the runs.
    public static var exactMask: Format {
        Format(
            .array(of: .integer()),
            write: { mask, json in
                let box = mask.box
                json.array { json in
                    for number in [box.x, box.y, box.width, box.height] + mask.runs { json.value(number) }
                }
            },
            read: { node in
                guard let elements = node.elements else { return nil }
                let numbers = elements.compactMap(\.integer)
                guard numbers.count == elements.count, numbers.count >= 4 else { return nil }
                let box = PixelBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
                return RunMask(box: box, runs: Array(numbers[4...]))
            })
    }
}

extension Format where Value == Pose {
    /// The rotation's quaternion, the translation and the reprojection error: eight numbers.
    public static var exactPose: Format {
        numbers(
            8,
            write: { pose in
                let (turn, way) = (pose.rotation.quaternion, pose.translation)
                return [turn.x, turn.y, turn.z, turn.w, way.x, way.y, way.z, pose.reprojectionError]
            },
            read: { numbers in
                Pose(
                    rotation: Rotation(quaternion: [numbers[0], numbers[1], numbers[2], numbers[3]]),
                    translation: [numbers[4], numbers[5], numbers[6]], reprojectionError: numbers[7])
            })
    }
}

extension Format {
    /// So many numbers with all their digits.
    private static func numbers(
        _ count: Int, write: @escaping @Sendable (Value) -> [Double],
        read: @escaping @Sendable ([Double]) -> Value
    ) -> Format { numbers(count...count, write: write, read: read) }

    private static func numbers(
        _ count: ClosedRange<Int>, write: @escaping @Sendable (Value) -> [Double],
        read: @escaping @Sendable ([Double]) -> Value
    ) -> Format {
        Format(
            .array(of: .number(), count: count), write: { $1.value(JSONValue.numbers(write($0))) },
            read: { node in
                guard let elements = node.elements, count.contains(elements.count) else { return nil }
                let numbers = elements.compactMap(\.number)
                return numbers.count == elements.count ? read(numbers) : nil
            })
    }
}
