import Annotate
import ArgumentParser
import Tools

struct Calibrate: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Calibrates a camera from videos or photos of a pattern.",
        discussion: """
            Takes sharp, varied views by itself. Show the pattern flat, near and far, in the picture's corners, and tilted to \
            all sides. The file written is what a job's “camera” reads.
            """)

    enum Pattern: String, ExpressibleByArgument, CaseIterable {
        case chessboard, charuco
    }

    @Argument(help: "Videos or photos, all of one camera and size.", completion: .file())
    var inputs: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The camera file to write; - for standard output.", valueName: "camera.json"),
        completion: .file(extensions: ["json"]))
    var output: String

    @Option(help: "chessboard or charuco.")
    var pattern = Pattern.chessboard

    @Option(help: ArgumentHelp("Inner corners (chessboard) or squares (charuco) across.", valueName: "n"))
    var columns: Int

    @Option(help: ArgumentHelp("Inner corners (chessboard) or squares (charuco) down.", valueName: "n"))
    var rows: Int

    @Option(help: ArgumentHelp("Side of a square, metres.", valueName: "m"))
    var square: Double

    @Option(help: ArgumentHelp("Side of a marker, metres (charuco).", valueName: "m"))
    var marker: Double?

    @Option(
        help: ArgumentHelp("The markers' dictionary (charuco).", valueName: "name"), completion: .dictionaries)
    var dictionary = "aruco-4x4-50"

    @Option(help: ArgumentHelp("Id of the top left marker (charuco).", valueName: "id"))
    var firstId = 0

    @Flag(
        help: "The board is as OpenCV before 4.6 has it: an even number of rows begins with a white square (charuco).")
    var legacy = false

    func validate() throws {
        guard (3...100).contains(columns), (3...100).contains(rows) else {
            throw ValidationError("--columns and --rows take 3 to 100, not \(columns) and \(rows).")
        }
        guard square > 0, square <= 100 else { throw ValidationError("--square takes metres over 0, not \(square).") }
        guard firstId >= 0 else { throw ValidationError("--first-id takes a number from 0, not \(firstId).") }
        if pattern == .charuco {
            guard let marker, marker > 0, marker < square else {
                throw ValidationError("--pattern charuco needs --marker, metres over 0 and under --square.")
            }
        }
        if output.isEmpty { throw ValidationError("-o takes a path, not an empty text.") }
        if output != "-" { try OutputGuard.check("-o", output, .camera, reading: reading) }
    }

    private var reading: FileAccess {
        var access = FileAccess()
        for input in inputs { access.read(media: input) }
        return access
    }

    var access: CommandAccess {
        var access = reading
        if output != "-" { access.write(output) }
        return .files(access)
    }

    func run() throws {
        let cancellation = Cancellation()
        let interruption = Interruption(cancellation)
        try interruption.watch()
        do {
            var calibrator = Calibrator(pattern: try chosenPattern())
            for input in inputs {
                try calibrator.add(file: input) { looked, views in
                    if Console.canRedraw {
                        Console.errorRaw(
                            "\r\u{1B}[K\(input.inOneLine): \(plural(views, "view")) in \(plural(looked, "picture"))")
                    }
                    return !cancellation.isCancelled
                }
            }
            if Console.canRedraw { Console.errorRaw("\r\u{1B}[K") }
            let result = try calibrator.calibrate()
            let text = prettyJSON(result.json)
            if output == "-" {
                Console.out(text)
            } else {
                try Files.makeDirectory(Files.parent(of: output))
                try Files.write(text + "\n", to: output)
            }
            report(result)
        } catch is CancelledError {
            throw ExitCode(128 + (interruption.received ?? 2))
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }

    private func chosenPattern() throws -> CalibrationPattern {
        guard pattern == .charuco, let marker else {
            return .chessboard(columns: columns, rows: rows, square: square)
        }
        return try .charuco(
            columns: columns, rows: rows, square: square, marker: marker, dictionary: dictionary, firstID: firstId,
            isLegacy: legacy)
    }

    private func report(_ result: Calibration) {
        func text(_ value: Double, _ decimals: Int) -> String {
            var json = JSONWriter()
            json.value(value, decimals: decimals)
            return json.text
        }
        // Beside the file itself nothing else goes to standard output.
        func tell(_ line: String) { if output == "-" { Console.error(line) } else { Console.out(line) } }
        for view in result.views {
            tell("\(view.file), frame \(view.frame): \(text(view.rms, 3)) px, \(plural(view.points, "point"))")
        }
        let camera = result.camera
        tell(
            "focal length \(text(camera.focalLength.x, 1)), \(text(camera.focalLength.y, 1)) px, principal point "
                + "\(text(camera.principalPoint.x, 1)), \(text(camera.principalPoint.y, 1)) px")
        tell(
            "RMS reprojection error \(text(result.rms, 3)) px over \(plural(result.views.count, "view")), "
                + "\(Int((result.coverage * 100).rounded())) % of the picture covered")
        if output != "-" { Console.out(output) }
    }
}
