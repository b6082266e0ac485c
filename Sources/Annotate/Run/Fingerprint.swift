/// What a job's result depends on, in one hash: program, manifest entry, graph, models, and the input's size and time of
/// change (as `make` has it: contents are not read again).
enum Fingerprint {
    /// - Returns: nil for a stream, of which nothing is known before it is read.
    static func of(_ job: Job, generator: String) -> String? {
        if MediaInput(path: job.input) == .standardInput { return nil }
        var json = JSONWriter()
        json.array { json in
            json.value(generator)
            json.value("[\(job.entry),\(job.graphText)]")
            for format in job.formats { json.value(format) }
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
                // In any order they are the same files.
                for hash in node.styles.values.flatMap(\.hashes).sorted() { json.value(hash) }
            }
        }
        return SHA256.hash(json.bytes)
    }
}
