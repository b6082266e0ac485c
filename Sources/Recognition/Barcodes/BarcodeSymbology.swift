internal import CZXing

/// Kinds of codes; the raw value is what manifests and track files say.
enum BarcodeSymbology: String, CaseIterable, Sendable {
    case aztec, codabar, code39, code93, code128, dataBar, dataBarExpanded, dataBarLimited, dataMatrix, ean8, ean13,
        itf,
        maxiCode, microPDF417, microQR, pdf417, qr, rmqr, upca, upce

    var bit: UInt32 {
        let symbology =
            switch self {
            case .aztec: ZX_AZTEC
            case .codabar: ZX_CODABAR
            case .code39: ZX_CODE_39
            case .code93: ZX_CODE_93
            case .code128: ZX_CODE_128
            case .dataBar: ZX_DATA_BAR
            case .dataBarExpanded: ZX_DATA_BAR_EXPANDED
            case .dataBarLimited: ZX_DATA_BAR_LIMITED
            case .dataMatrix: ZX_DATA_MATRIX
            case .ean8: ZX_EAN_8
            case .ean13: ZX_EAN_13
            case .itf: ZX_ITF
            case .maxiCode: ZX_MAXI_CODE
            case .microPDF417: ZX_MICRO_PDF_417
            case .microQR: ZX_MICRO_QR
            case .pdf417: ZX_PDF_417
            case .qr: ZX_QR
            case .rmqr: ZX_RMQR
            case .upca: ZX_UPC_A
            case .upce: ZX_UPC_E
            }
        return symbology.rawValue
    }

    /// Bits of those under which a symbol of the kind may be read: a UPC-A is an EAN-13 that starts with a zero.
    var family: UInt32 {
        switch self {
        case .ean13, .upca: Self.ean13.bit | Self.upca.bit
        default: bit
        }
    }

    /// How its rows of bars may stand on one another; nil for a code that has none, or whose place is told as a whole.
    var stacking: BarcodeExtent.Stacking? {
        switch self {
        case .dataBar, .dataBarExpanded: .rows
        case .pdf417: .framed
        default: correctsErrors ? nil : BarcodeExtent.Stacking.none
        }
    }

    init?(bit: UInt32) {
        guard let known = Self.allCases.first(where: { $0.bit == bit }) else { return nil }
        self = known
    }

    /// Safety: how sure a symbol of the kind is read as what it says.
    enum Safety {
        /// Its symbols correct errors: none is read into noise by chance.
        case errorCorrection
        /// Its checks let about one in a hundred wrong readings pass, and its characters are hard to mistake.
        case checked
        /// A check digit at the most.
        case weak
        /// Short, or without a check: a part of a symbol may pass for a whole.
        case weaker
        /// Short, and much like a part of other kinds' symbols.
        case weakest
    }

    var safety: Safety {
        switch self {
        case .aztec, .dataMatrix, .maxiCode, .microPDF417, .microQR, .pdf417, .qr, .rmqr: .errorCorrection
        case .code93, .code128, .dataBar, .dataBarExpanded, .dataBarLimited: .checked
        case .code39, .ean13, .upca: .weak
        case .codabar, .ean8, .itf: .weaker
        case .upce: .weakest
        }
    }

    /// Whether its symbols are rows of bars that correct errors.
    var isStacked: Bool { correctsErrors && bit & Self.rowsOfBars != 0 }

    var correctsErrors: Bool { safety == .errorCorrection }

    /// Bits of the symbologies whose symbols are rows of bars.
    static let rowsOfBars = allCases.filter { !$0.correctsErrors || $0 == .pdf417 || $0 == .microPDF417 }
        .reduce(UInt32(0)) { $0 | $1.bit }
    /// Bits of the symbologies whose symbols correct errors.
    static let matrices = allCases.filter(\.correctsErrors).reduce(UInt32(0)) { $0 | $1.bit }
}
