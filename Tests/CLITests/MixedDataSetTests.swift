import Annotate
import Testing

/// Data sets of clips that differ in what was looked for, in their names, and in their videos.
@Suite struct MixedDataSetTests {
    /// Writes a track file of a stage that somebody calls complete.
    private func results(
        _ id: String, in workspace: Workspace, source: String? = nil, stage: String = "things", more: String = "",
        frames: [String]
    ) throws {
        let header =
            #"{"format":"annotate-tracks","version":1,"generator":"test","source":{"name":"\#(source ?? id + ".mp4")","width":320,"height":240,"rotation":0,"timeBase":[1,25],"frames":\#(frames.count)},"stages":[{"id":"\#(stage)","type":"import","complete":true,"options":{"file":"\#(stage).csv"}\#(more)}]}"#
        let lines = frames.enumerated().map { index, things in
            #"{"frame":\#(index),"pts":\#(index),"duration":1,"time":\#(Double(index) / 25),"observations":[\#(things)]}"#
        }
        let summary = #"{"summary":{"frames":\#(frames.count),"complete":true,"tracks":[]}}"#
        try workspace.write(([header] + lines + [summary]).joined(separator: "\n") + "\n", to: "out/\(id).tracks.jsonl")
    }

    private func thing(_ label: String, track: Int = 1, stage: String = "things", more: String = "") -> String {
        #"{"stage":"\#(stage)","kind":"object","track":\#(track),"label":"\#(label)","state":"tracked","box":[10,20,30,40]\#(more)}"#
    }

    private func export(_ workspace: Workspace, _ words: String...) throws -> Outcome {
        try Program.run(
            Program.annotateBatch,
            ["export", workspace.file("out"), "--dataset", "--frames", "none", "-o", workspace.file("set"), "--format"]
                + words)
    }

    private func pictures(_ workspace: Workspace) throws -> [[String]] {
        try workspace.text("set/pictures.csv").split(separator: "\n").dropFirst().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// Nothing is known of classes that nobody looked for.
    @Test func knownEmptyOnlyOfWhatWasLookedFor() throws {
        let workspace = try Workspace()
        try results("a", in: workspace, frames: [thing("car"), "", ""])
        try results("b", in: workspace, frames: [thing("car"), "", ""])
        let alone = try export(workspace, "yolo", "--split", "1")
        #expect(
            alone.status == 0 && alone.errors.contains("4 pictures known to have nothing in them"), "\(alone.errors)")
        try results("c", in: workspace, stage: "dogs", frames: [thing("dog", stage: "dogs"), "", ""])
        let mixed = try export(workspace, "yolo", "--split", "1")
        #expect(mixed.status == 0)
        #expect(
            mixed.errors.contains("left out: 6 pictures without anything, by stages that don't look for every class"),
            "\(mixed.errors)")
        #expect(try pictures(workspace).map { $0[2] + $0[3] } == ["a0", "b0", "c0"])
        #expect(try workspace.text("set/dataset.json").contains(#""unsearched": 6"#))
        // They are kept where that is asked for, and aren't known to be empty.
        #expect(try export(workspace, "yolo", "--split", "1", "--negatives").status == 0)
        #expect(try pictures(workspace).count == 9)
        #expect(try pictures(workspace).allSatisfy { $0[7] != "true" })
        // Of one class there is one stage.
        try workspace.write("dog\n", to: "classes.txt")
        #expect(
            try export(
                workspace, "yolo", "--split", "1", "--classes", workspace.file("classes.txt"), "--others", "drop"
            ).status == 0)
        #expect(try pictures(workspace).filter { $0[7] == "true" }.map { $0[2] + $0[3] } == ["c1", "c2"])
        // What a stage says that it can give counts, whatever came.
        try results(
            "a", in: workspace, more: #","gives":["car","dog"]"#, frames: [thing("car"), "", ""])
        #expect(try export(workspace, "yolo", "--split", "1").status == 0)
        #expect(try pictures(workspace).filter { $0[7] == "true" }.map { $0[2] + $0[3] } == ["a1", "a2"])
    }

    /// Pictures of one video are the same, however many jobs it has.
    @Test func clipsOfOneVideoStayTogether() throws {
        let workspace = try Workspace()
        for id in ["a", "b", "c"] { try results(id, in: workspace, source: "v.mp4", frames: [thing("car")]) }
        for id in ["d", "e", "f"] { try results(id, in: workspace, frames: [thing("car")]) }
        for seed in 0..<6 {
            let outcome = try export(workspace, "csv", "--split", "1/1", "--seed", "\(seed)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let rows = try pictures(workspace)
            #expect(Set(rows.filter { "abc".contains($0[2]) }.map { $0[1] }).count == 1)
            #expect(rows.count { $0[1] == "train" } == 3)
        }
        for id in ["d", "e", "f"] { try results(id, in: workspace, source: "v.mp4", frames: [thing("car")]) }
        let one = try export(workspace, "csv", "--split", "1/1")
        #expect(
            one.errors.contains("no clip is left for val: clips of one video stay together, and all are of one video"),
            "\(one.errors)")
    }

    /// Videos of several clips leave the shares as they were asked for, where that is possible.
    @Test(arguments: [([2, 1, 1], "2/1/1", [2, 1, 1]), ([8] + Array(repeating: 1, count: 4), "6/2/2", [8, 2, 2])])
    func groupsOfUnequalSize(groups: [Int], split: String, expected: [Int]) throws {
        let workspace = try Workspace()
        for (group, count) in groups.enumerated() {
            for copy in 0..<count {
                try results("c\(group)-\(copy)", in: workspace, source: "v\(group).mp4", frames: [thing("car")])
            }
        }
        for seed in 0..<6 {
            let outcome = try export(workspace, "csv", "--split", split, "--seed", "\(seed)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let rows = try pictures(workspace)
            #expect(["train", "val", "test"].map { part in rows.count { $0[1] == part } } == expected, "\(seed)")
        }
    }

    /// Every part has all labels, in the order of the set's classes, and what has joints has its box too.
    @Test func labelsAreTheSameInEveryPart() throws {
        let workspace = try Workspace()
        let skeleton = #","skeleton":{"names":["left","right"],"edges":[[0,1]],"mirrored":[]}"#
        let joints = #","joints":[[15,25,1,1],[30,50,1,1]]"#
        try results("a", in: workspace, frames: [thing("car")])
        try results("b", in: workspace, more: skeleton, frames: [thing("face", more: joints)])
        try results("c", in: workspace, frames: [thing("zebra")])
        #expect(try export(workspace, "cvat", "--split", "1/1/1").status == 0)
        var lists: Set<[String]> = []
        for part in ["train", "val", "test"] {
            let text = try workspace.text("set/\(part).xml")
            lists.insert(text.matches(of: #/<name>([a-z]+)</name><color>/#).map { String($0.1) })
            guard text.contains("<skeleton") else { continue }
            #expect(
                text.contains(##"<box label="face" source="auto" occluded="0" xtl="10" ytl="20" xbr="40" ybr="60""##))
        }
        #expect(lists == [["car", "face", "zebra", "left", "right"]])
        #expect(try export(workspace, "coco", "--split", "1/1/1").status == 0)
        for part in ["train", "val", "test"] {
            let set = try json(try workspace.text("set/annotations/instances_\(part).json"))
            #expect(set["categories"]?.elements?.compactMap { $0["name"]?.string } == ["car", "face", "zebra"])
            #expect(set["categories"]?.elements?[1]["keypoints"]?.elements?.count == 2)
        }
    }

    /// Names that are fine stay as they are; what has another name in the set is found by its id.
    @Test func namesInTheSet() throws {
        let workspace = try Workspace()
        try Files.makeDirectory(workspace.file("v"))
        for (index, id) in ["a b", "a_b", "a_b-2"].enumerated() {
            try workspace.clip("v/\(id).mp4", frames: 7, size: "320x240")
            try results(id, in: workspace, frames: (0..<7).map { $0 % 3 == 0 ? thing("car", track: index + 1) : "" })
        }
        let words = ["--split", "1", "--every", "3"]
        for format in ["mot", "yolo", "cvat", "label-studio-images"] {
            let outcome = try Program.run(
                Program.annotateBatch,
                [
                    "export", workspace.file("out"), "--dataset", "--frames", "none", "-o", workspace.file(format),
                    "--format", format,
                ]
                    + words)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(workspace.names(in: "mot/train") == ["a_b", "a_b-2", "a_b-3"])
        for (format, options) in [
            ("mot", #""file": "mot/train/{name}/gt/gt.txt", "labels": "mot/train/{name}/gt/labels.txt""#),
            ("yolo", #""file": "yolo/labels/train/{name}_*.txt", "video": "{name}", "labels": "yolo/classes.txt""#),
            ("cvat", #""file": "cvat/train.xml", "video": "{name}""#),
            ("label-studio", #""file": "label-studio-images/train.json", "video": "{name}""#),
        ] {
            let path = try workspace.write(
                """
                {"version": 1, "output": {"directory": "back-\(format)"}, "defaults": {"encode": {"codec": "none"}},
                 "graphs": {"g": {"stages": [{"id": "s", "type": "import", "format": "\(format)", \(options)}]}},
                 "jobs": [{"input": "v/*.mp4", "graph": "g"}]}
                """, to: "\(format).json")
            let outcome = try annotateBatch("run", path)
            #expect(outcome.status == 0, "\(format): \(outcome.errors)")
            for (index, id) in ["a b", "a_b", "a_b-2"].enumerated() {
                let lines = try workspace.text("back-\(format)/\(id).tracks.jsonl").split(separator: "\n")
                let frames = try lines.dropFirst().dropLast().map { try json(String($0)) }
                #expect(
                    frames.map { $0["observations"]?.elements?.first?["label"]?.string }
                        == (0..<7).map { $0 % 3 == 0 ? "car" : nil }, "\(format) \(id)")
                guard format == "mot" || format == "cvat" else { continue }
                // Numbers of tracks are those of the set: each clip has others.
                let track = frames[0]["observations"]?.elements?.first?["track"]?.integer
                #expect(format == "mot" ? track == index + 1 : track != nil, "\(format) \(id)")
            }
        }
        // Of several clips nobody knows which one is meant.
        let text = try workspace.text("cvat.json").replacing(#", "video": "{name}""#, with: "")
        let several = try annotateBatch("validate", try workspace.write(text, to: "several.json"))
        #expect(
            several.status == 65
                && several.errors.contains("it is of 3 clips; expected “video” to name one of “a b”, “a_b”, “a_b-2”"),
            "\(several.errors)")
        // A truth by the same names, and of the pictures' own frames.
        let truth = try annotateBatch(
            "compare", "--truth", workspace.file("mot/train"), workspace.file("out"), "--json")
        #expect(truth.status == 0, "\(truth.errors)")
        let all = try json(truth.output)["stages"]?.elements?.first?["all"]
        #expect((all?["truth"]?.integer, all?["right"]?.integer, all?["false"]?.integer) == (9, 9, 0))
    }

    /// Somebody else's folder shows before anything runs, and what has gone of a data set is made again.
    @Test func theBatchsOwn() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        try workspace.write("frame,label,left,top,width,height\n0,car,1,1,9,9\n", to: "a.csv")
        let path = try workspace.write(
            """
            {"version": 1, "output": {"directory": "out", "dataset": {"format": "coco", "directory": "set"}},
             "defaults": {"encode": {"codec": "none"}},
             "graphs": {"g": {"stages": [{"id": "s", "type": "import", "format": "csv", "file": "a.csv"}]}},
             "jobs": [{"input": "a.mp4", "graph": "g"}]}
            """, to: "m.json")
        try workspace.write("mine", to: "set/cat.jpg")
        let refused = try annotateBatch("validate", path)
        #expect(
            refused.status == 1 && refused.errors.contains("could not write \(workspace.file("set")): ")
                && refused.errors.contains("it holds “cat.jpg” and is no data set of this program's"),
            "\(refused.errors)")
        Files.remove(workspace.file("set/cat.jpg"))
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try annotateBatch("run", path).errors.contains("set: up to date"))
        try workspace.write("a trainer's", to: "set/images/train.cache")
        #expect(try annotateBatch("run", path).errors.contains("set: up to date"))
        // What lies beside it now is no picture of the set.
        Files.remove(workspace.file("set/images/train/a_000000.jpg"))
        try workspace.write(String(repeating: "x", count: 1_000_000), to: "set/images/train/a_000000.npy")
        let again = try annotateBatch("run", path)
        #expect(again.status == 0 && !again.errors.contains("set: up to date"), "\(again.errors)")
        #expect(workspace.names(in: "set/images/train") == ["a_000000.jpg"])
    }

    /// Remarks know their batch by its videos and manifest, not by its folder's name.
    @Test func remarksOfAnotherBatch() throws {
        let workspace = try Workspace()
        for (folder, frames) in [("x", 3), ("y", 4)] {
            try workspace.write("frame,label,left,top,width,height\n0,car,1,1,9,9\n", to: "\(folder)/a.csv")
            try workspace.clip("\(folder)/a.mp4", frames: frames)
            let path = try workspace.write(
                """
                {"version": 1, "output": {"directory": "out"}, "defaults": {"encode": {"codec": "none"}},
                 "graphs": {"g": {"stages": [{"id": "s", "type": "import", "format": "csv", "file": "a.csv"}]}},
                 "jobs": [{"input": "a.mp4", "graph": "g"}]}
                """, to: "\(folder)/m.json")
            #expect(try annotateBatch("run", path).status == 0)
        }
        let report = try json(try workspace.text("x/out/report.json"))
        let contents = report["jobs"]?.elements?.first?["contents"]?.string ?? ""
        func said(_ manifest: String, job: String = "a", known: String? = nil) throws -> String {
            try workspace.write(
                """
                {"format": "annotate-review", "version": 1, "batch": "out", "manifest": "\(manifest)",
                 "contents": \(known ?? #"{"a": "\#(contents)"}"#), "reviewed": ["a"],
                 "remarks": [{"job": "\(job)", "frame": 0, "mark": "right"}]}
                """, to: "said.json")
        }
        func taken(_ folder: String, _ remarks: String) throws -> [Outcome] {
            [
                try annotateBatch(
                    "review", workspace.file(folder), "--remarks", remarks, "-o", workspace.file("p.html")),
                try annotateBatch(
                    "export", workspace.file(folder), "--dataset", "--format", "csv", "--remarks", remarks, "-o",
                    workspace.file("set")),
            ]
        }
        let own = try said("m.json")
        for outcome in try taken("x/out", own) { #expect(outcome.status == 0, "\(outcome.errors)") }
        for outcome in try taken("y/out", own) {
            #expect(outcome.status == 1)
            #expect(
                outcome.errors.contains("they are of another batch: the video of its job “a” isn't this one's"),
                "\(outcome.errors)")
        }
        // A folder with another name is the same batch.
        #expect(try Program.run("mv", [workspace.file("x/out"), workspace.file("x/renamed")]).status == 0)
        for outcome in try taken("x/renamed", own) { #expect(outcome.status == 0, "\(outcome.errors)") }
        // Nor does another manifest's name make it another, unless nothing says what the videos hold.
        for outcome in try taken("x/renamed", try said("n.json")) { #expect(outcome.status == 0, "\(outcome.errors)") }
        for outcome in try taken("x/renamed", try said("n.json", known: "{}")) {
            #expect(outcome.status == 1)
            #expect(
                outcome.errors.contains("they are of the manifest “n.json”, and this batch is of “m.json”"),
                "\(outcome.errors)")
        }
        for outcome in try taken("x/renamed", try said("m.json", job: "b")) {
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("they are about the job “b”, which this batch hasn't"), "\(outcome.errors)")
        }
        // The page says what it needs for that.
        #expect(try annotateBatch("review", workspace.file("x/renamed"), "-o", workspace.file("p.html")).status == 0)
        #expect(try workspace.text("p.html").contains(##""manifest":"m.json","contents":{"a":"\##(contents)"}"##))
    }

    /// Where one of several videos is another now, what is said of the others counts still.
    @Test func remarksOfAChangedVideo() throws {
        let workspace = try Workspace()
        for id in ["a", "b"] {
            try workspace.write("frame,label,left,top,width,height\n0,car,1,1,9,9\n", to: "\(id).csv")
            try workspace.clip("\(id).mp4", frames: 3)
        }
        let path = try workspace.write(
            """
            {"version": 1, "output": {"directory": "out"}, "defaults": {"encode": {"codec": "none"}},
             "graphs": {"g": {"stages": [{"id": "s", "type": "import", "format": "csv", "file": "{name}.csv"}]}},
             "jobs": [{"input": "*.mp4", "graph": "g"}]}
            """, to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        let jobs = try json(try workspace.text("out/report.json"))["jobs"]?.elements ?? []
        let hash = jobs.first { $0["id"]?.string == "a" }?["contents"]?.string ?? ""
        let said = try workspace.write(
            """
            {"format": "annotate-review", "version": 1, "contents": {"a": "\(hash)", "b": "1-0"}, "reviewed": ["a", "b"],
             "remarks": [{"job": "a", "frame": 2, "mark": "wrong"}, {"job": "b", "frame": 0, "mark": "wrong", "text": "old"}]}
            """, to: "said.json")
        let note = "remarks are left out on jobs whose videos are others now: “b”"
        let set = try export(workspace, "csv", "--remarks", said)
        #expect(set.status == 0 && set.errors.contains(note), "\(set.errors)")
        // Of “a” all but what is wrong, of “b” what has something.
        #expect(try pictures(workspace).map { $0[2] + $0[3] } == ["a0", "a1", "b0"])
        let page = try annotateBatch(
            "review", workspace.file("out"), "--remarks", said, "-o", workspace.file("p.html"))
        #expect(page.status == 0 && page.errors.contains(note), "\(page.errors)")
        #expect(try !workspace.text("p.html").contains(#""old""#))
    }

    /// Whole shares and percentages may have any sum; parts of 1 not more than all.
    @Test(arguments: [
        ("33.3/33.3/33.4", true), ("12.5/87.5", true), ("2.5/1/1", true), ("1/1/1", true), ("0.5/0.6", false),
        ("0.7/0.2/0.1", true),
    ])
    func shares(split: String, isFine: Bool) throws {
        let workspace = try Workspace()
        for id in ["a", "b", "c"] { try results(id, in: workspace, frames: [thing("car")]) }
        let outcome = try export(workspace, "csv", "--split", split)
        #expect((outcome.status == 0) == isFine, "\(outcome.errors)")
    }

    /// What somebody has laid into a data set, or changed in it, stays: nothing is written over it. Caches of trainers are nobody's.
    @Test(arguments: [
        ("coco", "annotations/mine.json"), ("coco", "annotations/instances_train.json"),
        ("coco", "images/train/x_000001.jpg"),
        ("yolo", "labels/train/mine.txt"), ("yolo", "labels/train/a_000000.txt"), ("csv", "train.csv"),
    ])
    func whatSomebodyPutThereStays(format: String, place: String) throws {
        let workspace = try Workspace()
        for id in ["a", "b"] {
            try results(id, in: workspace, frames: [thing("car"), thing(id == "a" ? "dog" : "car")])
        }
        let words = [format, "--split", "1/1"]
        func write() throws -> Outcome { try export(workspace, words[0], words[1], words[2]) }
        #expect(try write().status == 0)
        try workspace.write("cache", to: "set/labels/train.cache")
        if format == "coco" { #expect(try write().status == 0) }
        try workspace.write("mine", to: "set/" + place)
        let outcome = try write()
        #expect(outcome.status != 0)
        #expect(
            outcome.errors.contains("in it was put there or changed since this program wrote the data set"),
            "\(outcome.errors)")
        #expect(try workspace.text("set/" + place) == "mine")
    }
}
