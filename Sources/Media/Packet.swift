package import CFFmpeg

/// One compressed packet, owned.
///
/// `@unchecked Sendable`: a packet is made by the reading thread, handed over whole, and touched by one thread at a
/// time.
package final class Packet: @unchecked Sendable {
    package let av: UnsafeMutablePointer<AVPacket>

    package init() throws {
        guard let packet = av_packet_alloc() else { throw outOfMemory("allocate a packet for", "the media file") }
        av = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = av
        av_packet_free(&packet)
    }

    /// Its data, which is there for as long as the body runs.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try body(UnsafeBufferPointer(start: av.pointee.data, count: av.pointee.data == nil ? 0 : Int(av.pointee.size)))
    }
}

/// One picture's memory, owned.
///
/// `@unchecked Sendable`: once published inside a `VideoFrame` nobody writes to it; drawing first makes it writable,
/// which copies it where anyone else still holds a reference.
package final class FrameBuffer: @unchecked Sendable {
    package let av: UnsafeMutablePointer<AVFrame>

    init() throws {
        guard let frame = av_frame_alloc() else { throw outOfMemory("allocate", "a frame") }
        av = frame
    }

    /// A frame with memory of its own for a picture of this size and format.
    package convenience init(width: Int, height: Int, format: AVPixelFormat) throws {
        try self.init()
        av.pointee.width = Int32(width)
        av.pointee.height = Int32(height)
        av.pointee.format = format.rawValue
        try check(av_frame_get_buffer(av, 0), "allocate", "a frame of \(width)×\(height) pixels")
    }

    /// Another reference to the same pixels.
    convenience init(referencing other: FrameBuffer) throws {
        try self.init()
        try check(av_frame_ref(av, other.av), "reference", "a frame")
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = av
        av_frame_free(&frame)
    }

    package var width: Int { Int(av.pointee.width) }
    package var height: Int { Int(av.pointee.height) }
    package var format: AVPixelFormat { AVPixelFormat(rawValue: av.pointee.format) }
    /// Bytes of its planes.
    var byteCount: Int { planes().reduce(0) { $0 + abs($1.stride) * $1.height } }
}
