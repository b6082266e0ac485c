import Testing

@testable import Annotate

/// What a value is when it has been written and read back, known without writing it.
@Suite struct RoundingTests {
    @Test(arguments: 0...6)
    func numbers(decimals: Int) throws {
        var seed: UInt64 = 7
        var numbers: [Double] = [
            0, -0.0, 0.005, -0.005, 1.005, 2.675, 1e14, 1e15, -1e300, 4_503_599_627_370_497.5, 0.1 + 0.2,
        ]
        for _ in 0..<2000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let scale: Double = [1, 1000, 1e6, 1e12][Int(seed >> 60) % 4]
            numbers.append((Double(seed >> 11) / 0x1p53 - 0.5) * scale)
        }
        let format = Format<Double>.number(decimals: decimals)
        let round = try #require(format.rounded)
        for number in numbers {
            var json = JSONWriter()
            format.write(number, &json)
            let read = try #require(format.read(try JSONParser.parse(json.bytes)))
            let rounded = round(number)
            #expect(rounded.bitPattern == read.bitPattern, "\(number) → \(json.text)")
        }
    }

    /// Every member of an observation, and what isn't a member stays.
    @Test func observations() throws {
        var pose = EstimatedPose(
            pose: Pose(
                rotation: Rotation(rodrigues: [1.2345678, -0.7654321, 2.1]),
                translation: [0.12345678, -0.00000051, 1.9999999], reprojectionError: 0.12345),
            alternative: Pose(), extent: [0.0501234567, 0.05])
        let rounded = pose.rounded
        var json = JSONWriter()
        pose.write(into: &json)
        #expect(EstimatedPose(try JSONParser.parse(json.bytes)) == rounded)
        #expect(rounded != pose)
        pose = rounded
        #expect(pose.rounded == pose)
        #expect(rounded.extent == [0.050123, 0.05])
    }
}
