/// What a glance reads, gathered without proving it, and proven later where it isn't known already.
extension BarcodeSearch {
    /// Keeps what one attempt has read, with what speaks for it.
    mutating func gather(_ readings: [BarcodeEvidence.Reading], isPlain: Bool) {
        gathered += readings.map { reading in
            var code = reading.code
            code.support = BarcodeSupport(
                attempt: attempts, isPlain: isPlain, lines: reading.lines, height: reading.height,
                stretched: reading.stretched)
            return code
        }
        attempts += 1
    }

    /// Whether a symbol that corrects errors was read there: another look would be at what is known.
    func hasGathered(at place: [Point]) -> Bool {
        gathered.contains { $0.symbology.correctsErrors && BarcodeEvidence.areOne($0.polygon, place) }
    }

    /// Takes what a glance has gathered as evidence, and looks again where that takes more.
    mutating func prove(_ readings: [FoundBarcode]) {
        for attempt in Set(readings.compactMap(\.support?.attempt)).sorted() {
            let same = readings.filter { $0.support?.attempt == attempt }
            take(
                same.compactMap { code in code.support.map { outlined(code, $0) } },
                isPlain: same.allSatisfy { $0.support?.isPlain ?? false })
        }
        confirm(attempts: Self.confirmations)
    }

    /// What was gathered as evidence, with its outline.
    private func outlined(_ code: FoundBarcode, _ support: BarcodeSupport) -> BarcodeEvidence.Reading {
        var code = code
        code.support = nil
        let reading = BarcodeEvidence.Reading(code: code, lines: support.lines, height: support.height)
        if let fitted = fitted(reading) { return fitted }
        guard let stretched = support.stretched else { return reading }
        var out = reading
        (out.code.polygon, out.isFitted) = (stretched, true)
        return out
    }
}
