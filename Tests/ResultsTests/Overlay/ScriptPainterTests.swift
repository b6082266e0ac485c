@testable import Drawing
import Testing

@testable import Annotate

/// What a script draws, against what is painted on pixels.
@Suite struct ScriptPainterTests {
    private static let size = PictureSize(width: 72, height: 56)
    private static let red = RGB(255, 0, 0)

    /// Runs the same on both surfaces.
    private static func both(_ draw: (any Surface) -> Void) throws -> (events: [String], picture: OverlayPicture) {
        let script = ScriptPainter(size: size)
        draw(script)
        let picture = OverlayPicture(size.width, size.height, gray: true)
        picture.draw { canvas in draw(CanvasSurface(Painter(), canvas)) }
        return (try script.take(), picture)
    }

    /// How much of each pixel is covered by a drawing, as players fill it: what lines go round at all.
    private static func coverage(_ event: String) throws -> [Double] {
        let text = try #require(event.split(separator: "}").last)
        let polygons = text.split(separator: "m").map { part in
            part.split(separator: " ").compactMap { Double($0) }
        }.map { numbers in
            stride(from: 0, to: numbers.count - 1, by: 2).map {
                Point(numbers[$0] / ScriptPath.unit, numbers[$0 + 1] / ScriptPath.unit)
            }
        }
        let samples = 4
        return (0..<size.width * size.height).map { pixel in
            var inside = 0
            for sample in 0..<samples * samples {
                let x = Double(pixel % size.width) + (Double(sample % samples) + 0.5) / Double(samples)
                let y = Double(pixel / size.width) + (Double(sample / samples) + 0.5) / Double(samples)
                if polygons.reduce(0, { $0 + winding($1, x, y) }) != 0 { inside += 1 }
            }
            return Double(inside) / Double(samples * samples)
        }
    }

    private static func winding(_ polygon: [Point], _ x: Double, _ y: Double) -> Int {
        guard var a = polygon.last else { return 0 }
        var sum = 0
        for b in polygon {
            let side = (b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)
            if a.y <= y, b.y > y, side > 0 { sum += 1 }
            if a.y > y, b.y <= y, side < 0 { sum -= 1 }
            a = b
        }
        return sum
    }

    /// Shapes in white, each as one event.
    private static let shapes: [(name: String, draw: @Sendable (any Surface) -> Void)] = {
        let white = RGB(255, 255, 255)
        let quad = [Point(10, 8), Point(60.3, 14.2), Point(52, 47.7), Point(15.5, 40)]
        let star = [Point(36, 4), Point(44, 44), Point(8, 18), Point(64, 18), Point(20, 48)]
        let trail = (0..<40).map { index in
            let turn = Double(index) / 5
            return (
                point: Point(36 + turn * 3 * (turn.truncatingRemainder(dividingBy: 2) - 1), 8 + turn * 5), strength: 1.0
            )
        }
        return [
            ("line", { $0.line(from: Point(5, 5), to: Point(60, 33.5), thickness: 3, color: white, opacity: 1) }),
            (
                "thin line",
                { $0.line(from: Point(5, 50), to: Point(60, 33.5), thickness: 1.5, color: white, opacity: 1) }
            ),
            ("a point", { $0.line(from: Point(20, 20), to: Point(20, 20), thickness: 6, color: white, opacity: 1) }),
            ("quad", { $0.outline(of: quad, thickness: 2, dashed: false, color: white, opacity: 1) }),
            ("thick quad", { $0.outline(of: quad, thickness: 5, dashed: false, color: white, opacity: 1) }),
            (
                "turned round",
                { $0.outline(of: quad.reversed(), thickness: 3, dashed: false, color: white, opacity: 1) }
            ),
            ("dashed quad", { $0.outline(of: quad, thickness: 2, dashed: true, color: white, opacity: 1) }),
            ("star", { $0.outline(of: star, thickness: 3, dashed: false, color: white, opacity: 1) }),
            (
                "half outside",
                {
                    $0.outline(
                        of: [Point(-300, -20), Point(40, 10), Point(90_000, 400), Point(20, 90)], thickness: 4,
                        dashed: false,
                        color: white, opacity: 1)
                }
            ),
            (
                "box",
                {
                    $0.outline(
                        of: Box(x: 7.4, y: 9.6, width: 40, height: 30), thickness: 3, dashed: false, color: white,
                        opacity: 1)
                }
            ),
            (
                "even box",
                {
                    $0.outline(
                        of: Box(x: 7, y: 9, width: 40, height: 30), thickness: 2, dashed: true, color: white, opacity: 1
                    )
                }
            ),
            ("dot", { $0.dot(at: Point(30.3, 20.8), radius: 7.5, color: white, opacity: 1) }),
            ("small dot", { $0.dot(at: Point(30.5, 20.25), radius: 1.5, color: white, opacity: 1) }),
            ("rounded box", { $0.fill(Box(x: 10, y: 10, width: 40, height: 20), radius: 4, color: white, opacity: 1) }),
            ("plain box", { $0.fill(Box(x: 10, y: 10, width: 40.5, height: 20), radius: 0, color: white, opacity: 1) }),
            ("filled", { $0.fill(quad, color: white, opacity: 1) }),
            ("trail", { $0.trail(trail, thickness: 3, color: white, opacity: 1) }),
        ]
    }()

    @Test(arguments: shapes.map(\.name))
    func theSamePixels(name: String) throws {
        let shape = try #require(Self.shapes.first { $0.name == name })
        let (events, picture) = try Self.both(shape.draw)
        #expect(events.count == 1)
        let theirs = try Self.coverage(try #require(events.first))
        let ours = picture.luma.pixels.map {
            (Double($0) - Double(OverlayPicture.ground)) / Double(255 - OverlayPicture.ground)
        }
        let wrong = zip(ours, theirs).filter { abs($0 - $1) > 0.5 }.count
        // Where strokes meet at sharp corners, soft edges are added up in one way or another.
        #expect(wrong <= 2, "\(wrong) of \(ours.count { $0 > 0.5 }) pixels")
        let (sum, other) = (ours.reduce(0, +), theirs.reduce(0, +))
        #expect(sum > 0 && abs(sum - other) < 0.06 * sum + 1, "\(sum) against \(other)")
    }

    @Test func coloursAndOpacity() throws {
        let (events, _) = try Self.both { surface in
            surface.dot(at: Point(10, 10), radius: 4, color: RGB(1, 2, 0xAB), opacity: 0.5)
            surface.dot(at: Point(10, 10), radius: 4, color: RGB(1, 2, 0xAB), opacity: 0.5)
            surface.dot(at: Point(30, 10), radius: 4, color: Self.red, opacity: 1)
            surface.dot(at: Point(50, 10), radius: 4, color: Self.red, opacity: 1)
            surface.dot(at: Point(50, 10), radius: 4, color: Self.red, opacity: 0)
        }
        // What shows through is painted twice, what doesn't may be one drawing.
        #expect(events.count == 3)
        #expect(events[0].hasPrefix("{\\pos(0,0)\\c&HAB0201&\\1a&H7F&\\p5}m "))
        #expect(events[2].hasPrefix("{\\pos(0,0)\\c&H0000FF&\\p5}m "))
        #expect(events[2].split(separator: "m").count == 3)
    }

    @Test func trailsFade() throws {
        let points = (0...40).map { (point: Point(Double($0) * 1.5 + 4, 20), strength: Double($0) / 40) }
        let (events, _) = try Self.both { $0.trail(points, thickness: 2, color: Self.red, opacity: 0.8) }
        let alphas = events.compactMap { $0.split(separator: "\\1a&H").last?.prefix(2) }.compactMap {
            Int($0, radix: 16)
        }
        #expect(events.count == 8)
        #expect(alphas == alphas.sorted(by: >) && Set(alphas).count == 8 && alphas.last == 51)
    }

    @Test func whatNoShapeHas() throws {
        let (events, _) = try Self.both { surface in
            surface.line(from: Point(.nan, 0), to: Point(1, 1), thickness: 1, color: Self.red, opacity: 1)
            surface.dot(at: Point(2e6, 0), radius: 1, color: Self.red, opacity: 1)
            surface.dot(at: Point(-500, -500), radius: 5, color: Self.red, opacity: 1)
            surface.outline(of: [], thickness: 1, dashed: false, color: Self.red, opacity: 1)
            surface.fill([Point(1, 1), Point(2, 2)], color: Self.red, opacity: 1)
            surface.trail([(Point(1, 1), 1)], thickness: 1, color: Self.red, opacity: 1)
        }
        #expect(events == [])
    }

    @Test func aHugeShapeIsCutToThePicture() throws {
        let (events, _) = try Self.both {
            $0.fill(
                [Point(-9e5, -9e5), Point(9e5, -9e5), Point(9e5, 9e5), Point(-9e5, 9e5)], color: Self.red, opacity: 1)
        }
        let numbers = events[0].split(separator: "}")[1].split(separator: " ").compactMap { Double($0) }
        #expect(numbers.count == 8 && numbers.allSatisfy { abs($0) <= Double(100 * 16) })
    }

    // MARK: Text

    @Test(
        arguments: [
            ("plain", "plain"), ("{\\b1}x", "\\{\\\u{2060}b1\\}x"), ("a\\Nb", "a\\\u{2060}Nb"), ("a\nb\tc", "a b c"),
            (" a ", "\u{A0}a\u{A0}"), ("  ", "\u{A0}\u{A0}"), ("", ""), ("é; 日本, x", "é; 日本, x"),
        ])
    func escapes(text: String, escaped: String) {
        #expect(ScriptText.escaped(text) == escaped)
    }

    @Test(arguments: [(0, "0"), (1.5, "1.5"), (-0.25, "-0.25"), (27.9999, "28"), (0.0004, "0"), (12.0405, "12.041")])
    func numbers(value: Double, text: String) { #expect(ScriptText.number(value) == text) }

    @Test func textStandsOnItsBaseline() throws {
        let renderer = try TextRenderer(size: 20)
        let script = ScriptPainter(size: Self.size)
        let bitmap = try renderer.bitmap(of: "Hd 12")
        script.text(bitmap, by: renderer, x: 5, baseline: 30, color: Self.red, opacity: 1)
        let font = try renderer.font()
        let event = try #require(try script.take().first)
        #expect(font.ascent > 0.7 && font.descent > 0.1)
        #expect(event.hasPrefix("{\\pos(5,\(ScriptText.number(30 - 20 * font.ascent)))"))
        #expect(event.contains("\\fs\(ScriptText.number(20 * (font.ascent + font.descent)))"))
        #expect(event.hasSuffix("}Hd 12"))
    }

    @Test func textThatIsCut() throws {
        let renderer = try TextRenderer(size: 20)
        let bitmap = try renderer.bitmap(of: "a long label of many words", maximumWidth: 100)
        let shown = try renderer.shown(bitmap)
        #expect(shown.hasSuffix("…") && "a long label of many words".hasPrefix(shown.dropLast()))
        #expect(try renderer.plainWidth(of: shown) <= 101)
        #expect(try renderer.plainWidth(of: shown) > 75)
    }
}
