import Annotate

/// The places in which a track file has a clip's regions, and the other things that it has a track of: what a page shows beside
/// what is drawn by hand.
struct TrackedRegions {
    private struct Key: Hashable {
        var stage: String
        var region: String
    }

    /// Something that a stage found, which a cover can follow.
    private struct Thing {
        var number: Int
        var kind: String
        var track: Track
    }

    fileprivate struct Track {
        var label: String?
        var runs = StateRuns()
        /// Boxes of each frame of the runs in order, tenths of a pixel; nil where there is none.
        var boxes: [Box?] = []
    }

    private var keys: [Key] = []
    private var tracks: [Key: Track] = [:]
    /// In order of first sight.
    private var things: [Thing] = []
    private var indexOfTrack: [Int: Int] = [:]

    /// - Throws: `TrackFileError`, `FileError`, also where the file is of another clip.
    init(path: String, kinds: FindingCatalog, clip: FrameFinder, cancellation: Cancellation?) throws {
        let reader = try TrackFileReader(path: path, kinds: kinds)
        let source = reader.header.source
        func other(_ how: String) -> FileError {
            FileError("use", path: path, reason: "it is of another clip: \(how)")
        }
        guard source.width == clip.info.width, source.height == clip.info.height else {
            throw other(
                "\(source.width)×\(source.height) pixels, this one has \(clip.info.width)×\(clip.info.height)")
        }
        while let record = try reader.next() {
            if cancellation?.isCancelled == true { throw CancelledError() }
            guard record.frame < clip.times.count, clip.times.time(record.frame) == record.pts else {
                throw other("frame \(record.frame) isn't at its time here")
            }
            for observation in record.observations { add(observation, record.frame) }
        }
    }

    private mutating func add(_ observation: Observation, _ frame: Int) {
        if let number = observation.track?.number {
            let index = indexOfTrack[number] ?? things.count
            if index == things.count {
                indexOfTrack[number] = index
                things.append(Thing(number: number, kind: observation.kind, track: Track(label: observation.label)))
            }
            things[index].track.add(frame, observation)
        }
        guard let region = observation.region, observation.about == nil else { return }
        let key = Key(stage: observation.stage, region: region)
        if tracks[key] == nil { keys.append(key) }
        tracks[key, default: Track(label: observation.label)].add(frame, observation)
    }

    var isEmpty: Bool { keys.isEmpty && things.isEmpty }

    /// An array with an object for each stage and region.
    var json: String {
        var writer = JSONWriter()
        writer.array { json in
            for key in keys {
                json.object { json in
                    json.member("stage", key.stage)
                    json.member("region", key.region)
                    tracks[key]?.write(&json)
                }
            }
        }
        return writer.text
    }

    /// An array with an object for each thing that is seen somewhere.
    var foundJSON: String {
        var writer = JSONWriter()
        writer.array { json in
            for thing in things where thing.track.isSeen {
                json.object { json in
                    json.member("track", thing.number)
                    json.member("kind", thing.kind)
                    thing.track.write(&json)
                }
            }
        }
        return writer.text
    }
}

extension TrackedRegions.Track {
    fileprivate mutating func add(_ frame: Int, _ observation: Observation) {
        // One region has one track at a time; what comes again of the same frame is no news.
        if let last = runs.last, last >= frame { return }
        runs.add(frame, observation)
        boxes.append(observation.isInSight ? observation.bounds : nil)
    }

    fileprivate var isSeen: Bool { boxes.contains { $0 != nil } }

    /// The open object's members.
    fileprivate func write(_ json: inout JSONWriter) {
        if let label { json.member("label", label) }
        json.key("runs")
        runs.write(into: &json)
        json.key("boxes")
        json.array { json in
            for box in boxes {
                guard let box else {
                    json.null()
                    continue
                }
                json.array { json in
                    for side in [box.x, box.y, box.width, box.height] { json.value(side, decimals: 1) }
                }
            }
        }
    }
}
