import Testing

@testable import Annotate
@testable import TestSupport

/// What a region's keyframes may say.
@Suite struct KeyframeTests {
    /// Reads one region beside a picture of 64×48 pixels; standard input for none.
    private func read(
        _ members: String, input: String = "p.pgm"
    ) throws -> (region: Region?, problems: [String]) {
        let folder = try TemporaryFolder()
        try folder.write(Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 48), to: "p.pgm")
        let text = """
            {"version": 1, "jobs": [{"id": "a", "input": "\(input)", "graph": {"stages": [{"id": "s", "type": "follow"}]},
            "regions": [{"id": "r", "box": [0.2, 0.2, 1.2, 1.2], \(members)}]}]}
            """
        let path = try folder.write(text, to: "m.json")
        do {
            return (
                try ManifestReader(catalog: TestCatalog.catalog).read(path).jobs.first?.given[Region.self].first, []
            )
        } catch let error as InvalidFileError {
            return (nil, error.problems.map { "\(jsonPointer($0.path)): \($0.message)" })
        }
    }

    @Test func allThatAKeyframeCanSay() throws {
        // In any order.
        let (region, problems) = try read(
            #"""
            "frame": 4, "units": "normalized", "fill": "both", "end": 99, "keyframes": [
            {"frame": 90, "absent": true}, {"frame": 20, "point": [0.5, 0.5]},
            {"frame": 5, "box": [0.25, 0.5, 0.5, 0.5], "absent": false},
            {"frame": 30, "polygon": [[0, 0], [0.5, 0], [0.5, 0.5], [0, 0.5]]}]
            """#)
        #expect(problems == [])
        let seed = try #require(region).placed(in: PictureSize(width: 100, height: 50))
        #expect(seed.fill == .both)
        #expect(seed.keyframes.map(\.moment) == [.frame(5), .frame(20), .frame(30), .frame(90)])
        #expect(
            seed.keyframes.map { $0.polygon.flatMap(Box.init(around:)) } == [
                Box(x: 25, y: 25, width: 50, height: 25), Box(x: 47.5, y: 22.5, width: 5, height: 5),
                Box(x: 0, y: 0, width: 50, height: 25), nil,
            ])
    }

    @Test(arguments: [
        // Where a region begins at 0 and has no end, its keyframes may count either way.
        #""keyframes": [{"frame": 1, "absent": true}]"#, #""keyframes": [{"time": 0.04, "absent": true}]"#,
        #""time": 0, "keyframes": [{"frame": 60, "absent": true}]"#,
        #""frame": 0, "keyframes": [{"time": 60, "absent": true}]"#,
        #""keyframes": []"#, #""fill": "forward", "keyframes": [{"frame": 1, "absent": true}]"#,
        // Far numbers are numbers.
        #""keyframes": [{"frame": 9007199254740991, "absent": true}]"#,
        #""keyframes": [{"time": 1e300, "absent": true}]"#,
    ])
    func whatIsAllowed(members: String) throws { #expect(try read(members).problems == []) }

    @Test(arguments: [
        (#"{"frame": 5}"#, ": no place; expected exactly one of “box”, “polygon”, “point” and “absent”"),
        (
            #"{"frame": 5, "absent": false}"#,
            ": no place; expected exactly one of “box”, “polygon”, “point” and “absent”"
        ),
        (
            #"{"frame": 5, "absent": true, "box": [1, 1, 9, 9]}"#,
            ": “box”, “absent”; expected exactly one of “box”, “polygon”, “point” and “absent”"
        ),
        (#"{"absent": true}"#, ": no moment; expected one of “time” and “frame”"),
        (
            #"{"frame": 5, "time": 1, "absent": true}"#, "/frame: “time” and “frame” together; expected one of them"
        ),
        (
            #"{"frame": 5, "box": [70, 1, 9, 9]}"#,
            ": the keyframe lies outside the picture of p.pgm; expected it within 64×48 pixels"
        ),
        (
            #"{"frame": 5, "box": [0.2, 0.3, 0.5, 0.25]}"#,
            ": 0.5×0.25 pixels of the keyframe are in the picture of p.pgm; expected 1×1 or more, or “units”: “normalized”"
        ),
        (
            #"{"frame": 5, "box": [63.5, 40, 20, 20]}"#,
            ": 0.5×8 pixels of the keyframe are in the picture of p.pgm; expected 1×1 or more"
        ),
        (
            #"{"frame": 5, "box": [1, 1, 0, 9]}"#,
            "/box: a box of 0×9; expected [left, top, width, height] with a width and height over 0"
        ),
        (
            #"{"frame": 0, "absent": true}"#,
            "/frame: a keyframe at frame 0, and the region begins at 0; expected one after that"
        ),
        (
            #"{"time": 0, "absent": true}"#,
            "/time: a keyframe at time 0, and the region begins at 0; expected one after that"
        ),
        (#"{"frame": -1, "absent": true}"#, "/frame: -1; expected a whole number from 0"),
        (
            #"{"frame": 5, "bx": [1, 1, 9, 9]}"#,
            "/bx: unknown key “bx”; expected one of “time”, “frame”, “box”, “polygon”, “point”, “absent”; did you mean “box”?"
        ),
    ])
    func aKeyframeThatIsWrong(keyframe: String, expected: String) throws {
        let problems = try read("\"keyframes\": [\(keyframe)]").problems
        #expect(problems.contains("/jobs/0/regions/0/keyframes/0\(expected)"), "\(problems)")
    }

    @Test(arguments: [
        (
            #""keyframes": [{"frame": 9, "absent": true}, {"frame": 9, "box": [1, 1, 5, 5]}]"#,
            "/keyframes/1/frame: two keyframes at frame 9; expected one"
        ),
        (
            #""keyframes": [{"frame": 9, "absent": true}, {"time": 9, "box": [1, 1, 5, 5]}]"#,
            "/keyframes/1/time: “time” here, and “frame” before; expected one of them for all moments of a region"
        ),
        (
            #""time": 1, "keyframes": [{"frame": 9, "absent": true}]"#,
            "/keyframes/0/frame: “frame” here, and “time” before; expected one of them for all moments of a region"
        ),
        (
            #""end": 3, "keyframes": [{"frame": 9, "absent": true}]"#,
            "/keyframes/0/frame: “frame” here, and “time” before; expected one of them for all moments of a region"
        ),
        (
            #""frame": 0, "end": 90, "keyframes": [{"time": 9, "absent": true}]"#,
            "/keyframes/0/time: “time” here, and “frame” before; expected one of them for all moments of a region"
        ),
        (
            #""frame": 6, "keyframes": [{"frame": 6, "absent": true}]"#,
            "/keyframes/0/frame: a keyframe at frame 6, and the region begins at 6; expected one after that"
        ),
        (
            #""frame": 6, "end": 8, "keyframes": [{"frame": 8, "absent": true}]"#,
            "/keyframes/0/frame: a keyframe at frame 8, and the region ends at 8; expected one before that"
        ),
        (#""fill": "both""#, "/fill: “fill” without “keyframes”; expected keyframes to be followed between"),
        (
            #""fill": "both", "keyframes": []"#,
            "/fill: “fill” without “keyframes”; expected keyframes to be followed between"
        ),
        (
            #""fill": "both", "keyframes": [{"frame": 9, "absent": true}, {"frame": 12, "box": [1, 1, 5, 5]}]"#,
            "/fill: “fill”: “both” with no two places one after the other; expected a keyframe with a place"
        ),
        (
            #""fill": "back", "keyframes": [{"frame": 9, "absent": true}]"#,
            "/fill: “back”; expected one of “forward”, “both”"
        ),
        (#""keyframes": {"frame": 9}"#, "/keyframes: an object; expected an array; each element an object"),
        (#""keyframes": [9]"#, "/keyframes/0: 9; expected an object"),
    ])
    func keyframesThatDontGoTogether(members: String, expected: String) throws {
        #expect(try read(members).problems == ["/jobs/0/regions/0\(expected)"])
    }

    @Test func aStreamIsNotReadTwice() throws {
        let problems = try read(#""fill": "both", "keyframes": [{"frame": 9, "box": [1, 1, 5, 5]}]"#, input: "-")
            .problems
        #expect(
            problems == [
                "/jobs/0/regions/0/fill: “fill”: “both” reads the video twice, and standard input can be read once; expected "
                    + "a file, or “forward”"
            ])
    }
}
