internal import Glibc

/// The files of a format that has one a frame, with the frame that each is of.
struct FrameFile {
    var path: String
    /// The frame's number, as the names count.
    var number: Int
    /// Whether that is the frame's number in the video, from 0, whatever the names count from.
    var isKnown = false

    /// The frame, from 0.
    func key(_ request: ImportRequest, line: Int) throws -> Int64 {
        isKnown ? Int64(number) : try request.frame(Double(number), line: line)
    }

    /// The number at the end of a name without its extension; nil for a name without one.
    static func number(in name: String) -> Int? {
        let digits = Files.stem(of: name).reversed().prefix { $0.isASCII && $0.isNumber }
        return Int(String(digits.reversed()))
    }

    /// What a name says before its number, and the sign between them.
    static func clip(in name: String) -> String {
        var stem = Substring(Files.stem(of: name))
        while stem.last.map({ $0.isASCII && $0.isNumber }) ?? false { stem.removeLast() }
        if let last = stem.last, "_-.".contains(last) { stem.removeLast() }
        return String(stem)
    }

    /// Whether a picture's name is one of a clip's: pictures of data sets are called after their clips, as far as files' names may.
    static func isPicture(_ name: String, of clip: String) -> Bool {
        let own = Self.clip(in: name)
        return own == clip || own == SinkContext.fileStem(clip)
    }

    /// Whether a picture is the whole of a clip: a photo, which is called as the clip itself.
    static func isPhoto(_ name: String, of clip: String) -> Bool {
        let stem = Files.stem(of: name)
        return stem == clip || stem == SinkContext.fileStem(clip)
    }

    /// The files of a request, in the order of their frames.
    /// - Throws: `ImportError` for a name without a number, and for two files of one frame.
    static func all(of request: ImportRequest) throws -> [FrameFile] {
        var names = ImportedNames()
        let paths = Self.ofOneClip(FolderNames.glob(request.pattern ?? request.path), request)
        let files = try paths.compactMap { path -> FrameFile? in
            let name = Files.name(of: path)
            // What tells of all frames lies among them.
            if ["classes.txt", "train.txt", "val.txt", "test.txt"].contains(name) { return nil }
            if let picture = request.set?[name] {
                names.add(picture.clip)
                guard request.video.map({ $0 == picture.clip }) ?? true else { return nil }
                return FrameFile(path: path, number: picture.frame, isKnown: true)
            }
            let isPhotos = request.mayBeStill && (request.video.map { isPhoto(name, of: $0) } ?? (paths.count == 1))
            names.add(clip(in: name))
            // A photo's only file has no frame's number, whatever the photo is called.
            if isPhotos, request.isStill == true || number(in: name) == nil || request.video != nil {
                return FrameFile(path: path, number: 0, isKnown: true)
            }
            if let video = request.video, !isPicture(name, of: video) { return nil }
            guard let number = number(in: name) else {
                throw ImportError(
                    path, "a name without a frame's number at its end; expected one as clip_000012")
            }
            return FrameFile(path: path, number: number)
        }.sorted { ($0.number, $0.path) < ($1.number, $1.path) }
        if files.isEmpty || request.set != nil { try names.check(request, "clip", "clips") }
        // Names that say two clips, where nothing says which is meant.
        if request.video == nil, request.set == nil {
            let clips = Set(files.map { clip(in: Files.name(of: $0.path)) }).sorted()
            if clips.count > 1, let other = files.first(where: { clip(in: Files.name(of: $0.path)) == clips[1] }) {
                throw ImportError(
                    other.path,
                    "of “\(clips[1])”, where others are of “\(clips[0])”; expected files of one clip: “video” says what its names begin with"
                )
            }
        }
        if let (one, other) = zip(files, files.dropFirst()).first(where: { $0.number == $1.number }) {
            throw ImportError(
                other.path,
                "of frame \(other.number), as \(one.path); expected files of one clip: “video” says what its names begin with"
            )
        }
        return files
    }
}

extension FrameFile {
    /// A pattern whose last part is called as `export` calls files: with underscores for what does badly in their names; nil where that is
    /// the same.
    static func asExported(_ pattern: String) -> String? {
        let name = Files.name(of: pattern)
        var (other, isEscaped) = ("", false)
        for sign in name {
            if sign == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            let isPattern = !isEscaped && Files.isPattern(Substring(String(sign)))
            other.append(isPattern ? sign : SinkContext.fileSign(sign))
            isEscaped = false
        }
        return other == name ? nil : String(pattern.dropLast(name.count)) + other
    }

    /// Files whose names have nothing but a number where a pattern has its star, where there are such: `cam_*.txt` means `cam_5.txt`, and
    /// not `cam_1_5.txt`, which is of `cam_1`.
    private static func ofOneClip(_ paths: [String], _ request: ImportRequest) -> [String] {
        let pattern = Files.name(of: request.pattern ?? request.path)
        guard request.video == nil, request.set == nil, let star = pattern.firstIndex(of: "*"),
            star > pattern.startIndex
        else { return paths }
        // A sign that was filled in stands behind a backslash.
        var (count, isEscaped) = (0, false)
        for sign in pattern[..<star] {
            isEscaped = sign == "\\" && !isEscaped
            if !isEscaped { count += 1 }
        }
        let own = paths.filter { path in
            let rest = Files.stem(of: Files.name(of: path)).dropFirst(count)
            return !rest.isEmpty && rest.allSatisfy { $0.isASCII && $0.isNumber }
        }
        return own.isEmpty ? paths : own
    }
}

/// Names in folders with a file for each frame of many clips: each is listed once, until it changes, and not once for each clip.
enum FolderNames {
    private static let known = ReadFiles<[String]?>()

    /// Names in a folder, sorted by their bytes; nil where one of them isn't UTF-8 and is mended here.
    private static func names(in folder: String) throws -> [String]? {
        let names = try Files.list(folder)
        return names.contains { $0.contains("\u{FFFD}") } ? nil : names
    }

    /// What `Files.glob` finds, in the same order.
    static func glob(_ pattern: String) -> [String] {
        let (folder, name) = (Files.parent(of: pattern), Files.name(of: pattern))
        // What is literal at the beginning of a name leads to where those that match begin.
        let start = String(name.prefix { !Files.isPattern(Substring(String($0))) })
        guard !start.isEmpty, start != name, !start.hasPrefix("."), !Files.isPattern(Substring(folder)),
            // What can't be listed, or written, is left to who says so.
            let names = try? known.value(of: folder, { try names(in: folder) })
        else { return Files.glob(pattern) }
        let first = names.prefixCount { $0.utf8.lexicographicallyPrecedes(start.utf8) }
        let prefix = pattern.dropLast(name.count)
        return names[first...].prefix { $0.utf8.starts(with: start.utf8) }
            .filter { fnmatch(name, $0, FNM_PERIOD) == 0 }
            .map { prefix + $0 }.filter { !Files.isDirectory($0) }
    }
}
