/// Appearances as they are stored: one text each, since a list of their numbers would take longer to read than they take to be
/// found. Base64 of the share's 8 bytes and of the values, least byte first: in turn how many are nought, up to 255, how many
/// follow that aren't, and these, 4 bytes each. A histogram is nought in most places.
extension Appearance: Storable {
    func store(into json: inout JSONWriter) {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: share.bitPattern)
        var place = 0
        while place < values.count {
            let start =
                values[place...].prefix(Self.longest).firstIndex { $0.bitPattern != 0 }
                ?? min(place + Self.longest, values.count)
            let end =
                values[start...].prefix(Self.longest).firstIndex { $0.bitPattern == 0 }
                ?? min(start + Self.longest, values.count)
            bytes += [UInt8(start - place), UInt8(end - start)]
            for value in values[start..<end] { bytes.append(littleEndian: value.bitPattern) }
            place = end
        }
        json.value((kind == .stripes ? "s" : "f") + Base64.text(bytes))
    }

    init?(stored: JSONNode) {
        guard let text = stored.string, let mark = text.first, mark == "s" || mark == "f",
            let bytes = Base64.bytes(String(text.dropFirst())), bytes.count >= 8
        else { return nil }
        let share = Double(bitPattern: bytes[..<8].littleEndian())
        var values: [Float] = []
        var place = 8
        while place < bytes.count {
            guard place + 2 <= bytes.count else { return nil }
            let (zeros, count) = (Int(bytes[place]), Int(bytes[place + 1]))
            place += 2
            guard zeros + count > 0, place + 4 * count <= bytes.count else { return nil }
            values += repeatElement(0, count: zeros)
            for _ in 0..<count {
                values.append(Float(bitPattern: bytes[place..<place + 4].littleEndian()))
                place += 4
            }
        }
        self.init(mark == "s" ? .stripes : .features, values, share: share)
    }

    /// The longest run.
    private static let longest = 255
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
        for byte in 0..<number.bitWidth / 8 { append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func littleEndian<Number: FixedWidthInteger>() -> Number {
        reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
