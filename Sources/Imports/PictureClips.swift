/// Which pictures of a file may be those of a clip or photo, by their names, so that none is looked at for each of thousands of
/// clips. Whoever asks looks at them more closely.
final class PictureClips: Sendable {
    /// Numbers of pictures by words that they may be called by.
    private struct Called {
        var pictures: [String: [Int32]] = [:]
        /// Those that may be anybody's.
        var others: [Int32] = []

        func pictures(of words: Set<String>) -> [Int] {
            Set(words.flatMap { pictures[$0] ?? [] } + others).sorted().map(Int.init)
        }
    }

    private let names: [String?]
    private let called: Called
    /// The same for the data set that was asked for last, which knows whose its pictures are.
    private let known = Monitor<(set: SetPictures, called: Called)?>(nil)

    /// - Parameter names: Of the pictures, with folders or without; nil for what has none and may be anybody's.
    init(_ names: [String?]) {
        self.names = names
        var called = Called()
        for (number, name) in names.enumerated() {
            guard let name else {
                called.others.append(Int32(number))
                continue
            }
            for word in PictureNumbers.words(of: name) { called.pictures[word, default: []].append(Int32(number)) }
        }
        self.called = called
    }

    /// Pictures that may be a clip's or a photo's, in the file's order.
    /// - Parameter set: The data set that knows whose its pictures are; nil for none.
    func pictures(of clip: String, in set: SetPictures?) -> [Int] {
        guard let set else { return called.pictures(of: [clip, SinkContext.fileStem(clip)]) }
        let called = known.withLock { known in
            if let known, known.set === set { return known.called }
            var called = Called()
            for (number, name) in names.enumerated() {
                // What is behind a dot may be a part of a name without an extension.
                let own = name.map { [Files.name(of: $0), Files.name(of: $0) + "."] } ?? []
                let clips = Set(own.compactMap { set[$0]?.clip })
                for clip in clips { called.pictures[clip, default: []].append(Int32(number)) }
                if clips.isEmpty { called.others.append(Int32(number)) }
            }
            known = (set, called)
            return called
        }
        return called.pictures(of: [clip])
    }
}
