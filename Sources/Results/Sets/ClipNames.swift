/// What the pictures of a data set's clips, and folders of its classes, are called after.
enum ClipNames {
    /// Names for ids, each another: the id where a file's name may be that, and else one that is like it.
    static func of(_ ids: [String]) -> [String: String] {
        var names: [String: String] = [:]
        // Those that are fine stay theirs, whatever others become.
        for id in ids where SinkContext.fileStem(id) == id { names[id] = id }
        var taken = Set(names.keys)
        for id in ids where names[id] == nil {
            let stem = SinkContext.fileStem(id)
            var name = stem
            var number = 2
            while !taken.insert(name).inserted {
                name = "\(stem)-\(number)"
                number += 1
            }
            names[id] = name
        }
        return names
    }
}
