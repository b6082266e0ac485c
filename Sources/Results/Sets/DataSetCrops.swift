/// The pictures of things: `crops/<part>/<class>/<clip>_<frame>_<n>.jpg`, as trainers of classifiers read them.
final class DataSetCrops {
    private let which: DataSetOptions.Crops
    private let folder: String
    private let format: PictureFormat
    private let writer: PictureWriter
    /// The folder of each class.
    private let folders: [String: String]

    /// Larger than any picture.
    private static let any = PictureSize(width: 1 << 16, height: 1 << 16)

    /// - Parameter classes: Those of the whole data set, so that each clip's lie in the same folders.
    init(_ which: DataSetOptions.Crops, of classes: ClassList, folder: String, _ format: PictureFormat) {
        (self.which, self.folder, self.format) = (which, folder, format)
        folders = ClipNames.of(classes.names)
        writer = PictureWriter(format)
    }

    /// Cuts out of a frame what is asked for.
    /// - Parameter best: Frame and place of each track's best picture.
    /// - Returns: How many pictures were written.
    func write(
        _ record: FrameRecord, of clip: DataSetClip, _ frame: VideoFrame, best: [Int: (frame: Int, index: Int)]
    ) throws -> Int {
        var count = 0
        for (index, observation) in record.observations.enumerated() {
            if which == .best, let track = observation.track?.number,
                best[track].map({ $0.frame != record.frame || $0.index != index }) ?? true
            {
                continue
            }
            let picture = PixelBox(PictureSize(width: frame.width, height: frame.height)).box
            guard let box = observation.bounds?.intersection(picture), box.width >= 1, box.height >= 1 else { continue }
            let place =
                "\(folder)/crops/\(clip.subset)/\(folders[observation.name] ?? SinkContext.fileStem(observation.name))"
            try Files.makeDirectory(place)
            let digits = String(record.frame)
            let stem = clip.name + "_" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            try writer.write(
                try frame.part(box, within: Self.any), asPartOf: "\(place)/\(stem)_\(index + 1).\(format.rawValue)")
            count += 1
        }
        return count
    }
}
