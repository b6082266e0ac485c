internal import CFFmpeg

/// What a source says of its pictures beyond their pixels: passed on with the stream where the container has a place for
/// it, named where it hasn't.
enum StreamSideData {
    /// - Returns: notes on what was left out.
    static func pass(
        from source: VideoEncoder.Source, to stream: UnsafeMutablePointer<AVStream>, path: String
    ) throws -> [String] {
        let frame = (source.original ?? source.first).av
        for (kind, target) in [
            (AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_MASTERING_DISPLAY_METADATA),
            (AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_CONTENT_LIGHT_LEVEL),
            (AV_FRAME_DATA_SPHERICAL, AV_PKT_DATA_SPHERICAL), (AV_FRAME_DATA_STEREO3D, AV_PKT_DATA_STEREO3D),
        ] {
            try check(cff_pass_side_data(frame, kind, stream, target), "describe the video of", path)
        }
        let dropped = [
            (AV_FRAME_DATA_DYNAMIC_HDR_PLUS, "HDR10+ metadata"), (AV_FRAME_DATA_DOVI_METADATA, "Dolby Vision metadata"),
            (AV_FRAME_DATA_ICC_PROFILE, "an ICC profile"),
        ]
        return dropped.filter { av_frame_get_side_data(frame, $0.0) != nil }.map {
            "\($0.1) in the input left out: the output's pictures are as decoded"
        }
    }
}
