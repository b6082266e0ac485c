/// Files that options name: what is wrong with them is wrong with the option.
extension OptionContext {
    /// The path of a file that an option names.
    /// - Parameters:
    ///   - file: As the manifest writes it.
    ///   - expected: What the file is to be, for the message.
    /// - Returns: A path that can be opened.
    /// - Throws: `StageOptionError` where there is no such file.
    package func existing(_ file: String, option: String, expected: String) throws -> String {
        let path = resolve(file)
        if Files.isRegular(path) { return path }
        let found = Files.isDevice(path) ? "“\(file)” is a pipe or a device" : "no file “\(file)”"
        throw StageOptionError(option: option, "\(found); expected \(expected)")
    }

    /// Loads a model that an option names.
    /// - Parameters:
    ///   - file: As the manifest writes it.
    ///   - expected: What the file is to be, for the message.
    ///   - load: Gets a path that can be opened.
    /// - Throws: `StageOptionError` where there is no such file, or it can't be used; other errors of `load`.
    package func model<Loaded>(
        _ file: String, option: String = "model", expected: String = "an ONNX model",
        _ load: (_ path: String) throws -> Loaded
    ) throws -> Loaded {
        let path = try existing(file, option: option, expected: expected)
        do {
            return try load(path)
        } catch let error as InferenceError {
            throw StageOptionError(option: option, "“\(file)” can't be used: \(error)")
        } catch let error as VisionError {
            throw StageOptionError(option: option, "“\(file)” can't be used: \(error.reason)")
        }
    }

    /// The names in a file with a class a line.
    /// - Throws: `StageOptionError`.
    package func classNames(_ file: String, option: String = "labels") throws -> [String] {
        let path = try existing(file, option: option, expected: "a text file with a class a line")
        var names: [String]
        do {
            names = try Files.lines(of: path)
        } catch let error as FileError {
            throw StageOptionError(option: option, "“\(file)” can't be read: \(error.reason)")
        }
        while names.last?.isEmpty == true { names.removeLast() }
        return names
    }
}
