import Annotate
import Foundation
import Testing

/// Data sets and tables of a folder of results.
@Suite struct DataSetTests {
    /// Clips of twelve frames: a car in the first eight, a dog in the second four, nothing in the last ones.
    private func ran(
        _ ids: [String] = ["a", "b", "c"], stage: String = "", output: String = ""
    ) throws -> Workspace {
        let workspace = try Workspace()
        for (index, id) in ids.enumerated() {
            try workspace.clip("\(id).mp4", frames: 12)
            // Videos that are the same would stay together: a box that nobody reads tells them apart.
            let box = Array("free0000".utf8) + [UInt8](repeating: UInt8(index), count: 4)
            try workspace.write(try workspace.bytes("\(id).mp4") + [0, 0, 0, 16] + box, to: "\(id).mp4")
            var rows = "frame,track,label,left,top,width,height,confidence\n"
            for frame in 0..<8 {
                rows += "\(frame),1,car,\(10 + frame),20,30,40,0.\(frame < 6 ? 9 : 3)\n"
                if frame >= 4 { rows += "\(frame),2,dog,\(80 + index),50,20,25.5,0.8\n" }
            }
            try workspace.write(rows, to: "\(id).csv")
        }
        let path = try workspace.write(
            """
            {"version": 1, "output": {"directory": "out"\(output)}, "defaults": {"encode": {"codec": "none"}},
             "graphs": {"g": {"stages": [{"id": "things", "type": "import", "format": "csv", "file": "{name}.csv"\(stage)}]}},
             "jobs": [{"input": "*.mp4", "graph": "g"}]}
            """, to: "m.json")
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return workspace
    }

    private func export(_ workspace: Workspace, _ words: String...) throws -> Outcome {
        try Program.run(
            Program.annotateBatch,
            ["export", workspace.file("out"), "--dataset", "-o", workspace.file("set"), "--format"] + words)
    }

    /// Rows of a set's list of pictures, without its head.
    private func pictures(_ workspace: Workspace, _ folder: String = "set") throws -> [[String]] {
        try workspace.text("\(folder)/pictures.csv").split(separator: "\n").dropFirst().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// What is missing between two of its pictures is rather there: those aren't pictures of nothing.
    @Test func gapsAreNoBackground() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 12)
        var rows = "frame,track,label,left,top,width,height\n"
        for frame in [2, 3, 7, 8] { rows += "\(frame),1,car,\(10 + frame),20,30,40\n" }
        try workspace.write(rows, to: "a.csv")
        let path = try workspace.write(
            """
            {"version": 1, "output": {"directory": "out"}, "defaults": {"encode": {"codec": "none"}},
             "graphs": {"g": {"stages": [{"id": "things", "type": "import", "format": "csv", "file": "{name}.csv", "complete": true}]}},
             "jobs": [{"input": "a.mp4", "graph": "g"}]}
            """, to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        let outcome = try export(workspace, "coco")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("left out: 3 pictures in which something isn't told of that is before and after"),
            "\(outcome.errors)")
        #expect(try pictures(workspace).compactMap { Int($0[3]) } == [0, 1, 2, 3, 7, 8, 9, 10, 11])
        // Nothing is missing or lost where somebody has looked.
        let said = try workspace.write(
            #"{"format": "annotate-review", "version": 1, "reviewed": ["a"]}"#, to: "said.json")
        #expect(try export(workspace, "coco", "--remarks", said).status == 0)
        #expect(try pictures(workspace).count == 12)
        // What is kept on purpose is kept.
        #expect(try export(workspace, "coco", "--negatives").status == 0)
        #expect(try pictures(workspace).count == 12)
    }

    /// A stage that tells of the largest alone leaves others unmarked.
    @Test func whatIsCutToAFewIsTold() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 4)
        let path = try workspace.manifest([#""input": "a.mp4""#], stages: #"{"id": "r", "type": "rectangles"}"#)
        #expect(try annotateBatch("run", path).status == 0)
        let (first, rest) = try {
            let lines = try workspace.text("out/a.tracks.jsonl").split(separator: "\n").map(String.init)
            return (lines[0], lines.dropFirst())
        }()
        let seen = rest.map { line in
            line.replacing(#/"frame":(\d),(.*)"observations":\[.*\]/#) { match in
                let one = #"{"stage":"r","kind":"rectangle","polygon":[[9,9],[40,9],[40,40],[9,40]]}"#
                return #""frame":\#(match.1),\#(match.2)"observations":[\#(match.1 == "1" ? "" : one)]"#
            }
        }
        try workspace.write(([first] + seen).joined(separator: "\n") + "\n", to: "out/a.tracks.jsonl")
        let outcome = try export(workspace, "coco")
        #expect(
            outcome.errors.contains(
                "in 3 pictures “r” tells as many things as it may (“maximumObservations”: 1): what is more isn't marked"
            ),
            "\(outcome.errors)")
    }

    /// Frames that nobody could count through, and those that stand elsewhere, are told of.
    @Test(arguments: [9_007_199_254_740_991, 100_000_000, 7, 2]) func framesStandOneAfterTheOther(number: Int) throws {
        let workspace = try ran(["a"])
        let text = try workspace.text("out/a.tracks.jsonl")
        try workspace.write(
            text.replacing(#"{"frame":4,"#, with: "{\"frame\":\(number),"), to: "out/a.tracks.jsonl")
        let outcome = try export(workspace, "coco")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains(":6: /frame: \(number); expected 4: a line for each picture, one after the other"),
            "\(outcome.errors)")
    }

    @Test(arguments: ["0.5", "0.6/0.2", "0.9/0.2"]) func sharesThatAreNotAll(split: String) throws {
        let outcome = try export(try ran(["a"]), "coco", "--split", split)
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("than all; expected parts of 1, as 0.8, 0.1, 0.1"), "\(outcome.errors)")
    }

    @Test func coco() throws {
        let workspace = try ran()
        let outcome = try export(workspace, "coco", "--split", "1/1/1", "--every", "2")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == workspace.file("set") + "\n")
        #expect(
            outcome.errors.contains("left out: 6 pictures without anything, by stages that don't search whole pictures")
        )
        #expect(
            workspace.names(in: "set/annotations")
                == ["instances_test.json", "instances_train.json", "instances_val.json"])
        var ids: [Int] = []
        var things: [Int] = []
        for part in ["train", "val", "test"] {
            let set = try json(try workspace.text("set/annotations/instances_\(part).json"))
            #expect(set["videos"]?.elements?.count == 1)
            #expect(set["categories"]?.elements?.compactMap { $0["name"]?.string } == ["car", "dog"])
            let images = set["images"]?.elements ?? []
            ids += images.compactMap { $0["id"]?.integer }
            #expect(images.compactMap { $0["frame_index"]?.integer } == [0, 2, 4, 6])
            #expect(
                images.compactMap { $0["file_name"]?.string }.sorted() == workspace.names(in: "set/images/\(part)"))
            #expect(set["annotations"]?.elements?.count == 6)
            things += (set["annotations"]?.elements ?? []).compactMap { $0["id"]?.integer }
        }
        #expect(Set(ids) == Set(1...12))
        #expect(things.sorted() == Array(1...18))
        // The same again, in place of the first one; another seed is another split.
        let before = try workspace.text("set/pictures.csv")
        #expect(try export(workspace, "coco", "--split", "1/1/1", "--every", "2").status == 0)
        #expect(try workspace.text("set/pictures.csv") == before)
        var splits: Set<[String]> = []
        for seed in 0..<6 {
            #expect(try export(workspace, "csv", "--split", "1/1/1", "--seed", "\(seed)").status == 0)
            splits.insert(try Set(pictures(workspace).map { $0[2] + $0[1] }).sorted())
        }
        #expect(splits.count > 1 && splits.allSatisfy { $0.count == 3 })
    }

    /// A wish that nothing comes of, and a file's name where there is one a clip, are refused.
    @Test func wordsWithoutEffect() throws {
        let workspace = try ran(["a"])
        let seeded = try export(workspace, "coco", "--seed", "7")
        #expect(seeded.status == 64 && seeded.errors.contains("--seed: nothing is split, so that 7 changes nothing"))
        #expect(try export(workspace, "yolo", "--seed", "7").status == 0)
        for name in ["all.coco.json", "all.json"] {
            let outcome = try annotateBatch(
                "export", workspace.file("out"), "--format", "coco", "-o", workspace.file(name))
            #expect(outcome.status == 64, "\(outcome.errors)")
            #expect(
                outcome.errors.contains(
                    "\(name) names a file, and each track file in \(workspace.file("out")) has an export of its own; name a "
                        + "folder, or one of a data set's own with --dataset."), "\(outcome.errors)")
            #expect(!Files.exists(workspace.file(name)))
        }
    }

    @Test func aFileOfAnotherFormIsNoFolder() throws {
        let workspace = try ran(["a"])
        for name in ["all.xlsx", "all.tsv", "all.parquet"] {
            let outcome = try annotateBatch(
                "export", workspace.file("out"), "--format", "csv", "-o", workspace.file(name))
            #expect(
                outcome.status == 64 && outcome.errors.contains("or all.csv, for one table of all."),
                "\(outcome.errors)")
            #expect(!Files.exists(workspace.file(name)))
        }
    }

    /// Clips whose ids can't be names are found by the set's list, in every form.
    @Test(arguments: ["cvat", "label-studio", "coco", "csv"]) func aSetIsTheTruthAboutRenamedClips(form: String) throws
    {
        let workspace = try ran(["a", "b c"])
        #expect(try export(workspace, form).status == 0)
        let truth = try #require(
            ["train.xml", "train.json", "annotations/instances_train.json", "train.csv"].first {
                Files.exists(workspace.file("set/" + $0))
            })
        let outcome = try annotateBatch("compare", "--truth", workspace.file("set/" + truth), workspace.file("out"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            !outcome.errors.contains("no results of") && !outcome.output.contains("no truth about"), "\(outcome.output)"
        )
        #expect(outcome.output.contains("2 clips"), "\(outcome.output)")
    }

    @Test func truthOfMOTHasNoConfidences() throws {
        let outcome = try export(try ran(["a"]), "mot")
        #expect(
            outcome.errors.contains("MOT's truth has no confidences; left out: 12 of stage “things”"),
            "\(outcome.errors)")
    }

    @Test func yolo() throws {
        let workspace = try ran(stage: #", "complete": true"#)
        let outcome = try export(workspace, "yolo")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("12 pictures known to have nothing in them"), "\(outcome.errors)")
        let settings = try workspace.text("set/data.yaml")
        #expect(settings == "train: images/train\nval: images/val\nnc: 2\nnames:\n  0: \"car\"\n  1: \"dog\"\n")
        let (train, val) = (workspace.names(in: "set/images/train"), workspace.names(in: "set/images/val"))
        #expect(train.count == 24 && val.count == 12 && workspace.names(in: "set/labels/train").count == 24)
        #expect(Set(val.map { $0.prefix(1) }).count == 1)
        #expect(
            try workspace.text("set/val.txt") == val.map { "./images/val/\($0)\n" }.joined())
        let empty = try workspace.names(in: "set/labels/val").filter {
            try workspace.text("set/labels/val/\($0)").isEmpty
        }
        #expect(empty.count == 4)
    }

    /// What is below the least confidence makes its picture one of which not all is annotated.
    @Test func unsureThings() throws {
        let workspace = try ran()
        let outcome = try export(workspace, "csv", "--minimum-confidence", "0.5")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("left out: 6 pictures with something below the least confidence"))
        #expect(try pictures(workspace).count == 18)
        // A table needs no pictures, and names none that isn't there.
        #expect(try pictures(workspace).allSatisfy { $0[0].isEmpty })
        #expect(try export(workspace, "csv", "--frames", "png").status == 0)
        for picture in try pictures(workspace) {
            #expect(FileManager.default.fileExists(atPath: workspace.file("set/\(picture[0])")))
        }
        #expect(try export(workspace, "csv", "--minimum-confidence", "0.5", "--negatives").status == 0)
        #expect(try pictures(workspace).count == 36)
    }

    /// Before something is pointed at, and after its end, nobody knows what is in a picture.
    @Test func beforeASeedAndAfterAnEnd() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 20)
        let path = try workspace.write(
            """
            {"version": 1, "graphs": {"g": {"stages": [{"id": "cards", "type": "track"}]}},
             "jobs": [{"input": "a.mp4", "graph": "g", "encode": {"codec": "none"}, "regions": [
               {"id": "card", "frame": 5, "box": [25, 30, 60, 44], "keyframes": [{"frame": 15, "absent": true}]}]}]}
            """, to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        let outcome = try export(workspace, "mot")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("left out: 5 pictures before something was pointed at"), "\(outcome.errors)")
        #expect(outcome.errors.contains("left out: 5 pictures after a track's end"), "\(outcome.errors)")
        #expect(
            workspace.names(in: "set/train/a/img1") == (1...10).map { $0 < 10 ? "00000\($0).jpg" : "0000\($0).jpg" })
        #expect(try workspace.text("set/train/a/seqinfo.ini").contains("seqLength=10\n"))
        #expect(try workspace.text("set/train/a/gt/labels.txt") == "card\n")
        #expect(try workspace.text("set/train/a/gt/gt.txt").split(separator: "\n").count == 10)
        #expect(try workspace.text("set/seqmaps/MOT-train.txt") == "name\na\n")
        #expect(try export(workspace, "mot", "--complete", "cards").status == 0)
        #expect(workspace.names(in: "set/train/a/img1").count == 20)
    }

    /// Classes that are the same as files' names have folders of their own.
    @Test func cropsOfLikeClassesLieApart() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 2)
        try workspace.clip("b.mp4", frames: 2)
        try workspace.write("0 0.5 0.5 0.4 0.4\n", to: "labels/a_000000.txt")
        try workspace.write("1 0.3 0.3 0.2 0.2\n", to: "labels/b_000000.txt")
        try workspace.write(
            #"{"version": 1, "graphs": {"g": {"stages": [{"id": "i", "type": "import", "format": "yolo", "classes": ["a b", "a_b"], "file": "labels/{name}_*.txt"}]}}, "jobs": [{"input": "*.mp4", "graph": "g", "encode": {"codec": "none"}}]}"#,
            to: "m.json")
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 0)
        let outcome = try export(workspace, "coco", "--crops", "all")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(workspace.names(in: "set/crops/train") == ["a_b", "a_b-2"])
        let record = try json(try workspace.text("set/dataset.json"))
        let named = (record["crops"]?.members ?? []).map { "\($0.key) \($0.value.string ?? "")" }
        #expect(Set(named).isSuperset(of: ["a_b a_b", "a_b-2 a b"]), "\(named)")
        for folder in ["a_b", "a_b-2"] { #expect(workspace.names(in: "set/crops/train/\(folder)").count == 1) }
    }

    @Test func classesAndCrops() throws {
        let workspace = try ran()
        try workspace.write("dog\n", to: "classes.txt")
        let words = ["coco", "--classes", workspace.file("classes.txt")]
        let refused = try Program.run(
            Program.annotateBatch,
            ["export", workspace.file("out"), "--dataset", "-o", workspace.file("set"), "--format"] + words)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("classes.txt hasn't “car” (24); expected all classes that there are"))
        #expect(workspace.names(in: "set").isEmpty)
        let outcome = try export(
            workspace, "coco", "--classes", workspace.file("classes.txt"), "--others", "drop", "--crops", "best")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(workspace.names(in: "set/crops/train") == ["dog"])
        #expect(workspace.names(in: "set/crops/train/dog").count == 3)
        // Of the pictures that are taken: the first four have none of the class, and so don't count.
        #expect(outcome.errors.contains("12 things of other classes left out"))
    }

    /// The best picture of a track is the best of those that are taken, whichever options choose them.
    @Test func bestOfWhatIsTaken() throws {
        let workspace = try ran(["a"])
        for (words, car, dog) in [
            (["--spans", "2..11"], "a_000002_1.jpg", "a_000004_2.jpg"),
            (["--every", "5"], "a_000000_1.jpg", "a_000005_2.jpg"),
            (["--spans", "6..11"], "a_000006_1.jpg", "a_000006_2.jpg"),
        ] {
            let outcome = try Program.run(
                Program.annotateBatch,
                ["export", workspace.file("out"), "--dataset", "-o", workspace.file("set"), "--format", "coco"] + words
                    + ["--crops", "best"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(workspace.names(in: "set/crops/train/car") == [car], "\(words)")
            #expect(workspace.names(in: "set/crops/train/dog") == [dog], "\(words)")
        }
    }

    /// A later picture that is better takes the place of the one before, in another class's folder too.
    @Test func aBetterPictureTakesThePlace() throws {
        let workspace = try ran(["a"])
        let tracks = try workspace.text("out/a.tracks.jsonl").split(separator: "\n").map { line -> String in
            guard line.hasPrefix(#"{"frame":3,"#) else { return String(line) }
            return String(line).replacing(#""label":"car""#, with: #""label":"truck""#).replacing(
                #""confidence":0.9"#, with: #""confidence":0.95"#)
        }
        try workspace.write(tracks.joined(separator: "\n") + "\n", to: "out/a.tracks.jsonl")
        let outcome = try export(workspace, "coco", "--crops", "best")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(workspace.names(in: "set/crops/train") == ["dog", "truck"])
        #expect(workspace.names(in: "set/crops/train/truck") == ["a_000003_1.jpg"])
        #expect(outcome.errors.contains("2 pictures of things cut out"), "\(outcome.errors)")
    }

    /// A clip of which no picture is taken doesn't leave a part of the set without any.
    @Test(arguments: ["1", "2", "3", "4"]) func partsHavePictures(seed: String) throws {
        let workspace = try ran()
        let path = "out/b.tracks.jsonl"
        let tracks = try workspace.text(path).split(separator: "\n").map {
            String($0).replacing(#/"observations":\[.*\]/#, with: #""observations":[]"#)
        }
        try workspace.write(tracks.joined(separator: "\n") + "\n", to: path)
        let outcome = try export(workspace, "yolo", "--split", "1/1", "--seed", seed)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("no picture is taken of “b”"))
        for part in ["train", "val"] {
            #expect(try workspace.text("set/\(part).txt").split(separator: "\n").count == 8, "\(part)")
        }
        let thirds = try export(workspace, "yolo", "--split", "1/1/1", "--seed", seed)
        #expect(thirds.errors.contains("no clip is left for test: there are pictures of 2 clips"), "\(thirds.errors)")
    }

    /// An outline that lies partly beyond the picture is cut at its edge, not bent.
    @Test func outlinesAreCut() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 1)
        try workspace.write(
            #"{"images": [{"id": 1, "file_name": "a_000000.jpg", "width": 160, "height": 120, "frame_index": 0}], "categories": [{"id": 1, "name": "sail"}], "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [-40, 20, 120, 80], "segmentation": [[-40, 60, 80, 20, 80, 100]]}]}"#,
            to: "a.json")
        let path = try workspace.write(
            #"{"version": 1, "defaults": {"encode": {"codec": "none"}}, "graphs": {"g": {"stages": [{"id": "i", "type": "import", "format": "coco", "file": "a.json"}]}}, "jobs": [{"input": "a.mp4", "graph": "g"}]}"#,
            to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        let outcome = try export(workspace, "yolo-seg")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let numbers = try workspace.text("set/labels/train/a_000000.txt").split(separator: " ").compactMap {
            Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        let corners = stride(from: 1, to: numbers.count - 1, by: 2).map {
            "\((numbers[$0] * 160).rounded()) \((numbers[$0 + 1] * 120).rounded())"
        }
        #expect(Set(corners) == ["0.0 47.0", "80.0 20.0", "80.0 100.0", "0.0 73.0"], "\(numbers)")
    }

    /// What a stage finds and the one behind it doesn't follow is in the picture all the same.
    @Test func whatIsFoundAndNotFollowed() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 16)
        var rows = "frame,label,left,top,width,height,confidence\n"
        for frame in 0..<12 {
            rows += "\(frame),car,\(10 + frame),20,30,40,0.9\n"
            rows += "\(frame),dog,80,50,20,25.5,0.8\n"
        }
        // Less sure than what begins a track, beside others and alone; and of a class that the set hasn't.
        rows += "2,car,10,80,20,20,0.3\n13,car,10,80,20,20,0.3\n14,cat,10,80,20,20,0.9\n"
        try workspace.write(rows, to: "a.csv")
        let path = try workspace.write(
            """
            {"version": 1, "defaults": {"encode": {"codec": "none"}}, "graphs": {"g": {"stages": [
               {"id": "seen", "type": "import", "format": "csv", "file": "a.csv", "complete": true},
               {"id": "things", "type": "follow", "inputs": ["seen"]}]}},
             "jobs": [{"input": "a.mp4", "graph": "g"}]}
            """, to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        let tracks = try workspace.text("out/a.tracks.jsonl").split(separator: "\n").map { line -> String in
            // As if a dog were lost sight of once.
            guard line.hasPrefix(#"{"frame":5,"#) else { return String(line) }
            return String(
                line.replacing(#/,{"stage":"things","kind":"object","track":\d+,"label":"dog"[^}]*}/#, with: ""))
        }
        try workspace.write(tracks.joined(separator: "\n") + "\n", to: "out/a.tracks.jsonl")
        let outcome = try export(workspace, "coco")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("left out: 2 pictures with something that was found and isn't followed"),
            "\(outcome.errors)")
        #expect(try pictures(workspace).map { $0[3] } == (0...15).filter { $0 != 5 && $0 != 13 }.map(String.init))
        #expect(outcome.errors.contains("3 pictures known to have nothing in them"), "\(outcome.errors)")
        // Classes that nobody asks for are no matter.
        try workspace.write("car\n", to: "classes.txt")
        #expect(
            try export(workspace, "coco", "--classes", workspace.file("classes.txt"), "--others", "drop").errors
                .contains(
                    "left out: 1 picture with something that was found"))
        #expect(try export(workspace, "coco", "--negatives").status == 0)
        #expect(try pictures(workspace).count == 16)
        // Nor where somebody has looked.
        let said = try workspace.write(
            #"{"format": "annotate-review", "version": 1, "reviewed": ["a"]}"#, to: "said.json")
        #expect(try export(workspace, "coco", "--remarks", said).status == 0)
        #expect(try pictures(workspace).count == 16)
    }

    @Test func whatIsNotInIt() throws {
        let workspace = try ran()
        try workspace.write("no video", to: "d.mp4")
        try workspace.write("frame,track,label,left,top,width,height\n", to: "d.csv")
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 1)
        let outcome = try export(workspace, "csv", "--spans", "8..20")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains("“d” is left out: the report says that its job isn't whole"), "\(outcome.errors)")
        let table = try annotateBatch(
            "export", workspace.file("out"), "--format", "csv", "-o", workspace.file("all.csv"))
        #expect(table.status == 0)
        #expect(
            table.errors.contains("“d” is left out: the report says that its job isn't whole"), "\(table.errors)")
        let each = try annotateBatch("export", workspace.file("out"), "--format", "csv", "-o", workspace.file("each"))
        #expect(each.status == 0 && each.errors.contains("“d” is left out"), "\(each.errors)")
        // What an earlier run left of it is left out in either form, and where that is all there is nothing to write.
        try workspace.write(try workspace.text("out/a.tracks.jsonl"), to: "out/d.tracks.jsonl")
        for place in ["all.csv", "each"] {
            Files.removeResult(workspace.file(place))
            let outcome = try annotateBatch(
                "export", workspace.file("out"), "--format", "csv", "-o", workspace.file(place))
            #expect(outcome.status == 0 && outcome.errors.contains("“d” is left out"), "\(outcome.errors)")
        }
        #expect(!workspace.names(in: "each").contains("d.csv"))
        for id in ["a", "b", "c"] { Files.remove(workspace.file("out/\(id).tracks.jsonl")) }
        for place in ["none.csv", "none"] {
            let outcome = try annotateBatch(
                "export", workspace.file("out"), "--format", "csv", "-o", workspace.file(place))
            #expect(
                outcome.status == 1
                    && outcome.errors.contains(
                        "nothing is left of \(workspace.file("out")): none of its jobs is whole; run them again"),
                "\(outcome.errors)")
            #expect(!Files.exists(workspace.file(place)))
        }
        Files.remove(workspace.file("out/d.tracks.jsonl"))
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 1)
        let unknown = try export(workspace, "csv", "--complete", "thing")
        #expect(
            unknown.status == 1
                && unknown.errors.contains(
                    "no clip has the stage “thing”, which is said to be complete; expected one of “things”")
        )
        // The last one alone has something in its later pictures.
        let rows = try workspace.text("c.csv")
        try workspace.write(rows + "9,1,car,20,20,30,40,0.9\n", to: "c.csv")
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 1)
        let some = try export(workspace, "csv", "--spans", "8..20")
        #expect(some.status == 0, "\(some.errors)")
        #expect(some.errors.contains("train: 1 picture of 1 clip, 1 thing\n"), "\(some.errors)")
        #expect(some.errors.contains("no picture is taken of “a”, “b”\n"))
    }

    /// A picture with something that the layout can't say isn't taken as one in which there is nothing, and its clip doesn't take a
    /// place in the split.
    @Test func whatALayoutCannotSay() throws {
        let workspace = try ran()
        // Detections without tracks, of which MOT's truth knows nothing; in one clip the later ones have one.
        for id in ["a", "b", "c"] {
            let rows = try workspace.text("\(id).csv").split(separator: "\n").map { row -> String in
                if id == "b", let frame = Int(row.prefix(1)), frame >= 6 { return String(row) }
                return String(row).replacing(",1,car", with: ",,car").replacing(",2,dog", with: ",,dog")
            }
            try workspace.write(rows.joined(separator: "\n") + "\n", to: "\(id).csv")
        }
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 0)
        let outcome = try export(workspace, "mot", "--split", "1/1", "--seed", "5")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("left out: 22 pictures with something that the layout can't say"),
            "\(outcome.errors)")
        #expect(outcome.errors.contains("train: 2 pictures of 1 clip, 4 things\n"), "\(outcome.errors)")
        #expect(workspace.names(in: "set/train") == ["b"])
        #expect(try workspace.text("set/train/b/gt/gt.txt").split(separator: "\n").count == 4)
        // YOLO says them all.
        #expect(try export(workspace, "yolo").status == 0)
        #expect(try pictures(workspace).count == 24)
    }

    @Test func writtenWhenTheBatchEnds() throws {
        let dataset = #", "dataset": {"format": "yolo", "directory": "set", "every": 4, "split": [2, 1]}"#
        let workspace = try ran(output: dataset)
        #expect(try pictures(workspace).count == 6)
        let again = try annotateBatch("run", workspace.file("m.json"))
        #expect(again.status == 0 && again.errors.contains("set: up to date"), "\(again.errors)")
        let some = try annotateBatch("run", workspace.file("m.json"), "--only", "a")
        #expect(some.status == 0 && some.errors.contains("a run of some jobs writes no data set"))
        let quiet = try annotateBatch("run", workspace.file("m.json"), "--progress", "none")
        #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
        // What the folder can't become is no matter where it isn't written.
        try workspace.write("mine", to: "set/notes.txt")
        #expect(try annotateBatch("run", workspace.file("m.json"), "--only", "a", "--force").status == 0)
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 1)
        try FileManager.default.removeItem(atPath: workspace.file("set/notes.txt"))
        // The same bytes by hand.
        try FileManager.default.moveItem(atPath: workspace.file("set"), toPath: workspace.file("live"))
        #expect(try export(workspace, "yolo", "--every", "4", "--split", "2/1").status == 0)
        for name in ["pictures.csv", "data.yaml", "train.txt", "dataset.json"] {
            #expect(try workspace.text("set/\(name)") == workspace.text("live/\(name)"))
        }
    }

    /// What reviewers said in the page of `review`.
    @Test func whatReviewersSaid() throws {
        let workspace = try ran()
        func said(_ batch: String, _ more: String = "") throws -> String {
            try workspace.write(
                """
                {"format": "annotate-review", "version": 1, "batch": "\(batch)", "reviewed": ["a"\(more)], "remarks": [
                  {"job": "b", "frame": 9, "mark": "right"}, {"job": "b", "frame": 2, "mark": "wrong"},
                  {"job": "b", "frame": 10, "text": "what?"},
                  {"job": "c", "frame": 3, "track": 1, "mark": "unsure"}, {"job": "c", "frame": 9, "track": 1, "mark": "right"}]}
                """, to: "said.json")
        }
        let unknown = try export(workspace, "csv", "--remarks", try said("out", #", "z""#))
        #expect(unknown.status == 1)
        #expect(
            unknown.errors.contains(
                "they are about the job “z”, which this batch hasn't; expected remarks on its jobs"),
            "\(unknown.errors)")
        let outcome = try export(workspace, "csv", "--remarks", try said("out"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let rows = try pictures(workspace)
        func frames(_ id: String) -> [Int] { rows.filter { $0[2] == id }.compactMap { Int($0[3]) } }
        #expect(frames("a") == Array(0..<12))
        #expect(frames("b") == [0, 1, 3, 4, 5, 6, 7, 9])
        #expect(frames("c") == [0, 1, 2, 4, 5, 6, 7])
        #expect(rows.filter { $0[7] == "true" }.map { $0[2] + $0[3] } == ["a8", "a9", "a10", "a11", "b9"])
        #expect(outcome.errors.contains("left out: 2 pictures that reviewers marked as wrong or unsure"))
        let other = try export(workspace, "csv", "--remarks", try said("others"))
        #expect(other.status == 1)
        #expect(other.errors.contains("they are of the batch “others”, and this one is “out”; expected this one's"))
        let none = try export(workspace, "csv", "--remarks", workspace.file("m.json"))
        #expect(none.status == 1 && none.errors.contains("it has no “format” of “annotate-review”"), "\(none.errors)")
    }

    @Test func reviewedWhenTheBatchEnds() throws {
        let dataset = #", "dataset": {"format": "csv", "directory": "set", "remarks": "said.json"}"#
        let workspace = try ran()
        let path = workspace.file("m.json")
        try workspace.write(try workspace.text("m.json").replacing(#""out""#, with: #""out"\#(dataset)"#), to: "m.json")
        #expect(
            try annotateBatch("run", path).errors.contains("said.json”; expected one that a review's page exported"))
        for (frame, count) in [(1, 23), (1, 23), (2, 22)] {
            let marks = (1...frame).map { #"{"job": "a", "frame": \#($0), "mark": "wrong"}"# }.joined(separator: ", ")
            try workspace.write(
                #"{"format": "annotate-review", "version": 1, "batch": "out", "remarks": [\#(marks)]}"#, to: "said.json"
            )
            let run = try annotateBatch("run", path)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try pictures(workspace).count == count)
        }
    }

    /// What no job has is told before anything runs.
    @Test(arguments: [
        (#""stages": ["thing"]"#, "/output/dataset/stages/0: no job has a stage “thing”; expected one of “things”"),
        (#""complete": ["things", "x"]"#, "/output/dataset/complete/1: no job has a stage “x”"),
        (
            #""kinds": ["text"]"#,
            "/output/dataset/kinds/0: no job has results of the kind “text”; expected one of “detection”"
        ),
    ])
    func whatNoJobHas(_ option: String, _ message: String) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 2)
        try workspace.write("frame,left,top,width,height\n0,1,1,9,9\n", to: "a.csv")
        let path = try workspace.write(
            """
            {"version": 1, "output": {"dataset": {"format": "coco", "directory": "set", \(option)}},
             "graphs": {"g": {"stages": [{"id": "things", "type": "import", "format": "csv", "file": "a.csv"}]}},
             "jobs": [{"input": "a.mp4", "graph": "g"}]}
            """, to: "m.json")
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 65 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    /// Nothing of anybody's goes.
    @Test func somebodyElsesFolder() throws {
        let workspace = try ran()
        try workspace.write("mine", to: "set/images/cat.jpg")
        let outcome = try export(workspace, "yolo")
        #expect(outcome.status == 1 && outcome.errors.contains("is no data set of this program's"), "\(outcome.errors)")
        #expect(try workspace.text("set/images/cat.jpg") == "mine")
        let inside = try Program.run(
            Program.annotateBatch,
            ["export", workspace.file("out"), "--dataset", "-o", workspace.path, "--format", "coco"])
        #expect(inside.status == 64)
    }

    @Test(arguments: [
        (["--split", "a/b"], "--split takes one to three shares"),
        (["--split", "0.5/0.6"], "--split: the shares 0.5, 0.6 are more than all; expected parts of 1"),
        (["--spans", "5"], "--spans takes a first and a last"),
        (["--every", "0"], "--every takes 1 or more"), (["--others", "drop"], "“drop” leaves out"),
        (["--unlike", "101"], "--unlike takes 0 to 100"),
    ])
    func wrongWords(words: [String], message: String) throws {
        let workspace = try Workspace()
        try workspace.write("", to: "out/x")
        let outcome = try Program.run(
            Program.annotateBatch,
            ["export", workspace.file("out"), "--dataset", "-o", workspace.file("set"), "--format", "coco"] + words)
        #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func oneTable() throws {
        let workspace = try ran()
        let path = workspace.file("all.csv")
        #expect(try annotateBatch("export", workspace.file("out"), "--format", "csv", "-o", path).status == 0)
        let rows = try workspace.text("all.csv").split(separator: "\n").map {
            $0.split(separator: ",").map(String.init)
        }
        #expect(rows[0][0] == "clip" && rows.count == 1 + 36 && Set(rows.dropFirst().map { $0[0] }) == ["a", "b", "c"])
        #expect(
            try annotateBatch("export", workspace.file("out"), "--format", "csv", "-o", path, "--empty").status == 0)
        #expect(try workspace.text("all.csv").split(separator: "\n").count == 1 + 36 + 12)
    }

    /// A stage that some of the clips have is no fault of the others; one that none has is.
    @Test func someClipsHaveTheStage() throws {
        let workspace = try ran(["a", "b"])
        let other = try workspace.text("out/b.tracks.jsonl").replacing("\"things\"", with: "\"others\"")
        try workspace.write(other, to: "out/b.tracks.jsonl")
        let out = workspace.file("out")
        let note = "1 of 2 track files have none of these stages and are left out: “b.tracks.jsonl”\n"
        let table = workspace.file("all.csv")
        for words in [
            ["csv", "-o", workspace.file("each")], ["csv", "-o", table],
            ["coco", "--dataset", "-o", workspace.file("set")],
        ] {
            let done = try Program.run(
                Program.annotateBatch, ["export", out, "--stage", "things", "--format"] + words)
            #expect(done.status == 0 && done.errors.contains(note), "\(words): \(done.errors)")
            let failed = try Program.run(
                Program.annotateBatch, ["export", out, "--stage", "thing", "--format"] + words)
            #expect(failed.status == 1, "\(words)")
            #expect(
                failed.errors
                    == "annotate-batch: \(out): no track file in it has the stage “thing”; expected one of “things”, “others”; "
                    + "did you mean “things”?\n")
        }
        #expect(workspace.names(in: "each") == ["a.csv"])
        #expect(try Set(workspace.text("all.csv").split(separator: "\n").dropFirst().map { $0.prefix(1) }) == ["a"])
        #expect(try pictures(workspace).allSatisfy { $0[2] == "a" })
    }

    /// Every format that can come in again, there and back.
    @Test(arguments: [
        ("coco", "coco", ".coco.json", ""), ("mot", "mot", ".mot.txt", #", "classes": ["car"]"#),
        ("csv", "csv", ".csv", ""),
        ("cvat", "cvat", ".cvat.xml", ""), ("cvat-images", "cvat", ".cvat-images.xml", ""),
        ("label-studio", "label-studio", ".labelstudio.json", ""),
        ("label-studio-images", "label-studio", ".labelstudio-images.json", #", "firstFrame": 0"#),
        ("yolo", "yolo", ".yolo/tracks/*.txt", #", "classes": ["car", "dog"]"#),
    ])
    func thereAndBack(format: String, as name: String, suffix: String, options: String) throws {
        let workspace = try ran(["a"])
        #expect(try annotateBatch("export", workspace.file("out"), "--format", format).status == 0)
        let path = try workspace.write(
            """
            {"version": 1, "output": {"directory": "back"}, "defaults": {"encode": {"codec": "none"}},
             "graphs": {"g": {"stages": [{"id": "things", "type": "import", "format": "\(name)",
               "file": "out/{name}\(suffix)"\(options)}]}},
             "jobs": [{"input": "a.mp4", "graph": "g"}]}
            """, to: "back.json")
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        func seen(_ folder: String) throws -> [String] {
            try workspace.text("\(folder)/a.tracks.jsonl").split(separator: "\n").dropFirst().flatMap {
                line -> [String] in
                let node = try json(String(line))
                return (node["observations"]?.elements ?? []).map { one in
                    let box = one["box"]?.elements?.compactMap(\.number).map { ($0 * 100).rounded() / 100 } ?? []
                    // Pictures of Label Studio have no tracks, MOT no names.
                    let track = format == "label-studio-images" ? nil : one["track"]?.integer
                    let label = format == "mot" ? nil : one["label"]?.string
                    return "\(node["frame"]?.integer ?? -1) \(track ?? 0) \(label ?? "") \(box)"
                }
            }.sorted()
        }
        #expect(try seen("back") == seen("out"))
        #expect(try seen("back").count == 12)
    }
}
