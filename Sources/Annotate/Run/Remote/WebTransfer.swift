internal import Glibc

/// Fetches one file of the web by the program `curl`: whole, or not at all.
///
/// What was cut off is gone on with where the server says, by a strong entity tag (RFC 9110, 8.8.3 and 13.1.5), that it is
/// still the same file; else it begins anew. A length that isn't the one that was told is no whole file.
struct WebTransfer {
    let address: RemoteAddress
    /// Where it goes.
    let file: String
    /// A private folder for what is needed meanwhile.
    let folder: String
    /// Asked many times a second: a reason ends the transfer.
    let whyEnd: () -> (any Error)?
    /// Why a file of so many bytes can't lie here; nil where it can.
    let whyTooMuch: (Int64) -> (any Error)?

    enum End {
        /// The server has still what the entity tag means.
        case unchanged
        case whole(etag: String?)
    }

    /// The most times that it is tried.
    private static let attempts = 6
    /// The most seconds that a server may want to be left alone before the next try; one that wants more is given up.
    private static let longestWait = 60.0

    private static let curl = [
        "curl", "--disable", "--globoff", "--silent", "--show-error", "--fail", "--location", "--max-redirs", "10",
        "--proto", "=http,https", "--proto-redir", "=http,https", "--connect-timeout", "30", "--speed-limit", "1",
        "--speed-time", "60",
        // What a proxy says of the way is no answer of the server's.
        "--suppress-connect-headers", "--config", "-",
    ]

    /// Exit statuses of curl that stand for a connection that failed or broke off.
    private static let passing: Set<Int32> = [5, 6, 7, 16, 18, 28, 35, 52, 55, 56, 92]
    /// Those for a file that it can't write, a part that the server doesn't give, and an answer that is an error.
    private static let (unwritten, wholeAgain, refused): (Int32, Int32, Int32) = (23, 33, 22)

    /// - Parameter etag: The file isn't wanted where it has this entity tag still.
    /// - Throws: `JobFailure`, and what `whyEnd` gives.
    func run(unless etag: String?) throws -> End {
        var tag: String?
        var hasRanges = true
        var wait = 0.0
        var last = JobFailure(.file, "could not fetch \(address.shown)", mayPass: true)
        for attempt in 0..<Self.attempts {
            if attempt > 0 { try pause(max(0.1 * Double(1 << attempt), wait)) }
            wait = 0
            let start = tag == nil ? 0 : Files.status(file)?.size ?? 0
            if start == 0 { unlink(file) }
            unlink(headers)
            let condition = start > 0 ? tag.map { "If-Range: \($0)" } : etag.map { "If-None-Match: \($0)" }
            let status = try ChildProgram.run(
                Self.curl, input: settings(from: start, condition), errors: errors
            ) { whyEnd() ?? (start == 0 ? refusalSoFar() : nil) }
            let answer = Response(file: headers)
            if status == 0, answer.status == 304, start == 0, etag != nil { return .unchanged }
            // Some releases of curl take that for the end of a file that is whole.
            if start > 0, answer.status == 416, [0, Self.refused].contains(status) {
                tag = nil
                last = failure("the server has nothing behind the \(start) bytes that came of it", true)
                continue
            }
            // Nothing else is an answer with a file: 304 where nothing is held of it neither.
            if status == 0, ![200, 203, 206].contains(answer.status) {
                throw failure("the server answered \(answer.status)", false)
            }
            if status == 0, let refusal = refusal(of: answer) { throw refusal }
            if answer.hasNoRanges { hasRanges = false }
            let begun = tag
            tag = nil
            switch status {
            case 0:
                let size = Files.status(file)?.size ?? 0
                if start > 0, answer.status != 206 || answer.etag != begun {
                    last = failure("it changed under way", true)
                } else if let total = answer.total, total != size {
                    last = failure("\(size) bytes came of the \(total) that the server told of", true)
                } else if !answer.tellsEnd {
                    last = failure("the server doesn't say which part it gave", true)
                } else {
                    return .whole(etag: answer.etag)
                }
            case Self.wholeAgain:
                // It gives all where a part was asked for: of another file, or since it has no parts.
                let isSame = answer.strongTag != nil && answer.strongTag == begun
                if isSame { hasRanges = false }
                last = failure(isSame ? "it broke off, and \(Self.noRanges)" : "it changed under way", true)
            case Self.refused:
                let mayPass = answer.status >= 500 || [408, 429].contains(answer.status)
                last = failure("the server answered \(answer.status)", mayPass)
                if !mayPass { throw last }
                wait = answer.retryAfter ?? 0
                guard wait <= Self.longestWait else {
                    throw failure(
                        "the server answered \(answer.status), and wants to be asked again in \(plain(wait)) s", true)
                }
            case Self.unwritten:
                guard let reason = Fetcher.whyNoRoom(in: folder) else { throw failure(said(status), false) }
                // Others may go, while this one would only fill it again.
                throw failure(reason, true)
            case let status where Self.passing.contains(status):
                last = failure(said(status) + (hasRanges ? "" : "; \(Self.noRanges)"), true)
                // Of a first answer only what it said of itself can be held against the next.
                tag = start > 0 ? begun : answer.status == 200 && hasRanges ? answer.strongTag : nil
            default:
                throw failure(said(status), status > 128)
            }
        }
        throw last
    }

    private static let noRanges = "the server has no ranges, so that it begins anew each time"

    /// Why nothing that an answer brings can be used, whatever is still to come; nil for one that can.
    private func refusal(of answer: Response) -> JobFailure? {
        guard [200, 203].contains(answer.status) else { return nil }
        if let coding = answer.coding {
            return failure(
                "the server sends it packed (Content-Encoding: \(coding)), which nobody asked for; "
                    + "expected the file as it is", false)
        }
        return answer.tellsEnd
            ? nil
            : failure("the server doesn't say how long it is, so that nobody knows whether it is whole", false)
    }

    /// The same of one that has begun from the first byte on, before all of it is there.
    private func refusalSoFar() -> (any Error)? {
        // Behind all that the server says of it comes the file.
        guard Files.status(file) != nil else { return nil }
        let answer = Response(file: headers)
        guard answer.isWhole else { return nil }
        // What won't fit isn't waited for.
        return refusal(of: answer) ?? (answer.status == 200 ? answer.total.flatMap(whyTooMuch) : nil)
    }

    private var headers: String { folder + "/headers" }
    private var errors: String { folder + "/errors" }

    private func failure(_ reason: String, _ mayPass: Bool) -> JobFailure {
        JobFailure(.file, "could not fetch \(address.shown): \(reason)", mayPass: mayPass)
    }

    /// What curl said last, without what is secret of the address.
    private func said(_ status: Int32) -> String {
        Fetcher.lastWords(in: errors, of: address) ?? "curl ended with status \(status)"
    }

    /// The address stands here: nobody sees it in a list of processes.
    private func settings(from start: Int64, _ header: String?) -> String {
        var lines = [("url", address.text), ("output", file), ("dump-header", headers)]
        if let header { lines.append(("header", header)) }
        if start > 0 { lines.append(("continue-at", String(start))) }
        return lines.map { name, value in
            let quoted = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\(name) = \"\(quoted)\"\n"
        }.joined()
    }

    private func pause(_ seconds: Double) throws {
        let end = monotonicSeconds() + seconds
        while monotonicSeconds() < end {
            if let reason = whyEnd() { throw reason }
            sleep(seconds: 0.02)
        }
    }

    /// The last answer of a server, of those on the way to it.
    struct Response {
        private(set) var status = 0
        /// Whether all that the server says of what it sends is there.
        let isWhole: Bool
        /// Whether what is sent has its end whatever its length: frames of HTTP/2 and 3 do.
        private var isFramed = false
        private var fields: [String: String] = [:]

        init(file: String) {
            // Where no answer came there is no file.
            self.init(String(decoding: (try? Files.read(file)) ?? [], as: UTF8.self))
        }

        init(_ text: String) {
            isWhole = text.hasSuffix("\r\n\r\n") || text.hasSuffix("\n\n")
            for line in text.split(whereSeparator: \.isNewline) {
                if line.hasPrefix("HTTP/") {
                    let words = line.split(separator: " ")
                    (status, fields) = (words.count > 1 ? Int(words[1]) ?? 0 : 0, [:])
                    isFramed = ["HTTP/2", "HTTP/3"].contains { line.hasPrefix($0) }
                } else if let colon = line.firstIndex(of: ":") {
                    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
                    fields[line[..<colon].lowercased()] = String(value)
                }
            }
        }

        /// The entity tag, where it is one.
        var etag: String? {
            fields["etag"].flatMap { Self.isTag($0) ? $0 : nil }
        }

        /// Whether a text is an entity tag.
        static func isTag(_ text: String) -> Bool {
            text.utf8.count <= 256 && text.hasSuffix("\"") && (text.hasPrefix("\"") || text.hasPrefix("W/\""))
                && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }

        /// The same, where it stands for the very bytes.
        var strongTag: String? { etag.flatMap { $0.hasPrefix("W/") ? nil : $0 } }

        /// Bytes of the whole file; nil where it isn't told.
        var total: Int64? {
            if status == 206 { return fields["content-range"]?.split(separator: "/").last.flatMap { Int64($0) } }
            return isChunked ? nil : fields["content-length"].flatMap { Int64($0) }
        }
        private var isChunked: Bool { fields["transfer-encoding"] != nil }
        /// Whether curl knows where the file ends.
        var tellsEnd: Bool { total != nil || isChunked || isFramed && status != 206 }
        /// How it is packed; nil where it isn't.
        var coding: String? {
            guard let written = fields["content-encoding"] else { return nil }
            let plain = isAsStored ? ["identity", "aws-chunked"] : ["identity"]
            let codings = written.lowercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
            return codings.allSatisfy(plain.contains) ? nil : written.inOneLine
        }
        /// Whether its length is that of the file: some stores leave on what they send as it is the word for the pieces
        /// in which it was brought to them.
        private var isAsStored: Bool {
            guard let total else { return false }
            return fields["x-amz-decoded-content-length"].map { Int64($0) == total } ?? true
        }
        /// Seconds after which the server wants to be asked again (RFC 9110, 10.2.3); nil where it names none. A date is one of its
        /// own clock, which its answer says; nil where it doesn't.
        var retryAfter: Double? {
            guard let text = fields["retry-after"] else { return nil }
            if text.allSatisfy(\.isNumber) { return text.utf8.count < 10 ? Double(text) : nil }
            guard let then = HTTPDate.seconds(text), let now = fields["date"].flatMap(HTTPDate.seconds) else {
                return nil
            }
            return max(0, then - now)
        }
        /// Whether the server says that it has no ranges.
        var hasNoRanges: Bool { fields["accept-ranges"]?.lowercased() == "none" }
    }
}
