/// Facts on a source that are known only when it has been read.
public struct SourceOutcome {
    /// How many damaged pictures the decoder patched up.
    public var concealed = 0
    /// How many pictures are missing because of damage.
    public var skipped = 0
    /// Whether the file ends before all that it should hold.
    public var isCutOff = false
    /// The order of fields of interlaced pictures; nil for progressive ones.
    public var fieldOrder: FieldOrder?
    /// Whether pictures were deinterlaced.
    public var isDeinterlaced = false
    /// Whether each packet made one picture of its own, with the source's time; false where times were made up or guessed, too.
    public var isRegular = true

    /// The facts on a source; those left out are a sound one's: progressive, whole, with times of its own.
    public init(
        concealed: Int = 0, skipped: Int = 0, isCutOff: Bool = false, fieldOrder: FieldOrder? = nil,
        isDeinterlaced: Bool = false, isRegular: Bool = true
    ) {
        self.concealed = concealed
        self.skipped = skipped
        self.isCutOff = isCutOff
        self.fieldOrder = fieldOrder
        self.isDeinterlaced = isDeinterlaced
        self.isRegular = isRegular
    }
}
