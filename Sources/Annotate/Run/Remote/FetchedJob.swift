/// A job whose input lies elsewhere, with the file that was fetched for it.
struct FetchedJob: Sendable {
    /// The order, whose input is that file.
    var order: JobOrder
    /// The file, which is there as long as this is; nil where it didn't have to be fetched.
    var file: FetchedFile?

    /// Fetches what a job reads, if that isn't known to be what it was.
    /// - Parameter makeRoom: Has files go that nobody reads yet.
    /// - Throws: `JobFailure`; `CancelledError`.
    init(
        _ order: JobOrder, _ address: RemoteAddress, by fetcher: Fetcher, _ check: FreshnessCheck,
        makeRoom: () -> Void = {}
    ) throws {
        let earlier = check.earlier[order.id]
        self.order = order
        func stamp(_ etag: String) -> String { Self.stamp(of: address, etag) }
        var known: String?
        // A report may be anybody's.
        if let etag = earlier?.etag, WebTransfer.Response.isTag(etag), earlier?.stamp == stamp(etag) {
            var same = order
            same.stamp = stamp(etag)
            // Where anything else has changed the file is needed.
            switch check.freshness(of: same) {
            case .upToDate, .crashes: known = etag
            default: break
            }
        }
        var etag = known
        if case .whole(let file, let tag) = try fetcher.fetch(address, unless: known, makeRoom: makeRoom) {
            (self.file, self.order.input, etag) = (file, file.path, tag)
            self.order.entry = Self.cleaned(order.entry, address)
        } else {
            // Nobody opens an address, nor tells of what is secret in it.
            self.order.input = address.shown
        }
        (self.order.etag, self.order.stamp) = (etag, etag.map(stamp))
    }

    /// The stamp of what a server has under an entity tag.
    static func stamp(of address: RemoteAddress, _ etag: String) -> String {
        SHA256.hash(Array("\(address.shown)\n\(etag)".utf8))
    }

    /// The entry without what is secret of the address: the worker has no use for that.
    private static func cleaned(_ entry: String, _ address: RemoteAddress) -> String {
        guard var members = (try? JSONParser.parse(Array(entry.utf8)))?.members else { return entry }
        for index in members.indices where members[index].key == "input" {
            members[index].value = JSONNode(.string(address.name))
        }
        var json = JSONWriter()
        json.value(.object(members))
        return json.text
    }

    /// How the job ended, in terms of its address.
    func told(_ outcome: JobOutcome, _ address: RemoteAddress) -> JobOutcome {
        var outcome = outcome
        (outcome.etag, outcome.stamp) =
            outcome.status.isWhole || outcome.isCrash ? (order.etag, order.stamp) : (nil, nil)
        guard let path = file?.path else { return outcome }
        func told(_ text: String) -> String { text.replacing(path, with: address.shown) }
        if var failure = outcome.failure {
            (failure.reason, failure.file) = (told(failure.reason), failure.file.map(told))
            outcome.failure = failure
        }
        outcome.result.notes = outcome.result.notes.map(told)
        return outcome
    }
}
