/// By what remarks know the batch that they are of: its jobs' videos and its manifest. A folder's name is one that many have.
package struct BatchIdentity: Sendable {
    /// Name of the output folder.
    package var name: String?
    /// Name of the manifest's file.
    package var manifest: String?
    /// Hashes of what the jobs' videos hold, by the jobs' ids, where they are known.
    package var contents: [String: String] = [:]
    /// Ids of the jobs.
    package var jobs: Set<String> = []

    package init(name: String?, manifest: String?, contents: [String: String], jobs: Set<String>) {
        (self.name, self.manifest, self.contents, self.jobs) = (name, manifest, contents, jobs)
    }

    /// What a file of remarks says of its batch, and the jobs that it is about.
    package init(remarks root: JSONNode) {
        (name, manifest) = (root["batch"]?.string, root["manifest"]?.string)
        for member in root["contents"]?.members ?? [] { contents[member.key] = member.value.string }
        jobs = Set(
            (root["remarks"]?.elements ?? []).compactMap { $0["job"]?.string }
                + (root["reviewed"]?.elements ?? []).compactMap(\.string))
    }

    /// Why remarks that say this are of another batch than one; nil where they are of it, also where some jobs' videos are others
    /// now (`strangers`).
    package func whyOther(than batch: BatchIdentity) -> String? {
        let known = contents.keys.filter { batch.contents[$0] != nil }
        if known.isEmpty {
            // Nothing says more, of a page of an earlier version or of streams.
            if let manifest, let other = batch.manifest, manifest != other {
                return
                    "they are of the manifest “\(manifest.inOneLine)”, and this batch is of “\(other.inOneLine)”; expected this one's"
            }
            if let name, let other = batch.name, name != other {
                return
                    "they are of the batch “\(name.inOneLine)”, and this one is “\(other.inOneLine)”; expected this one's"
            }
        } else if let other = strangers(to: batch).min(), known.allSatisfy({ contents[$0] != batch.contents[$0] }) {
            return
                "they are of another batch: the video of its job “\(other.inOneLine)” isn't this one's; expected this batch's"
        }
        if let other = jobs.subtracting(batch.jobs).min() {
            return "they are about the job “\(other.inOneLine)”, which this batch hasn't; expected remarks on its jobs"
        }
        return nil
    }

    /// Ids of the jobs of whose videos both know what they hold, and not the same.
    package func strangers(to batch: BatchIdentity) -> Set<String> {
        Set(contents.filter { id, hash in batch.contents[id].map { $0 != hash } ?? false }.keys)
    }

    /// What is told of jobs whose remarks are left out; nil for none.
    package static func sentence(on strangers: Set<String>) -> String? {
        guard !strangers.isEmpty else { return nil }
        return "remarks are left out on jobs whose videos are others now: "
            + strangers.sorted().prefix(8).map { "“\($0.inOneLine)”" }.joined(separator: ", ")
            + (strangers.count > 8 ? ", …" : "")
    }
}
