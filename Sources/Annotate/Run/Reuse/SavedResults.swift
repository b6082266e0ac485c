/// Results of some stages from an earlier run's track file, frame by frame beside the video.
final class SavedResults {
    /// The error of a track file that isn't what the report says, or tells of other frames: nothing of it is used.
    struct Unfit: Error, CustomStringConvertible {
        var description: String
    }

    private let reader: TrackFileReader
    /// Indices in the plan by the stages' ids.
    private let places: [String: Int]

    /// - Parameters:
    ///   - path: The track file's.
    ///   - stages: Ids of those whose results are wanted.
    ///   - contents: What its contents must be; nil for whatever they are.
    /// - Throws: `Unfit`.
    init(_ path: String, stages: [String], of plan: GraphPlan, contents: String?) throws {
        do {
            if let contents, try ContentHash.of([path]) != contents {
                throw Unfit(description: "\(path) was changed since it was written")
            }
            reader = try TrackFileReader(path: path, kinds: plan.catalog)
        } catch {
            throw Unfit(description: "\(error)")
        }
        let wanted = Set(stages)
        places = Dictionary(
            plan.nodes.enumerated().filter { wanted.contains($1.id) }.map { ($1.id, $0) }, uniquingKeysWith: { $1 })
        let there = Set(reader.header.stages.map(\.id))
        guard places.count == wanted.count, wanted.isSubset(of: there) else {
            throw Unfit(description: "\(path) lacks a stage; expected \(list(stages))")
        }
    }

    func has(_ index: Int) -> Bool { places.values.contains(index) }

    /// What the stages saw in the next frame, by their indices in the plan.
    /// - Throws: `Unfit` where the file tells of another frame.
    func results(of frame: VideoFrame) throws -> [Int: [Emission]] {
        let record: FrameRecord?
        do {
            record = try reader.next()
        } catch {
            throw Unfit(description: "\(error)")
        }
        let source = reader.header.source
        guard (source.width, source.height) == (frame.width, frame.height) else {
            throw Unfit(
                description: "the track file is of \(source.width)×\(source.height) pixels, and the video has "
                    + "\(frame.width)×\(frame.height); expected the video that it was made from")
        }
        guard let record else {
            throw Unfit(
                description: "the track file ends before the video's \(Self.name(of: frame.ordinal, frame.pts))")
        }
        guard record.frame == frame.ordinal, record.pts == frame.pts, record.duration == frame.duration else {
            throw Unfit(
                description: "the track file tells of \(Self.name(of: record.frame, record.pts)) where the video has "
                    + "\(Self.name(of: frame.ordinal, frame.pts)); expected the video that it was made from")
        }
        var results: [Int: [Emission]] = [:]
        for observation in record.observations {
            guard let place = places[observation.stage] else { continue }
            results[place, default: []].append(Emission(observation))
        }
        return results
    }

    /// Call after the last frame.
    /// - Throws: `Unfit` where the file tells of more.
    func finish() throws {
        let more: FrameRecord?
        do {
            more = try reader.next()
        } catch {
            throw Unfit(description: "\(error)")
        }
        guard let more else { return }
        throw Unfit(
            description: "the track file tells of \(Self.name(of: more.frame, more.pts)), and the video ends before it")
    }

    private static func name(of frame: Int, _ pts: MediaTime) -> String { "frame \(frame) at pts \(pts.ticks)" }
}
