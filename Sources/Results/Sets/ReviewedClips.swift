/// What reviewers said of clips' pictures, as the page of `review` exports it.
package struct ReviewedClips {
    /// What was said of one clip.
    struct Clip {
        /// Whether somebody has seen it through.
        var isReviewed = false
        /// Frames marked as right: all that is in them is annotated.
        var right: Set<Int> = []
        /// Frames of which something is marked as wrong or unsure.
        var wrong: Set<Int> = []
    }

    /// What the file says of its batch.
    private let batch: BatchIdentity
    private let path: String
    private var clips: [String: Clip] = [:]

    /// Reads a file.
    /// - Throws: `FileError`.
    package init(file path: String) throws {
        func refuse(_ reason: String) -> FileError { FileError("read the remarks in", path: path, reason: reason) }
        let root: JSONNode
        do {
            root = try JSONParser.parse(try Files.read(path))
        } catch let error as JSONSyntaxError {
            throw refuse("line \(error.position.line), column \(error.position.column): \(error.message)")
        }
        guard root["format"]?.string == "annotate-review" else {
            throw refuse("it has no “format” of “annotate-review”; expected a file that a review's page exported")
        }
        guard root["version"]?.integer == 1 else { throw refuse("its “version” isn't 1, the only one that there is") }
        batch = BatchIdentity(remarks: root)
        self.path = path
        for id in (root["reviewed"]?.elements ?? []).compactMap(\.string) {
            clips[id, default: Clip()].isReviewed = true
        }
        for remark in root["remarks"]?.elements ?? [] {
            guard let id = remark["job"]?.string, let frame = remark["frame"]?.integer else {
                throw refuse("line \(remark.position.line): a remark without “job” and “frame”; expected both")
            }
            switch remark["mark"]?.string {
            case "right":
                // Of a track it says nothing of what is beside it.
                if remark["track"] == nil { clips[id, default: Clip()].right.insert(frame) }
            case "wrong", "unsure": clips[id, default: Clip()].wrong.insert(frame)
            default: continue
            }
        }
    }

    /// Refuses what was said of another batch.
    /// - Returns: Ids of the jobs whose videos are others: what was said of them is to be left out.
    /// - Throws: `FileError`, also where they are about a job that the batch hasn't.
    package func check(_ batch: BatchIdentity) throws -> Set<String> {
        if let reason = self.batch.whyOther(than: batch) {
            throw FileError("take the remarks in", path: path, reason: reason)
        }
        return self.batch.strangers(to: batch)
    }

    /// Leaves out what was said of some clips.
    mutating func leaveOut(_ ids: Set<String>) {
        clips = clips.filter { !ids.contains($0.key) }
    }

    /// Ids of the clips that something was said of.
    var ids: [String] { clips.keys.sorted() }

    subscript(id: String) -> Clip { clips[id] ?? Clip() }
}
