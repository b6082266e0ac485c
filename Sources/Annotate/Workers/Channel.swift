internal import CWorker
internal import Glibc

/// Messages over a stream socket between a worker and whoever started it: each its length in four bytes, then its bytes.
///
/// One thread sends and one receives at a time.
final class Channel: Sendable {
    let descriptor: Int32
    /// The longest message, bytes: a manifest of a hundred thousand jobs has some tens of megabytes.
    static let longest = 1 << 30

    /// - Parameter patience: Seconds that the other side may take in the middle of a message; nil for any time.
    init(descriptor: Int32, patience: Int? = nil) {
        self.descriptor = descriptor
        guard let patience else { return }
        var time = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Sends a message.
    /// - Throws: `FileError` where the other side is gone.
    func send(_ message: [UInt8]) throws {
        guard message.count <= Self.longest else {
            throw FileError("send", path: "a message", reason: "it is too long")
        }
        let length = UInt32(message.count)
        try write((0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + message)
    }

    private func write(_ bytes: [UInt8]) throws {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw systemError("send", "a message") }
            offset += count
        }
    }

    /// Sends to a side that may have ended already, which the next `receive` tells of, by nil: whoever asks why it did asks then.
    func sendToLiving(_ messages: () throws -> Void) throws {
        do {
            try messages()
        } catch let error as FileError where [EPIPE, ECONNRESET].contains(-error.code) {}
    }

    /// Waits for the next message; nil where the other side has closed.
    /// - Parameter limit: Bytes that it may have.
    /// - Throws: `FileError`, also for what is no whole message.
    func receive(limit: Int = Channel.longest) throws -> [UInt8]? {
        guard let head = try read(4) else { return nil }
        let length = head.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
        guard length <= limit, let message = try read(length) else {
            throw FileError("receive", path: "a message", reason: "it isn't whole")
        }
        return message
    }

    /// So many bytes; nil at the end.
    private func read(_ count: Int) throws -> [UInt8]? {
        // Memory follows what comes, not what is announced.
        var bytes: [UInt8] = []
        while bytes.count < count {
            let wanted = min(count - bytes.count, 1 << 20)
            let filled = bytes.count
            bytes += [UInt8](repeating: 0, count: wanted)
            let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + filled, wanted) }
            bytes.removeLast(wanted - max(0, got))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw systemError("receive", "a message") }
            if got == 0 { return nil }
        }
        return bytes
    }
}

extension Channel {
    /// Hands a descriptor over; both keep one.
    func send(descriptor: Int32) throws {
        let code = cwk_send_descriptor(self.descriptor, descriptor)
        guard code == 0 else {
            throw FileError("send", path: "a descriptor", code: code, reason: String(cString: strerror(-code)))
        }
    }

    /// The descriptor that the other side sends next.
    func receiveDescriptor() throws -> Int32 {
        let descriptor = cwk_receive_descriptor(self.descriptor)
        guard descriptor >= 0 else {
            throw FileError(
                "receive", path: "a descriptor", code: descriptor, reason: String(cString: strerror(-descriptor)))
        }
        return descriptor
    }

    /// Sends a JSON value.
    func send(_ write: (inout JSONWriter) -> Void) throws {
        var json = JSONWriter()
        write(&json)
        try send(json.bytes)
    }

    /// - Throws: `FileError`, also for what is no JSON.
    func receiveJSON(limit: Int = 1 << 26) throws -> JSONNode? {
        guard let bytes = try receive(limit: limit) else { return nil }
        do {
            return try JSONParser.parse(bytes)
        } catch {
            throw FileError("receive", path: "a message", reason: "it is no JSON")
        }
    }
}
