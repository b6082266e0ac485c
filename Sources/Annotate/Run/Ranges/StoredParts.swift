internal import Glibc

/// Parts of a job's video that were looked at by other processes, or earlier: a file for each in the folder of track files,
/// hidden, which goes when the job is whole.
///
/// Such a file is believed where its head says what this process would write there, and the rest is what was written. It is
/// read and removed by the held folder alone: what a link leads to is neither.
struct StoredParts: Sendable {
    /// What is there of a part.
    enum State: Equatable {
        case found
        /// It was looked at, and nothing came of it.
        case failed(String)
        case missing
        /// Something that isn't what it should be; why, in half a sentence.
        case unfit(String)

        /// Whether it need not be looked at again.
        var isThere: Bool {
            switch self {
            case .found, .failed: true
            case .missing, .unfit: false
            }
        }

        /// Why a part is looked at anew.
        var reason: String {
            switch self {
            case .found: "its file is there"
            case .failed(let reason): "it failed (\(reason))"
            case .missing: "it has no file"
            case .unfit(let reason): reason
            }
        }
    }

    private let folder: HeldFolder
    /// Name of the job's track file.
    private let track: String
    /// What each part's head should say.
    private let wanted: [PartHead]

    init(_ wanted: [PartHead], of order: JobOrder, in folder: HeldFolder) {
        (self.wanted, self.folder) = (wanted, folder)
        track = Self.track(of: order)
    }

    static func track(of order: JobOrder) -> String { Files.name(of: order.results.last ?? order.id) }

    private func name(_ part: Int) -> String { ".\(track).part\(part + 1)-of-\(wanted.count)" }

    // MARK: Reading

    /// What is there of a part, from its head, or, where it is asked for, from all of it.
    func state(of part: Int, wholly: Bool) -> State { read(part, wholly ? { _ in } : nil) }

    /// Copies what was found in a part into a file.
    /// - Parameter target: Its path; there is no file where nothing was found.
    /// - Throws: `FileError` where it can't be written.
    func load(_ part: Int, to target: String) throws -> State {
        let file = OutputFile(target: target)
        let writer = try ByteWriter(file)
        var failure: (any Error)?
        let state = read(part) { piece in
            do {
                if failure == nil { try writer.write(piece) }
            } catch {
                failure = error
            }
        }
        try writer.finish()
        if let failure { throw failure }
        if state == .found { try file.commit() } else { file.discard() }
        return state
    }

    /// - Parameter take: Gets what follows the head, piece by piece; nil where only the head is looked at.
    private func read(_ part: Int, _ take: (([UInt8]) -> Void)?) -> State {
        let file: Int32
        do {
            file = try folder.open(name(part))
        } catch {
            guard let error = error as? FileError, error.code != -ENOENT else { return .missing }
            return .unfit("its file can't be read: \(error.reason)")
        }
        defer { close(file) }
        let damaged = State.unfit("its file is damaged")
        guard let start = bytes(of: file, from: 0, count: Self.longestHead), let end = start.firstIndex(of: 0x0A),
            let node = try? JSONParser.parse(Array(start[..<end])), node["format"]?.string == "annotate-part"
        else { return damaged }
        let head = PartHead(node)
        if let reason = head.whyOther(than: wanted[part]) { return .unfit(reason) }
        if let failure = head.failure { return .failed(failure.inOneLine) }
        guard let take else { return .found }
        var hash = PieceHash()
        var offset = end + 1
        while true {
            guard let piece = bytes(of: file, from: offset, count: PieceHash.piece) else { return damaged }
            if piece.isEmpty { break }
            hash.add(piece)
            take(piece)
            offset += piece.count
        }
        return hash.text == head.contents ? .found : damaged
    }

    /// More than any head has, bytes.
    private static let longestHead = 1 << 16

    // MARK: Writing

    /// Stores what was found in a part.
    /// - Parameter path: A file with that.
    /// - Throws: `FileError`.
    func store(_ part: Int, from path: String) throws {
        var (hash, offset) = (PieceHash(), 0)
        func pieces(_ body: ([UInt8]) throws -> Void) throws {
            offset = 0
            while true {
                let piece = try Files.read(path, from: Int64(offset), count: PieceHash.piece)
                if piece.isEmpty { return }
                try body(piece)
                offset += piece.count
            }
        }
        try pieces { hash.add($0) }
        var head = wanted[part]
        head.contents = hash.text
        try write(head) { writer in try pieces { try writer.write($0) } }
    }

    /// Stores that nothing came of a part, and would again.
    /// - Throws: `FileError`.
    func store(_ part: Int, failure: String) throws {
        var head = wanted[part]
        head.failure = failure
        try write(head) { _ in }
    }

    private func write(_ head: PartHead, _ rest: (ByteWriter) throws -> Void) throws {
        let file = OutputFile(target: folder.path + "/" + name(head.part - 1))
        do {
            let writer = try ByteWriter(file)
            var json = JSONWriter()
            head.write(into: &json)
            json.endLine()
            try writer.write(json.bytes)
            try rest(writer)
            try writer.finish()
            try file.sync()
            try file.pending.commit(in: folder)
        } catch {
            file.discard()
            throw error
        }
    }

    // MARK: All of them

    /// Takes the whole job for this process, for as long as what it returns is held.
    /// - Returns: nil where another process has it, or has had it.
    func claim() -> PartsClaim? { PartsClaim(name(0), in: folder) }

    /// Removes the files of a job's parts, however many there were.
    static func remove(of order: JobOrder, in folder: HeldFolder) {
        let track = track(of: order)
        // A folder that can't be listed has none that could be removed.
        for name in (try? folder.names()) ?? [] where Self.track(ofPart: name) == track { folder.removeFile(name) }
    }

    /// Names of track files of which parts lie in a folder.
    static func tracks(in folder: HeldFolder) -> Set<String> {
        Set(((try? folder.names()) ?? []).compactMap(track(ofPart:)))
    }

    /// How many parts the files that lie in a folder say that a job has.
    static func counts(of order: JobOrder, in folder: HeldFolder) -> [Int] {
        let track = track(of: order)
        let counts = ((try? folder.names()) ?? []).filter { Self.track(ofPart: $0) == track }
            .compactMap { $0.split(separator: "-").last.flatMap { Int($0) } }
        return Set(counts.filter { (1...RunOptions.mostRanges).contains($0) }).sorted()
    }

    /// Name of the track file that a part's file stands beside; nil for another name.
    private static func track(ofPart name: String) -> String? {
        guard name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return nil }
        let words = name[name.index(after: dot)...].split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 3, words[0].hasPrefix("part"), words[1] == "of",
            let part = number(words[0].dropFirst("part".count)), let count = number(words[2]), part >= 1, part <= count
        else { return nil }
        let track = name[name.index(after: name.startIndex)..<dot]
        return track.isEmpty ? nil : String(track)
    }

    /// Digits alone: `Int` takes a sign.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }

    /// A part of an open file, shorter where it ends; nil where it can't be read.
    private func bytes(of file: Int32, from offset: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { pread(file, $0 + filled, count - filled, off_t(offset + filled)) } ?? 0
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes[..<filled])
    }
}

/// A hash of bytes that come in pieces: the hash of the pieces' hashes.
private struct PieceHash {
    /// Length of every piece but the last one, bytes.
    static let piece = 1 << 20

    private var hashes: [UInt8] = []

    mutating func add(_ piece: [UInt8]) { hashes += Array((ContentHash.of(piece) ?? "").utf8) }

    var text: String { ContentHash.of(hashes) ?? "" }
}
