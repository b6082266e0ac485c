/// “CVAT for images 1.1”: `<part>.xml` with a picture each of all clips, `images/<part>/`. Shapes of one track share a group.
final class CVATSet: DataSetWriter {
    private let plan: DataSetPlan
    private let files: SubsetFiles<CVATImagesFile>
    private let omissions = CVATImagesFile.makeOmissions()
    private var clip: DataSetClip?

    init(_ plan: DataSetPlan) throws {
        self.plan = plan
        let omissions = omissions
        files = try SubsetFiles(plan.subsets) { subset in
            try CVATImagesFile(
                beside: "\(plan.folder)/\(subset).xml", names: plan.classes, plan.skeletons, omissions: omissions)
        }
    }

    func begin(_ clip: DataSetClip) throws { self.clip = clip }

    func write(_ picture: DataSetPicture) throws -> Bool {
        guard let clip, let file = files[clip.subset] else { return false }
        try file.add(
            picture.record, id: picture.number - 1, name: picture.name, clip.context.header,
            firstGroup: clip.firstTrack)
        return true
    }

    func finish() throws {
        try files.forEach { subset, file in
            try file.finish(into: "\(plan.folder)/\(subset).xml", name: "\(subset)")
        }
    }

    var notes: [String] { omissions.value.sentences }
}
