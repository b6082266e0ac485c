/// What is known of a source only when it has been read.
struct SourceOutcome {
    /// Damaged pictures that the decoder patched up.
    var concealed = 0
    /// Damaged packets that the decoder refused.
    var skipped = 0
    /// The file ends before all that it should hold.
    var isCutOff = false
    /// nil for progressive pictures.
    var fieldOrder: FieldOrder?
    var isDeinterlaced = false
    /// False where packets made no picture or one that isn't theirs alone, or times were made up.
    var isRegular = true
}
