import Testing

@testable import Annotate

/// What formats write, they read; and what they read, they write again.
@Suite struct FormatTests {
    private func text<Value>(_ format: Format<Value>, _ value: Value) -> String {
        var json = JSONWriter()
        format.write(value, &json)
        return json.text
    }

    private func node(_ text: String) throws -> JSONNode { try JSONParser.parse(Array(text.utf8)) }

    /// Writes a value, which is expected to give this text and to fit the shape, reads it and writes it again.
    private func check<Value>(
        _ format: Format<Value>, _ value: Value, _ expected: String, location: SourceLocation = #_sourceLocation
    ) throws {
        let written = text(format, value)
        #expect(written == expected, sourceLocation: location)
        let node = try node(written)
        var validator = ShapeValidator(file: "f")
        validator.validate(node, against: format.shape)
        #expect(validator.log.problems.map(\.message) == [], sourceLocation: location)
        let again = try #require(format.read(node), sourceLocation: location)
        #expect(text(format, again) == written, sourceLocation: location)
    }

    @Test(
        arguments: [
            (0, "0"), (-0.0, "0"), (0.1, "0.1"), (1.0 / 3, "0.3333333333333333"), (-2, "-2"),
            (1e15, "1000000000000000.0"),
            (9_007_199_254_740_992, "9007199254740992.0"), (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"),
        ] as [(Double, String)])
    func numbers(value: Double, expected: String) throws { try check(.number(), value, expected) }

    @Test(
        arguments: [
            (0, "0"), (0.125, "0.13"), (-0.125, "-0.13"), (-0.004, "0"), (1e12 + 0.25, "1000000000000.25"),
            (123_456.789, "123456.79"), (1e18, "1e+18"), (0.995, "1"), (2.004, "2"),
        ] as [(Double, String)])
    func roundedNumbers(value: Double, expected: String) throws { try check(.number(decimals: 2), value, expected) }

    @Test(arguments: [0, -1, 9_007_199_254_740_992, 9_007_199_254_740_993, .max, .min] as [Int])
    func integers(value: Int) throws { try check(.integer(), value, "\(value)") }

    @Test(arguments: ["", "a", "\"\\\n\r\t\u{1}", "é 日本 🙂", "null"])
    func texts(value: String) throws {
        let written = text(.text(), value)
        #expect(Format<String>.text().read(try node(written)) == value)
        try check(.text(), value, written)
    }

    @Test func otherScalars() throws {
        try check(.flag, true, "true")
        try check(.flag, false, "false")
        try check(.choice(), TrackState.recovered, #""recovered""#)
        try check(.color, RGB(0, 15, 255), ##""#000fff""##)
        try check(.ratio, Rational(30000, 1001), "[30000,1001]")
        try check(.json(.any), JSONNode(.members(["b": .integer(1), "a": .null])), #"{"b":1,"a":null}"#)
    }

    @Test func places() throws {
        try check(.point, Point(1.005, -0.004), "[1,0]")
        try check(.point, Point(-7, 1919.994), "[-7,1919.99]")
        try check(.box, Box(x: 1, y: 2.345, width: 3.5, height: 0), "[1,2.35,3.5,0]")
        try check(.vector(decimals: 6), [0.1234567, -1, 0], "[0.123457,-1,0]")
        try check(.list(.point), [], "[]")
        try check(.list(.point, count: 2...3), [Point(1, 2), Point(3, 4)], "[[1,2],[3,4]]")
    }

    /// What doesn't fit is none, rather than something near it.
    @Test func whatDoesNotFit() throws {
        #expect(Format<Double>.number().read(try node(#""1""#)) == nil)
        #expect(Format<Int>.integer().read(try node("1.5")) == nil)
        #expect(Format<Int>.integer(1...3).read(try node("4")) == nil)
        #expect(Format<Int>.integer().read(try node("9223372036854775808")) == nil)
        #expect(Format<Bool>.flag.read(try node("1")) == nil)
        #expect(Format<TrackState>.choice().read(try node(#""gone""#)) == nil)
        #expect(Format<RGB>.color.read(try node(##""#12345""##)) == nil)
        #expect(Format<RGB>.color.read(try node(##""#12345g""##)) == nil)
        #expect(Format<Point>.point.read(try node("[1]")) == nil)
        #expect(Format<Point>.point.read(try node(#"[1,"2"]"#)) == nil)
        #expect(Format<Point>.point.read(try node("[1,2,3]")) == nil)
        #expect(Format<Box>.box.read(try node("[1,2,3]")) == nil)
        #expect(Format<SIMD3<Double>>.vector(decimals: 1).read(try node("{}")) == nil)
        #expect(Format<Rational>.ratio.read(try node("[1,2,3]")) == nil)
        #expect(Format<[Point]>.list(.point).read(try node("[[1,2],3]")) == nil)
        #expect(Format<[Point]>.list(.point, count: 2...3).read(try node("[[1,2]]")) == nil)
        #expect(Format<Pose>.record(doc: "").read(try node("[]")) == nil)
    }

    // MARK: Base64 (RFC 4648, section 10)

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func base64(text: String, encoded: String) throws {
        #expect(Base64.text(Array(text.utf8)) == encoded)
        #expect(Base64.bytes(encoded) == Array(text.utf8))
        try check(.base64, Array(text.utf8), "\"\(encoded)\"")
    }

    @Test func allBytesInBase64() throws {
        for length in 0..<260 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + length) }
            #expect(Base64.bytes(Base64.text(bytes)) == bytes)
        }
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Z===", "====", "Zm9v=", "Zm 9", "Zm9-", "Zm9_", "Zg==Zg=="])
    func noBase64(text: String) { #expect(Base64.bytes(text) == nil) }

    // MARK: Poses

    /// Axis times angle with the angle a little less and a little more than half a turn, and others: the digits stay.
    @Test(
        arguments: [
            0, 1e-9, 1e-5, 0.3, 1.5, 3, 3.1415, 3.14159, 3.141592, 3.14159265358979, 3.141593, 3.1416, 3.14164,
        ] as [Double])
    func rotationsKeepTheirDigits(angle: Double) throws {
        let format = Format<Pose>.record(doc: "A pose.")
        for index in 0..<200 {
            // Axes all around, and the three themselves.
            let (u, v) = (Double(index) * 0.618, Double(index) * 2.399)
            var axis = SIMD3(u.truncatingRemainder(dividingBy: 2) - 1, v.truncatingRemainder(dividingBy: 2) - 1, 0.4)
            if index < 6 { axis = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]][index] }
            axis /= (axis * axis).sum().squareRoot()
            let vector = axis * angle
            var written = JSONWriter()
            written.array { json in for axis in 0..<3 { json.value(vector[axis], decimals: 5) } }
            let line = #"{"rotation":\#(written.text),"translation":[0.1,-0.2,0.5],"reprojectionError":0.25}"#
            let pose = try #require(format.read(try node(line)))
            #expect(text(format, pose) == line)
            // Also what an estimator gives.
            let estimated = Pose(rotation: Rotation(rodrigues: vector), translation: [0, 0, 1])
            let first = text(format, estimated)
            let again = try #require(format.read(try node(first)))
            #expect(text(format, again) == first)
            #expect(again.rotation.angle(to: estimated.rotation) < 2e-5)
        }
    }

    @Test func posesWithTheirAlternatives() throws {
        let pose = Pose(
            rotation: Rotation(rodrigues: [3.1, 0.2, 0.1]), translation: [0.0123456, -1, 2], reprojectionError: 0.12345)
        var other = pose
        other.rotation = Rotation(rodrigues: [-3.0, 0.3, 0])
        let format = Format<EstimatedPose>.record(doc: "A pose.")
        let estimate = EstimatedPose(pose: pose, alternative: other, extent: [0.1, 0.1])
        try check(
            format, estimate,
            #"{"rotation":[3.1,0.2,0.1],"translation":[0.012346,-1,2],"reprojectionError":0.123,"#
                + #""alternative":{"rotation":[-3,0.3,0],"translation":[0.012346,-1,2],"reprojectionError":0.123},"#
                + #""extent":[0.1,0.1]}"#)
        try check(
            format, EstimatedPose(pose: Pose(), extent: .zero),
            #"{"rotation":[0,0,0],"translation":[0,0,0],"reprojectionError":0}"#)
    }
}
