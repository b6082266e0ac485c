/// Sides of the markers, as a stage's `size` and `sizes` say.
struct MarkerSides: Sendable {
    private let common: Double?
    private let byID: [Int: Double]

    /// - Parameters:
    ///   - count: Markers in the dictionary.
    ///   - dictionary: Its name, for messages.
    init(_ options: MarkersBlueprint.Options, count: Int, dictionary: String) throws {
        common = options.size
        var byID: [Int: Double] = [:]
        for (key, side) in options.sizes.sorted(by: { $0.key < $1.key }) {
            guard let id = Int(key), String(id) == key, (0..<count).contains(id) else {
                throw StageOptionError(
                    option: "sizes",
                    "the id “\(key)”, which “\(dictionary)” has not; expected ids from 0 to \(count - 1)")
            }
            byID[id] = side
        }
        self.byID = byID
    }

    var isEmpty: Bool { common == nil && byID.isEmpty }

    /// The side of a marker, metres; nil where it isn't known.
    subscript(id: Int) -> Double? { byID[id] ?? common }
}
