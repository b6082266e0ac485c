import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Tools

@Suite struct MarkerSheetTests {
    /// Numbers of an SVG element's attribute or path.
    private func numbers(_ text: some StringProtocol) -> [Double] {
        text.split { !"0123456789.-".contains($0) }.compactMap { Double($0) }
    }

    private func attribute(_ name: String, in line: String) -> Double? {
        line.components(after: " \(name)=\"").first.flatMap { numbers($0.prefix { $0 != "\"" }).first }
    }

    /// Black squares and white cells of a page, drawn with so many pixels a millimetre.
    private func drawn(_ svg: String, scale: Double) -> (luma: [UInt8], width: Int, height: Int) {
        let (width, height) = (Int(210 * scale), Int(297 * scale))
        var luma = [UInt8](repeating: 255, count: width * height)
        func fill(_ x: Double, _ y: Double, _ w: Double, _ h: Double, _ value: UInt8) {
            for row in Int((y * scale).rounded())..<Int(((y + h) * scale).rounded()) {
                for column in Int((x * scale).rounded())..<Int(((x + w) * scale).rounded()) {
                    luma[row * width + column] = value
                }
            }
        }
        for line in svg.split(separator: "\n").map(String.init) {
            if line.hasPrefix("<rect x"), let x = attribute("x", in: line), let y = attribute("y", in: line),
                let w = attribute("width", in: line), let h = attribute("height", in: line)
            {
                fill(x, y, w, h, 0)
            } else if line.hasPrefix("<path fill=\"#fff\"") {
                for cell in line.components(after: "M") {
                    let n = numbers(cell.prefix { $0 != "z" })
                    if n.count == 5 { fill(n[0], n[1], n[2], n[3], 255) }
                }
            }
        }
        return (luma, width, height)
    }

    @Test(arguments: [("aruco-4x4-50", 0.04), ("apriltag-36h11", 0.05), ("aruco-original", 0.1)])
    func markersAreFoundAtTheirSize(dictionary: String, side: Double) throws {
        let ids = [0, 3, 7]
        let sheet = try MarkerSheet(dictionary: dictionary, ids: ids, side: side, page: .a4)
        var found: [FoundMarker] = []
        for page in 0..<sheet.pageCount {
            let (luma, width, height) = drawn(sheet.svg(page: page), scale: 4)
            found += try MarkerSearch(MarkerDictionary(name: dictionary)).detect(
                luma: luma, width: width, height: height)
        }
        #expect(found.map(\.id).sorted() == ids)
        for marker in found {
            for (a, b) in zip(marker.corners, marker.corners.dropFirst()) {
                #expect(abs(a.distance(to: b) - side * 4000) < 1.5)
            }
        }
    }

    @Test func aPDFHasItsObjectsWhereItsTableSays() throws {
        let sheet = try MarkerSheet(dictionary: "aruco-4x4-50", ids: Array(0..<50), side: 0.04, page: .a4)
        #expect(sheet.pageCount == 5)
        let bytes = sheet.pdf()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("%PDF-1.4\n"))
        // 210 × 297 mm.
        #expect(text.components(after: "/MediaBox [0 0 595.2756 841.8898]").count == 5)
        // A black square of 40 mm.
        #expect(text.components(after: " 113.3858 113.3858 re f").count == 50)
        let table = try #require(text.components(after: "xref\n").first).split(separator: "\n")
        let entries = table.dropFirst(2).prefix { $0.hasSuffix("n ") }
        // The catalogue, the pages' list, the font, and two for each page.
        #expect(entries.count >= 12, "\(entries.count)")
        for (index, entry) in entries.enumerated() {
            let offset = try #require(Int(entry.prefix(10)))
            #expect(bytes[offset...].starts(with: "\(index + 1) 0 obj\n".utf8))
        }
    }

    @Test(arguments: [
        ("aruco-4x4-50", 50, 0.04, "no marker 50 in “aruco-4x4-50”; expected ids from 0 to 49"),
        (
            "aruco-4x4-50", 1, 0.4, "a marker of 0.4 m doesn't fit a page of 210.0×297.0 mm; expected a smaller one"
        ),
    ])
    func refusals(dictionary: String, id: Int, side: Double, complaint: String) {
        #expect {
            _ = try MarkerSheet(dictionary: dictionary, ids: [id], side: side, page: .a4)
        } throws: {
            "\($0)" == complaint
        }
    }
}

extension String {
    /// What follows each place of a text.
    fileprivate func components(after text: String) -> [Substring] {
        var found: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            rest = rest[range.upperBound...]
            found.append(rest)
        }
        return found
    }
}
