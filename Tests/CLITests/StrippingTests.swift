import Annotate
import Testing

/// What of a source is in an annotated video: the table of docs/release.md.
@Suite struct StrippingTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func ffmpeg(_ arguments: [String]) throws {
        let outcome = try Program.run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    /// A source with everything that its container holds.
    private func source(_ name: String, cover: Bool = true) throws {
        let told = """
            ;FFMETADATA1
            title=Secret
            comment=at home
            location=+52.5200+013.4050/
            artist=Jane
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=400
            title=Jane's chapter
            """
        try workspace.write(told, to: "told.txt")
        try workspace.write("1\n00:00:00,000 --> 00:00:00,400\nJane\n", to: "s.srt")
        try ffmpeg(["-f", "lavfi", "-i", "testsrc=s=64x64", "-frames:v", "1", workspace.file("cover.jpg")])
        let isMatroska = name.hasSuffix("mkv")
        let subtitles = isMatroska ? "srt" : "mov_text"
        var arguments = [
            "-f", "lavfi", "-i", "testsrc=s=160x120:r=25", "-f", "lavfi", "-i", "sine", "-f", "lavfi", "-i", "sine",
            "-i", workspace.file("s.srt"), "-i", workspace.file("told.txt"),
        ]
        if cover, !isMatroska { arguments += ["-i", workspace.file("cover.jpg")] }
        arguments += ["-map", "0", "-map", "1", "-map", "2", "-map", "3"]
        if cover, !isMatroska { arguments += ["-map", "5", "-c:v:1", "copy", "-disposition:v:1", "attached_pic"] }
        arguments += [
            "-t", "0.4", "-map_metadata", "4", "-map_chapters", "4", "-metadata", "creation_time=2024-01-02T03:04:05Z",
            "-metadata:s:a:0", "language=deu", "-metadata:s:a:0", "title=Jane's microphone", "-metadata:s:v:0",
            "title=Jane's camera", "-c:v:0", "libx264", "-c:a", "aac", "-c:s", subtitles,
        ]
        if isMatroska {
            arguments += ["-attach", workspace.file("cover.jpg"), "-metadata:s:t", "mimetype=image/jpeg"]
        }
        try ffmpeg(arguments + [workspace.file(name)])
    }

    private func manifest(_ input: String, _ encode: String = "{}", directory: String = "out") throws -> String {
        try workspace.write(
            """
            {"version": 1, "output": {"directory": "\(directory)"}, "jobs": [{"id": "r", "input": "\(input)",
             "graph": {"stages": []}, "encode": \(encode), "cover": [{"box": [10, 10, 40, 40]}]}]}
            """, to: "m.json")
    }

    /// Puts other bytes into a result's place, of which the report says no other size.
    private func exchange(_ name: String, for bytes: [UInt8]) throws {
        let before = try workspace.bytes("out/\(name)").count
        let report = try workspace.text("out/report.json")
        try workspace.write(
            report.replacing(try Regex("\"bytes\": *\(before)\\b"), with: "\"bytes\": \(bytes.count)"),
            to: "out/report.json")
        try workspace.write(bytes, to: "out/\(name)")
    }

    @Test func lengthsThatOverflowAreTheWritersOwn() throws {
        // Seconds since 1900, as clocks of the network have them.
        try ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc=s=64x64:r=10:d=0.4", "-output_ts_offset", "3900000000",
                workspace.file("a.mkv"),
            ])
        let run = try annotateBatch("run", try manifest("a.mkv", #"{"codec": "ffv1"}"#))
        #expect(run.status == 0, "\(run.errors)")
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    }

    @Test(arguments: ["a.mp4", "a.mkv", "a.mov"], ["h264", "ffv1"])
    func onlyPicturesAndSoundAreLeft(name: String, codec: String) throws {
        try source(name)
        let run = try annotateBatch("run", try manifest(name, #"{"codec": "\#(codec)"}"#))
        #expect(run.status == 0, "\(run.errors)")
        // FFmpeg puts neither cover pictures nor such languages into a MOV.
        let isMOV = name == "a.mov"
        #expect(isMOV || run.errors.contains("1 attached picture left out"), "\(run.errors)")
        let result = codec == "h264" ? "out/r.mp4" : "out/r.mkv"
        let probed = try Program.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "format_tags:stream=codec_type:stream_tags:chapter", "-of", "compact",
                workspace.file(result),
            ]
        ).output
        for word in ["Secret", "home", "52.52", "Jane", "2024", "subtitle", "data", "attachment", "chapter", "title"] {
            #expect(!probed.contains(word), "\(probed)")
        }
        #expect(isMOV || probed.contains("deu") || probed.contains("ger"), "\(probed)")
        #expect(probed.split(separator: "\n").count { $0.contains("codec_type=audio") } == 2)
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)")
        #expect(verified.errors == "")
    }

    @Test func whatIsAddedIsFound() throws {
        try source("a.mp4")
        #expect(try annotateBatch("run", try manifest("a.mp4")).status == 0)
        let result = workspace.file("out/r.mp4")
        try ffmpeg([
            "-i", result, "-i", workspace.file("cover.jpg"), "-map", "0", "-map", "1", "-c", "copy", "-c:v:1", "mjpeg",
            "-disposition:v:1", "attached_pic", "-metadata", "title=Mine", workspace.file("new.mp4"),
        ])
        _ = try Program.run("mv", [workspace.file("new.mp4"), result])
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains(
                "r.mp4 has an attached picture, which no annotated video has: it was added; run the job again"),
            "\(outcome.output)")
        #expect(outcome.output.contains("r.mp4 has “title” said of the file, which no annotated video has"))
        #expect(outcome.errors.contains("r.mp4 has an attached picture: what the job covers may be seen in it"))
        #expect(outcome.output.contains("bytes, the report says "), "\(outcome.output)")
    }

    /// What no demuxer tells of: boxes beside the tracks, bytes behind the end.
    @Test func whatLiesBesideTheTracks() throws {
        try source("a.mp4")
        #expect(try annotateBatch("run", try manifest("a.mp4")).status == 0)
        let whole = try workspace.bytes("out/r.mp4")
        let picture = try workspace.bytes("cover.jpg")
        func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
            bigEndian(8 + body.count) + Array(type.utf8) + body
        }
        func problems(_ bytes: [UInt8]) throws -> String {
            try exchange("r.mp4", for: bytes)
            let outcome = try annotateBatch("verify", workspace.file("out"))
            #expect((outcome.status == 0) == outcome.output.hasPrefix("ok "), "\(outcome.output)")
            return outcome.output
        }
        #expect(try problems(whole + box("free", Array(repeating: 0, count: 100))).hasPrefix("ok "))
        let added = "which no annotated video has: it was added; run the job again"
        #expect(
            try problems(whole + box("free", picture)).contains(
                "r.mp4 has a box “free” with \(picture.count) bytes that aren't zero, \(added)"))
        #expect(
            try problems(whole + box("uuid", picture)).contains(
                "r.mp4 has a box “uuid” of \(picture.count + 8) bytes, \(added)"))
        #expect(try problems(whole + [1, 2, 3]).contains("r.mp4 has 3 bytes behind its boxes, \(added)"))
    }

    @Test func whatLiesBehindAMatroskaFile() throws {
        try source("a.mp4")
        #expect(try annotateBatch("run", try manifest("a.mp4", #"{"codec": "ffv1"}"#)).status == 0)
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        try workspace.write(try workspace.bytes("out/r.mkv") + workspace.bytes("cover.jpg"), to: "out/r.mkv")
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("bytes behind its segment, which no annotated video has"), "\(outcome.output)")
    }

    /// What a player doesn't show: a second file behind the first, boxes that are there twice or are longer than what they say, bytes of
    /// no sample, pictures that an edit list leaves out.
    @Test func whatNobodyShowsInMP4() throws {
        try source("a.mp4")
        #expect(try annotateBatch("run", try manifest("a.mp4")).status == 0)
        let whole = try workspace.bytes("out/r.mp4")
        let picture = try workspace.bytes("cover.jpg")
        func box(_ type: String, _ body: [UInt8]) -> [UInt8] { bigEndian(8 + body.count) + Array(type.utf8) + body }
        /// The place of a box's type.
        func place(_ type: String) throws -> Int {
            let bytes = Array(type.utf8)
            return try #require((4..<whole.count - 4).first { Array(whole[$0..<$0 + 4]) == bytes })
        }
        func length(_ at: Int) -> Int { whole[at - 4..<at].reduce(0) { $0 << 8 | Int($1) } }
        func problems(_ bytes: [UInt8]) throws -> String {
            try exchange("r.mp4", for: bytes)
            let outcome = try annotateBatch("verify", workspace.file("out"))
            #expect((outcome.status == 0) == outcome.output.hasPrefix("ok "), "\(outcome.output)")
            return outcome.output
        }
        let added = "which no annotated video has: it was added; run the job again"
        #expect(try problems(whole).hasPrefix("ok "))
        #expect(try problems(whole + workspace.bytes("a.mp4")).contains("r.mp4 has a second box “ftyp”"))
        #expect(
            try problems(whole + box("mdat", picture)).contains(
                "a second box “mdat” of \(picture.count + 8) bytes, \(added)"))
        #expect(
            try problems(box("ftyp", Array(whole[8..<length(4)]) + picture) + whole[length(4)...]).contains(
                "a box “ftyp” of"))
        // Behind the last sample, within the box.
        let media = try place("mdat")
        #expect(media - 4 + length(media) == whole.count, "the media data comes last")
        let longer = whole[..<(media - 4)] + bigEndian(length(media) + picture.count) + whole[media...] + picture
        #expect(
            try problems(Array(longer)).contains(
                "r.mp4 has \(picture.count) bytes among its media data that are no sample's, \(added)"))
        // Entries of tables that are of no sample, and what stands behind the description of the pictures.
        func lengthened(_ type: String, _ more: [UInt8], entries: Int) throws -> [UInt8] {
            var bytes = whole
            func add(_ count: Int, at place: Int) {
                let value = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } + count
                bytes.replaceSubrange(place..<place + 4, with: bigEndian(value))
            }
            func places(_ type: String) -> [Int] {
                (4..<bytes.count - 4).filter { Array(bytes[$0..<$0 + 4]) == Array(type.utf8) }
            }
            let at = try place(type), end = at - 4 + length(at)
            // The media data comes behind and moves by as much.
            for table in places("stco") {
                for entry in 0..<bytes[table + 8..<table + 12].reduce(0, { $0 << 8 | Int($1) }) {
                    add(more.count, at: table + 12 + 4 * entry)
                }
            }
            for holder in ["moov", "trak", "mdia", "minf", "stbl"] {
                add(more.count, at: try #require(places(holder).last { $0 < at }) - 4)
            }
            add(more.count, at: at - 4)
            if entries > 0 { add(entries, at: at + 8) }
            bytes.insert(contentsOf: more, at: end)
            return bytes
        }
        for (type, more, entries, told) in [
            ("stsd", Array(repeating: UInt8(7), count: 400), 0, "a box “stsd” with more than its entries"),
            ("stss", bigEndian(3000), 1, "tables of more than a track's samples"),
            ("stts", bigEndian(0) + bigEndian(7), 1, "tables of more than a track's samples"),
        ] {
            let found = try problems(lengthened(type, more, entries: entries))
            #expect(found.contains("r.mp4 has \(told), \(added)"), "\(type): \(found)")
        }
        // Pictures that say of themselves that a half of them isn't shown.
        try ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=160x240:r=25", "-frames:v", "10", "-c:v", "libx264", "-bsf:v",
            "h264_metadata=crop_bottom=120", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags", "+bitexact",
            workspace.file("tall.mp4"),
        ])
        #expect(
            try problems(workspace.bytes("tall.mp4")).contains(
                "r.mp4 has pictures of 160×240 pixels, of which 160×120 are shown, \(added)"))
        // Pictures before those that are shown.
        try ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=160x120:r=25", "-t", "0.6", "-c:v", "libx264", workspace.file("long.mp4"),
        ])
        try ffmpeg(["-ss", "0.2", "-i", workspace.file("long.mp4"), "-c", "copy", workspace.file("cut.mp4")])
        #expect(
            try problems(workspace.bytes("cut.mp4")).contains(
                "r.mp4 has 15 pictures in its video, of which 10 are shown, \(added)"))
    }

    /// Numbers of a file that somebody made to stop whoever looks into it: each is told, and nothing else happens.
    @Test func numbersThatAreNone() throws {
        try source("a.mp4")
        #expect(try annotateBatch("run", try manifest("a.mp4")).status == 0)
        let whole = try workspace.bytes("out/r.mp4")
        func with(_ type: String, _ behind: Int, _ bytes: [UInt8]) throws -> [UInt8] {
            let name = Array(type.utf8)
            let at = try #require((4..<whole.count - 4).first { Array(whole[$0..<$0 + 4]) == name })
            var changed = whole
            changed.replaceSubrange(at + behind..<at + behind + bytes.count, with: bytes)
            return changed
        }
        let most: [UInt8] = Array(repeating: 0xFF, count: 8)
        // A time of 2⁶⁴ ticks; samples far behind the file; 2²⁸ samples of 4 GB each; an edit of as much; all of a box's bytes.
        var files = [
            try with("stts", 12, most), try with("stco", 12, Array(most[..<4])),
            try with("stsz", 8, Array(most[..<4]) + bigEndian((1 << 28) - 1)),
            try with("stsz", 8, Array(most[..<4]) + bigEndian(1 << 28)),
            try with("stsc", 12, bigEndian(1) + Array(most[..<4])), try with("elst", 12, most),
            try with("mdhd", 16, bigEndian(0)),
            try with("mvhd", 16, bigEndian(0)), try with("stts", 8, Array(most[..<4])),
            try with("stsd", 8, Array(most[..<4])),
        ]
        // Boxes in boxes of the same kind, as deep as a megabyte goes.
        let moov = Array("moov".utf8)
        let deep = (0..<130_000).reversed().flatMap { depth -> [UInt8] in
            let length: Int = 1_040_000 - 8 * (129_999 - depth)
            return bigEndian(length) + moov
        }
        files.append(whole + deep)
        for (index, file) in files.enumerated() {
            try workspace.write(file, to: "out/r.mp4")
            let outcome = try annotateBatch("verify", workspace.file("out"))
            #expect(outcome.status == 1, "\(index): \(outcome.output)")
            #expect(!outcome.errors.contains("stopped"), "\(index): \(outcome.errors)")
        }
    }

    /// What the container's own form has may say what it doesn't have.
    @Test func aHandlerByAnotherName() throws {
        try source("a.mp4")
        #expect(try annotateBatch("run", try manifest("a.mp4")).status == 0)
        try ffmpeg([
            "-i", workspace.file("out/r.mp4"), "-c", "copy", "-metadata:s:v", "handler_name=A. Person", "-fflags",
            "+bitexact",
            workspace.file("b.mp4"),
        ])
        try workspace.write(try workspace.bytes("b.mp4"), to: "out/r.mp4")
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("has “handler_name” said of a stream"), "\(outcome.output)")
    }

    /// What a source says in the place of a sound's language, and is none, goes into no result, and is no fault of it.
    @Test(arguments: ["ffv1", "h264", "copy"]) func aLanguageThatIsNone(codec: String) throws {
        try source("a.mkv")
        try ffmpeg([
            "-i", workspace.file("a.mkv"), "-map", "0:v", "-map", "0:a", "-c", "copy", "-metadata:s:a:0",
            "language=Jane's own", workspace.file("b.mkv"),
        ])
        let path = try workspace.write(
            #"{"version": 1, "jobs": [{"id": "r", "input": "b.mkv", "graph": {"stages": []}, "encode": {"codec": "\#(codec)"}}]}"#,
            to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)")
        let name = try #require(workspace.names().first { $0.hasPrefix("r.m") })
        // A copy has all that its source says.
        #expect(try workspace.bytes("out/" + name).contains(Array("Jane's own".utf8)) == (codec == "copy"))
    }

    @Test(arguments: [("encoder", "Lavc by A. Person"), ("language", "a-person")])
    func aWordOfMatroskaByAnother(key: String, value: String) throws {
        try source("a.mp4")
        #expect(try annotateBatch("run", try manifest("a.mp4", #"{"codec": "ffv1"}"#)).status == 0)
        try ffmpeg([
            "-i", workspace.file("out/r.mkv"), "-c", "copy", "-metadata:s:v", "\(key)=\(value)",
            workspace.file("b.mkv"),
        ])
        try workspace.write(try workspace.bytes("b.mkv"), to: "out/r.mkv")
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        #expect(outcome.output.lowercased().contains("has “\(key)” said of a stream"), "\(outcome.output)")
    }

    @Test func whatNobodyShowsInMatroska() throws {
        try source("a.mp4")
        #expect(try annotateBatch("run", try manifest("a.mp4", #"{"codec": "ffv1"}"#)).status == 0)
        let whole = try workspace.bytes("out/r.mkv")
        let picture = try workspace.bytes("cover.jpg")
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        // At the end of the segment, whose length stands in eight bytes.
        let segment = try #require(
            (0..<whole.count - 12).first { Array(whole[$0..<$0 + 4]) == [0x18, 0x53, 0x80, 0x67] })
        func element(_ id: [UInt8], _ body: [UInt8]) -> [UInt8] {
            var whole = id + [0x08]
            whole += bigEndian(body.count)
            whole += body
            return whole
        }
        func problems(_ more: [UInt8]) throws -> String {
            var bytes = whole + more
            #expect(bytes[segment + 4] == 0x01)
            let length = bytes.count - segment - 12
            for index in 0..<7 { bytes[segment + 5 + index] = UInt8(length >> (8 * (6 - index)) & 255) }
            try exchange("r.mkv", for: bytes)
            let outcome = try annotateBatch("verify", workspace.file("out"))
            #expect((outcome.status == 0) == outcome.output.hasPrefix("ok "), "\(outcome.output)")
            return outcome.output
        }
        #expect(try problems([]).hasPrefix("ok "))
        #expect(try problems(element([0xEC], Array(repeating: 0, count: 99))).hasPrefix("ok "))
        #expect(try problems(element([0xEC], picture)).contains("r.mkv has an empty element that isn't empty (EC, "))
        #expect(try problems(element([0x42, 0x42], picture)).contains("r.mkv has an element (4242, "))
        #expect(try problems(element([0xBF], picture)).contains("r.mkv has an element (BF, "))
        let added = element([0x75, 0xA1], picture)
        #expect(
            try problems(element([0x1F, 0x43, 0xB6, 0x75], element([0xE7], [0]) + element([0xA0], added))).contains(
                "r.mkv has an element (75A1, "))
        #expect(
            try problems(element([0x1C, 0x53, 0xBB, 0x6B], picture)).contains("r.mkv has a second element (1C53BB6B, "))
        let cluster = element([0xE7], [0]) + element([0xA3], [0x89, 0, 0, 0] + picture)
        #expect(
            try problems(element([0x1F, 0x43, 0xB6, 0x75], cluster)).contains(
                "r.mkv has a block that no track shows (A3, "))
    }

    @Test(arguments: ["jpg", "png"])
    func whatLiesBehindAPhoto(_ form: String) throws {
        try ffmpeg(["-f", "lavfi", "-i", "testsrc=s=160x120", "-frames:v", "1", workspace.file("a.\(form)")])
        #expect(try annotateBatch("run", try manifest("a.\(form)")).status == 0)
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0 && verified.errors == "", "\(verified.output)")
        let behind = try workspace.bytes("a.\(form)")
        try workspace.write(try workspace.bytes("out/r.\(form)") + behind, to: "out/r.\(form)")
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains(
                "r.\(form) has \(behind.count) bytes behind the picture with another picture, which no annotated photo has"
            ),
            "\(outcome.output)")
        #expect(outcome.errors.contains("with another picture: what the job covers may be seen in it"))
    }

    /// A picture in small, which JFIF has room for.
    @Test func aThumbnailInAPhoto() throws {
        try ffmpeg(["-f", "lavfi", "-i", "testsrc=s=160x120", "-frames:v", "1", workspace.file("a.jpg")])
        #expect(try annotateBatch("run", try manifest("a.jpg")).status == 0)
        let whole = try workspace.bytes("out/r.jpg")
        func verified(_ segment: [UInt8]) throws -> Outcome {
            try exchange(
                "r.jpg", for: whole[..<2] + [0xFF, 0xE0, 0, UInt8(segment.count + 2)] + segment + whole[2...])
            return try annotateBatch("verify", workspace.file("out"))
        }
        let head: [UInt8] = Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1]
        let plain = try verified(head + [0, 0])
        #expect(plain.status == 1 && !plain.output.contains("thumbnail"), "\(plain.output)")
        let small = try verified(head + [2, 2] + Array(repeating: 200, count: 12))
        #expect(small.status == 1 && small.output.contains("thumbnail"), "\(small.output)")
        // What begins as a colour profile, or as Adobe's word, is none that this program writes.
        for (marker, name) in [(UInt8(0xE2), "ICC_PROFILE\0"), (0xEE, "Adobe")] {
            let segment = Array(name.utf8) + Array(repeating: 9, count: 200)
            try workspace.write(
                whole[..<2] + [0xFF, marker, 0, UInt8(segment.count + 2)] + segment + whole[2...], to: "out/r.jpg")
            let told = try annotateBatch("verify", workspace.file("out"))
            #expect(told.output.contains("r.jpg has a segment APP"), "\(told.output)")
        }
    }

    /// A photo's colour profile, which may hold anything, isn't handed on.
    @Test func aColourProfile() throws {
        try ffmpeg(["-f", "lavfi", "-i", "testsrc=s=160x120", "-frames:v", "1", workspace.file("plain.jpg")])
        let whole = try workspace.bytes("plain.jpg")
        let segment = Array("ICC_PROFILE\0".utf8) + [1, 1] + Array(repeating: 77, count: 180)
        try workspace.write(
            whole[..<2] + [0xFF, 0xE2, 0, UInt8(segment.count + 2)] + segment + whole[2...], to: "a.jpg")
        for codec in ["jpeg", "png"] {
            let run = try annotateBatch("run", try manifest("a.jpg", #"{"codec": "\#(codec)"}"#))
            #expect(run.status == 0 && run.errors.contains("colour profile (ICC) is left out"), "\(run.errors)")
            let result = try workspace.bytes("out/r.\(codec == "png" ? "png" : "jpg")")
            #expect(!result.contains(Array(repeating: 77, count: 20)))
            #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        }
    }

    /// At few pictures a second the first one is shown late, for the coder's sake.
    @Test func fewPicturesASecond() throws {
        try ffmpeg(["-f", "lavfi", "-i", "testsrc=s=160x120:r=4", "-t", "3", workspace.file("slow.mp4")])
        #expect(try annotateBatch("run", try manifest("slow.mp4")).status == 0)
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test func aSourceInTheFolder() throws {
        try Files.makeDirectory(workspace.file("out"))
        try source("out/a.mp4")
        #expect(try annotateBatch("run", try manifest("out/a.mp4")).status == 0)
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(
            outcome.errors.contains(
                "a.mp4, the source, lies in this folder with nothing covered, and has an attached picture: don't hand it "
                    + "out with the rest"), "\(outcome.errors)")
    }
}

/// A number in four bytes, as MP4 and Matroska have it.
private func bigEndian(_ number: Int) -> [UInt8] {
    let bits = UInt32(truncatingIfNeeded: number)
    return [UInt8(bits >> 24), UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
}
