import Annotate

/// The places in which a track file has a clip's regions: what a page shows beside what is drawn by hand.
struct TrackedRegions {
    private struct Key: Hashable {
        var stage: String
        var region: String
    }

    fileprivate struct Track {
        var label: String?
        var runs = StateRuns()
        /// Boxes of each frame of the runs in order, tenths of a pixel; nil where there is none.
        var boxes: [Box?] = []
    }

    private var keys: [Key] = []
    private var tracks: [Key: Track] = [:]

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
        guard let region = observation.region, observation.about == nil else { return }
        let key = Key(stage: observation.stage, region: region)
        if tracks[key] == nil { keys.append(key) }
        tracks[key, default: Track(label: observation.label)].add(frame, observation)
    }

    var isEmpty: Bool { keys.isEmpty }

    /// An array with an object for each stage and region.
    var json: String {
        var writer = JSONWriter()
        writer.array { json in
            for key in keys { tracks[key]?.write(key.stage, key.region, &json) }
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

    fileprivate func write(_ stage: String, _ region: String, _ json: inout JSONWriter) {
        json.object { json in
            json.member("stage", stage)
            json.member("region", region)
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
}
