/// The error of a sink of another package. Those of this one say which file it was.
struct SinkError: Error, CustomStringConvertible {
    /// The form's name.
    var form: String
    /// The number of the frame that it was given; nil at the end.
    var frame: Int?
    var underlying: any Error

    var description: String {
        "the form “\(form)” failed \(frame.map { "at frame \($0)" } ?? "when it was finished"): \(underlying)"
    }

    /// Runs what a sink does, and names it where that fails.
    static func named(_ sink: any Sink, frame: Int?, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error where error is FileError || error is CancelledError {
            throw error
        } catch {
            throw SinkError(form: type(of: sink).format.name, frame: frame, underlying: error)
        }
    }
}
