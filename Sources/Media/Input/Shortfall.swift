/// What a file should hold behind its last packet, and nobody gets.
struct Shortfall {
    /// Pictures that are missing, where that is known; 0 otherwise.
    var pictures = 0
    /// A sentence on it.
    var reason: String
    /// Whether it lies in the file, but can't be read; false for a file that was cut off.
    var isThere = false
}
