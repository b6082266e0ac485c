/// Where in Label Studio's list of tasks each one stands: a list of thousands of pictures is gone through once then, and not once for
/// each.
final class LabelStudioTasks: Sendable {
    struct Task: Sendable {
        /// Its picture, as the file has it; nil for a video's.
        var image: String?
        var place: JSONElementReader.Place
    }

    /// In the file's order: those that have “data”.
    let tasks: [Task]
    private let clips: PictureClips

    private static let known = ReadFiles<LabelStudioTasks>()

    /// The tasks of a list, which is gone through once, until it changes.
    /// - Throws: A sentence with file and line.
    static func of(_ path: String) throws -> LabelStudioTasks {
        try known.value(of: path) { try LabelStudioTasks(path) }
    }

    private init(_ path: String) throws {
        var tasks: [Task] = []
        let reader = try JSONElementReader(path: path, keys: [JSONElementReader.list])
        while let element = try reader.next() {
            guard let data = element.node["data"], data.members != nil else { continue }
            tasks.append(Task(image: data["image"]?.string, place: element.place))
        }
        self.tasks = tasks
        clips = PictureClips(tasks.map { $0.image.map(LabelStudioReader.name) })
    }

    /// Tasks that may be of a clip or a photo, in the file's order.
    /// - Parameter set: The data set that knows whose its pictures are; nil for none.
    func tasks(of clip: String, in set: SetPictures?) -> [Task] {
        clips.pictures(of: clip, in: set).map { tasks[$0] }
    }
}
