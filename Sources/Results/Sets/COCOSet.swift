/// COCO's folders: `annotations/instances_<part>.json`, `images/<part>/`.
final class COCOSet: DataSetWriter {
    private let plan: DataSetPlan
    private let files: SubsetFiles<COCOFile>
    private let omissions = COCOFile.makeOmissions()
    private var clip: COCOFile.Clip?
    private var file: COCOFile?

    init(_ plan: DataSetPlan) throws {
        self.plan = plan
        try Files.makeDirectory(plan.folder + "/annotations")
        let (omissions, numbers) = (omissions, COCOFile.Numbers())
        files = try SubsetFiles(plan.subsets) { subset in
            try COCOFile(
                beside: Self.path(plan, subset), names: plan.classes, plan.skeletons, omissions: omissions,
                numbers: numbers)
        }
    }

    private static func path(_ plan: DataSetPlan, _ subset: Subset) -> String {
        "\(plan.folder)/annotations/instances_\(subset).json"
    }

    func begin(_ clip: DataSetClip) throws {
        file = files[clip.subset]
        let own = COCOFile.Clip(
            number: clip.number, name: clip.id, header: clip.context.header, firstTrack: clip.firstTrack,
            isPart: true)
        try file?.begin(own)
        self.clip = own
    }

    func write(_ picture: DataSetPicture) throws -> Bool {
        guard let file, let clip else { return false }
        try file.add(
            picture.record, image: picture.number, name: picture.name,
            isEmpty: picture.record.observations.isEmpty ? picture.isEmpty : nil, of: clip)
        return true
    }

    func finish() throws {
        try files.forEach { subset, file in
            try file.finish(
                into: try ByteWriter(path: Self.path(plan, subset)), description: "\(subset)",
                contributor: plan.generator)
        }
    }

    var notes: [String] { omissions.value.sentences }
}
