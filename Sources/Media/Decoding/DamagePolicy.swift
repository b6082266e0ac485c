/// The policy on a damaged packet.
public enum DamagePolicy: String, Sendable, CaseIterable {
    /// The job fails.
    case fail
    /// What can't be decoded is left out, what the decoder patched up is kept; both are counted.
    case skipFrame = "skip-frame"
}
