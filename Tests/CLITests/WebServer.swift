import Foundation
import Glibc
import Synchronization

/// A server of the web on this machine, as reliable as its answers. As a proxy it leads to itself.
final class WebServer: Sendable {
    struct Request: Sendable {
        var path: String
        /// By their names in small letters.
        var fields: [String: String]
        /// How many came for this path, this one among them.
        var number: Int
        /// The first byte that is wanted; nil for all.
        var start: Int? {
            guard let range = fields["range"], range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
            return Int(range.dropFirst(6).dropLast())
        }
    }

    struct Answer: Sendable {
        var status = 200
        var fields: [String] = []
        var body: [UInt8] = []
        /// Bytes of the body after which the connection is closed; nil for all.
        var cut: Int?
        /// Microseconds between pieces of the body.
        var pause: UInt32 = 0
        var tellsLength = true
    }

    let port: Int
    private let socket: Int32
    private let log = Mutex<[Request]>([])

    init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        signal(SIGPIPE, SIG_IGN)
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = socket
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard code else { throw ProgramError(description: "no port") }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { [self] in
                    serve(connection, answer)
                    close(connection)
                }
            }
        }
    }

    func stop() { shutdown(socket, Int32(SHUT_RDWR)) }

    func address(_ path: String, user: String = "") -> String { "http://\(user)127.0.0.1:\(port)/\(path)" }

    /// What was asked for so far.
    var requests: [Request] { log.withLock { $0 } }

    /// The lines of what is asked for next; none where nothing is.
    private func receive(_ connection: Int32) -> [String] {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !text.contains("\r\n\r\n") {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return [] }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return text.split(separator: "\r\n").map(String.init)
    }

    private func serve(_ connection: Int32, _ answer: (Request) -> Answer) {
        var lines = receive(connection)
        if lines.first?.hasPrefix("CONNECT ") == true {
            send(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8), connection)
            lines = receive(connection)
        }
        guard !lines.isEmpty else { return }
        let path = String(lines[0].split(separator: " ")[1].dropFirst())
        let fields = lines.dropFirst().compactMap { line -> (String, String)? in
            line.firstIndex(of: ":").map {
                (line[..<$0].lowercased(), line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces))
            }
        }
        let request = log.withLock { log in
            let number = log.count { $0.path == path } + 1
            log.append(Request(path: path, fields: Dictionary(fields) { $1 }, number: number))
            return log[log.count - 1]
        }
        let reply = answer(request)
        var head = ["HTTP/1.1 \(reply.status) As it is", "Connection: close"] + reply.fields
        if reply.tellsLength { head.append("Content-Length: \(reply.body.count)") }
        send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8), connection)
        let body = reply.body[..<min(reply.cut ?? .max, reply.body.count)]
        for start in stride(from: 0, to: body.count, by: 16 << 10) {
            guard send(Array(body[start..<min(start + 16 << 10, body.count)]), connection) else { return }
            if reply.pause > 0 { usleep(reply.pause) }
        }
    }

    @discardableResult
    private func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { write(connection, $0.baseAddress! + sent, bytes.count - sent) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
