import Annotate
import Testing

/// No option writes over what its command reads, nor over anything that no such command can have written.
@Suite struct OutputGuardTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.clip("c.mp4", frames: 5)
        try workspace.manifest([#""input": "c.mp4""#])
        let outcome = try annotateBatch("run", workspace.file("m.json"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        try workspace.write("notes of mine\n", to: "notes.txt")
        for name in ["n.png", "n.svg", "n.pdf", "n.html", "n.mp4", "n.parquet"] {
            try workspace.write("notes of mine\n", to: name)
        }
        try workspace.write("{\"regions\": []}", to: "regions.json")
        for (name, text) in Self.foreign { try workspace.write(text, to: name) }
        try workspace.write(try workspace.bytes("out/c.tracks.jsonl"), to: "saved.tracks.jsonl")
    }

    /// Files of other programs, and of people, that are of the form that a command writes.
    private static let foreign: [String: String] = [
        "prog.c": "int main(void) { return 0; }\n",
        "Makefile": "all: out/report.json\nout/report.json: m.json\n\tannotate-batch run m.json\n",
        "rules.mk": "out/report.json: m.json\nFLAGS := -g\n",
        "prog.d": "prog.o: prog.c prog.h\nprog.h:\n",
        "prices.csv": "frame,price\n1,2\n",
        "gt.txt": "1,1,125.04,88.91,100.77,100.77,1,1,1\n",
        "det.txt": "1,-1,794.2,47.5,71.2,174.8,67.5,-1,-1,-1\n",
        "numbers.txt": "1,2,3\n4,5,6\n",
        "package.json": #"{"name": "page", "version": "1.0.0", "scripts": {}}"#,
        "ci.json": #"{"version": 2, "workflows": {}}"#,
        "subtitles.vtt": "WEBVTT\n\n1\n00:00:00.000 --> 00:00:01.000\nHello\n",
        "subtitles.ass": "[Script Info]\n; by hand\nTitle: mine\n",
        "hand.xml": """
        <?xml version="1.0" encoding="utf-8"?>
        <annotations>
          <version>1.1</version>
          <meta>
            <task>
              <id>7</id>
              <name>mine</name>

        """,
        "hand.coco.json": #"{"info":{"description":"mine"},"images":[],"annotations":[],"categories":[]}"#,
    ]

    /// Runs a command in the workspace's folder.
    private func run(_ words: String) throws -> Outcome {
        let arguments = words.split(separator: " ").map(String.init)
        return try Program.run(
            "bash", ["-c", #"cd "$0" && exec "$@""#, workspace.path, Program.annotateBatch] + arguments)
    }

    private static let scene = repository + "/manifests/scenes/count.scene.json"
    private static let calibrate = "calibrate c.mp4 --columns 9 --rows 6 --square 0.02 -o"

    /// Commands, and the file that each would take the place of.
    private static let wrong: [(words: String, victim: String)] = [
        ("verify out --junit", "out/c.tracks.jsonl"), ("verify out --junit", "c.mp4"),
        ("verify out --junit", "out/report.json"), ("verify out --junit", "m.json"),
        ("verify out --junit", "notes.txt"),
        ("merge out/report.json -o", "c.mp4"), ("merge out/report.json -o", "out/report.json"),
        ("merge out/report.json -o", "out/c.tracks.jsonl"), ("merge out/report.json -o new.json --junit", "m.json"),
        ("merge out/report.json --junit", "out/report.json"),
        ("export out/c.tracks.jsonl --format csv -o", "c.mp4"),
        ("export out/c.tracks.jsonl --format csv -o", "out/c.mp4"),
        ("export out/c.tracks.jsonl --format csv -o", "m.json"),
        ("export out/c.tracks.jsonl --format coco -o", "m.json"),
        ("export out/c.tracks.jsonl --format coco -o", "regions.json"),
        ("export out/c.tracks.jsonl --format cvat -o", "notes.txt"),
        ("export out --format parquet -o", "n.parquet"),
        ("init c.mp4 --force -o", "c.mp4"), ("init c.mp4 --force -o", "out/report.json"),
        ("init c.mp4 --force -o", "out/c.tracks.jsonl"),
        ("compare out other --html", "c.mp4"), ("compare out other --html", "notes.txt"),
        ("compare out other --junit", "m.json"), ("compare out/c.tracks.jsonl other --junit", "out/c.tracks.jsonl"),
        (calibrate, "m.json"), (calibrate, "c.mp4"), (calibrate, "regions.json"),
        ("markers --ids 0 -o", "n.svg"), ("markers --ids 0 -o", "n.pdf"),
        ("synth \(scene) --frames 2 -o", "c.mp4"), ("synth \(scene) --frames 2 -o", "out/c.mp4"),
        ("pick c.mp4 -o", "m.json"), ("pick c.mp4 -o", "n.html"), ("frame c.mp4 -o", "n.png"),
        ("render out/c.tracks.jsonl --input c.mp4 -o", "n.mp4"),
        ("run m.json --force --junit", "notes.txt"), ("run m.json --force --depfile", "regions.json"),
        ("run m.json --force --depfile", "prog.c"), ("run m.json --force --depfile", "Makefile"),
        ("run m.json --force --depfile", "rules.mk"), ("run m.json --force --depfile", "prog.d"),
        ("run m.json --force --depfile", "notes.txt"),
        ("export out/c.tracks.jsonl --format csv -o", "prog.c"),
        ("export out/c.tracks.jsonl --format csv -o", "prices.csv"),
        ("export out --format csv -o", "prices.csv"),
        ("export out/c.tracks.jsonl --format mot -o", "prog.c"),
        ("export out/c.tracks.jsonl --format mot -o", "gt.txt"),
        ("export out/c.tracks.jsonl --format mot -o", "det.txt"),
        ("export out/c.tracks.jsonl --format mot -o", "numbers.txt"),
        ("export out/c.tracks.jsonl --format vtt -o", "subtitles.vtt"),
        ("export out/c.tracks.jsonl --format ass -o", "subtitles.ass"),
        ("export out/c.tracks.jsonl --format cvat -o", "hand.xml"),
        ("export out/c.tracks.jsonl --format coco -o", "hand.coco.json"),
        ("export out/c.tracks.jsonl --format tracks -o", "out/c.tracks.jsonl"),
        ("export saved.tracks.jsonl --format tracks -o", "out/c.tracks.jsonl"),
        ("init c.mp4 --force -o", "package.json"), ("init c.mp4 --force -o", "ci.json"),
        ("init c.mp4 --force -o", "regions.json"), ("init c.mp4 --force -o", "notes.txt"),
    ]

    @Test func nothingElseIsWrittenOver() throws {
        for (words, victim) in Self.wrong {
            let before = try workspace.bytes(victim)
            let outcome = try run("\(words) \(victim)")
            #expect(outcome.status == 64, "\(words) \(victim): \(outcome.errors)")
            let told = ["would overwrite", "would take the place"].contains { outcome.errors.contains($0) }
            #expect(told, "\(words) \(victim): \(outcome.errors)")
            #expect(try workspace.bytes(victim) == before, "\(words) \(victim)")
        }
    }

    @Test func theSentenceSaysWhatIsThere() throws {
        #expect(
            try run("verify out --junit c.mp4").errors.hasPrefix(
                "Error: --junit c.mp4 would overwrite out/../c.mp4, which the command reads; name another file.\n"))
        #expect(
            try run("verify out --junit m.json").errors.hasPrefix(
                "Error: --junit m.json would overwrite a file that is no JUnit report, but text (JSON); name another file, or "
                    + "move that away.\n"))
        #expect(
            try run("merge out/report.json -o x.json --junit ./x.json").errors.hasPrefix(
                "Error: -o and --junit name one file, x.json; name two.\n"))
        #expect(
            try run("verify out --junit -").errors.hasPrefix(
                "Error: --junit takes a file here, and - is none; name a file, ./- for one of that name.\n"))
        #expect(!Files.exists(workspace.file("-")))
    }

    private static let formats = [
        "csv", "parquet", "mot", "coco", "cvat", "cvat-images", "label-studio", "label-studio-images", "vtt", "ass",
        "tracks",
    ]

    /// What the same command wrote before is written anew.
    @Test func whatItWroteItselfIs() throws {
        var commands =
            [
                "verify out --junit j.xml", "merge out/report.json -o r.json --junit r.xml",
                "init c.mp4 --force -o i.json",
                "compare out/c.tracks.jsonl t.jsonl --html c.html --junit d.xml", "markers --ids 0 -o s.svg",
                "markers --ids 0 -o s.pdf", "synth \(Self.scene) --frames 2 -o s.mp4", "pick c.mp4 -o p.html",
                "frame c.mp4 -o f.png", "frame c.mp4 -o f.jpg", "export out --format csv -o all.csv",
                "export out --format parquet -o all.parquet",
                "render out/c.tracks.jsonl --input c.mp4 -o v.mp4 --progress none",
                "run m.json --junit q.xml --depfile q.d --stamp q.stamp --progress none",
            ] + Self.formats.map { "export out/c.tracks.jsonl --format \($0) -o x.\($0)" }
        // Beside a report, and no job's.
        commands.append("export out/c.tracks.jsonl --format tracks -o out/x.tracks.jsonl")
        try workspace.write(try workspace.bytes("out/c.tracks.jsonl"), to: "t.jsonl")
        for words in commands {
            for _ in 0..<2 {
                let outcome = try run(words)
                #expect(outcome.status == 0, "\(words): \(outcome.errors)")
            }
        }
    }

    @Test func aRenderedClipIsKnownByItsTruth() throws {
        let words = "synth \(Self.scene) --frames 2 -o s.mp4"
        #expect(try run(words).status == 0)
        let clip = try workspace.bytes("s.mp4")
        Files.remove(workspace.file("s.tracks.jsonl"))
        let outcome = try run(words)
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.hasPrefix(
                "Error: -o s.mp4 would overwrite a video without s.tracks.jsonl, the truth by which a clip that synth "
                    + "rendered is known; remove the video if it may go, or name another file.\n"), "\(outcome.errors)")
        #expect(try workspace.bytes("s.mp4") == clip)
        Files.remove(workspace.file("s.mp4"))
        #expect(try run(words).status == 0)
    }

    /// However long its first rule is, and whatever is in its names.
    @Test func aDependencyFileIsKnownByItsRules() throws {
        let long = (0..<9_000).map { " pictures/p_\($0).png" }.joined()
        for text in [
            "out/c.mp4 out/c.tracks.jsonl: m.json c.mp4\nout/report.json: m.json c.mp4\nm.json:\nc.mp4:\n",
            "{a}.d/my\\ c\\:1.tracks.jsonl: m.json\nm.json:\n", "set/dataset.json: m.json\n",
            "out/report.1-of-2.json: m.json$(if x,=)1\n", "\n",
            "out/c.tracks.jsonl:\(long)\nout/report.json:\(long)\n",
        ] {
            try workspace.write(text, to: "q.d")
            let outcome = try run("run m.json --depfile q.d")
            #expect(outcome.status == 0, "\(text.prefix(80)): \(outcome.errors)")
            #expect(try workspace.text("q.d").hasPrefix("out/c.mp4 out/c.tracks.jsonl: "))
        }
    }

    /// Empty files, as `mktemp` makes them, are nobody's.
    @Test func emptyFilesAreNobodys() throws {
        try workspace.write("", to: "j.xml")
        #expect(try run("verify out --junit j.xml").status == 0)
        #expect(try workspace.text("j.xml").hasPrefix("<?xml"))
    }

    @Test func acceptedResultsAreNotTheResults() throws {
        try workspace.write(
            #"{"version": 1, "output": {"directory": "o", "tracks": "t"}, "jobs": [{"input": "c.mp4", "graph": {"stages": [{"id": "s", "type": "rectangles"}]}}]}"#,
            to: "apart.json")
        #expect(try run("run apart.json").status == 0)
        let outcome = try run("accept o --to t")
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("Error: t holds the results' own track files; "), "\(outcome.errors)")
        #expect(workspace.names(in: "t") == ["c.tracks.jsonl"])
        #expect(try run("accept o --to c.mp4").status == 1)
    }

    @Test func aFolderOfResultsIsNoFile() throws {
        for command in ["run m.json", "work m.json", "status m.json --shards 2"] {
            let outcome = try run("\(command) --output c.mp4")
            #expect(outcome.status == 64)
            #expect(
                outcome.errors.hasPrefix("Error: --output: “c.mp4” is a file; expected a folder or nothing there.\n"),
                "\(outcome.errors)")
        }
    }

    // MARK: Standard output

    @Test func aDashIsStandardOutput() throws {
        let manifest = try run("init c.mp4 -o -")
        #expect(manifest.status == 0, "\(manifest.errors)")
        #expect(try json(manifest.output)["jobs"]?.elements?.count == 1)
        let release = try run("init . --release rectangles -o -")
        // The notes are no pictures.
        #expect(release.status == 1 && release.output.hasPrefix("{"), "\(release.errors)")
        let report = try run("merge out/report.json -o -")
        #expect(report.status == 0, "\(report.errors)")
        #expect(try json(report.output)["format"]?.string == "annotate-report")
        let page = try run("pick c.mp4 -o -")
        #expect(page.status == 0 && page.output.hasPrefix("<!DOCTYPE html>"), "\(page.errors)")
        #expect(page.output.contains("c.mp4"))
        #expect(!Files.exists(workspace.file("-")))
    }

    /// What is asked for is told to be lost where nobody can read it.
    @Test(arguments: [
        "stages", "kinds", "schema manifest", "--help", "help run", "run --help", "--version",
        "--generate-completion-script bash", "probe c.mp4", "validate m.json", "verify out", "run m.json --dry-run",
        "export out/c.tracks.jsonl --format csv -o -", "frame c.mp4 -o -", "init c.mp4", "merge out/report.json",
        "networks",
    ])
    func nothingIsLostUnsaid(words: String) throws {
        func outcome(_ redirection: String) throws -> Outcome {
            let script = "cd \(workspace.path) && exec \(Program.annotateBatch) \(words) \(redirection)"
            return try Program.run("sh", ["-c", script])
        }
        let closed = try outcome(">&-")
        #expect(closed.status == 1, "\(closed.errors)")
        #expect(
            closed.errorLines.first
                == "annotate-batch: standard output is closed, and what was asked for is printed there; expected a reader "
                + "of it, or a file, >results.txt", "\(closed.errors)")
        let full = try outcome(">/dev/full")
        #expect(full.status == 1)
        #expect(full.errors.contains("could not write the results to standard output: No space left on device"))
    }

    /// Whose results are files has them all the same.
    @Test(arguments: ["export out/c.tracks.jsonl --format csv -o x.csv", "frame c.mp4 -o x.png", "run m.json --force"])
    func filesNeedNoReader(words: String) throws {
        let script = "cd \(workspace.path) && exec \(Program.annotateBatch) \(words) >&-"
        let outcome = try Program.run("sh", ["-c", script])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}
