/// The first line of a part's file in a folder of results: which part it is, and all that what follows depends on.
struct PartHead: Record, Hashable {
    /// The job's id.
    var job = ""
    /// The part's number, from 1.
    var part = 0
    /// How many there are.
    var parts = 0
    /// The program and its version.
    var program = ""
    /// Size of the input, bytes, and the time of its last change, nanoseconds since 1970.
    var size = 0
    var modified = 0
    /// Hash of what the stages that run depend on.
    var stages = ""
    /// Hash of where the part begins and ends.
    var span = ""
    /// Hash of what follows.
    var contents = ""
    /// Why nothing follows; nil where something does.
    var failure: String?

    private static let format = "annotate-part"

    static let fields: [Field<PartHead>] = [
        .constant("format", .string(format), doc: "What it is."),
        Field("job", \.job, .text(), doc: "The job's id."),
        Field("part", \.part, .integer(), doc: "Its number, from 1."),
        Field("parts", \.parts, .integer(), doc: "How many there are."),
        Field("program", \.program, .text(), doc: "The program and its version."),
        Field("size", \.size, .integer(), unit: "bytes", doc: "Of the input."),
        Field("modified", \.modified, .integer(), unit: "ns", doc: "The input's last change."),
        Field("stages", \.stages, .text(), doc: "Of what the stages depend on."),
        Field("span", \.span, .text(), doc: "Of where it begins and ends."),
        Field("contents", \.contents, .text(), doc: "Of what follows."),
        Field("failure", \.failure, .text(), doc: "Why nothing follows."),
    ]

    init() {}

    /// The head of each part of a job's video.
    /// - Parameters:
    ///   - task: What is to be done of the whole.
    ///   - parts: nil where they aren't known; then no head says where its part lies.
    ///   - count: How many there are.
    static func of(
        _ order: JobOrder, _ task: JobTask, _ parts: [JobPart]?, count: Int, program: String
    ) -> [PartHead] {
        var head = PartHead()
        (head.job, head.parts, head.program) = (order.id, count, program)
        let status = Files.status(order.input)
        (head.size, head.modified) = (Int(status?.size ?? 0), Int(status?.modified ?? 0))
        head.stages = hash { json in
            json.array { json in
                for stage in order.stages {
                    json.value(stage.id)
                    json.value(stage.fingerprint)
                    json.value(task.reused.contains(stage.id))
                }
            }
        }
        return (0..<count).map { number in
            var head = head
            head.part = number + 1
            if let part = parts?[number] { head.span = hash { part.write(into: &$0) } }
            return head
        }
    }

    private static func hash(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(SHA256.hash(json.bytes).prefix(16))
    }

    /// Why a file with this head isn't the one that another head says; nil where it is.
    func whyOther(than wanted: PartHead) -> String? {
        if (job, part, parts) != (wanted.job, wanted.part, wanted.parts) { return "its file is of another part" }
        if program != wanted.program { return "its file is by another version of the program" }
        if (size, modified) != (wanted.size, wanted.modified) { return "its file is of the input as it was before" }
        if stages != wanted.stages { return "its file is of other stages, or of other options of theirs" }
        if !wanted.span.isEmpty, span != wanted.span { return "its file is of another part" }
        return nil
    }
}
