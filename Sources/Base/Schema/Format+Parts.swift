/// How masks, joints and skeletons stand in JSON.

extension Format where Value == RunMask {
    /// `{"size": [height, width], "counts": "…"}`, as COCO has it; where its box lies is said elsewhere: it is read at 0, 0.
    public static var mask: Format {
        let side = Shape.integer(1...RunMask.longestSide)
        let shape = ObjectShape(
            doc: "Which pixels are the thing's, in COCO's run-length code.", name: "mask",
            properties: [
                Property(
                    "size", .array(of: side, count: 2...2), required: true, unit: "px", doc: "[height, width]."),
                Property(
                    "counts", .string(), required: true,
                    doc: "Runs down the columns, compressed as pycocotools reads and writes them."),
            ])
        return Format(
            .object(shape),
            columns: [
                Column("") { mask in JSONWriter.text { write(mask, into: &$0) } },
                Column("area", .integer) { String($0.area) },
            ],
            write: write,
            read: { node in
                let size = node["size"]?.elements?.compactMap(\.integer) ?? []
                guard size.count == 2, size.allSatisfy((1...RunMask.longestSide).contains),
                    let counts = node["counts"]?.string
                else { return nil }
                return RunMask(box: PixelBox(x: 0, y: 0, width: size[1], height: size[0]), counts: counts)
            })
    }

    @Sendable private static func write(_ mask: RunMask, into json: inout JSONWriter) {
        json.object { json in
            json.key("size")
            json.array {
                $0.value(mask.box.height)
                $0.value(mask.box.width)
            }
            json.key("counts")
            json.value(mask.counts)
        }
    }
}

extension RunMask {
    /// The longest side of a mask, pixels: no picture that is read has a longer one.
    static let longestSide = 65535
}

extension Format where Value == Joint {
    /// A joint as `[x, y, confidence, visibility]`: to hundredths of a pixel, and to thousandths.
    public static var joint: Format {
        Format(
            .array(of: .number(), count: 4...4),
            rounded: { joint in
                Joint(
                    Point(joint.point.x.rounded(toDecimals: 2), joint.point.y.rounded(toDecimals: 2)),
                    confidence: joint.confidence.rounded(toDecimals: 3),
                    visibility: joint.visibility.rounded(toDecimals: 3), metres: joint.metres)
            },
            write: { joint, json in
                json.array { json in
                    for place in [joint.point.x, joint.point.y] { json.value(place, decimals: 2) }
                    for share in [joint.confidence, joint.visibility] { json.value(share, decimals: 3) }
                }
            },
            read: { node in
                let numbers = node.elements?.compactMap(\.number) ?? []
                guard numbers.count == 4, numbers[2...].allSatisfy((0...1).contains) else { return nil }
                return Joint(Point(numbers[0], numbers[1]), confidence: numbers[2], visibility: numbers[3])
            })
    }
}

extension Format where Value == Skeleton.Pair {
    /// Two places in the order of names, from 0.
    public static var pair: Format {
        Format(
            .array(of: .integer(0...Int.mostCounted), count: 2...2),
            write: { pair, json in
                json.array {
                    $0.value(pair.first)
                    $0.value(pair.second)
                }
            },
            read: { node in
                let places = node.elements?.compactMap(\.integer) ?? []
                return places.count == 2 ? Skeleton.Pair(places[0], places[1]) : nil
            })
    }
}

extension Skeleton: Record {
    public static let fields: [Field<Skeleton>] = [
        Field("names", \.names, .list(.text(), count: 1...1000), doc: "A joint's each, in their order."),
        Field("edges", \.edges, .list(.pair), doc: "Bones: pairs of joints by their places in the order, from 0."),
        Field(
            "mirrored", \.mirrored, .list(.pair),
            doc: "Pairs of joints that change places in a mirror: left ones and right ones."),
    ]
}

extension JSONWriter {
    /// What is written, as text.
    fileprivate static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return json.text
    }
}
