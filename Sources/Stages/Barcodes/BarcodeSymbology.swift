internal import CZXing

/// Kinds of codes; the raw value is what manifests and sidecars say.
enum BarcodeSymbology: String, CaseIterable, Sendable {
    case aztec, codabar, code39, code93, code128, dataMatrix, ean8, ean13, itf, microQR, pdf417, qr, upca, upce

    var bit: UInt32 {
        let symbology =
            switch self {
            case .aztec: ZX_AZTEC
            case .codabar: ZX_CODABAR
            case .code39: ZX_CODE_39
            case .code93: ZX_CODE_93
            case .code128: ZX_CODE_128
            case .dataMatrix: ZX_DATA_MATRIX
            case .ean8: ZX_EAN_8
            case .ean13: ZX_EAN_13
            case .itf: ZX_ITF
            case .microQR: ZX_MICRO_QR
            case .pdf417: ZX_PDF_417
            case .qr: ZX_QR
            case .upca: ZX_UPC_A
            case .upce: ZX_UPC_E
            }
        return symbology.rawValue
    }

    init?(bit: UInt32) {
        guard let known = Self.allCases.first(where: { $0.bit == bit }) else { return nil }
        self = known
    }

    /// True for those whose symbols correct errors: what such a symbol says is not read into noise by chance.
    var correctsErrors: Bool {
        switch self {
        case .aztec, .dataMatrix, .microQR, .pdf417, .qr: true
        default: false
        }
    }
}
