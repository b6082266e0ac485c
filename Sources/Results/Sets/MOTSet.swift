/// MOTChallenge's folders: `<part>/<clip>/` with `gt/gt.txt`, `gt/labels.txt`, `seqinfo.ini` and `img1/`, `seqmaps/`. A clip's
/// frames are its pictures in the data set, counted from 1.
final class MOTSet: DataSetWriter {
    private let plan: DataSetPlan
    private let maps: SubsetFiles<ByteWriter>
    private let numbers: [String: Int]
    private var omissions = Omissions("MOT's truth", says: [.names])
    private var clip: DataSetClip?
    private var truth: ByteWriter?
    /// The first and the last picture's time, seconds.
    private var times: (first: Double, last: Double)?

    init(_ plan: DataSetPlan) throws {
        self.plan = plan
        numbers = Dictionary(plan.classes.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
        try Files.makeDirectory(plan.folder + "/seqmaps")
        maps = try SubsetFiles(plan.subsets) { subset in
            try Files.makeDirectory("\(plan.folder)/\(subset)")
            let writer = try ByteWriter(path: "\(plan.folder)/seqmaps/MOT-\(subset).txt")
            try writer.write(Array("name\n".utf8))
            return writer
        }
    }

    static func says(_ thing: Observation, of header: TrackFileHeader) -> Bool { thing.track != nil }

    private static func folder(of clip: DataSetClip) -> String { "\(clip.subset)/\(clip.name)" }

    func path(of frame: Int, _ numberInClip: Int, in clip: DataSetClip, _ format: PictureFormat) -> String {
        let digits = String(numberInClip)
        return Self.folder(of: clip) + "/img1/" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + "."
            + format.rawValue
    }

    func begin(_ clip: DataSetClip) throws {
        (self.clip, times) = (clip, nil)
        let folder = "\(plan.folder)/\(Self.folder(of: clip))"
        try Files.makeDirectory(folder + "/gt")
        try Files.makeDirectory(folder + "/img1")
        truth = try ByteWriter(path: folder + "/gt/gt.txt")
    }

    func write(_ picture: DataSetPicture) throws -> Bool {
        guard picture.record.observations.allSatisfy({ $0.track != nil }) else { return false }
        let time = picture.record.pts.seconds
        times = (times?.first ?? time, time)
        for observation in picture.record.observations {
            guard let box = omissions.placement(of: observation)?.box, let track = observation.track?.number else {
                continue
            }
            let places = [box.x + 1, box.y + 1, box.width, box.height].map { $0.text(2) }.joined(separator: ",")
            let number = numbers[observation.name] ?? 0
            // Where results have a confidence, truth says whether the thing is to be judged.
            try truth?.write(Array("\(picture.numberInClip),\(track),\(places),1,\(number),1\n".utf8))
        }
        return true
    }

    func end(_ clip: DataSetClip, pictures: Int) throws {
        try truth?.finish()
        truth = nil
        let source = clip.context.header.source
        // Readers want a whole number.
        let span = times.map { $0.last - $0.first } ?? 0
        let rate = span > 0 ? Double(pictures - 1) / span : source.frameRate?.value ?? 25
        let folder = "\(plan.folder)/\(Self.folder(of: clip))"
        try put(
            "[Sequence]\nname=\(clip.name)\nimDir=img1\nframeRate=\(max(1, Int(rate.rounded())))\nseqLength=\(pictures)\n"
                + "imWidth=\(source.width)\nimHeight=\(source.height)\nimExt=.\((plan.pictures ?? .jpg).rawValue)\n",
            into: folder + "/seqinfo.ini")
        try put(plan.classes.map { $0.inOneLine + "\n" }.joined(), into: folder + "/gt/labels.txt")
        try maps[clip.subset]?.write(Array("\(clip.name)\n".utf8))
    }

    private func put(_ text: String, into path: String) throws {
        let writer = try ByteWriter(path: path)
        try writer.write(Array(text.utf8))
        try writer.finish()
    }

    func finish() throws { try maps.forEach { try $1.finish() } }

    var notes: [String] { omissions.sentences }
}
