/// What a TensorFlow Lite file says of its outputs (schema.fbs of TensorFlow 2.18, a FlatBuffer): OpenVINO gives the integers of a
/// quantised one as they are, and not what they stand for.
package struct TFLiteFile {
    /// value = (integer − zeroPoint) · scale
    package struct Quantization: Sendable, Equatable {
        package var scale: Float
        package var zeroPoint: Float
    }

    /// By the outputs' names, where they are quantised.
    package let outputs: [String: Quantization]

    /// Whether all that a file leads to is in it, also where it is no such file. OpenVINO follows what isn't.
    package static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 8, Array(bytes[4..<8]) == Array("TFL3".utf8) else { return true }
        guard let model = FlatTable(bytes: bytes, place: 0).following, let graphs = model.wholeTables(2),
            let buffers = model.wholeTables(4), model.wholeTables(1) != nil
        else { return false }
        return buffers.allSatisfy { $0.isWhole(0, size: 1) }
            && graphs.allSatisfy { graph in
                guard let tensors = graph.wholeTables(0), let operators = graph.wholeTables(3) else { return false }
                return graph.isWhole(1, size: 4) && graph.isWhole(2, size: 4)
                    && tensors.allSatisfy { $0.isWhole(0, size: 4) && $0.isWhole(3, size: 1) }
                    && operators.allSatisfy { $0.isWhole(1, size: 4) && $0.isWhole(2, size: 4) }
            }
    }

    /// nil for what is no such file. Of a damaged one what can be found counts: who runs it has the complaint.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count > 8, Array(bytes[4..<8]) == Array("TFL3".utf8) else { return nil }
        let model = FlatTable(bytes: bytes, place: 0).following
        var outputs: [String: Quantization] = [:]
        if let graph = model?.tables(2).first {
            let tensors = graph.tables(0)
            for index in graph.numbers(2, size: 4) where tensors.indices.contains(index) {
                let tensor = tensors[index]
                guard let name = tensor.text(3), let quantization = tensor.table(4),
                    let scale = quantization.numbers(2, size: 4).first
                else { continue }
                outputs[name] = Quantization(
                    scale: Float(bitPattern: UInt32(truncatingIfNeeded: scale)),
                    zeroPoint: Float(quantization.numbers(3, size: 8).first ?? 0))
            }
        }
        self.outputs = outputs
    }
}

/// A table in a FlatBuffer. Places that lie outside of the file are those of nothing.
private struct FlatTable {
    let bytes: [UInt8]
    let place: Int

    /// A signed number, little end first.
    private func number(_ place: Int, size: Int) -> Int? {
        guard place >= 0, place <= bytes.count - size else { return nil }
        let value = (0..<size).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
        let unused = UInt64(64 - 8 * size)
        return Int(Int64(bitPattern: value << unused) >> Int64(unused))
    }

    /// The table that the offset at this place leads to.
    var following: FlatTable? {
        number(place, size: 4).flatMap { $0 > 0 ? FlatTable(bytes: bytes, place: place + $0) : nil }
    }

    /// Where a field is.
    private func field(_ index: Int) -> Int? {
        guard let back = number(place, size: 4), let size = number(place - back, size: 2), 4 + 2 * index + 2 <= size,
            let offset = number(place - back + 4 + 2 * index, size: 2), offset > 0
        else { return nil }
        return place + offset
    }

    func table(_ index: Int) -> FlatTable? { field(index).flatMap { FlatTable(bytes: bytes, place: $0).following } }

    /// The places of a vector's elements.
    private func elements(_ index: Int, size: Int) -> [Int] {
        guard let start = table(index)?.place, let count = number(start, size: 4), count > 0,
            count <= (bytes.count - start) / size
        else { return [] }
        return (0..<count).map { start + 4 + $0 * size }
    }

    /// Whether a vector is absent, or in the file as a whole.
    func isWhole(_ index: Int, size: Int) -> Bool {
        guard isTable else { return false }
        guard field(index) != nil else { return true }
        guard let start = table(index)?.place, let count = number(start, size: 4) else { return false }
        return count >= 0 && count <= (bytes.count - start - 4) / size
    }

    /// The tables that a vector leads to; nil where it or one of them isn't in the file.
    func wholeTables(_ index: Int) -> [FlatTable]? {
        guard isWhole(index, size: 4) else { return nil }
        let places = elements(index, size: 4)
        let tables = places.compactMap { FlatTable(bytes: bytes, place: $0).following }
        return tables.count == places.count && tables.allSatisfy(\.isTable) ? tables : nil
    }

    /// Whether the list of its fields is in the file.
    private var isTable: Bool {
        guard let back = number(place, size: 4), let size = number(place - back, size: 2) else { return false }
        return size >= 4 && place - back + size <= bytes.count
    }

    func tables(_ index: Int) -> [FlatTable] {
        elements(index, size: 4).compactMap { FlatTable(bytes: bytes, place: $0).following }
    }

    func numbers(_ index: Int, size: Int) -> [Int] { elements(index, size: size).compactMap { number($0, size: size) } }

    func text(_ index: Int) -> String? {
        let places = elements(index, size: 1)
        guard let first = places.first, let last = places.last, last < bytes.count else { return nil }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
