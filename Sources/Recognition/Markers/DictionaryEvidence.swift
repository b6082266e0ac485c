internal import CVision

/// Reads a frame's markers in all built-in dictionaries, for who doesn't know theirs.
final class DictionaryEvidence: Sendable {
    let families: [DictionaryChooser.Family]
    private let pool: ResourcePool<Searches>

    /// A search for each family; outlines, and what is measured of them, are no dictionary's: the first keeps them for all.
    private final class Searches {
        let all: [MarkerSearch]

        init(_ all: [MarkerSearch]) {
            self.all = all
            all[0].share()
        }
    }

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
        pool = ResourcePool { [strict, largest = families.map(\.largest)] in
            Searches(try largest.map { try MarkerSearch($0, strict) })
        }
        try pool.withResource { _ in }
    }

    /// The most ids that one of them has.
    var largestCount: Int { families.flatMap(\.members).map(\.count).max() ?? 0 }

    func searchesHalf(width: Int, height: Int) throws -> Bool {
        try pool.withResource { $0.all[0].usesHalf(width: width, height: height) }
    }

    func sight(_ luma: ocv_plane, half: ocv_plane?) throws -> DictionaryChooser.Sight {
        var sight = DictionaryChooser.Sight()
        try pool.withResource { searches in
            let first = searches.all[0]
            for (family, search) in searches.all.enumerated() {
                let markers = try family == 0 ? first.detect(luma, half: half) : search.detect(luma, among: first)
                for marker in markers where marker.isFaultless && !marker.isPlain {
                    sight.readings.append(.init(family: family, id: marker.id, corners: marker.corners))
                }
                sight.unread.append(search.unread)
            }
        }
        return sight
    }
}
