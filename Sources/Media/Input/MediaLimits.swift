/// Limits on what a media file may ask of the machine before it is refused.
public struct MediaLimits: Sendable, Hashable {
    /// The most pixels of one picture. The default holds 16K video; encoding such a picture takes 1.6 GB.
    public var pixels = 1 << 27
    /// The most pixels of one picture as it is coded, filled up to whole blocks: what a decoder may take memory for.
    var codedPixels: Int { pixels > 1 << 40 ? pixels : 2 * pixels + (1 << 16) }
    /// The most streams of one file.
    public var streams = 256
    /// The most pictures that one job may work on; nil for no limit.
    public var frames: Int?
    /// The most seconds of video that one job may work on; nil for no limit.
    public var duration: Double?

    /// The limits of a program that is told none: 2²⁷ pixels a picture and 256 streams, however long the video is.
    public init() {}

    /// Refuses a file that says itself that it is too long.
    func check(stated duration: Double?, path: String) throws {
        guard let most = self.duration, let duration, duration > most else { return }
        throw FileError(
            "read", path: path, reason: "it lasts \(plain(duration)) s, over the limit of \(plain(most)) s")
    }

    /// Ends a job that has come too far.
    /// - Parameters:
    ///   - frames: so far.
    ///   - seconds: of video so far.
    func check(frames: Int, seconds: Double, path: String) throws {
        if let most = self.frames, frames > most {
            throw FileError("read", path: path, reason: "it has more frames than the limit of \(most)")
        }
        if let most = duration, seconds > most + 1e-6 {
            throw FileError("read", path: path, reason: "it lasts longer than the limit of \(plain(most)) s")
        }
    }
}

/// The picture at which decoding begins. What a decoder keeps from one packet to the next, and what damage leaves in
/// it, can be seen in every picture after that: whoever wants the same pictures again begins at the same place.
package enum DecodingStart: Sendable, Hashable {
    /// Where as little as possible lies before the range, and nothing is lost.
    case nearest
    /// At the picture of this time, ticks of the stream's time base; nil for the file's start.
    case at(Int64?)
}

/// Whether interlaced pictures, those that are told to be two fields, are made whole ones.
public enum Deinterlacing: Sendable {
    /// Pictures stay as they are.
    case never
    /// Pictures are made whole from the first interlaced one on; a file without one is read as it is.
    case ifNeeded
    /// Interlaced pictures are made whole, wherever they come; the others pass through the filter, too.
    case always
}

/// Options by which a file is read.
public struct SourceOptions: Sendable {
    /// Threads that the codec may use.
    public var threads = 1
    /// Whether audio packets are kept, beside the pictures.
    public var keepsAudio = false
    /// What happens at a damaged packet.
    public var onError = DamagePolicy.fail
    /// Whether interlaced pictures are made whole.
    public var deinterlacing = Deinterlacing.never
    /// Pictures a second of image sequences and raw streams, whose files don't say it; nil for FFmpeg's 25.
    public var frameRate: Rational?
    /// The part of the video that is given; nil for all of it.
    public var range: FrameRange?
    package var start = DecodingStart.nearest
    /// Limits beyond which the file is refused.
    public var limits = MediaLimits()
    /// Whether the caller knows which pictures there have to be: that some may be missing at the end isn't looked for.
    package var knowsEnd = false

    /// One thread, the whole video without its sound, an error at the first damage, pictures as they are.
    public init() {}
}
