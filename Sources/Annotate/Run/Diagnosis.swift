internal import CFFmpeg
internal import CWorker
internal import Glibc

/// A diagnosis: which of this program's promises hold on this machine, as `doctor` tells it.
public struct Diagnosis: Sendable {
    /// One promise.
    public struct Finding: Sendable {
        /// What the promise is about, in a word or two.
        public var part: String
        /// Whether it holds.
        public var holds: Bool
        /// What holds, or what doesn't and what follows.
        public var sentence: String

        /// A promise by what it is about, whether it holds, and a sentence on that.
        public init(_ part: String, holds: Bool, _ sentence: String) {
            (self.part, self.holds, self.sentence) = (part, holds, sentence)
        }
    }

    /// The promises, in the order in which they are told.
    public var findings: [Finding]

    /// The system calls that a worker may make, some of them for some uses alone, sorted by name.
    public static var calls: [String] {
        var names: [String] = []
        var number = cwk_next_allowed_call(-1)
        while number >= 0 {
            var name = [CChar](repeating: 0, count: 64)
            cwk_call_name(number, &name, name.count)
            names.append(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            number = cwk_next_allowed_call(number)
        }
        return names.sorted()
    }

    /// Looks at the machine; starts a worker in a folder that is gone afterwards. Needs media to be initialized.
    /// - Parameter workers: Of this program.
    public init(workers: WorkerPool) {
        findings = Self.confinement(workers) + [Self.commands, Self.ffmpeg] + Self.machine + [Self.modelCache]
    }

    /// First message of a worker that would write in a folder.
    private static func greeting(_ workers: WorkerPool, in folder: String) throws -> WorkerGreeting {
        let folders = try WorkFolders(in: [folder])
        let (worker, greeting) = try workers.takeWithGreeting(in: folders) { $0.directory = folder }
        // Its folders go when it has ended.
        withExtendedLifetime(folders) { worker.kill() }
        return greeting
    }

    private static func confinement(_ workers: WorkerPool) -> [Finding] {
        do {
            let folder = try Files.makeTemporaryDirectory()
            defer { Files.removeDirectory(folder) }
            let greeting = try greeting(workers, in: folder)
            var findings = greeting.measures.map { measure in
                return Finding(
                    "workers", holds: !WorkerGreeting.isLack(measure), measure.replacing(folder + "/", with: "…/"))
            }
            let hasLandlock = !greeting.measures.contains { $0.hasPrefix("no Landlock") }
            findings.append(
                greeting.hasListener && hasLandlock
                    ? Finding("workers", holds: true, "a worker reads the files of its job and the system's alone")
                    : Finding(
                        "workers", holds: false,
                        "a worker reads every file of yours, or with --root every one inside: \(hasLandlock ? workers.whyNoListener ?? "" : "there is no Landlock")"
                    )
            )
            return findings
        } catch {
            return [Finding("workers", holds: false, "\(error)")]
        }
    }

    /// What commands that decode in their own process give up.
    private static var commands: Finding {
        let lacks = CommandConfinement.lacks
        return lacks.isEmpty
            ? Finding(
                "commands", holds: true,
                "verify, probe, frame and others that decode open what they are given alone, and write where it is said"
            )
            : Finding(
                "commands", holds: false,
                "verify, probe, frame and others that decode aren't kept from \(lacks.joined(separator: " and "))")
    }

    private static var ffmpeg: Finding {
        let codecs = EncodeSettings.Codec.allCases.filter { $0.encoder != nil }
        let missing = codecs.filter { !EncodeSettings.isAvailable($0) }
        let version = "FFmpeg \(String(cString: av_version_info()))"
        guard missing.isEmpty else {
            return Finding(
                "media", holds: false,
                "\(version) has no encoder for \(list(missing.map(\.rawValue))): its libavcodec was "
                    + "built without \(list(missing.compactMap(\.encoder)))")
        }
        return Finding("media", holds: true, "\(version): encodes \(codecs.map(\.rawValue).joined(separator: ", "))")
    }

    private static var machine: [Finding] {
        var system = utsname()
        uname(&system)
        func text<Field>(_ field: Field) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        let gibibytes = Double(Machine.memory) / Double(1 << 30)
        return [
            Finding(
                "machine", holds: true,
                "\(text(system.sysname)) \(text(system.release)) on \(text(system.machine)), \(Machine.cores) cores, "
                    + "\((gibibytes * 10).rounded() / 10) GiB of memory that this process may use")
        ]
    }
}
