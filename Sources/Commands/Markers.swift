import Annotate
public import ArgumentParser
import Stages
public import Tools

struct Markers: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes printable markers at a true physical size, as SVG or PDF.",
        discussion:
            "A PDF has all pages; of SVG there is one file a page: sheet-1.svg, sheet-2.svg, …; of a single page sheet.svg."
    )

    @Option(
        help: ArgumentHelp("The set of codes, as the stage “markers” knows it.", valueName: "name"),
        completion: .dictionaries)
    var dictionary = "aruco-4x4-50"

    @Option(help: ArgumentHelp("Which markers: 0-19, or 3,5,10-12.", valueName: "list"))
    var ids: String

    @Option(help: ArgumentHelp("Side of the black square, metres.", valueName: "m"))
    var size = 0.04

    @Option(help: "a4 or letter.")
    var page = MarkerSheet.Page.a4

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file to write, .svg or .pdf.", valueName: "sheet.svg"),
        completion: .file(extensions: ["svg", "pdf"]))
    var output: String

    func validate() throws {
        guard output.hasSuffix(".svg") || output.hasSuffix(".pdf"), Files.name(of: output).utf8.count > 4 else {
            throw ValidationError("-o takes a name that ends in .svg or .pdf, not “\(output)”.")
        }
        guard size > 0, size <= 100 else { throw ValidationError("--size takes metres over 0, not \(size).") }
        _ = try numbers()
        guard MarkerDictionary.names.contains(dictionary) else {
            let guess = nearest(to: dictionary, among: MarkerDictionary.names).map { "; did you mean “\($0)”?" } ?? "."
            throw ValidationError(
                "--dictionary takes one of \(MarkerDictionary.names.joined(separator: ", ")), not “\(dictionary)”\(guess)"
            )
        }
        for path in paths { try OutputGuard.check("-o", path, .sheet, reading: FileAccess()) }
    }

    private func sheet() throws -> MarkerSheet {
        try MarkerSheet(dictionary: dictionary, ids: try numbers(), side: size, page: page)
    }

    /// The file of a page.
    private func path(_ page: Int, of count: Int) -> String {
        count == 1 || output.hasSuffix(".pdf") ? output : "\(output.dropLast(4))-\(page).svg"
    }

    /// The files of all pages.
    private var paths: [String] {
        // A sheet that can't be is told of when it is made.
        let count = (try? sheet().pageCount) ?? 0
        return (0..<count).map { path($0 + 1, of: count) }
    }

    var access: CommandAccess {
        var access = FileAccess()
        for path in paths { access.write(path) }
        return .files(access)
    }

    func run() throws {
        do {
            let sheet = try sheet()
            try Files.makeDirectory(Files.parent(of: output))
            if output.hasSuffix(".pdf") {
                try Files.write(sheet.pdf(), to: output)
                return Console.out(output)
            }
            for index in 0..<sheet.pageCount {
                let path = path(index + 1, of: sheet.pageCount)
                try Files.write(sheet.svg(page: index), to: path)
                Console.out(path)
            }
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }

    /// The ids that were asked for: `0-19`, `3,5,10-12`.
    private func numbers() throws -> [Int] {
        var numbers: [Int] = []
        for part in ids.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends.last ?? nil, first >= 0,
                (first...65535).contains(last)
            else {
                throw ValidationError("--ids takes numbers and ranges such as 0-19 or 3,5,10-12, not “\(ids)”.")
            }
            numbers += first...last
        }
        return numbers
    }
}

extension MarkerSheet.Page: ExpressibleByArgument {}
