/// What is known of a source only when it has been read.
package struct SourceOutcome {
    /// Damaged pictures that the decoder patched up.
    package var concealed = 0
    /// Damaged packets that the decoder refused.
    package var skipped = 0
    /// The file ends before all that it should hold.
    package var isCutOff = false
    /// nil for progressive pictures.
    package var fieldOrder: FieldOrder?
    package var isDeinterlaced = false
    /// False where packets made no picture or one that isn't theirs alone, or times were made up.
    package var isRegular = true

    package init(
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
