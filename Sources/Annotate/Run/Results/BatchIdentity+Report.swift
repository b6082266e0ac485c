extension BatchIdentity {
    /// What a run's report says of its batch.
    /// - Parameters:
    ///   - folder: The output folder.
    ///   - ids: Jobs that are known besides those of the report.
    package init(of folder: String, _ report: [String: JobOutcome], besides ids: some Sequence<String>) {
        let manifests = Set(report.values.compactMap { $0.manifest.map(Files.name(of:)) })
        self.init(
            name: Files.name(of: Files.canonicalOfPossible(folder)),
            // Of several none is the batch's.
            manifest: manifests.count == 1 ? manifests.first : nil, contents: report.compactMapValues(\.contents),
            jobs: Set(report.keys).union(ids))
    }
}
