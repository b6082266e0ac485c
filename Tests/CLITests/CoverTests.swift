import Annotate
import Foundation
import Testing

/// What is hidden, by hand and by stages, and the proof of it.
@Suite struct CoverTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25", "-frames:v", "12", "-pix_fmt", "yuv420p", "-c:v", "libx264",
            "-crf", "12", workspace.file("a.mp4"))
    }

    private func ffmpeg(_ arguments: String...) throws {
        let outcome = try Program.run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    private func manifest(_ job: String) throws -> String {
        try workspace.write(
            """
            {"version": 1, "jobs": [{"input": "a.mp4", "graph": {"stages": []}, \(job)}]}
            """, to: "m.json")
    }

    private func gray(_ name: String, frame: Int) throws -> [UInt8] {
        try ffmpeg(
            "-i", workspace.file(name), "-vf", "select=eq(n\\,\(frame))", "-frames:v", "1", "-pix_fmt", "gray", "-f",
            "rawvideo", workspace.file("frame.raw"))
        return try Files.read(workspace.file("frame.raw"))
    }

    private static let moving =
        #""cover": [{"box": [40, 40, 64, 48], "style": "STYLE", "keyframes": [{"frame": 8, "box": [200, 120, 64, 48]}, {"frame": 10, "absent": true}]}]"#

    /// Every style holds, as `verify` proves it, whatever the encoder.
    @Test(arguments: ["blur", "pixelate", "fill"], ["libx264", "ffv1"])
    func whatIsHiddenStaysHidden(style: String, codec: String) throws {
        let path = try manifest(
            Self.moving.replacing("STYLE", with: style)
                + (codec == "ffv1" ? #", "encode": {"codec": "ffv1"}"# : #", "encode": {"crf": 30}"#))
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)")
    }

    /// What comes between two looks of a stage is covered from its first picture on, also by what goes by that stage.
    @Test(arguments: [
        #"[{"id": "r", "type": "rectangles", "rate": 1, "draw": {"cover": "fill"}}]"#,
        #"[{"id": "r", "type": "rectangles", "rate": 1, "draw": false}, {"id": "f", "type": "follow", "inputs": ["r"], "draw": {"cover": "fill"}}]"#,
    ])
    func whatComesBetweenTwoLooks(stages: String) throws {
        let card = "overlay=x=130:y=90:enable=between(n\\,3\\,42)"
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25", "-f", "lavfi", "-i", "color=white:s=60x44:r=25",
            "-filter_complex",
            "[0]format=gray,lutyuv=y=val/4+40[a];[a][1]\(card)", "-frames:v", "60", "-pix_fmt", "yuv420p", "-crf", "10",
            workspace.file("b.mp4"))
        let path = try workspace.write(
            #"{"version": 1, "jobs": [{"input": "b.mp4", "graph": {"stages": \#(stages)}}]}"#, to: "m.json")
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("stage “r” looks every 1 s: what is in sight only while it doesn't isn't hidden"))
        for frame in [3, 8, 12, 20, 25, 30, 42] {
            let middle = try gray("out/b.mp4", frame: frame)[110 * 320 + 160]
            #expect(middle < 150, "frame \(frame): \(middle)")
        }
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }

    /// What a region names is hidden in every shot that it comes back in, wherever that is.
    @Test func aThingThatComesBackInAnotherShot() throws {
        let places = [(60, 50), (300, 180), (180, 60)]
        // Shots of ten pictures, every other one without it.
        let shots = places.enumerated().map { shot, place in
            let inputs = "[\(shot == 0 ? "b" : "s\(shot - 1)")][t\(shot)]"
            let times = "between(n\\,\(20 * shot)\\,\(20 * shot + 9))"
            return "\(inputs)overlay=x=\(place.0)+mod(n\\,10):y=\(place.1):enable=\(times)[s\(shot)]"
        }.joined(separator: ";")
        try ffmpeg(
            "-f", "lavfi", "-i",
            "gradients=s=480x320:r=25:seed=7:nb_colors=5:speed=0.002:c0=#203040:c1=#708090:c2=#405060", "-f",
            "lavfi", "-i", "testsrc2=s=320x240:r=25", "-filter_complex",
            "[1]select=eq(n\\,0),crop=90:70:40:20,loop=-1:1,setpts=N/25/TB,split=3[t0][t1][t2];[0]hue=h=0:s=1:b='if(mod(floor(n/10)\\,2)\\,3\\,0)'[b];"
                + shots, "-map", "[s2]", "-frames:v", "50", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", "12",
            workspace.file("b.mp4"))
        let path = try workspace.write(
            ##"{"version": 1, "jobs": [{"input": "b.mp4", "regions": [{"id": "it", "frame": 0, "box": [60, 50, 90, 70]}], "graph": {"stages": [{"id": "t", "type": "track", "draw": {"cover": "fill", "coverColor": "#ffff00"}}]}}]}"##,
            to: "m.json")
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        for (shot, place) in places.enumerated() {
            for frame in 20 * shot..<20 * shot + 10 {
                try ffmpeg(
                    "-i", workspace.file("out/b.mp4"), "-vf", "select=eq(n\\,\(frame))", "-frames:v", "1", "-pix_fmt",
                    "rgb24", "-f", "rawvideo", workspace.file("frame.raw"))
                let pixels = try Files.read(workspace.file("frame.raw"))
                let at = 3 * ((place.1 + 35) * 480 + place.0 + frame % 10 + 45)
                let color = pixels[at..<at + 3].map(Int.init)
                #expect(color[0] > 200 && color[1] > 200 && color[2] < 80, "frame \(frame): \(color)")
            }
        }
    }

    /// `cover` may name a file, as `pick` saves it, and is the same job as with the list in place.
    @Test func coversOfAFile() throws {
        let list = #"[{"box": [40, 40, 64, 48], "style": "fill", "end": 0.2}]"#
        let path = try manifest(#""cover": \#(list), "encode": {"codec": "ffv1"}"#)
        #expect(try annotateBatch("run", path).status == 0)
        let inPlace = try Files.read(workspace.file("out/a.tracks.jsonl"))
        #expect(inPlace.contains(UInt8(ascii: "4")))
        _ = try manifest(#""cover": "{name}.regions.json", "encode": {"codec": "ffv1"}"#)
        try workspace.write(#"{"regions": [], "cover": \#(list)}"#, to: "a.regions.json")
        let again = try annotateBatch("run", path)
        #expect(again.status == 0 && again.errors.contains("up to date"), "\(again.errors)")
        #expect(try Files.read(workspace.file("out/a.tracks.jsonl")) == inPlace)

        try workspace.write(#"{"cover": [{"box": [400, 40, 64, 48]}, {"zone": "z"}, {"bx": 1}]}"#, to: "a.regions.json")
        let wrong = try annotateBatch("validate", path)
        #expect(wrong.status == 65)
        for complaint in [
            "a.regions.json:1:20: /cover/0: the cover lies outside the picture of a.mp4",
            "a.regions.json:1:49: /cover/1/zone: the job has no zone “z”", "unknown key “bx”",
        ] {
            #expect(wrong.errors.contains(complaint), "\(wrong.errors)")
        }
        _ = try manifest(#""cover": "b.json""#)
        let none = try annotateBatch("validate", path)
        #expect(
            none.errors.contains("no file “b.json”; expected a JSON file with the list of covers"), "\(none.errors)")
    }

    /// Nothing of its own is left of a filled place: one value, what is around it.
    @Test func aFilledPlaceHasOneColour() throws {
        let path = try manifest(
            ##""encode": {"codec": "ffv1"}, "cover": [{"box": [40, 40, 64, 48], "style": "fill"}, {"box": [200, 40, 32, 32], "style": "fill", "color": "#ff0000"}]"##
        )
        #expect(try annotateBatch("run", path).status == 0)
        let pixels = try gray("out/a.mkv", frame: 3)
        func values(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> Set<UInt8> {
            Set((top..<top + height).flatMap { y in (left..<left + width).map { pixels[y * 320 + $0] } })
        }
        #expect(values(40, 40, 64, 48).count == 1)
        #expect(values(200, 40, 32, 32).count == 1)
        #expect(values(40, 40, 64, 48) != values(200, 40, 32, 32))
        #expect(values(120, 40, 64, 48).count > 8)
    }

    private enum Fraud: String, CaseIterable { case uncovered, remade, ofItsColors, shimmering, faint, inverted, moved }

    /// Lays the source over the covered file, as `b.mp4`.
    private func overlay(_ filter: String, crf: Int = 18) throws {
        try ffmpeg(
            "-i", workspace.file("out/a.mp4"), "-i", workspace.file("a.mp4"), "-filter_complex", "[0][1]\(filter)",
            "-c:v", "libx264", "-crf", "\(crf)", "-pix_fmt", "yuv420p", "-map_metadata", "-1", "-fflags", "+bitexact",
            "-flags:v", "+bitexact", workspace.file("b.mp4"))
    }

    /// What is drawn under a cover, or shown beside it, in another form than the source has it.
    private enum Form: String, CaseIterable {
        case outlines, dots, brightnessAsColour, means, elsewhere, comingIn

        /// Of the covered file [0] and the source [1], in frame 0's place.
        var filter: String {
            let inside = "between(X/SW\\,40\\,103)*between(Y/SH\\,40\\,87)"
            func under(_ luma: String, _ colour: String = "A") -> String {
                "blend=c0_expr='if(\(inside)\\,\(luma)\\,A)':c1_expr='if(\(inside)\\,\(colour)\\,A)':c2_expr='A'"
            }
            return switch self {
            case .outlines:
                "[1]nullsink;[0]drawbox=44:44:56:40:black:2,drawbox=52:52:12:8:white:1,drawbox=80:52:12:8:white:1,drawbox=60:70:24:8:black:1"
            case .dots: "[0][1]" + under("if(mod(X\\,4)+mod(Y\\,4)\\,A\\,B)")
            case .brightnessAsColour:
                "[1]format=gray,scale=160:120[h];[0]extractplanes=y+u+v[y][u][v];[u]nullsink;[y][h][v]mergeplanes=0x001020:yuv420p"
            case .means: "[1]scale=20:15:flags=area,scale=320:240:flags=neighbor[m];[0][m]" + under("B")
            case .elsewhere: "[1]crop=64:48:40:40[p];[0][p]overlay=240:8"
            // A column of blocks more with every picture.
            case .comingIn: "[1]crop=64:48:40:40[p];[0][p]overlay='320-min(16*n\\,64)':96"
            }
        }
    }

    @Test(arguments: Form.allCases) private func noFormOfItIsShown(form: Form) throws {
        let path = try manifest(Self.moving.replacing("STYLE", with: "fill"))
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        try ffmpeg(
            "-i", workspace.file("out/a.mp4"), "-i", workspace.file("a.mp4"), "-filter_complex", form.filter, "-c:v",
            "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v",
            "+bitexact", workspace.file("b.mp4"))
        try FileManager.default.removeItem(atPath: workspace.file("out/a.mp4"))
        try FileManager.default.moveItem(atPath: workspace.file("b.mp4"), toPath: workspace.file("out/a.mp4"))
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 1)
        // The source's own brightness, as a colour, is like what was hidden of that.
        #expect(
            verified.output.contains("the video shows what is neither its source nor a cover")
                || form == .brightnessAsColour && verified.output.contains("is seen in the video"), "\(verified.output)"
        )
    }

    /// The same of a source of odd size, whose video is padded to an even one.
    @Test(arguments: [Form.dots, .elsewhere]) private func noFormOfItIsShownInAnOddSize(form: Form) throws {
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25", "-frames:v", "12", "-vf",
            "format=rgb24,crop=319:239:0:0:exact=1,format=yuv420p", "-c:v", "ffv1",
            workspace.file("odd.mkv"))
        let path = try workspace.write(
            """
            {"version": 1, "jobs": [{"input": "odd.mkv", "graph": {"stages": []},
             \(Self.moving.replacing("STYLE", with: "fill"))}]}
            """, to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        try ffmpeg(
            "-i", workspace.file("out/odd.mp4"), "-i", workspace.file("odd.mkv"), "-filter_complex",
            "[1]pad=320:240[s];" + form.filter.replacing("[1]", with: "[s]"), "-c:v", "libx264", "-crf", "18",
            "-pix_fmt",
            "yuv420p", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", workspace.file("b.mp4"))
        try FileManager.default.removeItem(atPath: workspace.file("out/odd.mp4"))
        try FileManager.default.moveItem(atPath: workspace.file("b.mp4"), toPath: workspace.file("out/odd.mp4"))
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 1)
        #expect(
            verified.output.contains("the video shows what is neither its source nor a cover"), "\(verified.output)")
    }

    /// An encoder that is to save leaves nothing of what was to be seen before under a cover that comes there.
    @Test(arguments: [
        #""crf": 40"#, #""crf": 38, "preset": "ultrafast""#, #""bitrate": 150000"#, #""codec": "hevc", "crf": 38"#,
        #""codec": "hevc", "crf": 38, "preset": "ultrafast""#, #""bitrate": 60000, "preset": "ultrafast""#,
        #""bitrate": 100000, "preset": "medium""#,
    ])
    func savingShowsNothing(encode: String) throws {
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25", "-f", "lavfi", "-i", "mandelbrot=s=640x360:r=25",
            "-filter_complex", "[0][1]blend=all_expr='128+(A-128)*0.25+(B-128)*0.15'", "-frames:v", "30", "-pix_fmt",
            "yuv420p", "-c:v", "libx264", "-crf", "12", workspace.file("b.mp4"))
        let covers = (0..<3).map { number in
            #"{"box": [\#(40 + 180 * number), 60, 120, 90], "style": "\#(["fill", "blur", "pixelate"][number])", "start": 0.2, "keyframes": [{"frame": 25, "box": [\#(60 + 180 * number), 200, 120, 90]}]}"#
        }
        let path = try workspace.write(
            """
            {"version": 1, "jobs": [{"input": "b.mp4", "graph": {"stages": []}, "encode": {\(encode)},
             "cover": [\(covers.joined(separator: ", "))]}]}
            """, to: "m.json")
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)")
    }

    /// What can't be told to spend more on covers says so.
    @Test func savingWithAV1IsNoted() throws {
        for (crf, isNoted) in [(32, false), (50, true)] {
            let path = try manifest(
                Self.moving.replacing("STYLE", with: "fill") + #", "encode": {"codec": "av1", "crf": \#(crf)}"#)
            let outcome = try annotateBatch("run", path)
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("what is hidden may be seen faintly") == isNoted, "\(outcome.errors)")
        }
    }

    /// What is dark is seen by whoever makes it brighter.
    @Test(arguments: [true, false]) func aDarkPictureShowsIt(isPutBack: Bool) throws {
        try ffmpeg(
            "-i", workspace.file("a.mp4"), "-vf", "lutyuv=y=18+val/24:u=128:v=128", "-c:v", "libx264", "-crf", "8",
            workspace.file("b.mp4"))
        try FileManager.default.removeItem(atPath: workspace.file("a.mp4"))
        try FileManager.default.moveItem(atPath: workspace.file("b.mp4"), toPath: workspace.file("a.mp4"))
        let path = try manifest(Self.moving.replacing("STYLE", with: "fill"))
        #expect(try annotateBatch("run", path).status == 0)
        if isPutBack {
            try FileManager.default.removeItem(atPath: workspace.file("out/a.mp4"))
            try ffmpeg(
                "-i", workspace.file("a.mp4"), "-c:v", "libx264", "-crf", "14", "-map_metadata", "-1", "-fflags",
                "+bitexact", "-flags:v", "+bitexact", workspace.file("out/a.mp4"))
        }
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == (isPutBack ? 1 : 0), "\(verified.output)")
        #expect(verified.output.contains("is seen in the video") == isPutBack, "\(verified.output)")
    }

    /// A file that shows what is hidden is no result: put in the place of the covered one, or covered beside the place.
    @Test(arguments: Fraud.allCases) private func aFileThatShowsItFails(fraud: Fraud) throws {
        let path = try manifest(Self.moving.replacing("STYLE", with: "fill"))
        #expect(try annotateBatch("run", path).status == 0)
        switch fraud {
        case .uncovered:
            try ffmpeg(
                "-i", workspace.file("a.mp4"), "-c:v", "libx264", "-crf", "18", "-fflags", "+bitexact", "-flags",
                "+bitexact", workspace.file("b.mp4"))
        case .remade:
            // What the file says of who made it is a fault of its own, and hides none.
            try ffmpeg("-i", workspace.file("a.mp4"), "-c:v", "libx264", "-crf", "18", workspace.file("b.mp4"))
        case .faint:
            // Nobody sees it who doesn't stretch the picture's contrast.
            try overlay(
                "blend=c0_expr='if(between(X/SW,40,104)*between(Y/SH,40,88),A-3*gt(B,128),A)':c1_expr=A:c2_expr=A",
                crf: 10)
        case .ofItsColors:
            try overlay("mergeplanes=0x001112:yuv420p")
        case .shimmering:
            try overlay("blend=all_expr='A*0.7+B*0.3'")
        case .inverted:
            // Under the cover alone: else it is another picture.
            try overlay("blend=all_expr='if(between(X/SW,40,104)*between(Y/SH,40,88),255-B,A)'")
        case .moved:
            let other = Self.moving.replacing("STYLE", with: "fill").replacing("[40, 40", with: "[104, 40")
                .replacing("[200, 120", with: "[240, 168")
            try workspace.write(
                """
                {"version": 1, "output": {"directory": "other"},
                 "jobs": [{"input": "a.mp4", "graph": {"stages": []}, \(other)}]}
                """, to: "other.json")
            #expect(try annotateBatch("run", workspace.file("other.json")).status == 0)
            try FileManager.default.copyItem(
                atPath: workspace.file("other/a.mp4"), toPath: workspace.file("b.mp4"))
        }
        try FileManager.default.removeItem(atPath: workspace.file("out/a.mp4"))
        try FileManager.default.moveItem(atPath: workspace.file("b.mp4"), toPath: workspace.file("out/a.mp4"))
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 1)
        #expect(
            verified.output.contains(
                "frame 0 (0 s): what the cover at 40, 40 hides, 64×48 pixels, is seen in the video"),
            "\(verified.output)")
    }

    @Test(arguments: [
        (
            #"[{"box": [1, 1, 9, 9], "keyframes": [{"box": [2, 2, 9, 9]}]}]"#,
            "/jobs/0/cover/0/keyframes/0: no moment; expected one of “time” and “frame”"
        ),
        (
            #"[{"box": [1, 1, 9, 9], "keyframes": [{"frame": 2}]}]"#,
            "/jobs/0/cover/0/keyframes/0: no place; expected exactly one of “box”, “polygon” and “absent”"
        ),
        (
            #"[{"box": [1, 1, 9, 9], "keyframes": [{"frame": 2, "absent": true}, {"time": 1, "box": [1, 1, 2, 2]}]}]"#,
            "/jobs/0/cover/0/keyframes/1/time: “time” here, and “frame” before; expected one of them for all keyframes of a cover"
        ),
        (
            #"[{"box": [1, 1, 9, 9], "start": 1, "keyframes": [{"time": 1, "absent": true}]}]"#,
            "/jobs/0/cover/0/keyframes/0/time: a keyframe at time 1, and the cover starts at 1 s; expected one after that"
        ),
        (
            #"[{"polygon": [[1, 1], [9, 1], [9, 9]], "keyframes": [{"frame": 3, "polygon": [[1, 1], [9, 1], [9, 9], [1, 9]]}]}]"#,
            "/jobs/0/cover/0/keyframes/0/polygon: a polygon of 4 corners, and the cover has 3; expected as many"
        ),
        (
            ##"[{"box": [1, 1, 9, 9], "style": "blur", "color": "#00ff00"}]"##,
            "/jobs/0/cover/0/color: a color with “style”: “blur”; expected “fill”, which has one"
        ),
    ])
    func whatIsNoKeyframe(cover: String, expected: String) throws {
        let outcome = try annotateBatch("validate", try manifest("\"cover\": \(cover)"))
        #expect(outcome.status == 65 && outcome.errors.contains(expected), "\(outcome.errors)")
    }

    // MARK: What follows a thing

    /// A patch that moves by 6 pixels a picture over grey, which a stage follows from its region.
    private func patch(_ cover: String, draw: String = "false") throws -> Outcome {
        try ffmpeg(
            "-f", "lavfi", "-i", "color=0x707070:s=320x240:r=25", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25",
            "-filter_complex", "[0][1]overlay=x='40+6*n':y=60:eval=frame", "-frames:v", "20", "-pix_fmt", "yuv420p",
            "-c:v", "libx264", "-crf", "8", workspace.file("b.mp4"))
        let zones =
            #""zones": [{"id": "corner", "polygon": [[0, 0.75], [0.2, 0.75], [0.2, 1], [0, 1]], "units": "normalized"}],"#
        let path = try workspace.write(
            """
            {"version": 1, "jobs": [{"input": "b.mp4", "encode": {"codec": "ffv1"},
             "regions": [{"id": "patch", "box": [40, 60, 64, 48]}], \(cover.contains("zone") ? zones : "")
             "graph": {"stages": [{"id": "seen", "type": "track", "draw": \(draw)}]}, "cover": \(cover)}]}
            """, to: "m.json")
        return try annotateBatch("run", path)
    }

    /// How many values a part of a picture has.
    private func values(frame: Int, _ left: Int, _ top: Int, _ width: Int, _ height: Int) throws -> Int {
        let pixels = try gray("out/b.mkv", frame: frame)
        return Set((top..<top + height).flatMap { y in (left..<left + width).map { pixels[y * 320 + $0] } }).count
    }

    @Test(arguments: [#"{"track": 1, "style": "fill"}"#, #"{"region": "patch", "style": "fill"}"#])
    func aThingIsHiddenWhereverItIs(cover: String) throws {
        let outcome = try patch("[\(cover), {\"zone\": \"corner\", \"style\": \"fill\", \"color\": \"#00ff00\"}]")
        #expect(outcome.status == 0, "\(outcome.errors)")
        for frame in [0, 7, 19] {
            #expect(try values(frame: frame, 40 + 6 * frame, 60, 64, 48) == 1, "frame \(frame)")
            #expect(try gray("out/b.mkv", frame: frame)[200 * 320 + 20] > 0x80)
            #expect(try gray("out/b.mkv", frame: frame)[200 * 320 + 80] < 0x80)
        }
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)")
    }

    /// For its time alone; a box is taken along.
    @Test func aPlaceMovesWithAThing() throws {
        let outcome = try patch(
            #"[{"track": 1, "box": [56, 70, 32, 20], "start": 0.2, "style": "fill"}, {"track": 9, "style": "fill"}]"#)
        #expect(outcome.status == 0)
        #expect(
            outcome.errors.contains("cover 1 hid nothing: track 9 is nowhere seen from 0 s on"), "\(outcome.errors)")
        #expect(try values(frame: 4, 80, 70, 32, 20) > 8)
        // Frame 5 is seen from 0.2 s on: there the box lies 14 pixels left of the patch's left edge.
        for frame in [5, 12, 19] {
            #expect(try values(frame: frame, 56 + 6 * (frame - 5), 71, 30, 18) == 1, "frame \(frame)")
            #expect(try values(frame: frame, 40 + 6 * frame + 40, 60, 20, 48) > 8, "frame \(frame)")
        }
    }

    /// What is left out stays visible, for its time.
    @Test func anExceptionStaysVisible() throws {
        #expect(try patch(#"[{"track": 1, "except": true}]"#, draw: #"{"cover": "fill"}"#).status == 0)
        #expect(try values(frame: 10, 100, 60, 64, 48) > 8)
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        #expect(
            try patch(#"[{"region": "patch", "except": true, "end": 0.1}]"#, draw: #"{"cover": "fill"}"#).status == 0)
        #expect(try values(frame: 10, 100, 60, 64, 48) == 1)
    }

    @Test(arguments: [
        (
            #"[{"track": 1, "zone": "corner"}]"#,
            "/jobs/0/cover/0: “zone”, “track”; expected exactly one of “box”, “polygon”, “zone”, “track” and “region”, or a "
                + "“box” that follows a “track” or a “region”"
        ),
        (
            #"[{"region": "path"}]"#,
            "/jobs/0/cover/0/region: the job has no region “path”; expected one of “patch”; did you mean “patch”?"
        ),
        (
            #"[{"zone": "edge"}]"#, "/jobs/0/cover/0/zone: the job has no zone “edge”; expected one of “corner”"
        ),
        (
            #"[{"track": 1, "keyframes": [{"frame": 3, "absent": true}]}]"#,
            "/jobs/0/cover/0/keyframes: keyframes of what follows track 1; expected none, as it is where that is seen, or no “track”"
        ),
        (
            #"[{"track": 1, "except": true}]"#,
            "/jobs/0/cover/0/except: “except”, and no stage of the graph covers anything; expected “cover” under its “draw”"
        ),
        (
            #"[{"box": [1, 1, 9, 9], "except": true}]"#,
            "/jobs/0/cover/0/except: “except” of a place; expected it of a “track” or a “region”, which a stage sees"
        ),
    ])
    func whatFollowsNothing(cover: String, expected: String) throws {
        let outcome = try patch(cover)
        #expect(outcome.status == 65 && outcome.errors.contains(expected), "\(outcome.errors)")
    }
}
