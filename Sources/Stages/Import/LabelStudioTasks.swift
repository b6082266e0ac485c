internal import Graph

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
    /// Tasks by the clips and photos that they may be of, as numbers in `tasks`.
    private let called: [String: [Int32]]
    /// Tasks of no picture, which may be anybody's.
    private let others: [Int32]

    private static let known = ReadFiles<LabelStudioTasks>()

    /// The tasks of a list, which is gone through once, until it changes.
    /// - Throws: A sentence with file and line.
    static func of(_ path: String) throws -> LabelStudioTasks {
        try known.value(of: path) { try LabelStudioTasks(path) }
    }

    private init(_ path: String) throws {
        var (tasks, called, others): ([Task], [String: [Int32]], [Int32]) = ([], [:], [])
        let reader = try JSONElementReader(path: path, keys: [JSONElementReader.list])
        while let element = try reader.next() {
            guard let data = element.node["data"], data.members != nil else { continue }
            let image = data["image"]?.string
            if let image {
                for word in PictureNumbers.words(of: LabelStudioReader.name(of: image)) {
                    called[word, default: []].append(Int32(tasks.count))
                }
            } else {
                others.append(Int32(tasks.count))
            }
            tasks.append(Task(image: image, place: element.place))
        }
        (self.tasks, self.called, self.others) = (tasks, called, others)
    }

    /// Tasks that may be of a clip or a photo, in the file's order.
    func tasks(called name: String) -> [Task] {
        Set([name, SinkContext.fileStem(name)].flatMap { called[$0] ?? [] } + others).sorted().map { tasks[Int($0)] }
    }
}
