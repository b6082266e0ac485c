import Glibc
import Testing

@testable import Annotate
@testable import TestSupport

/// The files that `draw` names: found before anything runs, kept inside the root, part of what a result depends on.
@Suite struct DrawFileReaderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("P6 3 2 255\n" + String(repeating: "abc", count: 6), to: "in/picture.ppm")
        try folder.write("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", to: "in/flag.obj")
        try folder.write("mtllib flag.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", to: "in/colored.obj")
        try folder.write("mtllib ../out.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", to: "in/leaving.obj")
        try folder.write("newmtl red\nKd 1 0 0\n", to: "out.mtl")
        try folder.write("mtllib link.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", to: "in/linked.obj")
        #expect(symlink("../out.mtl", folder.file("in/link.mtl")) == 0)
        try folder.write("newmtl red\nKd 1 0 0\n", to: "in/below/PAINT.MTL")
        try folder.write("mtllib below/PAINT.MTL\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", to: "in/BELOW.OBJ")
        try folder.write("mtllib picture.ppm\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", to: "in/other.obj")
        try folder.write("v 1\n", to: "in/broken.obj")
        try folder.write("nothing like a picture", to: "in/text.png")
        try folder.write("", to: "outside.obj")
    }

    private func read(_ draw: String, root: Bool = false) throws -> (style: DrawStyle?, problems: [String]) {
        let node = try JSONParser.parse(Array(draw.utf8))
        let directory = folder.file("in")
        let reader = DrawFileReader(
            paths: ManifestPaths(directory: directory, root: root ? directory : nil), log: ProblemLog(file: "m.json"))
        let files = reader.read(node, path: [.key("draw")])
        var style = MarkerFinding.style.with(node)
        style?.image = files.image
        style?.model = files.model
        style?.hashes = files.hashes
        return (style, reader.log.problems.map { $0.description.replacing(folder.path + "/", with: "") })
    }

    @Test func aPicture() throws {
        let (style, problems) = try read(#"{"image": "picture.ppm", "imageSize": 0.3}"#)
        #expect(problems == [])
        #expect(style?.image.map { [$0.width, $0.height] } == [3, 2])
        #expect(style?.imageExtent.map { abs($0.y - 0.2) < 1e-12 } == true)
        #expect(style?.image?.texels.first == SIMD4(97, 98, 99, 255))
        #expect(style?.outline == false)
        #expect(try read(#"{"image": "picture.ppm", "outline": true}"#).style?.outline == true)
        #expect(style?.hashes.count == 1)
    }

    @Test func aModel() throws {
        let (style, problems) = try read(#"{"model": "flag.obj", "modelSize": 0.1, "modelUp": "z"}"#)
        #expect(problems == [])
        #expect(style?.model?.triangles.count == 1)
        #expect(style?.modelSize == 0.1)
        #expect(style?.needsPose == true)
        #expect(style?.hashes.count == 1)
    }

    @Test func materialsBelow() throws {
        let (style, problems) = try read(#"{"model": "BELOW.OBJ"}"#, root: true)
        #expect(problems == [])
        #expect(style?.hashes.count == 2)
    }

    private static let refusals: [(String, String)] = [
        (#"{"image": "pictur.ppm"}"#, "no file “pictur.ppm”; expected a picture; did you mean “picture.ppm”?"),
        (#"{"image": "."}"#, "no file “.”; expected a picture"),
        (#"{"model": "flagg.obj"}"#, "no file “flagg.obj”; expected a Wavefront OBJ file; did you mean “flag.obj”?"),
        (#"{"model": "broken.obj"}"#, "“broken.obj” can't be used: line 1: “1” is no place; expected three numbers"),
        (
            #"{"model": "colored.obj"}"#,
            "“colored.obj” can't be used: line 1: no material file “flag.mtl”; expected it beside the model, or no “mtllib”"
        ),
        (
            #"{"model": "leaving.obj"}"#,
            "“leaving.obj” can't be used: line 1: its material file “../out.mtl” is no .mtl file in the model's own folder or "
                + "below; expected it there, or no “mtllib”"
        ),
        (
            #"{"model": "other.obj"}"#,
            "“other.obj” can't be used: line 1: its material file “picture.ppm” is no .mtl file in the model's own folder or "
                + "below; expected it there, or no “mtllib”"
        ),
        (
            #"{"model": "picture.ppm"}"#,
            "“picture.ppm” can't be used: it has no faces; expected an OBJ file with polygons"
        ),
        (#"{"imageScale": 2}"#, "“imageScale” without “image”; expected “image” beside it, the path of a file"),
        (#"{"modelUp": "z"}"#, "“modelUp” without “model”; expected “model” beside it, the path of a file"),
    ]

    @Test(arguments: refusals)
    func refused(draw: String, message: String) throws {
        let problems = try read(draw).problems
        #expect(problems.count == 1)
        #expect(problems.first?.hasSuffix(message) == true, "\(problems)")
    }

    @Test func noPicture() throws {
        let problems = try read(#"{"image": "text.png"}"#).problems
        #expect(problems.count == 1)
        #expect(problems.first?.contains("“text.png” can't be used: ") == true, "\(problems)")
    }

    private static let leaving: [(String, String)] = [
        (
            #"{"model": "../outside.obj"}"#,
            "“../outside.obj” leads out of the folder that --root allows; expected a path inside it"
        ),
        (
            #"{"image": "/etc/passwd"}"#,
            "“/etc/passwd” leads out of the folder that --root allows; expected a path inside it"
        ),
        (
            #"{"model": "leaving.obj"}"#,
            "“leaving.obj” can't be used: line 1: its material file “../out.mtl” is no .mtl file in the model's own folder or "
                + "below; expected it there, or no “mtllib”"
        ),
        (
            #"{"model": "linked.obj"}"#,
            "“linked.obj” can't be used: line 1: its material file “link.mtl” is no .mtl file in the model's own folder or "
                + "below; expected it there, or no “mtllib”"
        ),
    ]

    @Test(arguments: leaving)
    func theRootHolds(draw: String, message: String) throws {
        let problems = try read(draw, root: true).problems
        #expect(problems.count == 1)
        #expect(problems.first?.hasSuffix(message) == true, "\(problems)")
    }

    /// Another picture or material makes another result.
    @Test func contentsCount() throws {
        let first = try read(#"{"model": "BELOW.OBJ"}"#).style?.hashes
        try folder.write("newmtl red\nKd 0 1 0\n", to: "in/below/PAINT.MTL")
        let second = try read(#"{"model": "BELOW.OBJ"}"#).style?.hashes
        #expect(first?.count == 2)
        #expect(first != second)
    }
}
