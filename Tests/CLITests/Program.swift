import Annotate
import Foundation
import Glibc

/// Folders, clips and the built program, for tests of what users type.
final class Workspace: Sendable {
    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/annotate-cli-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw ProgramError(description: "no temporary folder") }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Writes a program that can be run at once: while a child that another test has just forked holds the file as it was being
    /// written, the system says “text file busy”. A lease for reading is given as soon as nobody does.
    func writeProgram(_ text: String, to name: String) throws {
        let path = try write(text, to: name)
        guard chmod(path, 0o755) == 0 else { throw ProgramError(description: "\(path) can't be made a program") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let (setLease, forReading) = (Int32(1024), Int32(F_RDLCK))
        while fcntl(descriptor, setLease, forReading) != 0, errno == EAGAIN { usleep(1000) }
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try Files.makeDirectory(Files.parent(of: file(name)))
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Files.makeDirectory(Files.parent(of: file(name)))
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    }

    func bytes(_ name: String) throws -> [UInt8] { try Files.read(file(name)) }

    func text(_ name: String) throws -> String { String(decoding: try Files.read(file(name)), as: UTF8.self) }

    func names(in folder: String = "out") -> [String] { (try? Files.list(file(folder))) ?? [] }

    /// Names of what isn't finished in a folder of results, in workers' folders too.
    func unfinished(in folder: String = "out") -> [String] {
        let own = names(in: folder).filter { $0.contains(".partial-") }
        let workers = own.filter { $0.hasPrefix(".worker-") }
        return own.filter { !workers.contains($0) } + workers.flatMap { names(in: folder + "/" + $0) }
    }

    /// A clip of a white card that moves over a grey ground.
    @discardableResult
    func clip(_ name: String, frames: Int = 25, size: String = "160x120") throws -> String {
        let (ground, card) = ("color=gray:s=\(size):r=25", "color=white:s=60x44:r=25")
        let outcome = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                "\(ground)[a];\(card)[b];[a][b]overlay=x=20+n:y=30", "-frames:v",
                "\(frames)", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", file(name),
            ])
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
        return file(name)
    }

    /// A clip whose encoding at the slowest preset takes many seconds.
    func slowClip(_ name: String) throws {
        let outcome = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25", "-frames:v", "90",
                "-c:v", "libx264",
                "-preset", "ultrafast", "-pix_fmt", "yuv420p", file(name),
            ])
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    /// A manifest of jobs, each `"id": "…", "input": "…"`, that look for rectangles.
    @discardableResult
    func manifest(_ jobs: [String], stages: String? = nil, encode: String = "{}", name: String = "m.json") throws
        -> String
    {
        let stages = stages ?? #"{"id": "cards", "type": "rectangles"}"#
        let entries = jobs.map { "{\($0), \"graph\": \"g\", \"encode\": \(encode)}" }
        return try write(
            """
            {"version": 1, "graphs": {"g": {"stages": [\(stages)]}},
             "jobs": [\(entries.joined(separator: ",\n          "))]}
            """, to: name)
    }
}

struct ProgramError: Error, CustomStringConvertible { var description: String }

/// How a program ended and what it said.
struct Outcome: Sendable {
    /// Exit status, or 128 plus the signal that ended it.
    var status: Int32
    var output: String
    var errors: String
    var seconds: Double

    var outputLines: [String] { output.split(separator: "\n").map(String.init) }
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
}

/// A program at work, its two streams going to files.
final class Program {
    private var process = pid_t()
    private let workspace: Workspace
    private let started = Date()

    /// The program under test, which the build puts beside the test bundle.
    static let annotateBatch: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let candidates = [own, CommandLine.arguments[0]].map { Files.parent(of: $0) + "/annotate-batch" }
        return candidates.first { Files.exists($0) } ?? "annotate-batch"
    }()

    /// - Parameter input: a file to be standard input.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null"
    ) throws {
        workspace = try Workspace()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, workspace.file("out"), O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, workspace.file("err"), O_WRONLY | O_CREAT, 0o600)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var variables: [UnsafeMutablePointer<CChar>?] = merged.map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        let code = posix_spawnp(&process, program, &actions, nil, &words, &variables)
        guard code == 0 else { throw ProgramError(description: "\(program): \(String(cString: strerror(code)))") }
    }

    /// False for the superuser, whom no file mode stops.
    static let isUnprivileged = geteuid() != 0

    /// The process id.
    var number: pid_t { process }

    func signal(_ number: Int32) { kill(process, number) }

    /// Whether it hasn't ended. How it ends is left for `finish`.
    var isRunning: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo == 0
    }

    /// The processes that it has started and that haven't ended.
    var children: [pid_t] {
        let tasks = (try? Files.list("/proc/\(process)/task")) ?? []
        return tasks.flatMap { task in
            let text = (try? Files.read("/proc/\(process)/task/\(task)/children")) ?? []
            return String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// Those of them that read manifests or work on jobs.
    var workers: [pid_t] {
        children.filter { child in
            let words = (try? Files.read("/proc/\(child)/cmdline")) ?? []
            return String(decoding: words, as: UTF8.self).contains("\0worker")
        }
    }

    /// What it has written on standard output.
    var outputSoFar: String { (try? workspace.text("out")) ?? "" }

    /// Waits for the end.
    func finish() throws -> Outcome {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        return Outcome(
            status: code, output: try workspace.text("out"), errors: try workspace.text("err"),
            seconds: Date().timeIntervalSince(started))
    }

    static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null"
    ) throws -> Outcome {
        try Program(program, arguments, environment: environment, input: input).finish()
    }
}

/// Runs the program under test.
func annotateBatch(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
    try Program.run(Program.annotateBatch, arguments, environment: environment)
}

/// Parses what the program printed.
func json(_ text: String) throws -> JSONNode { try JSONParser.parse(Array(text.utf8)) }

/// The repository's own folder.
let repository: String = {
    var folder = Files.parent(of: #filePath)
    while folder != "/", !Files.exists(folder + "/Package.swift") { folder = Files.parent(of: folder) }
    return folder
}()
