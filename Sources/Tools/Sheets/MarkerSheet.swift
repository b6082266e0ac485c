internal import Graph
internal import CVision
internal import Stages

/// Markers to be printed at their true size, with their ids, a quiet zone, and a ruler to check the print by.
public struct MarkerSheet: Sendable {
    /// A page's width and height, millimetres.
    public enum Page: String, Sendable, CaseIterable {
        /// ISO A4, 210 × 297, or US Letter, 215.9 × 279.4.
        case a4, letter

        var size: (width: Double, height: Double) { self == .a4 ? (210, 297) : (215.9, 279.4) }
    }

    let page: Page
    let layout: SheetLayout
    let dictionary: String
    /// Side of a black square, millimetres.
    let side: Double
    /// Modules along a black square's side, borders included.
    let modules: Int
    /// White modules of each marker: column and row within the black square.
    let white: [Int: [(column: Int, row: Int)]]

    /// A sheet of some of a dictionary's markers.
    /// - Parameters:
    ///   - dictionary: A built-in one's name.
    ///   - ids: The markers', from 0, in the order in which they lie on the sheet.
    ///   - side: Of a black square, metres.
    ///   - page: The size of the paper.
    /// - Throws: `SheetError` where there is no such marker, or it doesn't fit the page.
    public init(dictionary: String, ids: [Int], side: Double, page: Page) throws {
        _ = openCVIsInitialized
        guard MarkerDictionary.names.contains(dictionary) else {
            throw SheetError(MarkerDictionary.complaint(about: dictionary))
        }
        let codes = try MarkerDictionary(name: dictionary)
        if let wrong = ids.first(where: { !(0..<codes.count).contains($0) }) {
            throw SheetError("no marker \(wrong) in “\(dictionary)”; expected ids from 0 to \(codes.count - 1)")
        }
        let bits = Int(ocv_marker_dictionary_bits(codes.handle))
        modules = bits + 2
        self.side = side * 1000
        let size = page.size
        guard
            let layout = SheetLayout(
                ids: ids, side: side * 1000, modules: modules, width: size.width, height: size.height)
        else {
            throw SheetError(
                "a marker of \(side) m doesn't fit a page of \(size.width)×\(size.height) mm; expected a smaller one")
        }
        self.layout = layout
        self.page = page
        self.dictionary = dictionary
        var white: [Int: [(column: Int, row: Int)]] = [:]
        for id in ids {
            var code = [UInt8](repeating: 0, count: bits * bits)
            try check(
                ocv_marker_dictionary_code(codes.handle, Int32(id), &code, Int32(code.count)), "read a marker's code")
            white[id] = code.indices.filter { code[$0] != 0 }.map { ($0 % bits + 1, $0 / bits + 1) }
        }
        self.white = white
    }

    /// How many pages there are.
    public var pageCount: Int { layout.pages.count }

    /// The text below a marker.
    func caption(_ id: Int) -> String { "\(dictionary)  \(id)" }

    /// The text at the foot of a page.
    var note: String {
        var text = JSONWriter()
        text.value(side, decimals: 2)
        return "black squares of \(text.text) mm; this line is 50 mm: print at 100 %, not fitted to the page"
    }
}

/// The error of markers that can't be laid out.
public struct SheetError: Error, Sendable, CustomStringConvertible {
    /// The sentence: what was found; what was expected.
    public var description: String

    init(_ description: String) { self.description = description }
}
