/// A layout of markers on printed pages. All lengths are millimetres, from the page's top left.
struct SheetLayout: Sendable {
    /// The place of one marker.
    struct Place: Sendable {
        var id: Int
        /// Left edge of the black square; `y` is its upper edge.
        var x: Double
        var y: Double
    }

    /// Margin around everything, which printers can't reach.
    static let margin = 12.0
    /// Height below the quiet zone, for the id.
    static let caption = 5.0
    /// Height at the foot of each page, for the ruler.
    static let footer = 12.0

    let pages: [[Place]]
    /// White around a black square, so that it is found: a module, and 4 mm to cut in.
    let quiet: Double

    /// - Parameters:
    ///   - side: Of a black square.
    ///   - modules: Along its side, borders included.
    /// - Returns: nil where not a single marker fits the page.
    init?(ids: [Int], side: Double, modules: Int, width: Double, height: Double) {
        quiet = max(side / Double(modules), 4)
        let pitch = side + 2 * quiet
        let columns = Int((width - 2 * Self.margin) / pitch + 1e-9)
        let rows = Int((height - 2 * Self.margin - Self.footer) / (pitch + Self.caption) + 1e-9)
        guard columns > 0, rows > 0 else { return nil }
        let left = (width - Double(columns) * pitch) / 2 + quiet
        var pages: [[Place]] = []
        for (index, id) in ids.enumerated() {
            let cell = index % (columns * rows)
            if cell == 0 { pages.append([]) }
            pages[pages.count - 1].append(
                Place(
                    id: id, x: left + Double(cell % columns) * pitch,
                    y: Self.margin + quiet + Double(cell / columns) * (pitch + Self.caption)))
        }
        self.pages = pages
    }
}
