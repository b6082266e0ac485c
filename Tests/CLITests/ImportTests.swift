import Annotate
import Foundation
import Testing

/// Results that go out and come in again, and files that are not what they should be.
@Suite struct ImportTests {
    /// A clip with a card, and a run that found it: `first/a.tracks.jsonl` and `.csv`.
    private func ran() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 12)
        try workspace.write(
            #"{"version": 1, "output": {"directory": "first", "formats": ["csv"]}, "graphs": {"g": {"stages": [{"id": "cards", "type": "rectangles"}]}}, "jobs": [{"input": "a.mp4", "graph": "g", "encode": {"codec": "none"}}]}"#,
            to: "first.json")
        let outcome = try annotateBatch("run", workspace.file("first.json"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        return workspace
    }

    /// Runs a job on the clip with these options of an `import`.
    private func importing(
        _ workspace: Workspace, _ options: String, more: String = "", job: String = "", arguments: [String] = []
    ) throws -> Outcome {
        let path = try workspace.write(
            #"{"version": 1, "output": {"directory": "second"}, "graphs": {"g": {"stages": [{"id": "cards", "type": "import", \#(options)}\#(more)]}}, "jobs": [{"input": "*.mp4", "graph": "g", "encode": {"codec": "none"}\#(job)}]}"#,
            to: "second.json")
        return try Program.run(Program.annotateBatch, ["run", path] + arguments)
    }

    /// Frame, track and box of every observation in a track file.
    private func boxes(_ workspace: Workspace, _ name: String) throws -> [[Double]] {
        try workspace.text(name).split(separator: "\n").dropFirst().flatMap { line -> [[Double]] in
            let node = try json(String(line))
            return (node["observations"]?.elements ?? []).map { observation in
                let polygon = (observation["polygon"]?.elements ?? []).map { $0.elements?.compactMap(\.number) ?? [] }
                let xs = polygon.map { $0[0] }, ys = polygon.map { $0[1] }
                let box =
                    observation["box"]?.elements?.compactMap(\.number) ?? [
                        xs.min() ?? 0, ys.min() ?? 0, (xs.max() ?? 0) - (xs.min() ?? 0) + 1,
                        (ys.max() ?? 0) - (ys.min() ?? 0) + 1,
                    ]
                return [node["frame"]?.number ?? -1, observation["track"]?.number ?? -1]
                    + box.map { ($0 * 100).rounded() / 100 }
            }
        }
    }

    /// Label Studio counts by time, at its project's rate: twice as fast here as the clip has pictures.
    @Test func labelStudioOfAnotherRate() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 12)
        func entry(_ frame: Int) -> String {
            #"{"frame": \#(frame), "enabled": true, "rotation": 0, "x": \#(frame * 2), "y": 10, "width": 10, "height": 10}"#
        }
        try workspace.write(
            #"[{"data": {"video": "a.mp4"}, "annotations": [{"result": [{"type": "videorectangle", "id": "q", "value": {"framesCount": 24, "duration": 0.48, "labels": ["car"], "sequence": [\#(entry(1)), \#(entry(24))]}}]}]}]"#,
            to: "t.json")
        func lefts(_ by: String) throws -> [[Double]] {
            let outcome = try importing(
                workspace, #""format": "label-studio", "file": "t.json", "by": "\#(by)""#, arguments: ["--force"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.contains("counted at some 50 a second") == (by == "frame"), "\(outcome.errors)")
            return try boxes(workspace, "second/a.tracks.jsonl").map { [$0[0], $0[2]] }
        }
        // From 2 % of 160 pixels, 2 % on with each of its own frames.
        func expected(_ steps: Int) -> [[Double]] {
            (0..<12).map { frame in [Double(frame), (320 * Double(steps * frame + 1)).rounded() / 100] }
        }
        #expect(try lefts("frame") == expected(1))
        #expect(try lefts("time") == expected(2))
    }

    /// What a clip is called, and the folder that all lies in, are no patterns.
    @Test func namesAreNoPatterns() throws {
        let workspace = try Workspace()
        let folder = "set [1]"
        try FileManager.default.createDirectory(
            atPath: workspace.file("\(folder)/yolo"), withIntermediateDirectories: true)
        try workspace.clip("\(folder)/v [1].mp4", frames: 2)
        try workspace.write("0 0.5 0.5 0.5 0.5\n", to: "\(folder)/yolo/v 1_000000.txt")
        try workspace.write(
            #"{"version": 1, "graphs": {"g": {"stages": [{"id": "i", "type": "import", "format": "yolo", "classes": ["a"], "file": "yolo/{name}_*.txt?"}]}}, "jobs": [{"input": "*.mp4", "graph": "g", "encode": {"codec": "none"}}]}"#,
            to: "\(folder)/m.json")
        func found() throws -> Int {
            let outcome = try annotateBatch("run", workspace.file("\(folder)/m.json"), "--force")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let results = try FileManager.default.contentsOfDirectory(atPath: workspace.file("\(folder)/out"))
            let tracks = try #require(results.first { $0.hasSuffix(".tracks.jsonl") })
            return try boxes(workspace, "\(folder)/out/\(tracks)").count
        }
        // That is another clip's.
        #expect(try found() == 0)
        // And so `export` calls this one's.
        try workspace.write("0 0.5 0.5 0.5 0.5\n0 0.3 0.3 0.2 0.2\n", to: "\(folder)/yolo/v__1__000001.txt")
        #expect(try found() == 2)
        try workspace.write("0 0.5 0.5 0.5 0.5\n", to: "\(folder)/yolo/v [1]_000001.txt")
        #expect(try found() == 1)
    }

    /// What somebody skipped in Label Studio isn't said.
    @Test func skippedAnnotationsAreNone() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 2)
        func annotation(_ label: String, _ more: String) -> String {
            #"{"result": [{"type": "rectanglelabels", "original_width": 320, "original_height": 240, "value": {"x": 10, "y": 10, "width": 20, "height": 20, "rotation": 0, "rectanglelabels": ["\#(label)"]}}]\#(more)}"#
        }
        try workspace.write(
            #"[{"data": {"image": "a_000001.jpg"}, "annotations": [\#(annotation("Skipped", #", "was_cancelled": true"#)), \#(annotation("Car", ""))]}]"#,
            to: "ls.json")
        let outcome = try importing(workspace, #""format": "label-studio", "file": "ls.json""#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let text = try workspace.text("second/a.tracks.jsonl")
        #expect(text.contains("Car") && !text.contains("Skipped"), "\(text)")
    }

    @Test(arguments: ["frame", "time"])
    func tracksAndTablesComeBackAsTheyWent(by: String) throws {
        let workspace = try ran()
        for (format, file) in [("tracks", "first/{name}.tracks.jsonl"), ("csv", "first/{name}.csv")] {
            let options = #""format": "\#(format)", "file": "\#(file)", "by": "\#(by)""#
            let outcome = try importing(workspace, options, arguments: ["--force"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try boxes(workspace, "second/a.tracks.jsonl") == boxes(workspace, "first/a.tracks.jsonl"))
            let verify = try annotateBatch("verify", workspace.file("second"))
            #expect(verify.status == 0, "\(verify.output)")
            // The same kind, so that everything is held against everything.
            let import1 = try workspace.text("second/a.tracks.jsonl")
            try workspace.write(import1, to: "third/a.tracks.jsonl")
            _ = try importing(
                workspace, #""format": "tracks", "file": "third/a.tracks.jsonl""#, arguments: ["--force"])
            let compare = try annotateBatch("compare", workspace.file("second"), workspace.file("third"))
            #expect(compare.status == 0, "\(compare.output)")
        }
    }

    @Test func motAndCOCO() throws {
        let workspace = try ran()
        let all = try boxes(workspace, "first/a.tracks.jsonl")
        #expect(all.count > 10)
        // Ids that nobody would give: they stay.
        func id(_ track: Double) -> Int { track < 0 ? -1 : Int(track) * 1000 + 7 }
        let mot = all.map { "\(Int($0[0]) + 1),\(id($0[1])),\($0[2] + 1),\($0[3] + 1),\($0[4]),\($0[5]),0.5,1,-1,-1" }
        try workspace.write(mot.joined(separator: "\n") + "\n", to: "mot/a.txt")
        let images = (0..<12).map { #"{"id":\#($0 + 100),"frame_index":\#($0),"width":160,"height":120}"# }
        let annotations = all.enumerated().map { index, box in
            #"{"id":\#(index),"image_id":\#(Int(box[0]) + 100),"category_id":1,\#(box[1] < 0 ? "" : "\"track_id\":\(id(box[1])),")"bbox":[\#(box[2]),\#(box[3]),\#(box[4]),\#(box[5])]}"#
        }
        try workspace.write(
            #"{"categories":[{"id":1,"name":"card"}],"annotations":[\#(annotations.joined(separator: ",\n"))],"images":[\#(images.joined(separator: ","))]}"#,
            to: "coco/a.json")
        let expected = all.map { [$0[0], Double(id($0[1]))] + $0[2...] }
        for options in [
            #""format": "mot", "file": "mot/{name}.txt""#, #""format": "coco", "file": "coco/{name}.json""#,
        ] {
            let outcome = try importing(workspace, options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try boxes(workspace, "second/a.tracks.jsonl") == expected)
            let verify = try annotateBatch("verify", workspace.file("second"))
            #expect(verify.status == 0, "\(verify.output)")
        }
    }

    @Test func othersTakeWhatComesIn() throws {
        let workspace = try ran()
        try workspace.write("1,5,21,31,60,44,0.9\n2,5,22,31,60,44,0.9\n3,-1,23,31,60,44,0.9\n", to: "a.txt")
        let path = try workspace.write(
            """
            {"version": 1, "output": {"directory": "second"}, "graphs": {"g": {"stages": [
              {"id": "seen", "type": "import", "format": "mot", "file": "{name}.txt", "draw": {"cover": "blur"}},
              {"id": "cards", "type": "rectangles"}]}},
             "jobs": [{"input": "a.mp4", "graph": "g", "expect": [{"stage": "seen", "tracks": {"min": 1, "max": 1}}]}]}
            """, to: "second.json")
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        // The imported number is its own; another stage's track gets one that is free.
        let numbers = try boxes(workspace, "second/a.tracks.jsonl").map { $0[1] }
        #expect(Set(numbers) == [5, -1, 1])
        let verify = try annotateBatch("verify", workspace.file("second"))
        #expect(verify.status == 0, "\(verify.output)")
    }

    @Test func eachInputHasItsFileAndWhatChangesRunsAgain() throws {
        let workspace = try ran()
        try workspace.clip("b.mp4", frames: 4)
        try workspace.write("1,1,21,31,60,44\n", to: "mot/a.txt")
        let options = #""format": "mot", "file": "mot/{name}.txt""#
        let missing = try importing(workspace, options)
        #expect(missing.status == 65)
        #expect(
            missing.errorLines.first?.hasSuffix(
                "/graphs/g/stages/0/file: no file “mot/b.txt”, which “mot/{name}.txt” stands for; expected a file of MOTChallenge's lines"
            ) == true, "\(missing.errors)")
        try workspace.write("1,1,1,31,60,44\n", to: "mot/b.txt")
        let depfile = workspace.file("deps")
        let first = try importing(workspace, options, arguments: ["--depfile", depfile])
        #expect(first.status == 0, "\(first.errors)")
        #expect(try workspace.text("deps").contains("mot/b.txt"))
        #expect(try boxes(workspace, "second/b.tracks.jsonl") == [[0, 1, 0, 30, 60, 44]])
        try workspace.write("1,1,2,31,60,44\n", to: "mot/b.txt")
        let dry = try importing(workspace, options, arguments: ["--dry-run"])
        #expect(dry.output.contains("file of stage “cards” changed"), "\(dry.output)\(dry.errors)")
        #expect(dry.output.contains("a: up to date") || dry.output.contains("up to date"), "\(dry.output)")
        let again = try importing(workspace, options)
        #expect(again.status == 0)
        #expect(try boxes(workspace, "second/b.tracks.jsonl") == [[0, 1, 1, 30, 60, 44]])
    }

    @Test func aFileThatIsBrokenOrElsewhere() throws {
        let workspace = try ran()
        try workspace.write("1,1,21,31,60,44\n1,1,x\n", to: "mot/a.txt")
        let broken = try importing(workspace, #""format": "mot", "file": "mot/{name}.txt""#)
        #expect(broken.status == 65)
        #expect(
            broken.errorLines.first?.hasSuffix(
                "“mot/a.txt” can't be imported: \(workspace.file("mot/a.txt")):2: 3 columns; expected frame, id, left, top, width, "
                    + "height and perhaps confidence and class, with commas") == true, "\(broken.errors)")
        let words = try importing(workspace, #""format": "mot", "file": "mot/{nam}.txt""#)
        #expect(words.status == 65)
        #expect(words.errors.contains("“{nam}” stands for nothing"), "\(words.errors)")
        let other = try Workspace()
        let elsewhere = try other.write("1,1,21,31,60,44\n", to: "a.txt")
        let root = try importing(
            workspace, #""format": "mot", "file": "\#(elsewhere)""#, arguments: ["--root", workspace.path])
        #expect(root.status == 65)
        #expect(root.errors.contains("leads out of the folder that --root allows"), "\(root.errors)")
        let template = try importing(
            workspace, #""format": "mot", "file": "\#(other.path)/{name}.txt""#, arguments: ["--root", workspace.path])
        #expect(template.status == 65)
        #expect(template.errors.contains("leads out of the folder that --root allows"), "\(template.errors)")
        // Inside of it a confined worker reads it.
        try workspace.write("1,1,21,31,60,44\n", to: "mot/a.txt")
        let inside = try importing(
            workspace, #""format": "mot", "file": "mot/{name}.txt""#, arguments: ["--root", workspace.path])
        #expect(inside.status == 0, "\(inside.errors)")
    }

    @Test func nothingIsWrittenOverWhatComesIn() throws {
        let workspace = try ran()
        let first = try workspace.text("first/a.tracks.jsonl")
        let path = try workspace.write(
            #"{"version": 1, "output": {"directory": "first"}, "graphs": {"g": {"stages": [{"id": "cards", "type": "import", "format": "tracks", "file": "first/{name}.tracks.jsonl"}]}}, "jobs": [{"input": "a.mp4", "graph": "g"}]}"#,
            to: "over.json")
        let outcome = try annotateBatch("run", path, "--force")
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains("would overwrite first/a.tracks.jsonl, which the manifest names"),
            "\(outcome.errors)")
        #expect(try workspace.text("first/a.tracks.jsonl") == first)
    }

    @Test func anotherVideosFileFailsTheJob() throws {
        let workspace = try ran()
        try workspace.write("101,1,21,31,60,44\n", to: "a.txt")
        let late = try importing(workspace, #""format": "mot", "file": "a.txt""#)
        #expect(late.status == 1)
        #expect(
            late.errors.contains(
                "a.txt: none of its 1 row is of one of the video's 12 frames; expected the file of this video"),
            "\(late.errors)")
        #expect(!workspace.names(in: "second").contains("a.tracks.jsonl"))
        let tracks = try workspace.text("first/a.tracks.jsonl").replacing(#""width":160"#, with: #""width":320"#)
        try workspace.write(tracks, to: "b.tracks.jsonl")
        let size = try importing(workspace, #""format": "tracks", "file": "b.tracks.jsonl""#)
        #expect(size.status == 1)
        #expect(
            size.errors.contains(
                "b.tracks.jsonl: it is of pictures of 320 × 120 pixels, and the video's have 160 × 120; expected the file of this video"
            ), "\(size.errors)")
    }

    /// Two clips of twelve frames, and one that nothing was found in.
    private func clips() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 6)
        for name in ["b 1", "c"] {
            _ = try Program.run("cp", [workspace.file("a.mp4"), workspace.file(name + ".mp4")])
        }
        return workspace
    }

    /// Frames and labels of what a job's track file tells, as `0 car`.
    private func told(_ workspace: Workspace, _ id: String) throws -> [String] {
        try workspace.text("second/\(id).tracks.jsonl").split(separator: "\n").dropFirst().flatMap { line -> [String] in
            let node = try json(String(line))
            return (node["observations"]?.elements ?? []).map {
                "\(node["frame"]?.integer ?? -1) \($0["label"]?.string ?? "")"
            }
        }
    }

    @Test func oneTableOfManyClips() throws {
        let workspace = try clips()
        try workspace.write(
            "clip,frame,stage,track,label,left,top,width,height\na,0,m,1,cup,9,9,9,9\n'=b,0,m,1,cup,9,9,9,9\nb 1,2,n,1,pen,9,9,9,9\n",
            to: "all.csv")
        let several = try importing(workspace, #""format": "csv", "file": "all.csv""#)
        #expect(several.status == 65)
        #expect(
            several.errors.contains("all.csv: it is of 3 clips; expected “video” to name one of “a”, “=b”, “b 1”"),
            "\(several.errors)")
        let unknown = try importing(workspace, #""format": "csv", "file": "all.csv", "video": "{name}""#)
        #expect(unknown.status == 65)
        #expect(
            unknown.errors.contains("all.csv: no clip “c”; expected one of “a”, “=b”, “b 1”")
                && unknown.errors.contains("1 problem"), "\(unknown.errors)")
        let run = try importing(workspace, #""format": "csv", "file": "all.csv?", "video": "{name}""#)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("there is nothing of it in “all.csv”, which may be absent"), "\(run.errors)")
        #expect(
            try told(workspace, "a") == ["0 cup"] && told(workspace, "b 1") == ["2 pen"] && told(workspace, "c").isEmpty
        )
        // Rows of the others are the same, and count for these.
        let judged = try annotateBatch(
            "compare", "--truth", workspace.file("all.csv"), workspace.file("second"), "--json")
        // A stage that saw nothing in a clip is known from the others.
        let stage = try importing(
            workspace, #""format": "csv", "file": "all.csv?", "video": "{name}", "stages": ["n"]"#)
        #expect(stage.status == 0, "\(stage.errors)")
        #expect(try told(workspace, "a").isEmpty && told(workspace, "b 1") == ["2 pen"])
        let typo = try importing(
            workspace, #""format": "csv", "file": "all.csv?", "video": "{name}", "stages": ["o"]"#)
        #expect(typo.status == 65 && typo.errors.contains("no row of the stage “o”; expected one of “m”, “n”"))
        let figures = try json(judged.output)["stages"]?.elements?.first?["all"]
        #expect(figures?["right"]?.integer == 2 && figures?["missed"]?.integer == 0, "\(judged.output)\(judged.errors)")
    }

    @Test func filesThatMayBeAbsent() throws {
        let workspace = try clips()
        try workspace.write("0 0.5 0.5 0.1 0.1\n", to: "sets/train/a_000001.txt")
        try workspace.write("0 0.5 0.5 0.1 0.1\n", to: "sets/val/b_1_000003.txt")
        try workspace.write("cup\n", to: "names/a.txt")
        try workspace.write("pen\n", to: "names/b 1.txt")
        try workspace.write("\n", to: "names/c.txt")
        let needed = try importing(workspace, #""format": "yolo", "file": "sets/*/{name}_*.txt""#)
        #expect(needed.status == 65 && needed.errors.contains("no file “sets/*/c_*.txt”"), "\(needed.errors)")
        // Pictures of “b 1” are called b_1.
        let run = try importing(
            workspace,
            #""format": "yolo", "file": "sets/*/*.txt?", "video": "{name}", "labels": "names/{name}.txt""#)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            try told(workspace, "a") == ["1 cup"] && told(workspace, "b 1") == ["3 pen"] && told(workspace, "c").isEmpty
        )
        let report = try json(try workspace.text("second/report.json"))
        let notes = report["jobs"]?.elements?.map { $0["notes"]?.elements?.compactMap(\.string) ?? [] } ?? []
        #expect(notes.map { $0.contains { $0.contains("which may be absent") } } == [false, false, true], "\(notes)")
        // It comes later: the job runs again.
        try workspace.write("0 0.5 0.5 0.1 0.1\n", to: "sets/val/c_000004.txt")
        try workspace.write("hat\n", to: "names/c.txt")
        let again = try importing(
            workspace,
            #""format": "yolo", "file": "sets/*/*.txt?", "video": "{name}", "labels": "names/{name}.txt""#)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try told(workspace, "c") == ["4 hat"])
        let whole = try importing(workspace, #""format": "csv", "file": "boxes/{name}.csv?""#)
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(try told(workspace, "a").isEmpty)
    }

    /// Pictures of several clips in one file, and the name of one that isn't there.
    @Test(arguments: [
        ("cvat", #"<annotations><image id="0" name="a_000002.png" width="160" height="120"/></annotations>"#),
        ("label-studio", #"[{"data": {"image": "a_000002.png"}, "annotations": [{"result": []}]}]"#),
    ])
    func picturesOfOtherClips(_ format: String, _ text: String) throws {
        let workspace = try clips()
        try workspace.write(text, to: "all.txt")
        let run = try importing(workspace, #""format": "\#(format)", "file": "all.txt", "video": "x""#)
        #expect(run.status == 65 && run.errors.contains("all.txt: no clip “x”; expected one of “a”"), "\(run.errors)")
        #expect(try importing(workspace, #""format": "\#(format)", "file": "all.txt", "video": "a""#).status == 0)
        #expect(try importing(workspace, #""format": "\#(format)", "file": "all.txt?", "video": "{name}""#).status == 0)
    }

    private static let cocoPhotos =
        #"{"images": [{"id": 1, "file_name": "000000397133.jpg", "width": 64, "height": 48}, {"id": 2, "file_name": "cat 7.jpg", "width": 64, "height": 48}], "annotations": [{"image_id": 1, "category_id": 1, "bbox": [10, 9, 20, 8]}, {"image_id": 2, "category_id": 1, "bbox": [20, 9, 20, 8]}], "categories": [{"id": 1, "name": "car"}]}"#
    private static let cvatPhotos =
        #"<annotations><image id="0" name="p/000000397133.jpg" width="64" height="48"><box label="car" xtl="10" ytl="9" xbr="30" ybr="17"/></image><image id="1" name="p/cat 7.jpg" width="64" height="48"><box label="car" xtl="20" ytl="9" xbr="40" ybr="17"/></image></annotations>"#
    private static func studioPhoto(_ name: String, _ x: Double) -> String {
        #"{"data": {"image": "\#(name)"}, "annotations": [{"result": [{"type": "rectanglelabels", "original_width": 64, "original_height": 48, "value": {"x": \#(x), "y": 18.75, "width": 31.25, "height": 16.6666666667, "rectanglelabels": ["car"]}}]}]}"#
    }
    private static let studioPhotos =
        "[\(studioPhoto("/data/upload/1/8f3c2a1b-000000397133.jpg", 15.625)), \(studioPhoto("/data/local-files/?d=cat 7.jpg", 31.25))]"

    /// Of a file of many photos each takes its own, whatever numbers their names end with; nobody takes another's silently.
    @Test(arguments: [
        ("coco", cocoPhotos, "images.json"), ("cvat", cvatPhotos, "images.xml"),
        ("label-studio", studioPhotos, "images.json"),
    ])
    func photos(format: String, text: String, file: String) throws {
        let workspace = try Workspace()
        for name in ["000000397133", "cat 7"] { try workspace.clip("\(name).jpg", frames: 1, size: "64x48") }
        try workspace.write(text, to: file)
        func manifest(_ members: String) throws -> String {
            try workspace.write(
                #"{"version": 1, "graphs": {"g": {"stages": [{"id": "i", "type": "import", "format": "\#(format)", "file": "\#(file)"\#(members)}]}}, "jobs": [{"input": "*.jpg", "graph": "g", "encode": {"codec": "none"}}]}"#,
                to: "m.json")
        }
        let outcome = try annotateBatch("run", try manifest(#", "video": "{name}""#))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.text("out/000000397133.tracks.jsonl").contains(#""box":[10,9,20,8]"#))
        #expect(try workspace.text("out/cat 7.tracks.jsonl").contains(#""box":[20,9,20,8]"#))
        let unclear = try annotateBatch("run", try manifest(""))
        #expect(unclear.status == 1)
        #expect(unclear.errors.contains("it is of 2 pictures, and the input is a photo"), "\(unclear.errors)")
    }

    @Test func labelsOfPhotos() throws {
        let workspace = try Workspace()
        for (index, name) in ["000000397133", "cat"].enumerated() {
            try workspace.clip("\(name).jpg", frames: 1, size: "64x48")
            try workspace.write("0 0.5 0.5 0.5 0.\(index + 4)\n", to: "labels/\(name).txt")
        }
        let path = try workspace.write(
            #"{"version": 1, "graphs": {"g": {"stages": [{"id": "i", "type": "import", "format": "yolo", "file": "labels/{name}.txt"}]}}, "jobs": [{"input": "*.jpg", "graph": "g", "encode": {"codec": "none"}}]}"#,
            to: "m.json")
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workspace.text("out/000000397133.tracks.jsonl").contains(#""box":[16,14.4,32,19.2]"#))
        #expect(try workspace.text("out/cat.tracks.jsonl").contains(#""box":[16,12,32,24]"#))
    }
}
