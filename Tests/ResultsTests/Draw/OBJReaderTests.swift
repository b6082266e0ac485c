@testable import Base
@testable import Drawing
import Testing

@testable import Annotate

/// Wavefront OBJ files: what is read, and what is refused in which words.
@Suite struct OBJReaderTests {
    private func read(_ text: String, up: ModelUp = .z, materials: [String: String] = [:]) throws -> SpaceModel {
        try OBJReader.read(Array(text.utf8), up: up) { name in
            guard let text = materials[name] else { throw ModelError("no material file “\(name)”") }
            return Array(text.utf8)
        }
    }

    private func area(_ model: SpaceModel) -> Double {
        model.triangles.reduce(0) { sum, triangle in
            let corners = (0..<3).map { model.positions[Int(triangle.corners[$0])] }
            let vector = PolygonTriangulation.areaVector(corners)
            return sum + (vector * vector).sum().squareRoot() / 2
        }
    }

    @Test func aSquare() throws {
        let model = try read("v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4\n")
        #expect(model.triangles.count == 2)
        // Over the origin, the longest extent 1.
        #expect(model.positions == [[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]])
        #expect(model.normals == [[0, 0, 1]])
    }

    @Test func upIsYInMostFiles() throws {
        let text = "v 0 0 0\nv 1 0 0\nv 1 4 0\nv 0 4 0\nf 1 2 3 4"
        #expect(try read(text, up: .y).positions.map(\.z).max() == 1)
        #expect(try read(text, up: .z).positions.map(\.z).max() == 0)
    }

    private struct Outline {
        var corners: String
        var face: String
        var triangles: Int
        /// In units of the longest extent squared.
        var area: Double
    }

    /// An L, an arrow and a comb.
    private static let outlines: [Outline] = [
        Outline(
            corners: "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n", face: "1 2 3 4 5 6", triangles: 4,
            area: 0.75),
        Outline(corners: "v 0 0 0\nv 4 2 0\nv 0 4 0\nv 2 2 0\n", face: "1 2 3 4", triangles: 2, area: 0.25),
        Outline(
            corners:
                "v 0 0 0\nv 6 0 0\nv 6 3 0\nv 5 3 0\nv 5 1 0\nv 4 1 0\nv 4 3 0\nv 3 3 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\n"
                + "v 0 3 0\n", face: "1 2 3 4 5 6 7 8 9 10 11 12", triangles: 10, area: 12.0 / 36),
    ]

    /// Polygons that aren't convex are cut without leaving their outline, whichever way round they run.
    @Test(arguments: [0, 1, 2], [false, true])
    func polygonsOfAnyForm(number: Int, backwards: Bool) throws {
        let outline = Self.outlines[number]
        let words = outline.face.split(separator: " ")
        let face = (backwards ? words.reversed() : words).joined(separator: " ")
        let model = try read(outline.corners + "f " + face)
        #expect(model.triangles.count == outline.triangles)
        #expect(abs(area(model) - outline.area) < 1e-9)
    }

    @Test func indicesFromTheEndAndNormalsFromTheFile() throws {
        let model = try read(
            "v 0 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 -3\nvt 0 0\nf -3//-1 -2//-1 -1//1 \r\n# end\n")
        #expect(model.triangles.map(\.corners) == [[0, 1, 2]])
        #expect(model.normals == [[0, 0, -1]])
    }

    @Test func materials() throws {
        let model = try read(
            """
            mtllib my paint.mtl
            v 0 0 0
            v 1 0 0
            v 1 1 \\
            0
            usemtl red
            f 1 2 3
            usemtl nothing of the kind
            f 3 2 1
            """, materials: ["my paint.mtl": "newmtl red\nKa 1 1 1\nKd 1 0.5 0\n"])
        #expect(model.triangles.map(\.color) == [[255, 127.5, 0], [200, 200, 200]])
        #expect(model.hashes.count == 2)
    }

    /// Faces of a smoothing group share normals where they meet.
    @Test func smoothingGroups() throws {
        let roof = "v 0 0 0\nv 0 2 0\nv 1 0 1\nv 1 2 1\nv 2 0 0\nv 2 2 0\n"
        let flat = try read(roof + "f 1 3 4 2\nf 3 5 6 4\n")
        let smooth = try read(roof + "s 1\nf 1 3 4 2\nf 3 5 6 4\n")
        #expect(flat.normals.count == 2)
        #expect(smooth.normals.contains { abs($0.x) < 1e-9 && abs($0.z) > 0.999 })
    }

    private static let refusals: [(String, String)] = [
        ("", "it has no faces; expected an OBJ file with polygons"),
        ("v 0 0 0\nv 1 1 1\n", "it has no faces; expected an OBJ file with polygons"),
        ("v 0 0 0\nf 1 1 1", "none of its faces has an area; expected an OBJ file with polygons"),
        ("v 0 0\n", "line 1: “0 0” is no place; expected three numbers"),
        ("v 0 0 nan\n", "line 1: “0 0 nan” is no place; expected three numbers"),
        ("v 0 0 1e300\n", "line 1: “0 0 1e300” is no place; expected three numbers"),
        ("v 0 0 0\nf 1 2 3", "line 2: a face names the vertex “2”; expected a number from 1 to 1"),
        ("v 0 0 0\nf 1 1 0", "line 2: a face names the vertex “0”; expected a number from 1 to 1"),
        ("v 0 0 0\nf 1 1 x", "line 2: a face names the vertex “x”; expected a number from 1 to 1"),
        ("v 0 0 0\nf 1 1", "line 2: a face of 2 corners; expected 3 to 500"),
        ("v 0 0 0\nf 1 1 1//7", "line 2: a face names the normal “7”; expected a number from 1 to 0"),
        (
            "v 0 0 0\nf 1 1 9223372036854775808",
            "line 2: a face names the vertex “9223372036854775808”; expected a number from 1 to 1"
        ),
        ("\0\u{1}binary", "it has no faces; expected an OBJ file with polygons"),
    ]

    @Test(arguments: refusals)
    func refused(text: String, message: String) {
        #expect { try read(text) } throws: { "\($0)" == message }
    }

    @Test func hugeFacesAreRefused() {
        let face = "f" + String(repeating: " 1", count: 501)
        #expect { try read("v 0 0 0\n\(face)") } throws: {
            "\($0)" == "line 2: a face of 501 corners; expected 3 to 500"
        }
    }
}
