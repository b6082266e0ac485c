/// The writing end of a job: numbers tracks, draws, encodes, writes the sidecar. Used from one thread.
final class JobOutput {
    private let job: Job
    private let videoFile: OutputFile?
    private let video: VideoWriter?
    private let sidecar: SidecarWriter
    private let sidecarPath: String
    private let annotator: Annotator
    private let draws: Bool
    private var queue: CoverQueue
    private var numbering = TrackNumbering()

    init(
        job: Job, directory: String, generator: String, reader: SourceReader, first: VideoFrame,
        camera: CameraIntrinsics
    ) throws {
        self.job = job
        let stem = directory + "/" + job.id
        if let path = Self.video(of: job, directory: directory) {
            let file = OutputFile(target: path)
            videoFile = file
            do {
                video = try VideoWriter(
                    file,
                    source: VideoWriter.Source(
                        timeBase: reader.info.timeBase, frameRate: reader.info.frameRate, first: first.picture,
                        original: first.original?.picture, offset: max(0, -first.pts.ticks),
                        demuxer: reader.demuxer), settings: job.encode)
            } catch {
                file.discard()
                throw error
            }
        } else {
            videoFile = nil
            video = nil
        }
        sidecarPath = stem + ".tracks.jsonl"
        sidecar = try SidecarWriter(
            path: sidecarPath,
            header: SidecarHeader(
                generator: generator, info: reader.info, first: first, videoOffset: video?.offset ?? 0,
                camera: camera, job: job))
        annotator = Annotator(camera: camera)
        draws = job.graph.nodes.contains { $0.style != nil }
        queue = CoverQueue(styles: job.graph.nodes.compactMap(\.style), first: first)
    }

    func write(_ finished: GraphExecutor.Finished) throws {
        let frame = finished.frame
        let observations = zip(job.graph.nodes, finished.results).flatMap { numbering.number($1, style: $0.style) }
        try sidecar.write(
            frame: frame.ordinal, pts: frame.pts, duration: frame.duration, observations: observations)
        guard let video else { return }
        queue.add(CoverQueue.Picture(frame: frame, observations: observations, audio: finished.audio))
        try drain(into: video, isEnd: false)
    }

    /// Draws and encodes the pictures of which all is known.
    private func drain(into video: VideoWriter, isEnd: Bool) throws {
        while let (waiting, covers) = queue.next(isEnd: isEnd) {
            let picture = try video.writable(waiting.frame)
            if draws {
                try picture.withCanvas { canvas in
                    for cover in covers { CoverPainter.paint(cover, onto: canvas) }
                    try annotator.draw(waiting.observations, at: waiting.frame.seconds, onto: canvas)
                }
            }
            try video.write(picture)
            for packet in waiting.audio { try video.writeAudio(packet) }
        }
    }

    /// Passes on the audio behind the last picture.
    func writeAudio(_ packets: [Packet]) throws {
        guard let video, !queue.attach(packets) else { return }
        for packet in packets { try video.writeAudio(packet) }
    }

    /// Finishes both files and gives them their names, the sidecar last.
    func finish(_ outcome: SourceOutcome) throws -> JobRunner.Result {
        if let video { try drain(into: video, isEnd: true) }
        try video?.finish()
        try sidecar.prepare(outcome)
        try videoFile?.commit()
        do {
            try sidecar.commit()
        } catch {
            videoFile?.remove()
            throw error
        }
        let counts = sidecar.counts
        return JobRunner.Result(
            frames: counts.frames, tracks: counts.tracks, damage: outcome,
            outputs: [videoFile?.target, sidecarPath].compactMap { $0 },
            notes: (video?.notes ?? []) + (queue.isCutShort ? [Self.cutShort] : []))
    }

    private static let cutShort =
        "regions were covered for less than “coverGap” before they were first seen: the pictures that wait would take too "
        + "much memory"

    /// The files that a job writes.
    static func results(of job: Job, directory: String) -> [String] {
        [video(of: job, directory: directory), directory + "/" + job.id + ".tracks.jsonl"].compactMap { $0 }
    }

    private static func video(of job: Job, directory: String) -> String? {
        job.encode.codec.fileExtension.map { directory + "/" + job.id + "." + $0 }
    }

    /// Removes what an earlier run left under the job's names.
    static func removeResults(of job: Job, directory: String) {
        for path in results(of: job, directory: directory) { Files.remove(path) }
    }

    func discard() {
        sidecar.discard()
        videoFile?.discard()
    }
}

extension SidecarHeader {
    init(
        generator: String, info: SourceInfo, first: VideoFrame, videoOffset: Int64, camera: CameraIntrinsics, job: Job
    ) {
        let ids = job.graph.nodes.map(\.id)
        self.init(
            generator: generator,
            source: Source(
                name: info.name, width: first.width, height: first.height, rotation: info.rotation,
                isMirrored: info.isMirrored, timeBase: info.timeBase, frameRate: info.frameRate,
                videoOffset: videoOffset),
            range: job.range, camera: job.camera != .assumed || job.graph.usesCamera ? camera : nil,
            stages: job.graph.nodes.map { node in
                Stage(
                    id: node.id, type: node.contract.type, inputs: node.inputs.map { ids[$0] }, rate: node.rate,
                    options: node.options, details: node.blueprint.details)
            })
    }
}
