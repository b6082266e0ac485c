internal import Glibc
internal import Synchronization

extension RunOptions {
    /// How a batch's inputs are fetched: by the manifest's command where that may be run, else by the user's own.
    func fetching(_ batch: Batch) -> FetchOptions {
        var fetch = fetch
        if let command = batch.fetch {
            if allowsCommands {
                fetch.command = command
            } else if fetch.command == nil {
                fetch.whyNoCommand = "the manifest has one, which --allow-commands lets run"
            }
        }
        return fetch
    }
}

/// A file that was fetched. It goes with this object.
final class FetchedFile: Sendable {
    let path: String
    private let folder: OutputFile
    private let leave: @Sendable () -> Void

    init(_ path: String, in folder: OutputFile, leave: @escaping @Sendable () -> Void) {
        (self.path, self.folder, self.leave) = (path, folder, leave)
    }

    deinit {
        folder.discard()
        leave()
    }
}

/// Fetches inputs that lie elsewhere into private folders, within a bound of what lies here at once. What wasn't fetched whole
/// is never a job's input.
final class Fetcher: Sendable {
    enum End {
        /// What the entity tag means is still there.
        case unchanged
        case whole(FetchedFile, etag: String?)
    }

    private struct State {
        var count = 0
        /// Bytes of the files that lie here.
        var sizes: [Int: Int64] = [:]
    }

    private struct NoRoom: Error {}

    private let directory: String
    private let options: FetchOptions
    private let space: Int64
    /// Seconds that one file may take; nil for no limit.
    private let timeout: Double?
    private let cancellation = Cancellation()
    private let state = Monitor(State())

    /// - Parameters:
    ///   - directory: The output folder, in which the private ones are made.
    ///   - timeout: Seconds that one file may take; nil for no limit.
    init(_ options: FetchOptions, in directory: String, timeout: Double?, cancellation: Cancellation) {
        (self.options, self.directory, self.timeout) = (options, directory, timeout)
        cancellation.onCancel { [own = self.cancellation] in own.cancel() }
        var status = statvfs()
        let free = statvfs(directory, &status) == 0 ? Int64(status.f_bavail) &* Int64(status.f_frsize) : .max
        space = options.space ?? free / 2
    }

    /// Ends what is under way.
    func close() { cancellation.cancel() }

    /// Fetches a file, and tries again where that may help.
    /// - Parameters:
    ///   - etag: It isn't wanted where it has this entity tag still.
    ///   - makeRoom: Called as long as other files leave too little room: has those go that nobody reads yet.
    /// - Throws: `JobFailure`; `CancelledError`.
    func fetch(_ address: RemoteAddress, unless etag: String?, makeRoom: () -> Void = {}) throws -> End {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        while true {
            if let end = try fetch(address, number, unless: etag) { return end }
            // Others have to go first.
            while state.withLock({ !$0.sizes.isEmpty }) {
                if cancellation.isCancelled { throw CancelledError() }
                makeRoom()
                sleep(seconds: 0.05)
            }
        }
    }

    /// - Returns: nil where there is no room beside other files: what came of it is gone again.
    private func fetch(_ address: RemoteAddress, _ number: Int, unless etag: String?) throws -> End? {
        let folder = OutputFile(target: "\(directory)/\(ResultFolder.fetchName)-\(number)", isFolder: true)
        do {
            try folder.check()
            guard chmod(folder.temporary, 0o700) == 0 else { throw systemError("write in", directory) }
            return try fetch(address, number, into: folder, unless: etag)
        } catch {
            leave(number)
            if error is NoRoom { return nil }
            // A program that isn't there, no process to be had, or no folder to be made.
            throw (error as? FileError).map { JobFailure($0) } ?? error
        }
    }

    private func fetch(_ address: RemoteAddress, _ number: Int, into folder: OutputFile, unless etag: String?) throws
        -> End
    {
        let inner = folder.temporary + "/file"
        guard mkdir(inner, 0o700) == 0 else { throw JobFailure(systemError("write in", directory)) }
        let file = inner + "/" + address.name
        let begin = monotonicSeconds()
        let whyEnd: () -> (any Error)? = { [self] in
            if cancellation.isCancelled { return CancelledError() }
            if let timeout, monotonicSeconds() - begin > timeout {
                let reason = RunOptions.tookTooLong(timeout)
                return JobFailure(.limit, "could not fetch \(address.shown): it \(reason)")
            }
            return whyTooMuch(Self.size(of: inner), number, address)
        }
        var tag: String?
        if address.isWeb {
            let transfer = WebTransfer(
                address: address, file: file, folder: folder.temporary, whyEnd: whyEnd,
                whyTooMuch: { [self] in whyTooMuch($0, number, address) })
            guard case .whole(let found) = try transfer.run(unless: etag) else {
                leave(number)
                return .unchanged
            }
            tag = found
        } else {
            try run(address, file, folder.temporary, whyEnd)
        }
        if let reason = whyEnd() { throw reason }
        guard Files.isRegular(file) else {
            throw JobFailure(.file, "could not fetch \(address.shown): no file came of it", mayPass: true)
        }
        return .whole(FetchedFile(file, in: folder) { [self] in leave(number) }, etag: tag)
    }

    /// Fetches by the command that the user, or the manifest, names.
    private func run(_ address: RemoteAddress, _ file: String, _ folder: String, _ whyEnd: () -> (any Error)?) throws {
        guard let command = options.command else {
            throw JobFailure(
                .file,
                "could not fetch \(address.shown): there is no command for “\(address.scheme)”; "
                    + (options.whyNoCommand
                        ?? "expected “fetch” in config.json of the user's settings, or in the manifest"))
        }
        let words = command.map { $0.replacing("{url}", with: address.text).replacing("{file}", with: file) }
        let errors = folder + "/errors"
        let status = try ChildProgram.run(words, errors: errors, whyEnd: whyEnd)
        guard status == 0 else {
            let said = Self.whyNoRoom(in: folder) ?? Self.lastWords(in: errors, of: address)
            throw JobFailure(
                .file,
                "could not fetch \(address.shown): “\(command[0])” ended with status \(status)"
                    + (said.map { ": \($0)" } ?? ""), mayPass: true)
        }
    }

    /// Bytes that a disk has to have left for it not to be full: no program writes less at once.
    private static let someRoom = 1 << 20

    /// The sentence on a disk that is full, or on which this user may have no more; nil for another.
    static func whyNoRoom(in folder: String) -> String? {
        let probe = folder + "/room"
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer {
            if descriptor >= 0 { Glibc.close(descriptor) }
            unlink(probe)
        }
        // It says itself what there is, and doesn't write errno.
        let code = descriptor < 0 ? errno : posix_fallocate(descriptor, 0, off_t(someRoom))
        return [ENOSPC, EDQUOT].contains(code) ? "\(String(cString: strerror(code))) where it is fetched to" : nil
    }

    /// The last line that a program said, or curl's own error, without what is secret of the address.
    static func lastWords(in file: String, of address: RemoteAddress) -> String? {
        // One that said nothing may have no file.
        let bytes = ((try? Files.read(file)) ?? []).suffix(4096)
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        // What curl says behind its error is advice.
        let line = lines.last { $0.hasPrefix("curl: (") } ?? lines.last
        return line.map { String(address.cleaned(String($0)).inOneLine.prefix(300)) }
    }

    /// Bytes of what lies in a folder: programs have names of their own for what isn't whole.
    private static func size(of folder: String) -> Int64 {
        // One that is gone has none.
        let names = (try? Files.list(folder)) ?? []
        return names.reduce(0) { $0 + (Files.status(folder + "/" + $1)?.size ?? 0) }
    }

    private func leave(_ number: Int) { state.withLock { $0.sizes[number] = nil } }

    private func whyTooMuch(_ size: Int64, _ number: Int, _ address: RemoteAddress) -> (any Error)? {
        let others = state.withLock { state in
            state.sizes[number] = size
            return state.sizes.reduce(0) { $0 + ($1.key == number ? 0 : $1.value) }
        }
        guard size > space - others else { return nil }
        guard others == 0 else { return NoRoom() }
        return JobFailure(
            .limit,
            "could not fetch \(address.shown): it has more than the \(space >> 20) MiB that may lie here at once; "
                + "--fetch-space allows more")
    }
}
