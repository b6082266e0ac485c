internal import CFFmpeg

/// What a job's result depends on, in one hash: program, manifest entry, graph, models, and the input's size and time of
/// change (as `make` has it: contents are not read again).
enum Fingerprint {
    /// - Returns: nil for a stream, of which nothing is known before it is read.
    static func of(_ job: Job, generator: String) -> String? {
        if MediaInput(path: job.input) == .standardInput { return nil }
        var json = JSONWriter()
        json.array { json in
            json.value(generator)
            json.value(job.declaration)
            json.value(Files.canonical(job.input))
            for file in MediaInput(path: job.input).files {
                let status = Files.status(file)
                json.value(status?.size ?? 0)
                json.value(status?.modified ?? 0)
            }
            // A camera file's contents, which the declaration only names.
            if case .intrinsics(let camera) = job.camera { json.value(camera.json) }
            if case .fieldOfView(let degrees, let distortion) = job.camera {
                json.value(JSONValue.numbers([degrees] + distortion))
            }
            for node in job.graph.nodes {
                json.value(JSONValue.object(node.blueprint.details))
                for hash in node.style?.hashes ?? [] { json.value(hash) }
            }
        }
        return SHA256.hash(json.bytes)
    }
}

/// SHA-256 (FIPS 180-4), by libavutil.
public enum SHA256 {
    /// 64 lower-case hexadecimal digits.
    public static func hash(_ bytes: [UInt8]) -> String {
        guard let context = av_sha_alloc() else { return "" }
        defer { av_free(UnsafeMutableRawPointer(context)) }
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_init(context, 256)
        av_sha_update(context, bytes, bytes.count)
        av_sha_final(context, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Of a whole file.
    public static func hash(file path: String) throws -> String { hash(try Files.read(path)) }
}
