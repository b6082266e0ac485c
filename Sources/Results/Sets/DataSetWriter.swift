/// What a layout is told before the first picture.
struct DataSetPlan {
    /// The folder that it is written in.
    var folder: String
    /// Names of the classes, in the order of their numbers.
    var classes: [String]
    /// Skeletons of classes whose things have joints, by the classes' names.
    var skeletons: [String: Skeleton]
    /// The parts that have a share, also one that no clip is left for.
    var subsets: [Subset]
    /// Format of the pictures; nil where none are written.
    var pictures: PictureFormat?
    /// The program and its version.
    var generator: String
    /// Kinds that the clips' stages emit, in the order in which they come.
    var kinds: [any Finding.Type]
    var keepsFormulas = false
}

/// A clip of a data set.
struct DataSetClip {
    /// The job's id.
    var id: String
    /// What its pictures' names begin with: its id, as a file's name may be, and no other clip's.
    var name: String
    /// Its number among the clips, from 1.
    var number: Int
    var subset: Subset
    /// Its track file's header and kinds.
    var context: SinkContext
    /// What is added to its tracks' numbers, so that no other clip has them.
    var firstTrack: Int
}

/// A picture of a data set with what is in it.
struct DataSetPicture {
    /// Its frame with the things that the data set takes.
    var record: FrameRecord
    /// Its number among the set's pictures, from 1.
    var number: Int
    /// Its number among its clip's pictures, from 1.
    var numberInClip: Int
    /// Whether it is known that there is nothing in it.
    var isEmpty: Bool
    /// Its file's path in the data set.
    var path: String

    /// Its file's name.
    var name: String { Files.name(of: path) }
}

/// A layout of data sets, fed clip by clip and picture by picture. It holds nothing for each of either.
protocol DataSetWriter: AnyObject {
    init(_ plan: DataSetPlan) throws

    /// Whether the layout can say of a thing what it is there to say. A picture with another one is left out: without it, it would
    /// be one in which there is nothing.
    static func says(_ thing: Observation, of header: TrackFileHeader) -> Bool

    /// The path, in the data set, of a picture.
    func path(of frame: Int, _ numberInClip: Int, in clip: DataSetClip, _ format: PictureFormat) -> String

    func begin(_ clip: DataSetClip) throws

    /// Takes a picture.
    /// - Returns: false where the layout can't say of it what has to be said: it isn't written then.
    func write(_ picture: DataSetPicture) throws -> Bool

    /// Ends a clip.
    /// - Parameter pictures: How many it has in the data set.
    func end(_ clip: DataSetClip, pictures: Int) throws

    func finish() throws

    /// What the layout can't say, a sentence each.
    var notes: [String] { get }
}

extension DataSetWriter {
    static func says(_ thing: Observation, of header: TrackFileHeader) -> Bool { true }

    func path(of frame: Int, _ numberInClip: Int, in clip: DataSetClip, _ format: PictureFormat) -> String {
        "images/\(clip.subset)/\(Self.stem(frame, clip)).\(format.rawValue)"
    }

    /// A picture's name without its extension.
    static func stem(_ frame: Int, _ clip: DataSetClip) -> String {
        let digits = String(frame)
        return clip.name + "_" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    func begin(_ clip: DataSetClip) throws {}
    func end(_ clip: DataSetClip, pictures: Int) throws {}
}

/// A file for each part of a data set.
final class SubsetFiles<File> {
    private var files: [(subset: Subset, file: File)] = []

    init(_ subsets: [Subset], make: (Subset) throws -> File) throws {
        for subset in subsets { files.append((subset, try make(subset))) }
    }

    subscript(subset: Subset) -> File? { files.first { $0.subset == subset }?.file }

    func forEach(_ body: (Subset, File) throws -> Void) rethrows {
        for (subset, file) in files { try body(subset, file) }
    }
}
