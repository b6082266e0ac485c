/// A code of bars or modules.
struct BarcodeFinding: Finding {
    static let kind = "barcode"
    static let doc = "A code: its symbology is the label, its polygon starts at its own top left."
    static let place = Place.polygon
    static let style = DrawStyle {
        $0.confidence = false
        // A few mean values of a line may still be read.
        $0.usualCover = .fill
    }

    var payload = Payload.text("")
    var supplement: String?

    static let fields: [Field<BarcodeFinding>] = [
        Field("payload", \.text, .text(), .without("payloadBase64"), doc: "What the code says."),
        Field("payloadBase64", \.bytes, .base64, doc: "The same in Base64, where its bytes are no UTF-8."),
        Field(
            "supplement", \.supplement, .text(),
            doc: "Digits of the EAN-2 or EAN-5 beside an EAN or UPC, where `supplements` asks for them."),
    ]

    /// The payload in one line.
    func title(_ head: Observation) -> String? {
        switch payload {
        case .text(let text):
            // What separates fields has no picture in a font.
            String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }

    private var text: String? {
        get { if case .text(let text) = payload { text } else { nil } }
        set { if let newValue { payload = .text(newValue) } }
    }

    private var bytes: [UInt8]? {
        get { if case .bytes(let bytes) = payload { bytes } else { nil } }
        set { if let newValue { payload = .bytes(newValue) } }
    }
}

/// The payload of a code.
enum Payload: Sendable, Hashable {
    case text(String)
    /// Bytes that are no UTF-8.
    case bytes([UInt8])
}
