internal import CVision

/// A line of what may be letters, in one frame.
struct FoundTextLine: Record, Storable, Hashable, TextOutline {
    /// Corners, pixels, clockwise from the line's own top left.
    var polygon: [Point] = []
    var isLight = false
    var letters = 0
    var score = 0.0

    static let fields: [Field<Self>] = [
        Field("polygon", \.polygon, .list(.exactPoint), unit: "px", doc: "Its corners."),
        Field("isLight", \.isLight, .flag, doc: "Whether it is lighter than its ground."),
        Field("letters", \.letters, .integer(), doc: "How many letters it may have."),
        Field("score", \.score, .number(), doc: "How much it looks like letters."),
    ]
}

/// Finds lines of letters.
struct TextLineFinder: StorableDetector {
    /// Least height of a line, as a part of the picture's height.
    let minimumHeight: Double
    /// The most lines of a frame.
    let limit: Int

    func detect(_ input: StageInput) throws -> [FoundTextLine] {
        let frame = input.frame
        var room = [ocv_text_line](repeating: ocv_text_line(), count: limit)
        var count: Int32 = 0
        try frame.withLuma { luma in
            try check(
                ocv_find_text_lines(
                    ocv_plane(luma), minimumHeight * Double(frame.height), &room, Int32(limit), &count),
                "look for text")
        }
        return room.prefix(Int(count)).map { line in
            let (a, b, c, d) = line.corners
            return FoundTextLine(
                polygon: [a, b, c, d].map { Point($0) }, isLight: line.isLight, letters: Int(line.letters),
                score: line.score)
        }.filter { Homography.isConvex($0.polygon) }
    }
}
