import Annotate
import Foundation
import Testing

@Suite struct MetricsCommandTests {
    /// Results of a person that is there for ten frames; from frame 6 on under another number, and once a false one.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        let frames = (0..<10).map { frame -> String in
            let one =
                #"{"stage":"people","kind":"object","track":\#(frame < 6 ? 1 : 2),"label":"person","confidence":0.9,"state":"tracked","box":[10,10,50,100]}"#
            let other =
                #"{"stage":"people","kind":"object","track":3,"label":"person","confidence":0.5,"state":"tracked","box":[200,10,50,100]}"#
            let all = frame == 4 ? one + "," + other : one
            return
                #"{"frame":\#(frame),"pts":\#(frame),"duration":1,"time":\#(Double(frame) / 25),"observations":[\#(all)]}"#
        }
        let header =
            #"{"format":"annotate-tracks","version":1,"generator":"test","source":{"name":"a.mp4","width":320,"height":240,"rotation":0,"timeBase":[1,25]},"stages":[{"id":"people","type":"import"}]}"#
        let summary = #"{"summary":{"frames":10,"complete":true,"tracks":[]}}"#
        try workspace.write(([header] + frames + [summary]).joined(separator: "\n") + "\n", to: "out/a.tracks.jsonl")
        let lines = (1...10).map { "\($0),5,11,11,50,100,1,-1,-1,-1" }
        try workspace.write(lines.joined(separator: "\n") + "\n", to: "truth/a.gt.txt")
        return workspace
    }

    @Test func figures() throws {
        let workspace = try workspace()
        let outcome = try annotateBatch(
            "compare", "--truth", workspace.file("truth"), workspace.file("out"), "--metrics", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let stage = try json(outcome.output)["stages"]?.elements?.first
        let all = stage?["all"]
        #expect(stage?["stage"]?.string == "people")
        #expect((all?["truth"]?.integer, all?["right"]?.integer, all?["false"]?.integer) == (10, 10, 1))
        #expect((all?["recall"]?.number, all?["ap50"]?.number) == (1, 1))
        #expect(all?["switches"]?.integer == 1)
        // One false, one switch, of ten.
        #expect(abs((all?["mota"]?.number ?? 0) - 0.8) < 1e-9)
        let fault = stage?["faults"]?.elements?.first
        #expect((fault?["what"]?.string, fault?["first"]?.integer) == ("false", 4))
        let text = try annotateBatch(
            "compare", "--truth", workspace.file("truth/a.gt.txt"), workspace.file("out/a.tracks.jsonl"))
        #expect(text.outputLines.first == "stage people, object: 1 clip")
    }

    @Test(arguments: [
        (#"{"recall": {"min": 0.9}, "switches": {"max": 1}}"#, 0, nil as String?),
        (#"{"mota": {"min": 0.9}}"#, 2, "all clips, stage people: expected MOTA at least 0.9, found 0.800000"),
        (#"{"clip": "b*", "recall": {"min": 0.1}}"#, 2, "bounds: no clip “b*” is judged"),
        (
            #"{"clip": "*", "class": "dog", "recall": {"min": 0.1}}"#, 2,
            "bounds: no clip “*” has “dog” in stage people, in the truth or in the results"
        ),
        (
            #"{"class": "dog", "recall": {"min": 0.1}}"#, 2,
            "all clips, stage people, class dog: expected recall at least 0.1, nothing of it is in the truth or in the results"
        ),
        (#"{"recal": {"min": 0.1}}"#, 65, nil),
        (
            #"{"recall": {"min": 0.9, "max": 0.1}}"#, 65,
            "1:38: /bounds/0/recall: at least 0.9 and at most 0.1, which nothing is; expected a “min” up to “max”"
        ),
        (
            #"{"recall": {"min": 90}}"#, 65,
            "1:38: /bounds/0/recall: at least 90, and it is 1 at the most; expected a part of 1, such as 0.9 for 90 %"
        ),
        (#"{"recall": {}}"#, 65, "1:27: /bounds/0: it bounds nothing; expected a figure, “recall” say"),
        ("", 65, "1:26: /bounds: no bounds: everything would hold; expected one at least"),
    ])
    func boundsAreAGate(bound: String, status: Int, complaint: String?) throws {
        let workspace = try workspace()
        let bounds = try workspace.write(#"{"version": 1, "bounds": [\#(bound)]}"#, to: "b.json")
        let outcome = try annotateBatch(
            "compare", "--truth", workspace.file("truth"), workspace.file("out"), "--bounds", bounds, "--junit",
            workspace.file("j.xml"), "--html", workspace.file("p.html"))
        #expect(outcome.status == Int32(status), "\(outcome.errors)")
        if let complaint {
            let place = status == 65 ? bounds + ":" : ""
            #expect(outcome.errorLines.contains("annotate-batch: " + place + complaint), "\(outcome.errors)")
        }
        guard status != 65 else { return }
        #expect(try workspace.text("j.xml").contains("failures=\"\(status == 2 ? 1 : 0)\""))
        #expect(try workspace.text("p.html").contains("stage people, object"))
    }

    /// A clip in which nothing of what is bounded is has no shares that could be missed; counts are 0.
    @Test(arguments: [
        (#"{"clip": "*", "class": "person", "recall": {"min": 0.5}, "hota": {"min": 0.5}}"#, 0),
        (#"{"clip": "*", "recall": {"min": 0.5}, "f1": {"min": 0.5}}"#, 0),
        (#"{"clip": "*", "truth": {"min": 1}}"#, 2), (#"{"clip": "empty", "recall": {"min": 0.5}}"#, 2),
    ])
    func clipsWithoutAnything(bound: String, status: Int) throws {
        let workspace = try workspace()
        for folder in ["truth", "out"] {
            let lines = try workspace.text("out/a.tracks.jsonl").split(separator: "\n")
            let frames = lines.dropFirst().map { line in
                String(line).replacing(/"observations":\[.*\]\}$/, with: #""observations":[]}"#)
            }
            try workspace.write(
                ([String(lines[0])] + frames).joined(separator: "\n") + "\n", to: "\(folder)/empty.tracks.jsonl")
        }
        try workspace.write(try workspace.text("out/a.tracks.jsonl"), to: "truth/a.tracks.jsonl")
        let bounds = try workspace.write(#"{"version": 1, "bounds": [\#(bound)]}"#, to: "b.json")
        let outcome = try annotateBatch(
            "compare", "--truth", workspace.file("truth"), workspace.file("out"), "--bounds", bounds, "--junit",
            workspace.file("j.xml"))
        #expect(outcome.status == Int32(status), "\(outcome.errors)")
        #expect(try workspace.text("j.xml").contains(#"name="bound 0: "#))
    }

    /// A table of several stages is the truth about each by its own rows, and is no clip without results beside a track file.
    @Test func tablesOfSeveralStages() throws {
        let workspace = try workspace()
        let header = "frame,pts,time,stage,kind,track,label,confidence,left,top,width,height"
        let rows = ["people,object,1", "found,detection,"].map { "0,0,0,\($0),person,0.9,10,10,20,20" }
        try workspace.write(([header] + rows).joined(separator: "\n") + "\n", to: "tables/a.csv")
        let outcome = try annotateBatch(
            "compare", "--truth", workspace.file("tables"), workspace.file("out"), "--json")
        let text = outcome.output
        #expect(text.contains(#""truth": 1,"#) && !text.contains(#""truth": 2,"#), "\(text) \(outcome.errors)")
    }

    /// Annotators' own files are truths as they are: of a video, and of pictures, whose frames alone are judged.
    @Test(arguments: ["cvat", "cvat-images", "label-studio", "label-studio-images"], [false, true])
    func filesOfAnnotators(format: String, isFolder: Bool) throws {
        let workspace = try workspace()
        let exported = try annotateBatch(
            "export", workspace.file("out/a.tracks.jsonl"), "--format", format, "-o",
            workspace.file("given/a.\(format.hasPrefix("cvat") ? "xml" : "json")"))
        #expect(exported.status == 0, "\(exported.errors)")
        let file = try #require(try Files.list(workspace.file("given")).first)
        // One thing less is right then.
        try workspace.write(
            try workspace.text("out/a.tracks.jsonl").replacing("[200,10,50,100]", with: "[100,10,50,100]"),
            to: "out/a.tracks.jsonl")
        let outcome = try annotateBatch(
            "compare", "--truth", workspace.file(isFolder ? "given" : "given/\(file)"),
            workspace.file(isFolder ? "out" : "out/a.tracks.jsonl"), "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let all = try json(outcome.output)["stages"]?.elements?.first?["all"]
        #expect(
            (all?["truth"]?.integer, all?["right"]?.integer, all?["false"]?.integer) == (11, 10, 1), "\(outcome.output)"
        )
        #expect(all?["recall"]?.number.map { abs($0 - 10.0 / 11) < 1e-9 } == true)
    }

    /// Pictures that an annotator's file doesn't have aren't judged; those of it that are empty are.
    @Test func picturesOfAnnotators() throws {
        let workspace = try workspace()
        let box = #"<box label="person" xtl="10" ytl="10" xbr="60" ybr="110" occluded="0"/>"#
        let images = [2, 4].map {
            #"<image id="\#($0)" name="a_00000\#($0).jpg" width="320" height="240">\#($0 == 2 ? box : "")</image>"#
        }
        try workspace.write("<annotations><version>1.1</version>\(images.joined())</annotations>", to: "truth.xml")
        let outcome = try annotateBatch(
            "compare", "--truth", workspace.file("truth.xml"), workspace.file("out/a.tracks.jsonl"), "--json")
        let all = try json(outcome.output)["stages"]?.elements?.first?["all"]
        #expect(
            (all?["truth"]?.integer, all?["right"]?.integer, all?["false"]?.integer) == (1, 1, 2), "\(outcome.errors)")
    }

    @Test func whatIsWrong() throws {
        let workspace = try workspace()
        let out = workspace.file("out")
        func message(_ words: String...) throws -> String? {
            let outcome = try Program.run(Program.annotateBatch, ["compare"] + words)
            #expect(outcome.status != 0)
            return outcome.errorLines.first
        }
        #expect(
            try message("--metrics", out, out + "/a.tracks.jsonl")
                == "Error: --metrics needs a truth; name it with --truth.")
        #expect(
            try message("--truth", workspace.file("truth"), out, out)
                == "Error: 2 paths given; with --truth expected one, the results.")
        #expect(
            try message(out) == "Error: 1 path given; expected two track files or two folders, or --truth and results.")
        try workspace.write(try workspace.text("out/a.tracks.jsonl"), to: "out/c.tracks.jsonl")
        let other = try workspace.write("names: [person]", to: "data.yaml")
        #expect(
            try message("--truth", other, out)?.hasSuffix(
                "expected a track file, COCO's or Label Studio's .json, CVAT's .xml, MOTChallenge's .txt or a table's .csv; what is in "
                    + "another format (YOLO, VOC) comes in by a stage “import” first, and the track file of that is the truth"
            )
                == true)
        let tasks = try workspace.write(
            #"[{"data": {"video": "a.mp4"}}, {"data": {"video": "b.mp4"}}]"#, to: "tasks.json")
        #expect(
            try message("--truth", tasks, out)
                == "annotate-batch: \(tasks): it has tasks of several videos; expected a file for each clip's")
        try FileManager.default.removeItem(atPath: workspace.file("out/c.tracks.jsonl"))
        try workspace.write("{}", to: "truth/b.json")
        #expect(
            try message("--truth", workspace.file("truth"), out)
                == "annotate-batch: \(workspace.file("truth")): no results of “b.json”")
    }

    /// The classes of a MOT truth have names beside it, or are told to have none.
    @Test(arguments: ["truth", "truth/a/gt/gt.txt"]) func classesOfMOT(place: String) throws {
        let workspace = try workspace()
        try FileManager.default.removeItem(atPath: workspace.file("truth/a.gt.txt"))
        // One of two is something else, and what has the flag 0 is of no class that counts.
        let lines = (1...10).map { "\($0),5,11,11,50,100,1,\($0 % 2 + 1),-1,-1" } + ["1,9,1,1,9,9,0,7,-1,-1"]
        try workspace.write(lines.joined(separator: "\n") + "\n", to: "truth/a/gt/gt.txt")
        func judged(_ words: String...) throws -> (right: Int?, classes: [String], notes: [String]) {
            let outcome = try Program.run(
                Program.annotateBatch,
                ["compare", "--truth", workspace.file(place), workspace.file("out"), "--json"] + words)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let root = try json(outcome.output)
            let stage = root["stages"]?.elements?.first
            return (
                stage?["all"]?["right"]?.integer, stage?["classes"]?.members?.map(\.key) ?? [],
                root["notes"]?.elements?.compactMap(\.string) ?? []
            )
        }
        let note =
            "\(workspace.file(place)): its classes 1, 2 have no names: all its things are judged as one class; --classes names "
            + "them, a line each from 1"
        let nameless = try judged()
        #expect(nameless.right == 10 && nameless.classes.isEmpty && nameless.notes.contains(note), "\(nameless)")
        // The flag 0 has a number too, which needs a name like any other.
        let names = ["dog", "person"] + (3...7).map { "other-\($0)" }
        try workspace.write(names.joined(separator: "\n") + "\n", to: "truth/a/gt/labels.txt")
        let named = try judged()
        #expect(named.right == 5 && Set(named.classes).isSuperset(of: ["dog", "person"]), "\(named)")
        #expect(!named.notes.contains(note))
        let others = try workspace.write(
            "person\nperson\n" + names.dropFirst(2).joined(separator: "\n"), to: "c.txt")
        #expect(try judged("--classes", others).right == 10)
    }

    /// A clip is found by its id or its source without the endings of media alone, and never takes another's truth.
    @Test(arguments: [
        (["cam"], "cam.left", "b", "no"), (["cam.left"], "cam.left", "b", "cam.left"), (["cam"], "cam.ts", "b", "cam"),
        (["b.mp4", "c"], "x.mp4", "b", "b.mp4"), (["a", "c"], "a", "b", "no"), (["x.mp4", "c"], "x.mp4", "b", "x.mp4"),
    ])
    func whoseTruth(names: [String], source: String, id: String, expected: String) throws {
        let workspace = try workspace()
        let text = try workspace.text("out/a.tracks.jsonl")
        try workspace.write(text.replacing("a.mp4", with: source), to: "out/\(id).tracks.jsonl")
        let names = names + ["y"]
        let videos = names.enumerated().map { #"{"id":\#($0 + 1),"name":"\#($1)"}"# }.joined(separator: ",")
        let images = names.indices.map {
            #"{"id":\#($0 + 1),"video_id":\#($0 + 1),"frame_index":0,"width":320,"height":240,"file_name":"\#($0).jpg"}"#
        }.joined(separator: ",")
        // So that there is a clip to judge.
        try workspace.write(text, to: "out/y.tracks.jsonl")
        try workspace.write(
            #"{"videos":[\#(videos)],"categories":[{"id":1,"name":"person"}],"images":[\#(images)],"annotations":[{"id":1,"image_id":\#(names.count),"category_id":1,"bbox":[10,10,50,100],"area":5000,"iscrowd":0}]}"#,
            to: "t.json")
        let outcome = try annotateBatch("compare", "--truth", workspace.file("t.json"), workspace.file("out"))
        let without = outcome.output.split(separator: "\n").first { $0.contains("no truth about, and left out") } ?? ""
        let left = without.split(separator: ": ").last?.split(separator: ", ").map(String.init) ?? []
        #expect(left.contains(id) == (expected == "no"), "\(outcome.output)\(outcome.errors)")
    }

    /// “cam.left” is no file of “cam”.
    @Test func aTruthOfAnotherClip() throws {
        let workspace = try workspace()
        let text = try workspace.text("out/a.tracks.jsonl")
        try workspace.write(text.replacing("a.mp4", with: "left.mp4"), to: "out/cam.left.tracks.jsonl")
        try workspace.write(text.replacing("a.mp4", with: "right.mp4"), to: "out/cam.tracks.jsonl")
        func box(_ id: Int, left: Int) -> String {
            #"{"id":\#(id),"image_id":\#(id),"category_id":1,"bbox":[\#(left),10,50,100],"area":5000,"iscrowd":0}"#
        }
        try workspace.write(
            #"""
            {"videos":[{"id":1,"name":"cam"},{"id":2,"name":"other"}],"categories":[{"id":1,"name":"person"},{"id":2,"name":"cat"}],
             "images":[{"id":1,"video_id":1,"frame_index":0,"width":320,"height":240,"file_name":"x.jpg"},
              {"id":2,"video_id":2,"frame_index":0,"width":320,"height":240,"file_name":"y.jpg"}],
             "annotations":[\#(box(1, left: 10)),\#(box(2, left: 10))]}
            """#, to: "t.json")
        let outcome = try annotateBatch("compare", "--truth", workspace.file("t.json"), workspace.file("out"))
        #expect(outcome.output.contains("note: no truth about, and left out: a, cam.left\n"), "\(outcome.output)")
        // So does a truth about one of several clips.
        try workspace.write(
            try workspace.text("t.json").replacing(#",{"id":2,"name":"other"}"#, with: "").replacing(
                #/,\s*{"id":2,"video_id":2[^}]*}/#, with: ""
            ).replacing(#/,{"id":2,"image_id":2[^}]*}/#, with: ""),
            to: "one.json")
        let one = try annotateBatch("compare", "--truth", workspace.file("one.json"), workspace.file("out"))
        #expect(one.output.contains("note: no truth about, and left out: a, cam.left\n"), "\(one.output)\(one.errors)")
        // What is neither there nor found has no line.
        #expect(outcome.output.contains("class person") && !outcome.output.contains("class cat"), "\(outcome.output)")
    }

    /// A truth that knows pictures and no videos: frames of clips, or photos of one name in several folders; and a data set's
    /// folder, of which every picture that isn't in it says nothing.
    @Test func truthsOfPictures() throws {
        let workspace = try workspace()
        func coco(_ names: [(name: String, x: Int)]) -> String {
            let images = names.enumerated().map { #"{"id": \#($0 + 1), "file_name": "\#($1.name)"}"# }
            let boxes = names.enumerated().map {
                #"{"image_id": \#($0 + 1), "category_id": 1, "bbox": [\#($1.x), 10, 50, 100]}"#
            }
            return
                #"{"images": [\#(images.joined(separator: ","))], "annotations": [\#(boxes.joined(separator: ","))], "categories": [{"id": 1, "name": "person"}]}"#
        }
        func figures(_ truth: String, _ results: String = "out") throws -> [Int?] {
            let outcome = try annotateBatch(
                "compare", "--truth", workspace.file(truth), workspace.file(results), "--metrics", "--json")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let all = try json(outcome.output)["stages"]?.elements?.first?["all"]
            return ["truth", "right", "false"].map { all?[$0]?.integer }
        }
        try workspace.write(coco([("a_0002.jpg", 10), ("a_0004.jpg", 10)]), to: "frames.json")
        #expect(try figures("frames.json") == [2, 2, 1])
        let more = try workspace.write(
            coco([("a_0002.jpg", 10), ("b_0003.jpg", 10), ("b_0007.jpg", 10), ("a_0004.jpg", 10)]), to: "more.json")
        let lacking = try annotateBatch("compare", "--truth", more, workspace.file("out"))
        #expect(lacking.status == 1)
        #expect(lacking.errorLines == ["annotate-batch: \(more): no results of “b”"])
        let text = try workspace.text("out/a.tracks.jsonl")
        let photo =
            text.split(separator: "\n").prefix(2).joined(separator: "\n")
            + "\n{\"summary\":{\"frames\":1,\"complete\":true,\"tracks\":[]}}\n"
        for id in ["p-x", "q-x"] {
            try workspace.write(
                photo.replacing("a.mp4", with: "x.png"), to: "photos/\(id).tracks.jsonl")
        }
        try workspace.write(coco([("p/x.png", 10), ("q/x.png", 200)]), to: "photos.json")
        #expect(try figures("photos.json", "photos") == [2, 1, 1])
        // Of one folder alone: the other's photo is another one.
        let some = try workspace.write(coco([("p/x.png", 10), ("p/y.png", 10)]), to: "some.json")
        let judged = try annotateBatch("compare", "--truth", some, workspace.file("photos"), "--json")
        let clips = try json(judged.output)["stages"]?.elements?.first?["clips"]?.elements
        #expect(clips?.compactMap { $0["clip"]?.string } == ["p-x"], "\(judged.output) \(judged.errors)")
        try workspace.clip("a.mp4", frames: 10)
        for format in ["coco", "csv"] {
            let made = try annotateBatch(
                "export", workspace.file("out"), "--dataset", "--format", format, "--every", "4", "--frames", "none",
                "--output", workspace.file(format))
            #expect(made.status == 0, "\(made.errors)")
            #expect(try figures(format) == [4, 4, 0])
        }
    }
}
