/// What a manifest's own text says of files, without anybody's help.
///
/// Whoever reads it in full opens the videos and models that it names, and may have been taken over by one of them: it is
/// believed about jobs, not about anybody's files.
struct ManifestMeaning {
    /// What its reader may read, and its jobs.
    let grants: ManifestGrants
    /// Where results go.
    let output: OutputPlaces
    /// The data set of all jobs; nil for none.
    let dataSet: DataSetOptions?
    /// The command that fetches inputs that lie elsewhere; nil for none.
    let fetch: [String]?
    /// The same that stores results elsewhere.
    let store: [String]?
    /// Where results go besides; nil for nowhere.
    let address: String?

    /// - Parameters:
    ///   - path: The manifest's.
    ///   - bytes: What is in it. What is no JSON means nothing.
    ///   - output: The folder that takes the place of the manifest's own.
    init(_ path: String, _ bytes: [UInt8], output: String?) {
        let paths = ManifestPaths(directory: Files.parent(of: path))
        // What is wrong with it is for its reader to say.
        let manifest = (try? JSONParser.parse(bytes)) ?? JSONNode(.null)
        grants = ManifestGrants(paths, manifest)
        fetch = ManifestReader.command(manifest["fetch"])
        store = ManifestReader.command(manifest["store"])
        address = manifest["output"]?["address"]?.string
        self.output = OutputPlaces(of: manifest, paths, instead: output)
        dataSet = DataSetOptions(of: manifest, paths)
    }

    /// Whether a job may be one of the manifest's, by what it reads and writes.
    /// - Parameter granted: What the manifest's reader may read.
    func allows(_ order: JobOrder, _ granted: FileGrants) -> Bool {
        guard !order.results.isEmpty, order.results.allSatisfy({ output.has($0, of: order.id) }),
            order.accepted.allSatisfy(granted.covers)
        else { return false }
        guard order.address == nil else {
            return grants.addresses.contains(order.input) && order.dependencies.allSatisfy(granted.covers)
        }
        let input = MediaInput(path: order.input)
        guard input != .standardInput || grants.hasStandardInput else { return false }
        return (input.files + order.dependencies).allSatisfy(granted.covers)
    }
}
