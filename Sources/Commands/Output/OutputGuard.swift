import Annotate
import ArgumentParser

/// What commands write over: nothing that they read, and of what is there only what such a command can have written before.
/// Every option that names a file to write is looked at here before anything is done.
enum OutputGuard {
    /// Refuses a file that must not be written over.
    /// - Parameters:
    ///   - option: As it is typed, `--junit`.
    ///   - path: nil where it isn't given.
    ///   - kind: What is written.
    ///   - access: What the command reads. Made only where a file is there already: that may take reading a report.
    /// - Throws: `ValidationError`.
    static func check(
        _ option: String, _ path: String?, _ kind: OutputKind, reading access: @autoclosure () -> FileAccess
    ) throws {
        guard let path else { return }
        if path == "-" {
            throw ValidationError(
                "\(option) takes a file here, and - is none; name a file, ./- for one of that name.")
        }
        // What else may be there, a folder or a device, nothing is written over.
        guard Files.isRegular(path) else { return }
        if let victim = access().read.sorted().first(where: { Files.areTheSame($0, path) }) {
            throw ValidationError(
                "\(option) \(path.inOneLine) would overwrite \(victim.inOneLine), which the command reads; "
                    + "name another file.")
        }
        guard !kind.mayReplace(path) else { return }
        throw ValidationError("\(option) \(path.inOneLine) would overwrite \(kind.refusal(of: path))")
    }

    /// Refuses two options that name one file.
    /// - Throws: `ValidationError`.
    static func checkDistinct(
        _ first: (option: String, path: String?), _ second: (option: String, path: String?)
    ) throws {
        guard let one = first.path, let other = second.path,
            Files.canonicalOfPossible(one) == Files.canonicalOfPossible(other), !Files.isDevice(one)
        else { return }
        throw ValidationError("\(first.option) and \(second.option) name one file, \(one.inOneLine); name two.")
    }

    /// Refuses a file where a folder of results is to be.
    /// - Throws: `ValidationError`.
    static func checkFolder(_ option: String, _ path: String?) throws {
        guard let path else { return }
        if path.isEmpty { throw ValidationError("\(option) takes a folder, not an empty text.") }
        guard Files.exists(path), !Files.isDirectory(path) else { return }
        throw ValidationError("\(option): “\(path.inOneLine)” is a file; expected a folder or nothing there.")
    }
}
