/// Networks that earlier runs compiled and kept.
enum KeptNetworks {
    /// Files with those of the models that a manifest may mean, and of the program's own. Its reader tries networks out to learn
    /// what their outputs are, and would compile them anew each time.
    static func files(
        for grants: ManifestGrants, _ compiler: any ModelCompiler.Type, in cache: ModelCache
    ) -> [String] {
        let models = cache.models(among: grants.paths).union(compiler.ownModels)
        return cache.files { models.contains(compiler.model(ofKey: $0)) }
    }
}
