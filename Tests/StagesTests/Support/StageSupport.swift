import CFFmpeg
import Foundation
import Testing
@testable import Annotate
@testable import Media
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth
@testable import Synth

/// A frame without pixels, 25 a second, for stages that look at its time alone.
func emptyFrame(_ ordinal: Int) throws -> VideoFrame {
    VideoFrame(
        ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
        picture: try FrameBuffer(), original: nil)
}

/// A frame of grey pixels, in rows from the top left.
func grayFrame(_ pixels: [UInt8], width: Int, height: Int, ordinal: Int = 0) throws -> VideoFrame {
    let buffer = try FrameBuffer(width: width, height: height, format: AV_PIX_FMT_GRAY8)
    let plane = buffer.planes()[0]
    for y in 0..<height { for x in 0..<width { plane.base[y * plane.stride + x] = pixels[y * width + x] } }
    return VideoFrame(
        ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
        picture: buffer,
        original: nil)
}

/// A photo's one frame.
func photo(_ path: String) throws -> VideoFrame {
    let reader = try SourceReader(path: path)
    guard let frame = try reader.next() else { throw FileError("decode", path: path, reason: "it holds no picture") }
    return frame
}

/// A stage's options as a manifest gives them, and what stands around them.
struct WrittenOptions {
    var node: JSONNode
    var context: OptionContext
}

/// Options as a manifest would give them.
func stageOptions(_ json: String = "{}", directory: String = ".") throws -> WrittenOptions {
    let node = try JSONParser.parse(Array(json.utf8))
    let inputs = node["inputs"]?.elements?.compactMap(\.string).filter { $0 != "frame" } ?? []
    return WrittenOptions(
        node: node,
        context: OptionContext(
            node: node, directory: directory, hasInputs: !inputs.isEmpty, kinds: StageCatalog.standard.findings))
}

extension StageBlueprint {
    init(options: WrittenOptions) throws { try self.init(reading: options.node, options.context) }
}

extension StageContext {
    /// The same with what the job gives of a kind, in pixels.
    func giving<G: Given>(_ kind: G.Type, _ placed: [G.Placed]) -> StageContext {
        var context = self
        context[kind] = placed
        return context
    }
}

/// What a stage gives for one frame.
func emissions(_ stage: Stage, in frame: VideoFrame, inputs: [[Emission]] = []) throws -> [Emission] {
    let input = StageInput(frame: frame, results: inputs)
    try stage.lane.detect(0, input)
    return try stage.lane.update(0, input, runs: true)
}

/// A tracker that needs no detector, at work: a test may look into it.
final class TrackerAtWork<T: Tracker> where T.Detection == Void {
    private(set) var tracker: T

    init(_ tracker: T) { self.tracker = tracker }

    func update(_ frame: VideoFrame, inputs: [[Emission]]) throws -> [T.Output] {
        try tracker.update((), StageInput(frame: frame, results: inputs))
    }

    func carry(_ last: [T.Output], _ frame: VideoFrame, inputs: [[Emission]]) throws -> [T.Output] {
        try tracker.carry(last, StageInput(frame: frame, results: inputs))
    }
}

/// What a stage sees in one frame.
func observations(_ stage: Stage, in frame: VideoFrame) throws -> [Observation] {
    try emissions(stage, in: frame).map(\.observation)
}

extension Observation {
    var asMarker: MarkerFinding? { finding(as: MarkerFinding.self) }
}

/// All frames of a track file.
func frames(ofTrackFile path: String) throws -> [FrameRecord] {
    let reader = try TrackFileReader(path: path, kinds: StageCatalog.standard.findings)
    var frames: [FrameRecord] = []
    while let frame = try reader.next() { frames.append(frame) }
    return frames
}

/// Pictures and videos that others took; they lie beside the repository and are not part of it.
enum RealData {
    static let repository: String = {
        var folder = Files.parent(of: #filePath)
        while folder != "/", !Files.exists(folder + "/Package.swift") { folder = Files.parent(of: folder) }
        return folder
    }()
    static let folder = repository + "/../shared/data"
    static let isThere = Files.isDirectory(folder)
    static let reason: Comment = "../shared/data is not there"
    /// True where nobody would notice that tests are left out.
    static let isExpected =
        ProcessInfo.processInfo.environment["CI"] == "true" && Files.isDirectory(repository + "/../shared")

    /// The fields of a CSV file without its comments and its header.
    static func table(_ name: String) throws -> [[String]] {
        let text = String(decoding: try Files.read(folder + "/" + name), as: UTF8.self)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// Four corners from eight numbers.
    static func corners(_ fields: some Sequence<String>) -> [Point] {
        let numbers = fields.compactMap(Double.init)
        return stride(from: 0, to: numbers.count - 1, by: 2).map { Point(numbers[$0], numbers[$0 + 1]) }
    }
}

/// The largest distance of two quads' corners, the second's taken from any of them on.
func distance(_ a: [Point], _ b: [Point], turning: Bool = false) -> Double {
    guard a.count == b.count, !a.isEmpty else { return .infinity }
    let turns = turning ? Array(a.indices) : [0]
    return turns.map { turn in a.indices.map { a[$0].distance(to: b[($0 + turn) % b.count]) }.max() ?? .infinity }.min()
        ?? .infinity
}

extension SceneRenderer {
    /// A frame of a scene, 25 a second, as a decoder would give it.
    func videoFrame(_ index: Int) throws -> VideoFrame {
        let buffer = try FrameBuffer(width: scene.width, height: scene.height, format: AV_PIX_FMT_YUV420P)
        let planes = buffer.planes()
        renderFrame(
            index,
            into: FramePlanes(
                luma: planes[0].base, lumaStride: planes[0].stride, cb: planes[1].base, cr: planes[2].base,
                chromaStride: planes[1].stride))
        return VideoFrame(
            ordinal: index, pts: MediaTime(ticks: Int64(index), timeBase: Rational(1, 25)), duration: 1,
            picture: buffer, original: nil)
    }
}
