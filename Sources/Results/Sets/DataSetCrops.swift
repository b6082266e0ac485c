/// The pictures of things: `crops/<part>/<class>/<clip>_<frame>_<n>.jpg`, as trainers of classifiers read them.
final class DataSetCrops {
    private let which: DataSetOptions.Crops
    private let folder: String
    private let format: PictureFormat
    private let writer: PictureWriter
    /// The folder of each class.
    private let folders: [String: String]
    /// The best picture of each track so far: what it is judged by, and its file.
    private var best: [Int: (score: (confidence: Double, area: Double), path: String)] = [:]

    /// Larger than any picture.
    private static let any = PictureSize(width: 1 << 16, height: 1 << 16)

    /// - Parameter classes: Those of the whole data set, so that each clip's lie in the same folders.
    init(_ which: DataSetOptions.Crops, of classes: ClassList, folder: String, _ format: PictureFormat) {
        (self.which, self.folder, self.format) = (which, folder, format)
        folders = Self.folders(of: classes.names)
        writer = PictureWriter(format)
    }

    /// The names of classes' folders: a class's own where a folder can be called so, and else one that is like it, which the
    /// set's record tells.
    static func folders(of classes: [String]) -> [String: String] { ClipNames.of(classes) }

    /// Cuts out of a frame what is asked for; a track's better picture takes the place of its last one.
    /// - Returns: How many pictures there are more.
    func write(_ record: FrameRecord, of clip: DataSetClip, _ frame: VideoFrame) throws -> Int {
        var count = 0
        for (index, observation) in record.observations.enumerated() {
            let track = which == .best ? observation.track?.number : nil
            let score = (confidence: observation.confidence ?? 1, area: observation.bounds?.area ?? 0)
            if let track, !observation.isMeasured || best[track].map({ $0.score >= score }) ?? false { continue }
            let picture = PixelBox(PictureSize(width: frame.width, height: frame.height)).box
            guard let box = observation.bounds?.intersection(picture), box.width >= 1, box.height >= 1 else { continue }
            let place =
                "\(folder)/crops/\(clip.subset)/\(folders[observation.name] ?? SinkContext.fileStem(observation.name))"
            try Files.makeDirectory(place)
            let digits = String(record.frame)
            let stem = clip.name + "_" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            let path = "\(place)/\(stem)_\(index + 1).\(format.rawValue)"
            try writer.write(try frame.part(box, within: Self.any), asPartOf: path)
            count += 1
            guard let track, let last = best.updateValue((score, path), forKey: track) else { continue }
            Files.remove(last.path)
            // Trainers take an empty folder for a class without pictures.
            if Files.parent(of: last.path) != place { Files.removeDirectory(Files.parent(of: last.path)) }
            count -= 1
        }
        return count
    }
}
