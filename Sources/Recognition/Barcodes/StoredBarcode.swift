extension FoundBarcode: Record, Storable {
    init() { self.init(symbology: .qr, payload: .text(""), polygon: []) }

    static let fields: [Field<Self>] = [
        Field("symbology", \.symbology, Format<BarcodeSymbology>.choice(), doc: "What it is."),
        Field(
            "text", .text(), .optional, doc: "What it says.",
            get: { if case .text(let text) = $0.payload { text } else { nil } }, set: { $1.payload = .text($0) }),
        Field(
            "bytes", .base64, .optional, doc: "What it says, where that is no text.",
            get: { if case .bytes(let bytes) = $0.payload { bytes } else { nil } }, set: { $1.payload = .bytes($0) }),
        Field("polygon", \.polygon, .list(.exactPoint), unit: "px", doc: "Its corners."),
        Field("supplement", \.supplement, .text(), doc: "Digits beside it."),
        Field("isSure", \.isSure, .flag, doc: "Whether one picture is enough."),
        Field("isRune", \.isRune, .flag, doc: "Whether it is an Aztec rune."),
        Field(
            "support", \.support, .record(doc: "What speaks for it."),
            doc: "What speaks for it, where it has to be proven."),
    ]
}
