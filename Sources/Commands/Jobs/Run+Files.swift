import Annotate
import ArgumentParser

/// Files that a run writes beside its results.
extension Run {
    /// Refuses those that would take the place of anything.
    /// - Throws: `ValidationError`.
    func checkFiles(_ batch: Batch) throws {
        for (option, path) in [("--junit", junit), ("--depfile", depfile), ("--stamp", stamp)] {
            guard let path, let file = batch.overwritten(by: path) else { continue }
            throw ValidationError("\(option) \(path) would overwrite \(file); name another file.")
        }
        if let junit, let depfile, junit == depfile || Files.areTheSame(junit, depfile), !Files.isDevice(junit) {
            throw ValidationError("--junit and --depfile name one file, \(junit); name two.")
        }
        try OutputGuard.check("--junit", junit, .junit, reading: FileAccess())
        try OutputGuard.check("--depfile", depfile, .dependencies, reading: FileAccess())
    }
}
