internal import COpenVINO
internal import Glibc
private import Synchronization

/// Compiles networks ahead, and says what was compiled ahead.
package enum NetworkCompiler: ModelCompiler {
    /// What a network is before it is used: its inputs and outputs.
    package struct Description: Record {
        package var inputs: [InferenceModel.Port] = []
        package var outputs: [InferenceModel.Port] = []

        package init() {}

        package static let fields: [Field<Description>] = [
            Field("inputs", \.inputs, .list(.record(doc: "One.")), doc: "In the file's order."),
            Field("outputs", \.outputs, .list(.record(doc: "One.")), doc: "In the file's order."),
        ]
    }

    /// What is kept of a network.
    package struct Kept: Sendable {
        package var cache: ModelCache
        package var entry: ModelCache.Entry
        package var description: Description
    }

    private static let orders = Mutex<Set<ModelOrder>>([])

    package static func key(of order: ModelOrder) throws -> String {
        key(of: try ModelFile(order.path), shape: order.shape)
    }

    /// With the folder of a network that is several files: what the others are its hash doesn't say, so their states are there.
    private static func key(of file: ModelFile, shape: [Int]) -> String {
        let parts = file.data.map { path in
            let file = Files.generation(path), status = Files.status(path)
            return "\(path):\(status?.size ?? 0):\(status?.modified ?? 0):\(file.inode):\(file.changed)"
        }
        let size = shape.map(String.init).joined(separator: "x")
        let own = ["1", file.sha256, size, "\(concurrency)", library, processor]
        return (own + parts).joined(separator: "\n")
    }

    package static func model(ofKey key: String) -> String {
        let lines = key.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        return lines.count > 1 ? String(lines[1]) : ""
    }

    package static var ownModels: Set<String> { Set(KnownNetwork.all.flatMap(\.files).map(\.sha256)) }

    /// Cores that a network computes on.
    package static var concurrency: Int { min(Machine.cores, 256) }

    /// OpenVINO's files, each with its size and age.
    private static let library: String = {
        let folder = BundledFiles.openVINO
        // A folder that can't be listed has nothing that could be loaded.
        let names = (try? Files.list(folder)) ?? []
        return names.filter { $0.contains(".so") }.map { name in
            let status = Files.status(folder + "/" + name)
            return "\(name):\(status?.size ?? 0):\(status?.modified ?? 0)"
        }.joined(separator: ",")
    }()

    /// The processor's name and abilities, as the kernel tells them; where it doesn't, nothing tells one from another.
    private static let processor: String = {
        let text = (try? Files.read("/proc/cpuinfo")).map { String(decoding: $0, as: UTF8.self) }
        let first = (text ?? "").split(separator: "\n\n", maxSplits: 1).first ?? ""
        let told = ["vendor_id", "model name", "stepping", "flags", "Features", "CPU implementer", "CPU part"]
        return first.split(separator: "\n").filter { line in told.contains { line.hasPrefix($0) } }
            .joined(separator: ";")
    }()

    package static func facts(of path: String) throws -> ModelCache.Facts { try ModelFile(path).facts }

    package static func isOwn(_ path: String) -> Bool { Files.isInside(path, BundledFiles.networks) }

    package static func companions(of path: String) -> [String] {
        // One that can't be read has none.
        (try? ModelFile(path))?.data ?? []
    }

    package static func takeOrders() -> [ModelOrder] {
        orders.withLock { orders in
            defer { orders = [] }
            return orders.sorted { ($0.path, $0.shape.description) < ($1.path, $1.shape.description) }
        }
    }

    package static func compile(_ order: ModelOrder, into path: String) throws -> String {
        let model = try ModelHandle(path: order.path, shape: order.shape)
        try check(ovn_model_export(model.pointer, path))
        var description = Description()
        (description.inputs, description.outputs) = (try model.inputs, try model.outputs)
        var json = JSONWriter()
        description.write(into: &json)
        return json.text
    }

    /// Notes that a stage looks at a network.
    /// - Returns: What is kept of it; nil for nothing.
    package static func look(at file: ModelFile, shape: [Int]) -> Kept? {
        _ = orders.withLock { $0.insert(ModelOrder(path: file.path, shape: shape)) }
        guard let cache = ModelCache.ofEnvironment, let entry = cache.entry(for: key(of: file, shape: shape)),
            let node = try? JSONParser.parse(Array(entry.description.utf8))
        else { return nil }
        let description = Description(node)
        return description.inputs.isEmpty || description.outputs.isEmpty
            ? nil : Kept(cache: cache, entry: entry, description: description)
    }
}

extension InferenceModel.Port: Record {
    package init() { self.init(name: "", element: "", shape: []) }

    package static let fields: [Field<InferenceModel.Port>] = [
        Field("name", \.name, .text(), doc: "Its name."), Field("element", \.element, .text(), doc: "Its type."),
        Field("shape", \.shape, .list(.integer()), doc: "Its sizes; −1 for an open one."),
    ]
}
