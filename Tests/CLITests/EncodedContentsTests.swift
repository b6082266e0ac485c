@testable import Annotate
import Testing

/// What nobody sees in the coded pictures of a result in which something is hidden.
@Suite struct EncodedContentsTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func ffmpeg(_ arguments: String...) throws {
        let outcome = try Program.run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    private func clip(_ arguments: String...) throws {
        let source = ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-frames:v", "12"] + arguments
        let outcome = try Program.run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + source + [workspace.file("a.mkv")])
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    /// A result in which a place is hidden; it has nothing that doesn't belong there.
    private func result(_ encode: String, of input: String = "a.mkv", as name: String) throws -> [UInt8] {
        let path = try workspace.write(
            """
            {"version": 1, "jobs": [{"id": "r", "input": "\(input)", "graph": {"stages": []}, "encode": \(encode),
             "cover": [{"box": [10, 10, 40, 40]}]}]}
            """, to: "m.json")
        let run = try annotateBatch("run", path, "--force")
        #expect(run.status == 0, "\(run.errors)")
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(encode): \(verified.output)\(verified.errors)")
        return try workspace.bytes("out/" + name)
    }

    private func problems(_ bytes: [UInt8], as name: String) throws -> String {
        try workspace.write(bytes, to: "changed/" + name)
        return try ReleaseCheck.problems(workspace.file("changed/" + name), hidingIn: 12, cancellation: nil)
            .joined(separator: "\n")
    }

    /// The place of some bytes.
    private func place(_ part: [UInt8], in bytes: [UInt8]) throws -> Int {
        try #require(
            (0...bytes.count - part.count).first { bytes[$0] == part[0] && Array(bytes[$0..<$0 + part.count]) == part })
    }

    private func number(_ bytes: [UInt8], _ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }

    /// Adds bytes to the last sample of a video without sound, whose media data comes last.
    private func adding(_ more: [UInt8], to whole: [UInt8]) throws -> [UInt8] {
        var bytes = whole
        let sizes = try place(Array("stsz".utf8), in: bytes)
        let last = sizes + 16 + 4 * (number(bytes, sizes + 12) - 1)
        bytes.replaceSubrange(last..<last + 4, with: bigEndian(number(bytes, last) + more.count))
        let media = try place(Array("mdat".utf8), in: bytes) - 4
        bytes.replaceSubrange(media..<media + 4, with: bigEndian(number(bytes, media) + more.count))
        return bytes + more
    }

    /// Adds bytes at the end of a box within the sample description.
    private func adding(_ more: [UInt8], behind type: String, to whole: [UInt8]) throws -> [UInt8] {
        var bytes = whole
        let at = try place(Array(type.utf8), in: bytes) - 4
        let end = at + number(bytes, at)
        let coder = ["avcC": "avc1", "hvcC": "hvc1", "av1C": "av01"][type] ?? ""
        for holder in ["moov", "trak", "mdia", "minf", "stbl", "stsd", coder, type] {
            let box = try place(Array(holder.utf8), in: bytes) - 4
            bytes.replaceSubrange(box..<box + 4, with: bigEndian(number(bytes, box) + more.count))
        }
        let table = try place(Array("stco".utf8), in: bytes)
        for entry in 0..<number(bytes, table + 8) {
            let offset = table + 12 + 4 * entry
            bytes.replaceSubrange(offset..<offset + 4, with: bigEndian(number(bytes, offset) + more.count))
        }
        bytes.insert(contentsOf: more, at: end)
        return bytes
    }

    private func unit(_ bytes: [UInt8]) -> [UInt8] { bigEndian(bytes.count) + bytes }

    private let secret = Array("a face of somebody".utf8)

    @Test func unitsOfH264() throws {
        try clip("-c:v", "ffv1")
        let whole = try result(#"{"codec": "h264"}"#, as: "r.mp4")
        for type: UInt8 in [7, 8, 9, 12, 19, 20, 21, 24, 30] {
            let found = try problems(adding(unit([type] + secret), to: whole), as: "r.mp4")
            #expect(found.contains("r.mp4 has a unit of type \(type) among its pictures"), "\(found)")
        }
        let second = try problems(adding(unit([0x65, 0x88] + secret), to: whole), as: "r.mp4")
        #expect(second.contains("2 parts of pictures in one sample"), "\(second)")
        #expect(
            try problems(adding([0, 0, 0], to: whole), as: "r.mp4").contains("bytes among its pictures that are none"))
        // Captions, and words of the same length in x264's place.
        #expect(
            try problems(adding(unit([6, 4, 3, 1, 2, 3, 0x80]), to: whole), as: "r.mp4").contains("a unit of type 6"))
        func changed(_ old: String, _ new: String) throws -> String {
            var bytes = whole
            let at = try place(Array(old.utf8), in: bytes)
            bytes.replaceSubrange(at..<at + old.utf8.count, with: Array(new.utf8))
            return try problems(bytes, as: "r.mp4")
        }
        let words = "a message of type 5 among its pictures that isn't the encoder's"
        #expect(try changed("threads=3", "threads=B").contains(words))
        #expect(try changed("cabac=1 ref=1", "B-XY 1234 S=1").contains(words))
        #expect(try changed("psy_rd=1.00", "psy_rd=5.38").contains(words))
        #expect(try changed("videolan", "somebody").contains(words))
        #expect(try changed("threads=3", "threads=2").isEmpty)
        let sets = "more in its pictures' parameters than these"
        #expect(
            try problems(adding(Array(repeating: 7, count: 20), behind: "avcC", to: whole), as: "r.mp4").contains(sets))
    }

    @Test func unitsOfHEVC() throws {
        try clip("-c:v", "ffv1")
        let whole = try result(#"{"codec": "hevc"}"#, as: "r.mp4")
        for type: UInt8 in [33, 35, 38, 39, 40, 41, 48, 62] {
            let found = try problems(adding(unit([type << 1, 1] + secret), to: whole), as: "r.mp4")
            #expect(found.contains("a unit of type \(type) among its pictures"), "\(found)")
        }
        // A picture of another layer, and a second one.
        #expect(try problems(adding(unit([2, 9, 0x80] + secret), to: whole), as: "r.mp4").contains("a unit of type 1"))
        #expect(
            try problems(adding(unit([2, 1, 0x80] + secret), to: whole), as: "r.mp4").contains(
                "2 parts of pictures in one sample"))
        #expect(
            try problems(adding(secret, behind: "hvcC", to: whole), as: "r.mp4").contains(
                "more in its pictures' parameters than these"))
    }

    @Test func unitsOfAV1() throws {
        try clip("-c:v", "ffv1")
        let whole = try result(#"{"codec": "av1"}"#, as: "r.mp4")
        for type: UInt8 in [0, 2, 4, 7, 8, 9, 15] {
            let found = try problems(adding([type << 3 | 2, UInt8(secret.count)] + secret, to: whole), as: "r.mp4")
            #expect(found.contains("a unit of type \(type) among its pictures"), "\(found)")
        }
        #expect(
            try problems(adding([0x2A, 6, 4, 0xB5, 0, 0x31, 1, 0x80], to: whole), as: "r.mp4").contains(
                "a message of type 4 among its pictures that isn't the encoder's"))
        // A frame that is shown, and one that never is.
        #expect(
            try problems(adding([0x32, 4, 0x10, 0, 0, 0], to: whole), as: "r.mp4").contains(
                "2 pictures that are shown in one sample"))
        #expect(
            try problems(adding([0x32, 6, 0x28, 0, 0, 0xFF, 0xFF, 0], to: whole), as: "r.mp4").contains(
                "that it never shows"))
        #expect(
            try problems(adding(secret, behind: "av1C", to: whole), as: "r.mp4").contains(
                "more in its pictures' parameters than these"))
    }

    @Test(arguments: ["yuva420p", "yuv420p16le"])
    func planesAndBitsThatNobodySees(format: String) throws {
        try clip("-c:v", "ffv1", "-pix_fmt", "yuv420p")
        _ = try result(#"{"codec": "ffv1"}"#, as: "r.mkv")
        try ffmpeg(
            "-i", workspace.file("out/r.mkv"), "-c:v", "ffv1", "-level", "3", "-pix_fmt", format, "-map_metadata", "-1",
            "-fflags", "+bitexact", "-flags:v", "+bitexact", workspace.file("b.mkv"))
        try workspace.write(try workspace.bytes("b.mkv"), to: "out/r.mkv")
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        let told = format == "yuva420p" ? "pictures in the form “yuva420p”" : "pictures of 16 bits, its source of 8"
        #expect(outcome.output.contains(told), "\(outcome.output)")
    }

    /// Whatever the source's pictures are: what the program makes of them passes.
    @Test(arguments: [
        ("yuv420p10le", "h264"), ("yuv444p", "h264"), ("yuv422p10le", "hevc"), ("yuv420p10le", "av1"), ("gray", "ffv1"),
        ("yuv420p16le", "ffv1"), ("bgra", "ffv1"),
    ])
    func otherPictures(format: String, codec: String) throws {
        try clip("-c:v", "ffv1", "-pix_fmt", format, "-vf", "setsar=4/3")
        _ = try result(
            #"{"codec": "\#(codec)", "pixelFormat": "source", "segment": 0.2}"#, as: codec == "ffv1" ? "r.mkv" : "r.mp4"
        )
    }

    @Test func numbersOfMP4() throws {
        try clip("-c:v", "ffv1")
        let whole = try result("{}", as: "r.mp4")
        func changed(_ type: String, _ behind: Int, _ value: [UInt8]) throws -> String {
            var bytes = whole
            let at = try place(Array(type.utf8), in: bytes) + 4 + behind
            bytes.replaceSubrange(at..<at + value.count, with: value)
            return try problems(bytes, as: "r.mp4")
        }
        for (type, behind) in [
            ("mvhd", 5), ("mvhd", 28), ("mvhd", 60), ("mvhd", 80), ("tkhd", 6), ("tkhd", 16), ("tkhd", 30), ("mdhd", 5),
            ("mdhd", 22), ("hdlr", 5), ("hdlr", 14), ("vmhd", 6), ("dref", 9), ("mdirappl", 3),
        ] {
            let found = try changed(type, behind, [9])
            let box = type == "mdirappl" ? "hdlr" : type
            #expect(found.contains("other numbers in its box “\(box)” than it has"), "\(type) \(behind): \(found)")
        }
        // Of the description that it holds.
        for behind in [20, 60] {
            let found = try changed("stsd", 16 + behind, [9])
            #expect(found.contains("other numbers in its box “stsd” than it has"), "\(behind): \(found)")
        }
    }

    @Test func wordsThatTheSourceHasNot() throws {
        try clip("-c:v", "ffv1")
        _ = try result("{}", as: "r.mp4")
        let sources = workspace.file("a.mkv"), video = workspace.file("b.mp4")
        func added(_ arguments: [String]) throws -> String {
            let outcome = try Program.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-y", "-i", workspace.file("out/r.mp4")] + arguments
                    + ["-c:v", "copy", "-fflags", "+bitexact", video])
            guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
            return try ReleaseCheck.addedWords(video, source: sources, cancellation: nil).joined()
        }
        #expect(try added([]) == "")
        #expect(try added(["-metadata:s:v", "language=ger"]).contains("a language of its pictures"))
        #expect(
            try added([
                "-f", "lavfi", "-i", "sine=d=0.4", "-map", "0", "-map", "1", "-metadata:s:a", "language=ger",
            ]).contains("a language of its sound that its source hasn't"))
    }

    // MARK: Photos

    @Test func bytesOfAJPEG() throws {
        try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x120", "-frames:v", "1", workspace.file("a.jpg"))
        let whole = try result("{}", of: "a.jpg", as: "r.jpg")
        #expect(try problems(whole, as: "r.jpg").isEmpty)
        let end = whole.count - 2
        let behind = try problems(Array(whole[..<end]) + secret + whole[end...], as: "r.jpg")
        #expect(behind.contains("bytes behind the last block of its picture"), "\(behind)")
        var lower = whole
        lower[try place([0xFF, 0xC0], in: whole) + 6] -= 32
        #expect(try problems(lower, as: "r.jpg").contains("bytes behind the last block of its picture"))
        let table: [UInt8] = [0xFF, 0xDB, 0, 67, 3] + Array(repeating: 9, count: 64)
        #expect(
            try problems(Array(whole[..<2]) + table + whole[2...], as: "r.jpg").contains("a table that nothing uses"))
        #expect(
            try problems(Array(whole[..<2]) + [0xFF, 0xFF] + whole[2...], as: "r.jpg").contains(
                "bytes between its segments"))
    }

    @Test(arguments: ["rgba", "rgb48be", "gray"])
    func planesOfAPNG(format: String) throws {
        try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x120", "-frames:v", "1", workspace.file("a.png"))
        _ = try result("{}", of: "a.png", as: "r.png")
        try ffmpeg(
            "-i", workspace.file("out/r.png"), "-pix_fmt", format, "-flags", "+bitexact", workspace.file("b.png"))
        let found = try problems(workspace.bytes("b.png"), as: "r.png")
        #expect(found.contains("not 8 of red, green and blue"), "\(found)")
    }

    @Test func chunksOfAPNG() throws {
        try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x120", "-frames:v", "1", workspace.file("a.png"))
        let whole = try result("{}", of: "a.png", as: "r.png")
        #expect(try problems(whole, as: "r.png").isEmpty)
        func sum(_ bytes: [UInt8]) -> [UInt8] {
            var value = UInt32.max
            for byte in bytes {
                value ^= UInt32(byte)
                for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
            }
            return bigEndian(Int(~value))
        }
        func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
            let named = Array(type.utf8) + body
            return bigEndian(body.count) + named + sum(named)
        }
        let head = 33, end = whole.count - 12
        for (type, body) in [
            ("PLTE", secret), ("sBIT", [8, 8, 8]), ("bKGD", [0, 1, 0, 1, 0, 1]), ("tRNS", [0, 1, 0, 1, 0, 1]),
            ("pHYs", [0, 0, 9, 1, 0, 0, 9, 2, 1]),
        ] {
            let found = try problems(Array(whole[..<head]) + chunk(type, body) + whole[head...], as: "r.png")
            #expect(found.contains("r.png has a chunk “\(type)”"), "\(type): \(found)")
        }
        let behind = try problems(Array(whole[..<end]) + chunk("IDAT", secret) + whole[end...], as: "r.png")
        #expect(behind.contains("\(secret.count) bytes behind its pixels"), "\(behind)")
        var other = whole
        other[32] ^= 1
        #expect(try problems(other, as: "r.png").contains("a chunk “IHDR” with another sum than its own"))
    }
}

private func bigEndian(_ number: Int) -> [UInt8] {
    let bits = UInt32(truncatingIfNeeded: number)
    return [UInt8(bits >> 24), UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
}
