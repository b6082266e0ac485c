/// Networks that earlier runs compiled and kept.
enum KeptNetworks {
    /// Files with those of the models that a manifest may mean, and of the program's own. Its reader tries networks out to
    /// learn what their outputs are, and would compile them anew each time.
    /// - Parameter root: The folder that no path may leave, links followed; nil for none. A network says as much as the
    ///   model that it was made of.
    static func files(
        for grants: ManifestGrants, root: String?, _ compiler: any ModelCompiler.Type, in cache: ModelCache
    ) -> [String] {
        let paths = grants.paths.filter { path in root.map { Files.isInside(path, $0) } ?? true }
        let models = cache.models(among: paths).union(compiler.ownModels)
        return cache.files { models.contains(compiler.model(ofKey: $0)) }
    }
}
