import Annotate
import Foundation
import Testing

/// What `verify` says of a folder that is handed out, and of what it can't prove.
extension ReleaseReviewTests {
    /// A door to the source, a copy of it that calls itself a rest, a clip that was withheld: a folder with one of them isn't handed out.
    @Test func whatMayShowWhatIsCovered() throws {
        try card("a.mp4", when: "1")
        #expect(try annotateBatch("run", try manifest(["a.mp4"], output: Self.apart)).status == 0)
        let out = workspace.file("out")
        func verified() throws -> Outcome { try annotateBatch("verify", out) }
        #expect(try verified().status == 0)
        let hash = String(repeating: "0123456789abcdef", count: 4)
        // People's own words, and the files' hashes.
        let words = String(
            repeating: "Released by the city’s office on request; ask Ms Müller (room 12) first.\n", count: 90)
        try workspace.write(
            "“Notes” – \(hash)  a.mp4\nhttps://example.org/a/b/c\n" + words
                + String(repeating: "\(hash)  a.mp4\n", count: 300), to: "out/notes.txt")
        #expect(try verified().status == 0)
        for name in [
            "link.txt", ".a.mp4.partial-99", "B.JPG", "folder", "clip.bak", "rest", "report.json.bak", "base64.txt",
            "wrapped.txt", "hex.txt", "long.txt", "lines.txt", "fours.txt", "grey.pgm", "cells.html", "drawn.svg",
        ] {
            let path = "\(out)/\(name)"
            switch name {
            case "link.txt": symlink("../a.mp4", path)
            case "folder": try Files.makeDirectory(path)
            case "base64.txt":
                try workspace.write(
                    Data(Files.read(workspace.file("a.mp4"))).base64EncodedString(), to: "out/base64.txt")
            case "wrapped.txt":
                let coded = Data(try Files.read(workspace.file("a.mp4"))).base64EncodedString(
                    options: .lineLength64Characters)
                try workspace.write(coded, to: "out/wrapped.txt")
            case "hex.txt":
                let digits = try Files.read(workspace.file("a.mp4")).flatMap {
                    [hexDigits[Int($0 >> 4)], hexDigits[Int($0 & 15)]]
                }
                try workspace.write(digits, to: "out/hex.txt")
            case "lines.txt":
                try workspace.write(String(repeating: hash + "\n", count: 100), to: "out/lines.txt")
            case "fours.txt":
                let coded = String(
                    repeating: Data(try Files.read(workspace.file("a.mp4"))).base64EncodedString(), count: 5)
                let fours = coded.enumerated().map { $0.offset % 4 == 3 ? "\($0.element) " : "\($0.element)" }.joined()
                try workspace.write(fours, to: "out/fours.txt")
            case "grey.pgm":
                let levels = (0..<3000).map { "\($0 * 37 % 256)" }.joined(separator: " ")
                try workspace.write("P2\n60 50\n255\n\(levels)\n", to: "out/grey.pgm")
            case "cells.html", "drawn.svg":
                let one =
                    name == "cells.html" ? "<td style='background:grey'></td>" : "<rect fill='grey' class='dark'/>"
                try workspace.write(String(repeating: one + "\n", count: 300), to: "out/\(name)")
            case "long.txt": try workspace.write(String(repeating: "word\n", count: 300_000), to: "out/long.txt")
            default: try Data(Files.read(workspace.file("a.mp4"))).write(to: URL(filePath: path))
            }
            let found = try verified()
            #expect(found.status == 1, "\(name)")
            #expect(found.errors.contains("\(name) is no result of the batch"), "\(found.errors)")
            #expect(found.errors.contains("it may show what is covered"))
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(try verified().status == 0)
        for (word, status) in [("withhold", 1), ("again", 1), ("release", 0)] {
            try workspace.write(
                """
                {"format": "annotate-review", "version": 1, "decisions": [{"job": "a", "decision": "\(word)"}]}
                """, to: "decided.json")
            let decided = try annotateBatch("review", out, "--release", "--remarks", workspace.file("decided.json"))
            #expect(decided.status == 0, "\(decided.errors)")
            let found = try verified()
            #expect(found.status == Int32(status), "\(found.output)\(found.errors)")
            #expect(found.output.contains("kept    a.mp4: ") == (status == 1))
            #expect(found.errors.contains("release.csv says \(word): a"))
        }
        // Nobody knows what is withheld where that can't be read.
        try workspace.write("{", to: "tracks/release.json")
        let unreadable = try verified()
        #expect(unreadable.status == 1 && unreadable.errors.contains("could not read the decisions in"))
    }

    /// Without the source nobody knows what the video shows: also where it is the source by now.
    @Test func whatIsNotProven() throws {
        try card("a.mp4", when: "1")
        #expect(try annotateBatch("run", try manifest(["a.mp4"])).status == 0)
        try FileManager.default.moveItem(atPath: workspace.file("a.mp4"), toPath: workspace.file("b.mp4"))
        let gone = try annotateBatch("verify", workspace.file("out"))
        #expect(gone.status == 1)
        #expect(gone.output.hasPrefix("unproven a.tracks.jsonl: its source"), "\(gone.output)")
        try Files.makeDirectory(workspace.file("copies"))
        try Data(Files.read(workspace.file("b.mp4"))).write(to: URL(filePath: workspace.file("copies/a.mp4")))
        #expect(try annotateBatch("verify", workspace.file("out"), "--sources", workspace.file("copies")).status == 0)
        try Data(Files.read(workspace.file("b.mp4"))).write(to: URL(filePath: workspace.file("out/a.mp4")))
        let exchanged = try annotateBatch("verify", workspace.file("out"))
        #expect(exchanged.status == 1 && exchanged.output.contains("it was changed since"), "\(exchanged.output)")
    }

    /// A byte more that nothing else finds: nobody has looked at this file. And sound that was to be left out.
    @Test func anotherSizeAndSound() throws {
        try card("a.mp4", when: "1")
        let path = try manifest(["a.mp4"])
        let silent = try workspace.write(
            try workspace.text("m.json").replacing(
                #""defaults": {"#, with: #""defaults": {"encode": {"audio": "drop"}, "#), to: "silent.json")
        #expect(try annotateBatch("run", path).status == 0)
        let report = try workspace.text("out/report.json")
        let bytes = try workspace.bytes("out/a.mp4").count
        try workspace.write(report.replacing("\(bytes)", with: "\(bytes + 1)"), to: "out/report.json")
        let grown = try annotateBatch("verify", workspace.file("out"))
        #expect(grown.status == 1 && grown.output.contains("it was changed since"), "\(grown.output)\(grown.errors)")

        #expect(try annotateBatch("run", silent).status == 0)
        #expect(try workspace.text("out/a.tracks.jsonl").contains(#""silent":true"#))
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        let added = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-i", workspace.file("out/a.mp4"), "-f", "lavfi", "-i", "sine=d=0.4",
                "-map", "0", "-map", "1", "-c:v", "copy", "-c:a", "aac", workspace.file("sounding.mp4"),
            ])
        #expect(added.status == 0, "\(added.errors)")
        try workspace.write(try workspace.bytes("sounding.mp4"), to: "out/a.mp4")
        let sounding = try annotateBatch("verify", workspace.file("out"))
        #expect(
            sounding.status == 1 && sounding.output.contains("the video has 1 audio track, and was to have no sound"),
            "\(sounding.output)")
    }

    /// What a stage names lies no longer there: nothing is looked for, and that isn't “ok”.
    @Test func theSecondLookThatCannotBeMade() throws {
        try card("a.mp4", when: "1")
        let model = try Files.read("\(repository)/manifests/models/parts.onnx")
        try Data(model).write(to: URL(filePath: workspace.file("parts.onnx")))
        let path = try workspace.write(
            """
            {"version": 1, "output": {"directory": "out"}, "graphs": {"g": {"stages": [
              {"id": "d", "type": "detect", "model": "parts.onnx", "minimumConfidence": 0.01, "draw": {"cover": "fill"}}]}},
              "jobs": [{"input": "a.mp4", "graph": "g"}]}
            """, to: "m.json")
        let run = try annotateBatch("run", path)
        #expect(run.status == 0, "\(run.errors)")
        try FileManager.default.removeItem(atPath: workspace.file("parts.onnx"))
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        let again = try annotateBatch("verify", workspace.file("out"), "--again")
        #expect(again.status == 1)
        #expect(
            again.output.hasPrefix("unproven a.tracks.jsonl: nothing was looked for again: no file “parts.onnx”"),
            "\(again.output)\(again.errors)")
    }
}

private let hexDigits = Array("0123456789abcdef".utf8)
