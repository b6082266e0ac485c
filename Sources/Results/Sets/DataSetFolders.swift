/// What a data set's folders hold, by which it shows whether something of it has gone since.
enum DataSetFolders {
    /// Files and bytes of each folder, by its path in the data set; the record itself doesn't count.
    /// - Throws: `FileError`.
    static func counted(in folder: String) throws -> JSONNode {
        var members: [JSONMember] = []
        var open = ["."]
        while let name = open.popLast() {
            let (own, others) = try count(name, in: folder)
            members.append(
                JSONMember(key: name, value: JSONNode(.array([own.files, own.bytes].map { JSONNode(.integer($0)) }))))
            open += others
        }
        return JSONNode(.object(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }))
    }

    /// Whether all of that is there. What somebody laid beside it, as trainers do with their caches, is no matter.
    static func areThere(_ folders: JSONNode?, in folder: String) -> Bool {
        guard let members = folders?.members, !members.isEmpty else { return false }
        return members.allSatisfy { member in
            let numbers = member.value.elements?.compactMap(\.integer) ?? []
            // A folder that can't be listed isn't there.
            guard numbers.count == 2, let (now, _) = try? count(member.key, in: folder) else { return false }
            return now.files >= numbers[0] && now.bytes >= numbers[1]
        }
    }

    private static func count(
        _ name: String, in folder: String
    ) throws -> (own: (files: Int, bytes: Int), folders: [String]) {
        var (own, folders) = ((files: 0, bytes: 0), [String]())
        for entry in try Files.list(folder + "/" + name) where entry != DataSetRecord.name || name != "." {
            let path = name == "." ? entry : name + "/" + entry
            if Files.isDirectory(folder + "/" + path) {
                folders.append(path)
            } else {
                own.files += 1
                own.bytes += Int(Files.status(folder + "/" + path)?.size ?? 0)
            }
        }
        return (own, folders)
    }
}
