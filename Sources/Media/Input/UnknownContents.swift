/// Sentences on a source in which FFmpeg finds nothing that it knows: what it is, what was expected, what to do.
enum UnknownContents {
    /// - Parameter error: What FFmpeg said when it couldn't open the source.
    static func error(_ error: FileError, of input: MediaInput) -> FileError {
        var error = error
        error.reason = reason(error.reason, input)
        return error
    }

    private static func reason(_ said: String, _ input: MediaInput) -> String {
        var kind: FileKind?
        if case .file(let path) = input { kind = FileKind(path: path) }
        let isUnindexed = said.contains("moov atom not found")
        switch kind {
        // By its ending alone FFmpeg takes a file for an MP4; on standard input there is none.
        case .video where isUnindexed, nil where isUnindexed:
            return
                "its index (moov) is missing, as where a copy or a recording was broken off; copy it again, or mend it"
        case .video, .picture:
            return "\(said); it begins as \(kind?.words ?? "") and is damaged or cut off: copy it again"
        case .archive, .pdf, .trackFile, .report, .json, .text:
            return "it is \(kind?.words ?? ""), no video; expected a video or a picture that FFmpeg reads"
        case .binary, nil:
            return "it is no video or picture that FFmpeg knows; expected one: see what the file is, or copy it again"
        }
    }

    /// The error of an MP4 on standard input whose pictures can't be told apart before its end has been read.
    /// - Parameter error: What FFmpeg said when it read the first packet.
    static func unstreamable(_ error: FileError) -> FileError {
        var error = error
        if error.reason.contains("partial file") {
            error.reason =
                "its index (moov) is at the end, and such an MP4 can't be streamed; name the file instead, "
                + "or write it with “-movflags +faststart”"
        }
        return error
    }
}
