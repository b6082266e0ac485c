import Testing

@testable import Annotate
@testable import TestSupport

/// What a job says of its regions and its encoding.
@Suite struct JobReaderTests {
    /// Reads one job beside a picture of 64×48 pixels.
    private func read(_ members: String, stage: String = "follow") throws -> (job: Job?, problems: [String]) {
        let folder = try TemporaryFolder()
        try folder.write(Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 48), to: "p.pgm")
        let text = """
            {"version": 1, "jobs": [{"input": "p.pgm", "graph": {"stages": [{"id": "s", "type": "\(stage)"}]},
            \(members)}]}
            """
        let path = try folder.write(text, to: "m.json")
        do {
            return (try ManifestReader(catalog: TestCatalog.catalog).read(path).jobs.first, [])
        } catch let error as InvalidFileError {
            // Where a problem stands is the business of other tests.
            return (nil, error.problems.map { "\(jsonPointer($0.path)): \($0.message)" })
        }
    }

    private func region(_ members: String) throws -> (job: Job?, problems: [String]) {
        try read("\"regions\": [{\"id\": \"r\", \(members)}]")
    }

    // MARK: Regions

    @Test(arguments: [
        (#""box": [10, 20, 30, 8]"#, [Point(10, 20), Point(40, 20), Point(40, 28), Point(10, 28)]),
        (
            #""box": [0.25, 0.5, 0.5, 0.25], "units": "normalized""#,
            [Point(16, 24), Point(48, 24), Point(48, 36), Point(16, 36)]
        ),
        (#""polygon": [[1, 1], [9, 2], [8, 9], [0, 8]]"#, [Point(1, 1), Point(9, 2), Point(8, 9), Point(0, 8)]),
        // A tenth of the smaller dimension, 48.
        (#""point": [32, 24]"#, [Point(29.6, 21.6), Point(34.4, 21.6), Point(34.4, 26.4), Point(29.6, 26.4)]),
        (
            #""point": [0.5, 0.5], "units": "normalized""#,
            [Point(29.6, 21.6), Point(34.4, 21.6), Point(34.4, 26.4), Point(29.6, 26.4)]
        ),
        // Partly outside is fine.
        (#""box": [-5, -5, 10, 10]"#, [Point(-5, -5), Point(5, -5), Point(5, 5), Point(-5, 5)]),
    ])
    func places(members: String, expected: [Point]) throws {
        let (job, problems) = try region(members)
        #expect(problems == [])
        let polygon = try #require(job?.given[Region.self].first).placed(in: PictureSize(width: 64, height: 48)).polygon
        #expect(polygon.count == 4)
        for (corner, wanted) in zip(polygon, expected) { #expect(corner.distance(to: wanted) < 1e-9) }
    }

    @Test(
        arguments: [
            (#""box": [0, 0, 9, 9]"#, Seed.Moment.seconds(0), nil),
            (#""box": [0, 0, 9, 9], "time": 1.5, "end": 2"#, .seconds(1.5), .seconds(2)),
            (#""box": [0, 0, 9, 9], "frame": 3, "end": 7"#, .frame(3), .frame(7)),
            (#""box": [0, 0, 9, 9], "frame": 3, "end": 6.5"#, .frame(3), .frame(7)),
        ] as [(String, Seed.Moment, Seed.Moment?)])
    func moments(members: String, start: Seed.Moment, end: Seed.Moment?) throws {
        let region = try #require(try region(members).job?.given[Region.self].first)
        #expect(region.start == start)
        #expect(region.end == end)
        #expect(region.label == "r")
    }

    @Test(arguments: [
        ("\"label\": \"cup\"", "/jobs/0/regions/0: no place; expected exactly one of “box”, “polygon” and “point”"),
        (
            #""box": [0,0,1,1], "point": [1,1]"#,
            "/jobs/0/regions/0: “box”, “point”; expected exactly one of “box”, “polygon” and “point”"
        ),
        (
            #""box": [0,0,1,1], "time": 1, "frame": 2"#,
            "/jobs/0/regions/0/frame: “time” and “frame” together; expected one of them"
        ),
        (
            #""box": [0,0,1,1], "time": 2, "end": 1"#,
            "/jobs/0/regions/0/end: the region ends at 1 and starts at 2; expected an end after the start"
        ),
        (
            #""box": [0,0,1,1], "frame": 5, "end": 5"#,
            "/jobs/0/regions/0/end: the region ends at 5 and starts at 5; expected an end after the start"
        ),
        (
            #""box": [0,0,0,1]"#,
            "/jobs/0/regions/0/box: a box of 0×1; expected [left, top, width, height] with a width and height over 0"
        ),
        (
            #""polygon": [[1,1],[2,1],[3,1],[4,1]]"#,
            "/jobs/0/regions/0/polygon: a polygon without area; expected four corners of a quad"
        ),
        (
            #""box": [64,0,5,5]"#,
            "/jobs/0/regions/0: the region lies outside the picture of p.pgm; expected it within 64×48 pixels"
        ),
        (
            #""box": [10,10,20,20], "units": "normalized""#,
            "/jobs/0/regions/0: coordinates far over 1 with “units”: “normalized”; expected 0 to 1, or “units”: “pixels”"
        ),
        (#""box": [0,0,1]"#, "/jobs/0/regions/0/box: an array of 3; expected an array of 4; each element a number"),
        (#""box": [0,0,1,1], "frame": 1.5"#, "/jobs/0/regions/0/frame: 1.5; expected a whole number from 0"),
        (
            #""box": [0,0,1,1], "units": "pixel""#,
            "/jobs/0/regions/0/units: “pixel”; expected one of “pixels”, “normalized”; did you mean “pixels”?"
        ),
    ])
    func badRegions(members: String, expected: String) throws {
        let problems = try region(members).problems
        #expect(problems.contains(expected), "\(problems)")
    }

    @Test func twoRegionsOfOneId() throws {
        let regions = #""regions": [{"id": "r", "point": [1, 1]}, {"id": "r", "point": [2, 2]}]"#
        #expect(
            try read(regions).problems == [
                "/jobs/0/regions/1/id: “r” names two regions of this job; expected an id of its own for each"
            ])
    }

    @Test func regionsForAGraphThatTakesNone() throws {
        #expect(
            try read(#""regions": [{"id": "r", "point": [1, 1]}]"#, stage: "find").problems == [
                "/jobs/0/regions: the graph has no stage that starts from regions; expected one of type “follow”"
            ])
    }

    // MARK: Encoding

    @Test(arguments: [
        (#"{"codec": "h264"}"#, EncodeSettings.Codec.h264, "veryfast", 20),
        (#"{"codec": "hevc"}"#, .hevc, "veryfast", 24),
        (#"{"codec": "av1"}"#, .av1, "8", 32), (#"{"codec": "av1", "preset": "10", "crf": 63}"#, .av1, "10", 63),
        (#"{"codec": "h264", "preset": "slow", "crf": 0}"#, .h264, "slow", 0),
    ])
    func encodings(encode: String, codec: EncodeSettings.Codec, preset: String, crf: Int) throws {
        let settings = try #require(try read("\"encode\": \(encode)").job).encode
        #expect(settings.codec == codec)
        #expect((settings.preset ?? settings.codec.preset) == preset)
        #expect((settings.crf ?? settings.codec.crf) == crf)
        #expect(settings.bitrate == nil)
    }

    @Test func allOfAnEncoding() throws {
        let text = #"{"codec": "none", "pixelFormat": "yuv444p", "faststart": false, "audio": "drop", "threads": 2}"#
        let settings = try #require(try read("\"encode\": \(text)").job).encode
        #expect(settings.codec == .none)
        #expect(settings.pixelFormat == .yuv444p)
        #expect(settings.faststart == false)
        #expect(settings.audio == .drop)
        #expect(settings.threads == 2)
    }

    @Test(arguments: [
        (
            #"{"preset": "veryfats"}"#,
            "/jobs/0/encode/preset: “veryfats” is no preset of h264; expected one of “ultrafast”, “superfast”, “veryfast”, "
                + "“faster”, “fast”, “medium”, “slow”, “slower”, “veryslow”, “placebo”; did you mean “veryfast”?"
        ),
        (
            #"{"codec": "av1", "preset": "fast"}"#,
            "/jobs/0/encode/preset: “fast” is no preset of av1; expected one of “0”, “1”, “2”, “3”, “4”, “5”, “6”, “7”, "
                + "“8”, “9”, “10”, “11”, “12”, “13”"
        ),
        (#"{"crf": 52}"#, "/jobs/0/encode/crf: 52 is no crf of h264; expected a whole number from 0 to 51"),
        (#"{"crf": 20.5}"#, "/jobs/0/encode/crf: 20.5; expected a whole number from 0 to 63"),
        (
            #"{"codec": "h265"}"#,
            "/jobs/0/encode/codec: “h265”; expected one of “h264”, “hevc”, “av1”, “ffv1”, “copy”, “jpeg”, “png”, “none”; did you mean “h264”?"
        ),
        (
            #"{"crf": 20, "bitrate": 500000}"#,
            "/jobs/0/encode/bitrate: a bitrate beside a crf; expected one of them: constant quality or a size"
        ),
        (#"{"codec": "ffv1", "crf": 20}"#, "/jobs/0/encode/crf: ffv1 is lossless; expected no crf"),
        (#"{"codec": "ffv1", "preset": "fast"}"#, "/jobs/0/encode/preset: ffv1 has no presets; expected none"),
        (#"{"bitrate": 12}"#, "/jobs/0/encode/bitrate: 12; expected a whole number from 1000 to 1000000000"),
        (
            #"{"codec": "av1", "pixelFormat": "yuv444p"}"#,
            "/jobs/0/encode/pixelFormat: this FFmpeg's libsvtav1 doesn't take “yuv444p”; expected one of “auto”, "
                + "“source”, “yuv420p”, “yuv420p10le”"
        ),
        (#"{"threads": 0}"#, "/jobs/0/encode/threads: 0; expected a whole number from 1 to 64"),
        (#"{"audio": "aac"}"#, "/jobs/0/encode/audio: “aac”; expected one of “copy”, “drop”"),
    ])
    func badEncodings(encode: String, expected: String) throws {
        #expect(try read("\"encode\": \(encode)").problems == [expected])
    }

    @Test func aBitrateTakesTheCRFsPlace() throws {
        let settings = try #require(try read(#""encode": {"bitrate": 500000}"#).job).encode
        #expect(settings.bitrate == 500_000)
        #expect(settings.crf == nil)
    }

    // MARK: How the input is read

    @Test(
        arguments: [
            (#""frameRate": 30"#, Rational(30, 1)), (#""frameRate": [30000, 1001]"#, Rational(30000, 1001)),
            (#""frameRate": 12.5"#, Rational(25, 2)), (#""onError": "fail""#, nil),
        ] as [(String, Rational?)])
    func frameRates(members: String, expected: Rational?) throws {
        #expect(try #require(try read(members).job).frameRate == expected)
    }

    @Test func howDamageAndFieldsAreTaken() throws {
        let plain = try #require(try read(#""onError": "fail""#).job)
        #expect(plain.onError == .fail)
        #expect(plain.deinterlacing == .never)
        let job = try #require(try read(#""onError": "skip-frame", "deinterlace": true"#).job)
        #expect(job.onError == .skipFrame)
        #expect(job.deinterlacing == .always)
        #expect(
            try read(#""onError": "skip""#).problems == [
                "/jobs/0/onError: “skip”; expected one of “fail”, “skip-frame”"
            ])
        #expect(
            try read(#""frameRate": 0"#).problems.first?.hasPrefix(
                "/jobs/0/frameRate: 0; expected a number or a fraction")
                == true)
    }

    @Test func oneMistakeIsOneProblem() throws {
        #expect(
            try read(#""encode": {"crf": 99}"#).problems == [
                "/jobs/0/encode/crf: 99; expected a whole number from 0 to 63"
            ])
    }
}
