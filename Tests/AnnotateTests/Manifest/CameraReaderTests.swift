import Testing

@testable import Annotate
@testable import TestSupport

/// What a job says of its camera, in place or in a file.
@Suite struct CameraReaderTests {
    /// Reads one job beside a picture of 64×48 pixels.
    private func read(_ camera: String, file: String? = nil, root: Bool = false) throws -> (
        job: Job?, problems: [String]
    ) {
        let folder = try TemporaryFolder()
        try folder.write(Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 48), to: "p.pgm")
        if let file { try folder.write(file, to: "c.json") }
        let text = """
            {"version": 1, "jobs": [{"input": "p.pgm", "graph": {"stages": []},
            "camera": \(camera)}]}
            """
        let path = try folder.write(text, to: "m.json")
        do {
            let reader = ManifestReader(
                catalog: TestCatalog.catalog, root: root ? Files.parent(of: path) : nil)
            return (try reader.read(path).jobs.first, [])
        } catch let error as InvalidFileError {
            let prefix = Files.parent(of: path) + "/"
            return (nil, error.problems.map { "\($0)".replacing(prefix, with: "") })
        }
    }

    @Test(arguments: [
        #"{"size": [128, 96], "focalLength": [100, 102], "principalPoint": [63.5, 49.5], "distortion": [1, 2, 3, 4]}"#,
        #"{"size": [128, 96], "matrix": [[100, 0, 63.5], [0, 102, 49.5], [0, 0, 1]], "distortion": [1, 2, 3, 4]}"#,
    ])
    func intrinsicsAreScaledToTheVideo(camera: String) throws {
        for (member, file) in [(camera, nil), (#""c.json""#, camera)] {
            let (job, problems) = try read(member, file: file)
            #expect(problems == [])
            let intrinsics = try #require(job).camera.intrinsics(width: 64, height: 48)
            #expect(intrinsics.focalLength == Point(50, 51))
            // Pixel 63 and 64 of 128 share the middle, as do 31 and 32 of 64.
            #expect(intrinsics.principalPoint == Point(31.5, 24.5))
            #expect(intrinsics.distortion == [1, 2, 3, 4])
            #expect(!intrinsics.isAssumed)
        }
    }

    @Test func aFieldOfViewDoes() throws {
        let camera = try #require(try read(#"{"fieldOfView": 90}"#).job).camera
        let intrinsics = try camera.intrinsics(width: 64, height: 48)
        #expect(abs(intrinsics.focalLength.x - 32) < 1e-9)
        #expect(intrinsics.focalLength.x == intrinsics.focalLength.y)
        #expect(intrinsics.principalPoint == Point(31.5, 23.5))
        #expect(!intrinsics.isAssumed)
    }

    @Test func withoutACameraOneIsAssumed() throws {
        let intrinsics = try CameraDeclaration.assumed.intrinsics(width: 1920, height: 1080)
        #expect(abs(intrinsics.focalLength.x - 1662.77) < 0.01)
        #expect(intrinsics.isAssumed)
    }

    @Test(arguments: [
        ("3", "m.json:2:11: /jobs/0/camera: 3; expected the path of a camera file, or a camera"),
        (
            #""nowhere.json""#,
            "m.json:2:11: /jobs/0/camera: no file “nowhere.json”; expected a camera file, as calibrate writes it"
        ),
        (
            "{}",
            "m.json:2:11: /jobs/0/camera: a camera without a focal length; expected exactly one of “focalLength”, "
                + "“matrix” and “fieldOfView”"
        ),
        (
            #"{"fieldOfView": 60, "distortion": [0, 0, 0, 0, 0, 0]}"#,
            "m.json:2:45: /jobs/0/camera/distortion: 6 distortion coefficients; expected 4, 5 or 8, in OpenCV's order"
        ),
        (
            #"{"focalLength": [50, 50]}"#,
            "m.json:2:11: /jobs/0/camera: “size” is missing; expected the [width, height] of the pictures that the focal "
                + "length is for"
        ),
        (
            #"{"size": [64, 48], "matrix": [[50, 1, 32], [0, 50, 24], [0, 0, 1]]}"#,
            "m.json:2:40: /jobs/0/camera/matrix: no camera matrix; expected rows [fx, 0, cx], [0, fy, cy], [0, 0, 1] "
                + "with fx, fy over 0"
        ),
        (
            #"{"size": [64, 48], "focalLength": [50, 50], "principalPoint": [80, 24]}"#,
            "m.json:2:73: /jobs/0/camera/principalPoint: the principal point 80, 24 lies outside of the 64×48 pixels; "
                + "expected it inside"
        ),
        (
            #"{"size": [48, 64], "focalLength": [50, 50]}"#,
            "m.json:2:11: /jobs/0/camera: p.pgm: the camera is for 48×64 pixels and the picture has 64×48, upright; "
                + "expected the same ratio of width to height within 1 % (turn the camera by a quarter, or calibrate with "
                + "upright pictures)"
        ),
    ])
    func complaints(camera: String, complaint: String) throws {
        #expect(try read(camera).problems == [complaint])
    }

    @Test func aFilesProblemsHaveTheirPlaceInTheFile() throws {
        let (_, problems) = try read(
            #""c.json""#, file: "{\"size\": [64, 48],\n \"focalLenght\": [50, 50],\n \"distortion\": [1, 2, 3]}")
        #expect(
            problems == [
                "c.json:1:1: /: a camera without a focal length; expected exactly one of “focalLength”, “matrix” and "
                    + "“fieldOfView”",
                "c.json:2:2: /focalLenght: unknown key “focalLenght”; expected one of “$schema”, “size”, “focalLength”, "
                    + "“principalPoint”, “matrix”, “fieldOfView”, “distortion”, “rms”, “views”; did you mean “focalLength”?",
                "c.json:3:16: /distortion: an array of 3; expected an array of 4 to 8; each element a number from -1000000 "
                    + "to 1000000",
            ])
    }

    /// Only a stage that finds poses can have them drawn.
    @Test func drawingInSpaceNeedsPoses() throws {
        let node = try JSONParser.parse(
            Array(#"{"stages": [{"id": "s", "type": "find", "draw": {"cube": "shaded"}}]}"#.utf8))
        let log = ProblemLog(file: "graph")
        _ = GraphPlanner(catalog: TestCatalog.catalog, paths: ManifestPaths(directory: ".")).plan(
            node, path: [], log: log)
        #expect(
            log.problems.map(\.message) == [
                "“cube” needs poses, and the stage finds none; expected a stage “markers” with a “size” in metres"
            ])
    }

    @Test func aFileOutsideOfTheRootIsRefused() throws {
        #expect(
            try read(#""/etc/passwd""#, root: true).problems == [
                "m.json:2:11: /jobs/0/camera: “/etc/passwd” leads out of the folder that --root allows; expected a path "
                    + "inside it"
            ])
    }
}
