public import Annotate

/// Writes the page on which people look at the results of a batch.
public struct Review {
    /// Confidence below which a result is doubtful, 0…1.
    public var doubtful = 0.5
    /// Whether everything goes into the page, however large it gets, and pictures for those who don't have the videos.
    public var embeds = false
    /// Whether it is for a release: it opens on the covered videos, with pictures of what to look at and a decision a clip.
    public var isForRelease = false
    /// Remarks that reviewers exported from an earlier page; nil for none.
    public var remarks: Remarks?

    private let directory: String
    private let kinds: FindingCatalog
    private let generator: String

    /// The most data that go into a page where nobody asks for more, bytes.
    var mostInPage = 20_000_000

    /// The figures of what was written.
    public struct Written: Sendable {
        /// How many jobs are in it.
        public var jobs: Int
        /// How many doubtful moments there are in all jobs.
        public var moments: Int
        /// Size of the page, bytes.
        public var bytes: Int
        /// Path of the folder with the data; nil where they are in the page.
        public var data: String?
        /// Size of the data beside the page, bytes; 0 for none.
        public var dataBytes = 0
        /// Problems: what can't be shown, a sentence each.
        public var problems: [String]
        /// The remarks that were taken over; nil where there were none.
        public var remarks: Remarks?
    }

    /// A review of the results in a folder.
    /// - Parameters:
    ///   - directory: The output folder of a run.
    ///   - kinds: Kinds of results that the program knows.
    ///   - generator: The program and its version.
    public init(_ directory: String, kinds: FindingCatalog, generator: String) {
        (self.directory, self.kinds, self.generator) = (directory, kinds, generator)
    }

    /// Where a folder's page goes where nobody says it: into the folder, or, where track files lie in one of their own so that
    /// the folder can be handed out, beside them.
    /// - Throws: `FileError` for a folder that can't be listed.
    public static func place(in directory: String) throws -> String {
        let folders = Set(try TrackFiles.list(in: directory).map { Files.parent(of: $0) })
        if let other = folders.first, folders.count == 1, !Files.areTheSame(other, directory) {
            return other + "/review.html"
        }
        return directory + "/review.html"
    }

    /// Writes the page, and a folder of its name with the data where they are large. Both appear whole.
    /// - Throws: `FileError`, also for a folder without results; `CancelledError`.
    public func write(to path: String, threads: Int, cancellation: Cancellation = Cancellation()) throws -> Written {
        let jobs = try ReviewFolder.jobs(of: directory)
        let batch = BatchIdentity(
            of: directory,
            Dictionary(jobs.compactMap { job in job.outcome.map { (job.id, $0) } }, uniquingKeysWith: { $1 }),
            besides: jobs.map(\.id))
        var remarks = remarks
        let leftOut = try remarks?.take(of: batch)
        let page = Files.parent(of: path)
        try Files.makeDirectory(page)
        let folder = OutputFile(target: Self.dataFolder(of: path), isFolder: true)
        defer { folder.discard() }
        if let reason = folder.whyUnusable {
            throw FileError("write", path: folder.target, reason: reason)
        }
        let (kinds, limit, embeds, isForRelease) = (kinds, doubtful, embeds, isForRelease)
        let written = try parallelMap(jobs.count, threads: threads) { index in
            try jobs[index].write(
                to: Self.file(index, in: folder.temporary), element: Self.element(index), page: page, kinds: kinds,
                doubtfulBelow: limit, embeds: embeds, isForRelease: isForRelease, cancellation: cancellation)
        }
        let bytes = written.reduce(0) { $0 + $1.bytes }
        let isInside = embeds || bytes <= mostInPage
        let size = try write(written, of: batch, remarks, from: folder, isInside: isInside, to: path)
        if isInside { Files.removeResult(folder.target) } else { try folder.commit() }
        return Written(
            jobs: jobs.count, moments: written.reduce(0) { $0 + $1.moments }, bytes: size,
            data: isInside ? nil : folder.target, dataBytes: bytes,
            problems: [leftOut].compactMap(\.self)
                + zip(jobs, written).flatMap { job, written in
                    ([written.problem].compactMap(\.self) + written.notes).map { "\(job.id.inOneLine): \($0)" }
                },
            remarks: remarks)
    }

    /// Folder beside a page for data that are too large for it.
    public static func dataFolder(of path: String) -> String {
        "\(Files.parent(of: path))/\(Files.stem(of: path)).data"
    }

    private static func element(_ index: Int) -> String { "job-\(index)" }

    private static func file(_ index: Int, in folder: String) -> String {
        "\(folder)/\(element(index))\(ResultFolder.pageData)"
    }

    /// - Returns: The page's bytes.
    private func write(
        _ jobs: [ReviewJob.Written], of batch: BatchIdentity, _ remarks: Remarks?, from folder: OutputFile,
        isInside: Bool, to path: String
    ) throws -> Int {
        var page = Page("review/review.html")
        page.loadsScripts = !isInside
        page.add(
            json: list(jobs, of: batch, remarks, folder: isInside ? nil : Files.name(of: folder.target)), id: "batch")
        if isInside {
            for (index, job) in jobs.enumerated() where job.bytes > 0 {
                page.add(
                    jsonOf: Self.file(index, in: folder.temporary), id: Self.element(index),
                    without: (ReviewJob.start(Self.element(index)).utf8.count, ReviewJob.end.utf8.count))
            }
        }
        return try page.write(to: path)
    }

    private func list(
        _ jobs: [ReviewJob.Written], of batch: BatchIdentity, _ remarks: Remarks?, folder: String?
    ) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("generator", generator)
            let place = Files.canonicalOfPossible(directory)
            json.member("name", Files.name(of: place))
            // Remarks in the browser belong to the folder, whichever page they were made on.
            json.member("key", String(SHA256.hash(Array(place.utf8)).prefix(16)))
            if let manifest = batch.manifest { json.member("manifest", manifest) }
            json.key("contents")
            json.object { json in
                for (id, hash) in batch.contents.sorted(by: { $0.key < $1.key }) { json.member(id, hash) }
            }
            json.member("doubtful", doubtful, decimals: 4)
            if isForRelease { json.member("release", true) }
            json.key("kinds")
            json.object { json in for kind in kinds.kinds { Self.write(kind, into: &json) } }
            if let remarks {
                json.key("remarks")
                json.value(remarks.json)
            }
        }
        // The jobs' members are JSON already.
        let entries = jobs.enumerated().map { index, job in
            guard job.bytes > 0 else { return "{\(job.json)}" }
            let place =
                folder.map {
                    #"{"src":"\#(PageAddress.escaped($0))/\#(Self.element(index))\#(ResultFolder.pageData)"}"#
                }
                ?? #"{"element":"\#(Self.element(index))"}"#
            return "{\(job.json),\"data\":\(place)}"
        }
        return json.text.dropLast() + ",\"jobs\":[\(entries.joined(separator: ",\n"))]}"
    }

    private static func write(_ kind: any Finding.Type, into json: inout JSONWriter) {
        json.key(kind.kind)
        json.object { json in
            json.member("doc", kind.doc)
            json.key("fields")
            json.object { json in for property in kind.properties { write(property, into: &json) } }
        }
    }

    private static func write(_ property: Property, into json: inout JSONWriter) {
        json.key(property.name)
        json.object { json in
            json.member("doc", property.doc)
            if let unit = property.unit { json.member("unit", unit) }
        }
    }
}

extension Finding {
    /// The fields' declarations.
    fileprivate static var properties: [Property] { fields.map(\.property) }
}
