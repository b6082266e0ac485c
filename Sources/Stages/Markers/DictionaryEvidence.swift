internal import Graph
internal import CVision

/// Reads a frame's markers in all built-in dictionaries, for who doesn't know theirs.
final class DictionaryEvidence: Sendable {
    let families: [DictionaryChooser.Family]
    private let searches: [ResourcePool<MarkerSearch>]

    /// - Parameter options: Of the search; what is read has to be clean.
    init(_ options: MarkersBlueprint.Options) throws {
        var families: [(largest: MarkerDictionary, family: DictionaryChooser.Family)] = []
        for name in MarkerDictionary.names {
            let dictionary = try MarkerDictionary(name: name)
            // Those of one size of cells and one origin come one after another, each the start of the next.
            let origin = name.split(separator: "-").dropLast()
            if let last = families.last, let own = last.family.members.last?.name.split(separator: "-").dropLast(),
                origin.count > 1, own.elementsEqual(origin)
            {
                families[families.count - 1].largest = dictionary
                families[families.count - 1].family.members.append((name, dictionary.count))
            } else {
                families.append((dictionary, .init(members: [(name, dictionary.count)], cells: dictionary.cells)))
            }
        }
        self.families = families.map(\.family)
        var strict = options
        strict.errorCorrection = 0
        strict.refine = .none
        searches = families.map { family in ResourcePool { [strict] in try MarkerSearch(family.largest, strict) } }
        for pool in searches { try pool.withResource { _ in } }
    }

    /// The most ids that one of them has.
    var largestCount: Int { families.flatMap(\.members).map(\.count).max() ?? 0 }

    func searchesHalf(width: Int, height: Int) throws -> Bool {
        try searches[0].withResource { $0.usesHalf(width: width, height: height) }
    }

    func sight(_ luma: ocv_plane, half: ocv_plane?) throws -> DictionaryChooser.Sight {
        var sight = DictionaryChooser.Sight()
        for (family, pool) in searches.enumerated() {
            try pool.withResource { search in
                for marker in try search.detect(luma, half: half) where marker.isFaultless && !marker.isPlain {
                    sight.readings.append(.init(family: family, id: marker.id, corners: marker.corners))
                }
                sight.unread.append(search.unread)
            }
        }
        return sight
    }
}
