/// What a data set's folders hold, by which it shows whether something of it has gone since.
enum DataSetFolders {
    /// The files of each folder, by its path in the data set; the record itself doesn't count. A file is 8 hexadecimal digits, the
    /// FNV-1a hash of its name and size: a set may have a million.
    /// - Throws: `FileError`.
    static func listed(in folder: String) throws -> JSONNode {
        var members: [JSONMember] = []
        var open = ["."]
        while let name = open.popLast() {
            let (own, others) = try files(name, in: folder)
            let text = own.sorted().map(hexadecimal).joined()
            members.append(JSONMember(key: name, value: JSONNode(.string(text))))
            open += others
        }
        return JSONNode(.object(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }))
    }

    /// Whether all of that is there. What somebody laid beside it, as trainers do with their caches, is no matter.
    static func areThere(_ folders: JSONNode?, in folder: String) -> Bool {
        guard let members = folders?.members, !members.isEmpty else { return false }
        return members.allSatisfy { member in
            // A folder that can't be listed isn't there.
            guard let text = member.value.string, let (now, _) = try? files(member.key, in: folder) else {
                return false
            }
            let present = Set(now)
            return hashes(text).allSatisfy { $0.map(present.contains) ?? false }
        }
    }

    /// The hashes that a folder's text is of; nil for what is none.
    private static func hashes(_ text: String) -> [UInt32?] {
        let digits = Array(text.utf8)
        return stride(from: 0, to: digits.count, by: 8).map { start in
            UInt32(String(decoding: digits[start..<min(start + 8, digits.count)], as: UTF8.self), radix: 16)
        }
    }

    /// A file that isn't what was written, or that was put there, with its path in the data set; nil for none. What trainers and
    /// desktops leave beside it is nobody's work.
    static func stranger(_ folders: JSONNode?, in folder: String) -> String? {
        guard let folders else { return nil }
        var open = ["."]
        while let name = open.popLast() {
            let known = Set(hashes(folders[name]?.string ?? "").compactMap(\.self))
            // One that can't be listed is told of where it is written.
            for entry in ((try? Files.list(folder + "/" + name)) ?? []).sorted()
            where entry != DataSetRecord.name || name != "." {
                let path = name == "." ? entry : name + "/" + entry
                if Files.isDirectory(folder + "/" + path) {
                    open.append(path)
                } else if !known.contains(hash("\(entry)/\(Files.status(folder + "/" + path)?.size ?? 0)")),
                    !entry.hasSuffix(".cache"), !entry.hasSuffix(".npy"), entry != ".DS_Store"
                {
                    return path
                }
            }
        }
        return nil
    }

    private static func files(_ name: String, in folder: String) throws -> (own: [UInt32], folders: [String]) {
        var (own, folders) = ([UInt32](), [String]())
        for entry in try Files.list(folder + "/" + name) where entry != DataSetRecord.name || name != "." {
            let path = name == "." ? entry : name + "/" + entry
            if Files.isDirectory(folder + "/" + path) {
                folders.append(path)
            } else {
                own.append(hash("\(entry)/\(Files.status(folder + "/" + path)?.size ?? 0)"))
            }
        }
        return (own, folders)
    }

    private static func hash(_ text: String) -> UInt32 {
        text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }

    private static func hexadecimal(_ hash: UInt32) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
