extension OutputPlaces {
    /// Folders in which earlier runs had files, and from which they may have to go.
    public func earlier(_ outcomes: some Sequence<JobOutcome>) -> [String] {
        let places = outcomes.flatMap(\.files).filter { !Files.isPlainName($0) && !isAmongTracks($0) }
        return Set(places.map { directory + "/" + Files.parent(of: $0) }).filter(Files.isDirectory).sorted()
    }

    /// Whether a file that a report lists may be removed, now that it is out of date.
    ///
    /// In the folders that the manifest names, what is called as a job's file is one. Elsewhere, where an earlier manifest had
    /// its track files, only what is still of the size, or has the contents, that the report gives.
    func mayRemove(_ place: String, of outcome: JobOutcome) -> Bool {
        if Files.isPlainName(place) || isAmongTracks(place) { return true }
        let path = path(place)
        guard Files.isResult(path), let size = Files.sizeOfResult(path) else { return false }
        if let known = outcome.outputs.first(where: { $0.file == place }) { return known.bytes == size }
        guard let contents = outcome.trackFile, place.hasSuffix(TracksSink.format.suffix) else { return false }
        // What can't be read stays.
        return ContentHash.size(contents) == size && (try? ContentHash.of([path])) == contents
    }
}
