import Foundation
import Glibc

@testable import Annotate
@testable import Media

/// A folder that is there as long as the value lives.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/annotate-tests-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw systemError("make", "a temporary folder") }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file and gives its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Files.makeDirectory(Files.parent(of: file(name)))
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    var names: [String] { get throws { try Files.list(path) } }
}

struct CommandFailure: Error, CustomStringConvertible {
    var description: String
}

/// Runs a program that is found on the path and gives its standard output.
@discardableResult
func output(of program: String, _ arguments: [String]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, folder.file("out"), O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, folder.file("err"), O_WRONLY | O_CREAT, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawnp(&process, program, &actions, nil, &words, environ)
    guard code == 0 else { throw CommandFailure(description: "\(program): \(String(cString: strerror(code)))") }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
        let text = String(decoding: try Files.read(folder.file("err")), as: UTF8.self)
        throw CommandFailure(description: "\(program) \(arguments.joined(separator: " ")): \(text)")
    }
    return try Files.read(folder.file("out"))
}

@discardableResult
func ffmpeg(_ arguments: String...) throws -> [UInt8] {
    try output(of: "ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
}

/// One packet's time as ffprobe tells it, in presentation order.
struct PacketTime: Equatable {
    var pts: Int64
    var duration: Int64
}

func packetTimes(_ path: String) throws -> [PacketTime] {
    let text = try output(
        of: "ffprobe",
        ["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts,duration", "-of", "csv=p=0", path])
    let times = String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
        let fields = line.split(separator: ",")
        return PacketTime(pts: Int64(fields[0]) ?? -1, duration: fields.count > 1 ? Int64(fields[1]) ?? 0 : 0)
    }
    return times.sorted { $0.pts < $1.pts }
}

/// Values of a stream as ffprobe tells them, by name.
func probe(_ path: String, stream: String = "v:0", _ entries: String) throws -> [String: String] {
    let text = try output(
        of: "ffprobe",
        ["-v", "error", "-select_streams", stream, "-show_entries", "stream=\(entries)", "-of", "default=nw=1", path])
    var values: [String: String] = [:]
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
        let parts = line.split(separator: "=", maxSplits: 1)
        if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
    }
    return values
}

/// A frame without pixels, for code that looks at its time alone.
func emptyFrame(_ ordinal: Int, pts: Int64, timeBase: Rational = Rational(1, 25)) throws -> VideoFrame {
    VideoFrame(
        ordinal: ordinal, pts: MediaTime(ticks: pts, timeBase: timeBase), duration: 1, picture: try FrameBuffer(),
        original: nil)
}

/// All frames of a file.
func readFrames(_ path: String, _ options: SourceOptions = SourceOptions()) throws -> [VideoFrame] {
    let reader = try SourceReader(path: path, options: options)
    var frames: [VideoFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    return frames
}

extension VideoFrame {
    /// The planes' pixels in rows from the top left, without padding.
    var planarBytes: [UInt8] { (0..<withPicture { $0.planes.count }).flatMap(planeBytes) }

    func planeBytes(_ index: Int) -> [UInt8] {
        withPicture { picture in
            let plane = picture.planes[index]
            return (0..<plane.height).flatMap { y in
                Array(UnsafeBufferPointer(start: plane.base + y * plane.stride, count: plane.width))
            }
        }
    }
}

/// Runs one job without stages, as a batch would.
@discardableResult
func transcode(
    _ input: String, into folder: TemporaryFolder, id: String = "clip", graph: GraphPlan = GraphPlan(nodes: []),
    range: FrameRange? = nil, settings: EncodeSettings = EncodeSettings(), threads: Int = 2,
    change: (inout Job) -> Void = { _ in }
) throws -> JobResult {
    var job = Job(
        id: id, input: input, graph: graph, range: range, encode: settings, entry: "", graphText: "",
        output: OutputPlaces(folder.path), formats: [])
    change(&job)
    let finished = try JobRunner(
        job: job, generator: "test 1", threads: threads, limits: MediaLimits(), cancellation: Cancellation(),
        progress: JobProgress(id: id)
    ).run()
    for file in finished.files { try file.commit() }
    return finished.result
}
