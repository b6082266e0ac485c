/// Where in CVAT's file for images each picture stands: a file of thousands of photos is gone through once then, and not once for
/// each.
final class CVATIndex: Sendable {
    struct Picture: Sendable {
        var name: String
        var place: XMLElements.Place
    }

    /// In the file's order; none in a file of tracks, or of another program.
    let pictures: [Picture]
    private let clips: PictureClips

    private static let known = ReadFiles<CVATIndex>()

    /// The pictures of a file, which is gone through once, until it changes.
    /// - Throws: A sentence with file and line.
    static func of(_ path: String) throws -> CVATIndex { try known.value(of: path) { try CVATIndex(path) } }

    private init(_ path: String) throws {
        var xml = try XMLElements(path: path)
        var pictures: [Picture] = []
        var (root, hasTracks): (String?, Bool) = (nil, false)
        // What is within a picture's element is its own, whatever it is.
        var depth = 0
        while let event = try xml.next() {
            if root == nil, case .begin(let name, _) = event { root = name }
            switch event {
            case .begin("track", _): hasTracks = true
            case .begin("image", _) where depth > 0: depth += 1
            case .begin("image", let attributes):
                depth = 1
                let name = attributes["name"] ?? ""
                pictures.append(
                    Picture(name: name, place: XMLElements.Place(bytes: xml.start..<xml.end, line: xml.startLine)))
            case .end("image"):
                depth -= 1
                guard depth == 0 else { continue }
                let first = pictures[pictures.count - 1].place.bytes.lowerBound
                pictures[pictures.count - 1].place.bytes = first..<xml.end
            case .begin, .text, .end: break
            }
        }
        if hasTracks || root != "annotations" { pictures = [] }
        clips = PictureClips(pictures.map(\.name))
        self.pictures = pictures
    }

    /// Pictures whose names say that they may be the clip's or photo's, in the file's order.
    /// - Parameter set: The data set that knows whose its pictures are; nil for none.
    func pictures(of clip: String, in set: SetPictures?) -> [Picture] {
        clips.pictures(of: clip, in: set).map { pictures[$0] }
    }
}
