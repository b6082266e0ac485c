/// `dataset.json` of a data set: by it a folder is known as one.
package enum DataSetRecord {
    /// Its name in the folder.
    package static let name = "dataset.json"
    /// Name of the list of the pictures.
    package static let list = "pictures.csv"
    private static let word = "annotate-dataset"

    /// The paths of a data set's record and list, where a path leads into it; none where it doesn't.
    package static func files(near path: String) -> [String] {
        var folder = Files.canonicalOfPossible(path)
        // As deep as the labels of a sequence lie: part/clip/gt/gt.txt.
        for _ in 0..<5 {
            let files = [name, list].map { folder + "/" + $0 }
            if files.allSatisfy(Files.isRegular) { return isRecord(files[0]) ? files : [] }
            folder = Files.parent(of: folder)
        }
        return []
    }

    /// One that can't be read may be one: whoever needs it says then what is wrong.
    private static func isRecord(_ path: String) -> Bool {
        guard let start = try? Files.read(path, from: 0, count: 4096) else { return true }
        return String(decoding: start, as: UTF8.self).contains("\"\(word)\"")
    }

    /// Whether a folder is a data set that this program wrote.
    package static func isSet(_ folder: String) -> Bool { read(folder) != nil }

    /// The files of a data set that say all that is in its parts, where such a folder is one: COCO's and tables. Of other forms
    /// each clip has files of its own.
    package static func annotations(in folder: String) -> [String] {
        guard read(folder) != nil else { return [] }
        return [("annotations", ".json"), ("", ".csv")].flatMap { place, ending in
            let path = place.isEmpty ? folder : folder + "/" + place
            // One that isn't there has none.
            return ((try? Files.list(path)) ?? []).filter { $0.hasSuffix(ending) && $0 != list }.sorted().map {
                path + "/" + $0
            }
        }
    }

    /// A folder's record; nil for a folder that is no data set.
    static func read(_ folder: String) -> JSONNode? {
        // What can't be read is none.
        guard let bytes = try? Files.read(folder + "/" + name), let node = try? JSONParser.parse(bytes),
            node["format"]?.string == word
        else { return nil }
        return node
    }

    /// The record as a text.
    static func text(
        _ set: DataSet, classes: [String], _ summary: DataSetSummary, folders: JSONNode, fingerprint: String?
    ) -> String {
        func whole(_ pairs: [(String, Int)]) -> JSONNode {
            JSONNode(.object(pairs.map { JSONMember(key: $0.0, value: JSONNode(.integer($0.1))) }))
        }
        var options = JSONWriter()
        set.options.write(into: &options)
        // It has been written a moment ago.
        let parsed = (try? JSONParser.parse(options.bytes))?.members ?? []
        var members = [
            JSONMember(key: "format", value: JSONNode(.string(word))),
            JSONMember(key: "version", value: JSONNode(.integer(1))),
            JSONMember(key: "generator", value: JSONNode(.string(set.generator))),
            JSONMember(
                key: "options",
                value: JSONNode(.object(parsed.filter { !["directory", "classes", "remarks"].contains($0.key) }))),
            JSONMember(key: "classes", value: JSONNode(.array(classes.map { JSONNode(.string($0)) }))),
        ]
        if set.options.crops != nil {
            let folders = DataSetCrops.folders(of: classes).sorted { $0.value < $1.value }
            members.append(
                JSONMember(
                    key: "crops",
                    value: JSONNode(
                        .object(folders.map { JSONMember(key: $0.value, value: JSONNode(.string($0.key))) }))))
        }
        members += [
            JSONMember(key: "clips", value: whole(summary.parts.map { ($0.name, $0.clips) })),
            JSONMember(key: "pictures", value: whole(summary.parts.map { ($0.name, $0.pictures) })),
            JSONMember(key: "things", value: whole(summary.parts.map { ($0.name, $0.things) })),
            JSONMember(key: "backgrounds", value: JSONNode(.integer(summary.backgrounds))),
            JSONMember(key: "leftOut", value: whole(summary.leftOut.map { ($0.reason, $0.count) })),
            JSONMember(key: "folders", value: folders),
        ]
        if let fingerprint { members.append(JSONMember(key: "fingerprint", value: JSONNode(.string(fingerprint)))) }
        return prettyJSON(.object(members)) + "\n"
    }
}
