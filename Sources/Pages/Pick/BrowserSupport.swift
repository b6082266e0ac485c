import Annotate

/// Codecs and pixels that browsers play by themselves.
enum BrowserSupport {
    /// Codecs, with the pixels that they may have.
    private static let pixels: [String: Set<String>] = [
        "h264": ["yuv420p", "yuvj420p"], "vp8": ["yuv420p"], "vp9": ["yuv420p"], "av1": ["yuv420p"],
    ]
    private static let containers = ["mov,mp4,m4a,3gp,3g2,mj2": "MP4 and MOV", "matroska,webm": "Matroska and WebM"]

    /// Why a browser can't be counted on to show a clip; nil where it can.
    static func lack(of info: SourceInfo, frames: Int) -> String? {
        if frames == 1 { return "it is a photo" }
        if containers[info.container] == nil {
            return "browsers don't play the container \(info.container.prefix { $0 != "," })"
        }
        guard let pixels = pixels[info.codec] else { return "browsers don't play \(info.codec)" }
        guard pixels.contains(info.pixelFormat) else {
            return "browsers don't play \(info.codec) with pixels of \(info.pixelFormat)"
        }
        if info.isMirrored { return "browsers don't mirror what says that it is mirrored" }
        return nil
    }
}
