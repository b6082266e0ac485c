import Testing

@testable import TestSupport

/// What `make fuzz-parsers` drives for hours, for a moment: it compiles, and holds, with every test.
@Suite struct ParserTests {
    private static let tracks = """
        {"format":"annotate-tracks","version":1,"generator":"x","source":{"name":"in.mp4","width":64,"height":48,"rotation":0,\
        "timeBase":[1,10],"frameRate":[10,1],"frames":2},"stages":[{"id":"m","type":"rectangles"}]}
        {"frame":0,"pts":0,"duration":1,"time":0,"observations":[{"stage":"m","kind":"rectangle","confidence":1,"track":1,\
        "box":[1,2,30,20],"corners":[[1,2],[31,2],[31,22],[1,22]]}]}
        {"frame":1,"pts":1,"duration":1,"time":0.1,"observations":[]}
        {"summary":{"frames":2,"tracks":1}}

        """
    /// An input that each parser takes.
    private static let inputs: [Parser: String] = [
        .manifest: """
        {"version": 1, "jobs": [{"id": "j", "input": "in.mp4", "graph": {"stages": [{"id": "m", "type": "markers"}]}}]}
        """,
        .tracks: tracks, .trackImport: tracks,
        .report:
            #"{"version": 1, "jobs": [{"id": "j", "input": "in.mp4", "status": "done", "outputs": [{"file": "j.mp4", "bytes": 5}]}]}"#,
        .remarks:
            #"{"format": "annotate-review", "version": 1, "batch": "out", "remarks": [{"job": "j", "frame": 3, "mark": "wrong"}]}"#,
        .seeds:
            #"{"regions": [{"id": "r", "time": 0, "box": [16, 12, 36, 36]}], "points": [{"id": "p", "frame": 1, "point": [2, 3]}]}"#,
        .drawing: ##"{"m": {"color": "#ff0000", "thickness": 2, "label": true}, "r": false}"##,
        .model: "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\n",
        .dictionary:
            "%YAML:1.0\n---\nnmarkers: 1\nmarkersize: 4\nmaxCorrectionBits: 1\nmarker_0: \"1011010100110010\"\n",
        .camera: #"{"size": [960, 640], "focalLength": [500, 500], "principalPoint": [480, 320]}"#,
        .scene: #"{"version": 1, "size": [64, 48], "frameRate": [10, 1], "frames": 2, "seed": 1, "objects": []}"#,
        .messages: #"{"frames": 3, "tracks": 1, "files": [".j.mp4.partial-7"], "summary": "{}", "notes": ["x"]}"#,
        .mot: "1,1,10,20,30,40,0.5,1,-1,-1\n2,1,11,20,30,40,0.5,1,-1,-1\n",
        .coco: """
        {"images": [{"id": 1, "file_name": "000000.png", "width": 64, "height": 48}], "categories": [{"id": 1, "name": "a"}],
         "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4]}]}
        """,
        .csv: "frame,left,top,width,height,track,label,confidence\n0,1,2,3,4,5,a,0.5\n",
        .yolo: "0 0.5 0.5 0.25 0.25\n1 0.1 0.1 0.2 0.2 0.9\n",
        .cvat: """
        <annotations><version>1.1</version><track id="0" label="a"><box frame="0" xtl="1" ytl="2" xbr="3" ybr="4"
         outside="0" occluded="0" keyframe="1"/></track></annotations>
        """,
        .labelStudio: """
        [{"id": 1, "data": {"video": "in.mp4"}, "annotations": [{"result": [{"type": "videorectangle", "value": {"labels": ["a"],
         "sequence": [{"frame": 1, "x": 1, "y": 2, "width": 3, "height": 4, "enabled": true}]}}]}]}]
        """,
        .voc: """
        <annotation><size><width>64</width><height>48</height></size><object><name>a</name><bndbox><xmin>1</xmin>
        <ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox></object></annotation>
        """,
        .deeplabcut: "scorer,s,s,s\nbodyparts,a,a,a\ncoords,x,y,likelihood\n0,1,2,0.9\n1,2,3,0.8\n",
    ]

    @Test(arguments: Parser.allCases) func hostileInputs(parser: Parser) throws {
        let folder = try TemporaryFolder()
        // It goes with the last that holds it.
        defer { withExtendedLifetime(folder) {} }
        let input = try #require(Self.inputs[parser].map { Array($0.utf8) })
        parser.read(input, in: folder.path)
        for seed in UInt64(1)...60 {
            var mutator = Mutator(input, seed: seed)
            parser.read(mutator.mutated(longest: 4096), in: folder.path)
        }
    }

    /// Inputs that the fuzzer found.
    @Test(arguments: [(Parser.mot, "1,1,8.45,4.45,53.07,54.02,1,-9223372036854775808,-1,-1\n")])
    func found(parser: Parser, input: String) throws {
        let folder = try TemporaryFolder()
        parser.read(Array(input.utf8), in: folder.path)
        withExtendedLifetime(folder) {}
    }
}
