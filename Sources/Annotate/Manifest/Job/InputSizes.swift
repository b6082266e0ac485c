/// The sizes of a manifest's inputs, each looked at once.
final class InputSizes {
    private let limits: MediaLimits
    private var known: [String: PictureSize?] = [:]
    /// Why inputs can't be opened, of those that were tried: nobody tries twice.
    private var failures: [String: String] = [:]
    /// Inputs that are photos.
    private var photos: Set<String> = []
    private let looksAtFiles: Bool
    private let attention: PlanAttention

    /// - Parameters:
    ///   - limits: What an input may ask for; one over them fails as a job.
    ///   - looksAtFiles: False where no size is wanted.
    ///   - attention: Told of each input before it is opened, and of those not to open.
    init(limits: MediaLimits, looksAtFiles: Bool = true, attention: PlanAttention = PlanAttention()) {
        self.limits = limits
        self.looksAtFiles = looksAtFiles
        self.attention = attention
    }

    /// Size of an input's pictures as shown; nil for what can't be looked at now: a stream can be read only once, and a
    /// video that can't be opened fails as a job, not as a manifest.
    func size(of input: String) -> PictureSize? {
        if let size = known[input] { return size }
        var size: PictureSize?
        if looksAtFiles, RemoteAddress(input) == nil, !attention.skipped.contains(input),
            MediaInput(path: input) != .standardInput,
            let info = attention.look(at: input, { probe(input) })
        {
            size = PictureSize(width: info.width, height: info.height)
            let isPicture = info.container.hasSuffix("_pipe") || info.container == "image2"
            if isPicture || StillPicture.isHEIF(input) { photos.insert(input) }
        }
        known[input] = .some(size)
        return size
    }

    /// Sentences about files that are there, can be read, and that no decoder can open.
    func complaints(of inputs: [String]) -> [String] {
        var seen: Set<String> = []
        return inputs.compactMap { input in
            guard seen.insert(input).inserted, RemoteAddress(input) == nil, !attention.skipped.contains(input),
                MediaInput(path: input) != .standardInput, known[input].map({ $0 == nil }) ?? true,
                MediaInput(path: input).files.allSatisfy({ Files.isRegular($0) && Files.whyUnreadable($0) == nil })
            else { return nil }
            if failures[input] == nil { _ = attention.look(at: input, { probe(input) }) }
            return failures[input].map { "\($0); its job will fail" }
        }
    }

    private func probe(_ input: String) -> SourceInfo? {
        do {
            return try SourceInfo.probe(path: input, limits: limits)
        } catch {
            failures[input] = "\(error)"
            return nil
        }
    }

    /// Whether an input is a photo, as far as that can be told.
    func isPhoto(_ input: String) -> Bool {
        _ = size(of: input)
        return photos.contains(input)
    }

    /// What kind of photo an input is; nil for none. Only what looks like one is opened.
    func still(_ input: String) -> StillPicture? {
        guard RemoteAddress(input) == nil, case .file = MediaInput(path: input), let still = StillPicture(path: input)
        else { return nil }
        return isPhoto(input) ? still : nil
    }

    /// Sizes of some inputs, each with the name of the first that has it.
    func sizes(of inputs: [String]) -> [(name: String, size: PictureSize)] {
        var taken: Set<PictureSize> = []
        return inputs.compactMap { input in
            guard let size = size(of: input), taken.insert(size).inserted else { return nil }
            return (Files.name(of: input), size)
        }
    }
}
