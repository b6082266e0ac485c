/// Reads Wavefront OBJ files: positions, normals, polygons of any form, smoothing groups and the diffuse colours of their
/// materials. Texture coordinates, curves and lines are passed over.
package struct OBJReader {
    /// Largest size of a file that is read, bytes.
    package static let mostBytes = 64 << 20
    private static let mostPositions = 1_000_000
    private static let mostTriangles = 1_000_000
    private static let mostCorners = 500

    private var positions: [SIMD3<Double>] = []
    private var normals: [SIMD3<Double>] = []
    private var faces: [Face] = []
    private var triangleCount = 0
    private var colors: [String: SIMD3<Float>] = [:]
    private var color = Self.plain
    private var group = 0
    private var hashes: [String] = []
    private let up: ModelUp
    private let materials: (String) throws -> [UInt8]

    /// Colour of faces without a material: a light grey.
    private static let plain = SIMD3<Float>(repeating: 200)

    private struct Face {
        var corners: [Int32]
        /// Indices of the corners' normals; empty where one of the corners has none.
        var normals: [Int32]
        var color: SIMD3<Float>
        /// Smoothing group: faces of one group, but 0, share normals.
        var group: Int
    }

    /// Reads a model.
    /// - Parameters:
    ///   - materials: A material file's contents by its name in the model.
    /// - Throws: `ModelError`, or what `materials` throws.
    package static func read(
        _ bytes: [UInt8], up: ModelUp, materials: @escaping (String) throws -> [UInt8]
    ) throws -> SpaceModel {
        guard bytes.count <= mostBytes else {
            throw ModelError("it has \(bytes.count >> 20) MiB; expected \(mostBytes >> 20) at the most")
        }
        var reader = OBJReader(up: up, materials: materials)
        reader.hashes.append(SHA256.hash(bytes))
        var lines = TextLines(bytes)
        while let line = lines.next() {
            do {
                try reader.read(line)
            } catch let error as ModelError {
                throw ModelError("line \(lines.number): \(error)")
            }
        }
        return try reader.model()
    }

    private init(up: ModelUp, materials: @escaping (String) throws -> [UInt8]) {
        self.up = up
        self.materials = materials
    }

    // MARK: Lines

    private mutating func read(_ line: String) throws {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard let first = words.first else { return }
        let values = words.dropFirst()
        switch first {
        case "v":
            guard positions.count < Self.mostPositions else {
                throw ModelError("more than \(Self.mostPositions) vertices; expected fewer")
            }
            positions.append(upright(try vector(values)))
        case "vn":
            guard normals.count < Self.mostPositions else {
                throw ModelError("more than \(Self.mostPositions) normals; expected fewer")
            }
            let normal = upright(try vector(values))
            let length = (normal * normal).sum().squareRoot()
            normals.append(length > 1e-12 ? normal / length : [0, 0, 1])
        case "f": try readFace(values)
        case "s": group = values.first.flatMap { Int($0) } ?? 0
        case "usemtl": color = colors[values.joined(separator: " ")] ?? Self.plain
        case "mtllib":
            // Several files, or one with spaces in its name.
            let areSeveral = values.allSatisfy { $0.lowercased().hasSuffix(".mtl") }
            for name in areSeveral ? values.map(String.init) : [values.joined(separator: " ")] {
                try readMaterials(name)
            }
        default: break
        }
    }

    /// Three numbers of moderate size.
    private func vector(_ words: ArraySlice<Substring>) throws -> SIMD3<Double> {
        let numbers = words.prefix(3).compactMap { Double($0) }
        guard numbers.count == 3, numbers.allSatisfy({ abs($0) <= 1e12 }) else {
            throw ModelError("“\(words.prefix(3).joined(separator: " "))” is no place; expected three numbers")
        }
        return SIMD3(numbers[0], numbers[1], numbers[2])
    }

    private func upright(_ v: SIMD3<Double>) -> SIMD3<Double> { up == .y ? [v.x, -v.z, v.y] : v }

    private mutating func readFace(_ words: ArraySlice<Substring>) throws {
        guard (3...Self.mostCorners).contains(words.count) else {
            throw ModelError("a face of \(words.count) corners; expected 3 to \(Self.mostCorners)")
        }
        triangleCount += words.count - 2
        guard triangleCount <= Self.mostTriangles else {
            throw ModelError("more than \(Self.mostTriangles) triangles; expected fewer")
        }
        var face = Face(corners: [], normals: [], color: color, group: group)
        for word in words {
            let parts = word.split(separator: "/", omittingEmptySubsequences: false)
            face.corners.append(try index(parts[0], in: positions.count, "vertex"))
            if parts.count > 2, !parts[2].isEmpty {
                face.normals.append(try index(parts[2], in: normals.count, "normal"))
            }
        }
        if face.normals.count < face.corners.count { face.normals = [] }
        faces.append(face)
    }

    /// An index from 0: files count from 1 upwards, or from −1 for the last one so far downwards.
    private func index(_ word: Substring, in count: Int, _ noun: String) throws -> Int32 {
        guard let number = Int(word), number != 0, number <= count, number >= -count else {
            throw ModelError("a face names the \(noun) “\(word)”; expected a number from 1 to \(count)")
        }
        return Int32(number > 0 ? number - 1 : count + number)
    }

    private mutating func readMaterials(_ name: String) throws {
        let bytes = try materials(name)
        hashes.append(SHA256.hash(bytes))
        var lines = TextLines(bytes)
        var current: String?
        while let line = lines.next() {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.first == "newmtl" { current = words.dropFirst().joined(separator: " ") }
            guard words.first == "Kd", let current else { continue }
            let numbers = words.dropFirst().prefix(3).compactMap { Float($0) }
            // One number is grey.
            guard let first = numbers.first else { continue }
            let rgb = numbers.count == 3 ? SIMD3(numbers[0], numbers[1], numbers[2]) : SIMD3(repeating: first)
            colors[current] = (rgb * 255).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
        }
    }

    // MARK: The whole

    private func model() throws -> SpaceModel {
        guard !faces.isEmpty else { throw ModelError("it has no faces; expected an OBJ file with polygons") }
        var normals = normals
        var triangles: [SpaceModel.Triangle] = []
        triangles.reserveCapacity(triangleCount)
        let shared = sharedNormals(&normals)
        for face in faces {
            let corners = face.corners.map { positions[Int($0)] }
            let normal = PolygonTriangulation.normal(of: corners)
            // What has no area can't be seen.
            guard let normal else { continue }
            var indices = face.normals
            if indices.isEmpty, face.group != 0 {
                indices = face.corners.compactMap { shared[Corner(position: $0, group: face.group)] }
            }
            if indices.count < face.corners.count {
                indices = face.corners.map { _ in Int32(normals.count) }
                normals.append(normal)
            }
            for (a, b, c) in PolygonTriangulation.triangles(corners, normal: normal) {
                triangles.append(
                    .init(
                        corners: [face.corners[a], face.corners[b], face.corners[c]],
                        normals: [indices[a], indices[b], indices[c]], color: face.color))
            }
        }
        guard !triangles.isEmpty else {
            throw ModelError("none of its faces has an area; expected an OBJ file with polygons")
        }
        return try SpaceModel(positions: positions, normals: normals, triangles: triangles, hashes: hashes)
    }

    private struct Corner: Hashable {
        var position: Int32
        var group: Int
    }

    /// The normals of smooth faces whose file has none: means over the group's faces about a position, by their area.
    private func sharedNormals(_ normals: inout [SIMD3<Double>]) -> [Corner: Int32] {
        var sums: [Corner: SIMD3<Double>] = [:]
        var order: [Corner] = []
        for face in faces where face.normals.isEmpty && face.group != 0 {
            let area = PolygonTriangulation.areaVector(face.corners.map { positions[Int($0)] })
            for corner in face.corners.map({ Corner(position: $0, group: face.group) }) {
                if sums[corner] == nil { order.append(corner) }
                sums[corner, default: .zero] += area
            }
        }
        var indices: [Corner: Int32] = [:]
        for corner in order {
            let sum = sums[corner] ?? .zero
            let length = (sum * sum).sum().squareRoot()
            guard length > 1e-300 else { continue }
            indices[corner] = Int32(normals.count)
            normals.append(sum / length)
        }
        return indices
    }
}

/// The lines of a text, a backslash at a line's end joining it with the next.
private struct TextLines {
    private let bytes: [UInt8]
    private var position = 0
    /// Number of the line given last, from 1.
    private(set) var number = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> String? {
        guard position < bytes.count else { return nil }
        var line: [UInt8] = []
        while position < bytes.count {
            let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            line += bytes[position..<end]
            position = end + 1
            number += 1
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            guard line.last == UInt8(ascii: "\\") else { break }
            line.removeLast()
        }
        return String(decoding: line, as: UTF8.self)
    }
}
