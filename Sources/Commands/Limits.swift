import Annotate
import ArgumentParser

/// Limits on a manifest from elsewhere while it is read.
struct ManifestLimits: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "No path of a manifest or track file may leave this folder, links followed.", valueName: "dir"),
        completion: .directory)
    var root: String?

    @Option(help: ArgumentHelp("Pixels of one picture.", valueName: "n"))
    var maxPixels = MediaLimits().pixels

    @Option(help: ArgumentHelp("Streams of one input.", valueName: "n"))
    var maxStreams = MediaLimits().streams

    func validate() throws {
        try checkWhole([("--max-pixels", maxPixels), ("--max-streams", maxStreams)])
        if let root, !Files.isDirectory(root) { throw ValidationError("--root takes a folder; “\(root)” is none.") }
    }

    var media: MediaLimits {
        var limits = MediaLimits()
        limits.pixels = min(maxPixels, Int(Int32.max))
        limits.streams = min(maxStreams, Int(Int32.max))
        return limits
    }
}

/// Limits on manifests and inputs from elsewhere.
struct Limits: ParsableArguments {
    @OptionGroup
    var manifest: ManifestLimits

    @Option(help: ArgumentHelp("Frames that a job may work on. Default: no limit.", valueName: "n"))
    var maxFrames: Int?

    @Option(help: ArgumentHelp("Seconds of video that a job may work on. Default: no limit.", valueName: "s"))
    var maxDuration: Double?

    @Option(
        help: ArgumentHelp(
            "Memory that each worker may take; its job fails at it. Default: nine tenths of the machine's, by all together.",
            valueName: "MiB"))
    var maxMemory: Int?

    func validate() throws {
        try checkWhole([("--max-frames", maxFrames ?? 1), ("--max-memory", maxMemory ?? 1)])
        if let maxDuration, !(maxDuration > 0) {
            throw ValidationError("--max-duration takes seconds over 0, not \(maxDuration).")
        }
    }

    var root: String? { manifest.root }

    var media: MediaLimits {
        var limits = manifest.media
        limits.frames = maxFrames
        limits.duration = maxDuration
        return limits
    }

    /// Memory that a process with jobs may take, bytes; nil for no limit.
    var memory: Int? { maxMemory.map { $0 << 20 } }
}

/// How long a job's worker may do nothing.
struct IdleLimit: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Seconds for which a job's worker may do nothing at all; then it is ended, and its job tried again once. 0: no limit.",
            valueName: "s"))
    var idleTimeout = RunOptions().idleTimeout ?? 0

    /// nil for any time.
    var seconds: Double? { idleTimeout > 0 ? idleTimeout : nil }

    func validate() throws {
        guard idleTimeout >= 0, idleTimeout.isFinite else {
            throw ValidationError("--idle-timeout takes seconds, or 0 for any time, not \(idleTimeout).")
        }
    }
}

private func checkWhole(_ values: [(name: String, value: Int)]) throws {
    for (name, value) in values where value < 1 || value > 1 << 40 {
        throw ValidationError("\(name) takes a whole number from 1, not \(value).")
    }
}
