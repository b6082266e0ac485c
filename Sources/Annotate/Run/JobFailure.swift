/// Why a job failed.
public struct JobFailure: Error, Record, Hashable, CustomStringConvertible {
    /// The kind of a reason.
    public enum Code: String, Sendable, CaseIterable {
        /// A file couldn't be opened, read, decoded or written: `file`.
        case file
        /// A stage failed: `stage`, at `frame`.
        case stage
        /// It would have taken more time, memory or frames than it may.
        case limit
        /// It took its worker with it by a fault of its own: it would again.
        case crash
        /// Somebody ended its worker, or there was none to be had.
        case worker
        /// Anything else; so too where an earlier run's report tells of it.
        case other
    }

    /// The reason's kind.
    public var code = Code.other
    /// The reason, one sentence.
    public var reason = ""
    /// The stage's id.
    public var stage: String?
    /// The frame's number in the video, from 0.
    public var frame: Int?
    /// The file's path.
    public var file: String?
    /// True for reasons that may pass by themselves: no space, no memory, a worker that somebody killed.
    public var mayPass = false

    /// True where its worker did nothing any more. Not kept.
    var isIdle = false

    public init() {}

    /// A failure by its kind and a sentence, out of which secrets of addresses are taken.
    public init(_ code: Code, _ reason: String, mayPass: Bool = false) {
        (self.code, self.reason, self.mayPass) = (code, reason.withoutSecrets, mayPass)
    }

    public static let fields: [Field<JobFailure>] = [
        Field("code", \.code, Format<Code>.choice(), doc: "What kind of reason it is."),
        Field("reason", \.reason, .text(), doc: "In a sentence."),
        Field("stage", \.stage, .text(), doc: "The stage's id."),
        Field("frame", \.frame, .integer(), doc: "The frame's number."),
        Field("file", \.file, .text(), doc: "The file's path."),
        Field("mayPass", \.mayPass, .flag, doc: "Whether it may pass."),
    ]

    /// True where it took its worker with it.
    public var isCrash: Bool { code == .crash }
    public var description: String { reason }

    /// The failure that an error is: its kind, stage, frame and file as far as the error tells them, and whether it may
    /// pass.
    public init(_ error: any Error) {
        self.init(.other, "\(error)")
        var error = error
        if let failed = error as? StageError {
            (code, stage, frame, error) = (.stage, failed.stage, failed.frame, failed.underlying)
        }
        switch error {
        case let error as FileError:
            if code == .other { code = .file }
            (file, mayPass) = (RemoteAddress.shown(error.path), error.mayPass)
        case let error as TrackFileError: (code, file) = (.file, RemoteAddress.shown(error.path))
        default: break
        }
        // A library that can't open its files says anything of it, that there is no font say.
        if !mayPass, !Files.mayOpenMore {
            reason += " (there are hardly any descriptors left: too many open files)"
            mayPass = true
        }
        // So does one that can't start its threads.
        if !mayPass, Worker.lack != nil {
            reason += " (there are hardly any threads left: too many processes)"
            mayPass = true
        }
    }
}
