/// A track's code, and how it is followed from frame to frame.
struct KnownBarcode: PolygonTrackable {
    var code: FoundBarcode
    /// What it looked like where it was read last; nil where that is of no use.
    var look: BarcodeLook?
    /// Frames since it was read, and after how many it is read again although it looks the same.
    private var sinceReading = 0
    private var patience = 2
    /// How often in a row it wasn't read where it looked the same, and how often it looked otherwise at once.
    private var failures = 0, strays = 0
    /// Frames until another look at it is taken.
    private var rest = 0

    /// Frames after which it is read again at the most; failures after which it isn't followed any more; the longest rest.
    private static let (mostPatience, mostFailures, mostStrays) = (16, 3, 4)

    init(_ code: FoundBarcode) { self.code = code }

    var polygon: [Point] {
        get { code.polygon }
        set { code.polygon = newValue }
    }

    /// Whether it has to be read though it looks the same.
    var isReadingDue: Bool { sinceReading >= patience }
    /// Whether a look at it may be taken where it has been read.
    var wantsLook: Bool { look == nil && sinceReading == 0 && rest == 0 }

    /// It has been read where a look at it, or nothing, led.
    mutating func read(_ code: FoundBarcode) {
        self.code = code
        // A new look is taken of what may have become larger or sharper since.
        look = nil
        patience = min(2 * patience, Self.mostPatience)
        (sinceReading, failures) = (0, 0)
    }

    /// It has been read where it looks the same, by lines that needn't tell its outline.
    mutating func wasRead() { failures = 0 }

    /// It looks the same elsewhere.
    mutating func follow(to place: [Point]) {
        code.polygon = place
        sinceReading += 1
        strays = 0
    }

    /// It wasn't read where it looks the same.
    /// - Returns: whether it may be told all the same.
    mutating func wasNotRead() -> Bool {
        failures += 1
        return failures < Self.mostFailures
    }

    /// It doesn't look the same: it has to be read until it does again.
    mutating func loseLook() {
        look = nil
        patience = 2
        strays = min(strays + 1, Self.mostStrays)
        rest = 1 << strays
    }

    /// Called once a frame.
    mutating func age() { rest = max(0, rest - 1) }
}
