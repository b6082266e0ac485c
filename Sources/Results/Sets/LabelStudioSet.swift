/// Label Studio's tasks, `<part>.json`: a task a picture of `images/<part>/`.
final class LabelStudioSet: DataSetWriter {
    private let files: SubsetFiles<LabelStudioTasks>
    private let omissions = LabelStudioTasks.makeOmissions()
    private var clip: DataSetClip?

    init(_ plan: DataSetPlan) throws {
        let omissions = omissions
        files = try SubsetFiles(plan.subsets) { subset in
            try LabelStudioTasks(
                try ByteWriter(path: "\(plan.folder)/\(subset).json"), plan.generator, omissions: omissions)
        }
    }

    func begin(_ clip: DataSetClip) throws { self.clip = clip }

    func write(_ picture: DataSetPicture) throws -> Bool {
        guard let clip, let file = files[clip.subset] else { return false }
        try file.add(picture.record, id: "\(picture.number)", image: picture.path, clip.context.header)
        return true
    }

    func finish() throws { try files.forEach { try $1.finish() } }

    var notes: [String] { omissions.value.sentences }
}
