internal import CFFmpeg

/// The times of pictures that an MP4 can say: each lasts until the next one in decoding order, the last as long as it
/// says, in ticks that fit 32 bits.
struct MP4Timeline {
    private var first: (pts: Int64, dts: Int64)?
    private var lastDTS: Int64?
    /// Time at which the last picture shown ends, ticks.
    private var end = Int64.min

    /// The most ticks from a picture to the next: FFmpeg's reader takes the largest number of 32 bits with a sign for none.
    private static let longest = Int64(Int32.max) - 1

    /// - Throws: `FileError` where a packet's time doesn't fit.
    mutating func add(_ packet: Packet, path: String) throws {
        let av = packet.av.pointee
        if let lastDTS, av.dts <= lastDTS {
            throw FileError(
                "write", path: path,
                reason:
                    "the source's time stamps are beyond what an MP4 can hold; “codec”: “none” writes the tracks alone")
        }
        if let lastDTS, av.dts &- lastDTS > Self.longest {
            throw FileError(
                "write", path: path,
                reason: "the gap between two pictures, \(av.dts &- lastDTS) of the source's ticks, is more than the "
                    + "\(Self.longest) that an MP4 can hold; “range” leaves one side out, “codec”: “none” writes the tracks alone"
            )
        }
        if av.pts &- av.dts > 2 * DecodingTimes.longest {
            throw FileError(
                "write", path: path,
                reason:
                    "behind the gap between two pictures, \(av.pts &- av.dts) of the source's ticks, programs that read "
                    + "an MP4 would lose all times; expected “segment” above 0 in “encode”, or “codec”: “ffv1” or “none”"
            )
        }
        if first == nil {
            first = (av.pts, av.dts)
        } else if let known = first, av.pts < known.pts {
            first?.pts = av.pts
        }
        lastDTS = av.dts
        end = max(end, av.pts &+ max(1, av.duration))
    }

    /// Makes the last packet in decoding order, which needn't be the last one shown, end the track where the last picture
    /// ends.
    func stretch(last packet: Packet) {
        guard let first, let lastDTS else { return }
        packet.av.pointee.duration = max(1, (end &- first.pts) &- (lastDTS &- first.dts))
    }
}
