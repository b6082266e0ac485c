public import Annotate

/// A code of bars or modules.
public struct BarcodeFinding: Finding {
    public static let kind = "barcode"
    public static let doc = "A code: its symbology is the label, its polygon starts at its own top left."
    public static let place = Place.polygon
    public static let style: DrawStyle = {
        var style = DrawStyle()
        style.confidence = false
        return style
    }()

    public var payload = Payload.text("")

    public init() {}

    init(payload: Payload) { self.payload = payload }

    public static let fields: [Field<BarcodeFinding>] = [
        Field("payload", \.text, .text(), .without("payloadBase64"), doc: "What the code says."),
        Field("payloadBase64", \.bytes, .base64, doc: "The same in Base64, where its bytes are no UTF-8."),
    ]

    /// On one line.
    public func title(_ head: Observation) -> String? {
        switch payload {
        case .text(let text): String(text.map { $0.isNewline ? " " : $0 })
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

/// What a code says.
public enum Payload: Sendable, Hashable {
    case text(String)
    /// Bytes that are no UTF-8.
    case bytes([UInt8])
}
