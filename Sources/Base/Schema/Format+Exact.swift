/// Formats that lose nothing, for what one part of a stage hands the other; what users read is rounded.
extension Format where Value == Point {
    /// [x, y].
    public static var exactPoint: Format {
        numbers(2, write: { [$0.x, $0.y] }, read: { Point($0[0], $0[1]) })
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
    ) -> Format {
        Format(
            .array(of: .number(), count: count...count), write: { $1.value(JSONValue.numbers(write($0))) },
            read: { node in
                guard let elements = node.elements, elements.count == count else { return nil }
                let numbers = elements.compactMap(\.number)
                return numbers.count == count ? read(numbers) : nil
            })
    }
}
