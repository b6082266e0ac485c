internal import Graph

/// Where in CVAT's file for images each picture stands: a file of thousands of photos is gone through once then, and not once for
/// each.
final class CVATIndex: Sendable {
    struct Picture: Sendable {
        var name: String
        var place: XMLElements.Place
    }

    /// In the file's order; none in a file of tracks, or of another program.
    let pictures: [Picture]
    /// Pictures by the clips and photos that they may be of, as numbers in `pictures`.
    private let called: [String: [Int32]]

    private static let known = ReadFiles<CVATIndex>()

    /// The pictures of a file, which is gone through once, until it changes.
    /// - Throws: A sentence with file and line.
    static func of(_ path: String) throws -> CVATIndex { try known.value(of: path) { try CVATIndex(path) } }

    private init(_ path: String) throws {
        var xml = try XMLElements(path: path)
        var (pictures, called): ([Picture], [String: [Int32]]) = ([], [:])
        var (root, hasTracks): (String?, Bool) = (nil, false)
        while let event = try xml.next() {
            if root == nil, case .begin(let name, _) = event { root = name }
            switch event {
            case .begin("track", _): hasTracks = true
            case .begin("image", let attributes):
                let name = attributes["name"] ?? ""
                pictures.append(
                    Picture(name: name, place: XMLElements.Place(bytes: xml.start..<xml.end, line: xml.line)))
            case .end("image") where !pictures.isEmpty:
                let first = pictures[pictures.count - 1].place.bytes.lowerBound
                pictures[pictures.count - 1].place.bytes = first..<xml.end
            case .begin, .text, .end: break
            }
        }
        if hasTracks || root != "annotations" { pictures = [] }
        for (number, picture) in pictures.enumerated() {
            for word in PictureNumbers.words(of: picture.name) { called[word, default: []].append(Int32(number)) }
        }
        (self.pictures, self.called) = (pictures, called)
    }

    /// Pictures whose names say that they may be the clip's or photo's, in the file's order.
    func pictures(called name: String) -> [Picture] {
        Set([name, SinkContext.fileStem(name)].flatMap { called[$0] ?? [] }).sorted().map { pictures[Int($0)] }
    }
}
