@testable import Media
internal import CFFmpeg
import Testing

@testable import Annotate
@testable import TestSupport

/// Packets in are pictures out, packets that were left out and counted, and packets that are told of.
@Suite struct PacketAccountTests {
    /// A clip of 10 pictures as IVF, which is a header of 32 bytes and the packets.
    private static func clip(_ encoder: String, in folder: TemporaryFolder) throws -> [UInt8] {
        let path = folder.file("\(encoder).ivf")
        let quick = encoder == "libaom-av1" ? ["-cpu-used", "8", "-usage", "realtime"] : ["-deadline", "realtime"]
        try output(
            of: "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "10"]
                + ["-c:v", encoder] + quick + [path])
        return try Files.read(path)
    }

    /// What a decoder of one codec says of another's packets differs: it refuses them, or takes them for hidden frames, or
    /// for nothing.
    @Test(arguments: [
        ("libvpx", "libvpx-vp9"), ("libvpx", "libaom-av1"), ("libvpx-vp9", "libvpx"), ("libvpx-vp9", "libaom-av1"),
        ("libaom-av1", "libvpx"),
    ])
    func anotherCodecsPackets(first: String, second: String) throws {
        let folder = try TemporaryFolder()
        let bytes = try Self.clip(first, in: folder) + Self.clip(second, in: folder).dropFirst(32)
        let clip = try folder.write(bytes, to: "joined.ivf")
        #expect(try packetTimes(clip).count == 20)
        let error = #expect(throws: FileError.self) { try readFrames(clip) }
        #expect(error?.reason.contains("“onError”: “skip-frame” goes on past damage") == true)
        var settings = EncodeSettings()
        settings.codec = .none
        let result = try transcode(clip, into: folder, settings: settings) { $0.onError = .skipFrame }
        #expect(result.frames + result.skipped == 20)
        #expect((10...11).contains(result.frames))
        #expect(
            result.notes.contains {
                $0.hasPrefix("\(result.skipped) damaged packets in the input, the first near frame ")
            })
        let finding = Verifier.verify(
            trackFile: folder.file("clip.tracks.jsonl"), video: nil, source: clip, kinds: TestFindings.catalog)
        #expect(finding.problems == [])
    }

    /// A tick of thirteen years: whole numbers of milliseconds hold few of them.
    @Test(arguments: [EncodeSettings.Codec.copy, .none, .ffv1])
    func timesOfNoVideo(codec: EncodeSettings.Codec) throws {
        let folder = try TemporaryFolder()
        var bytes = try Self.clip("libvpx", in: folder)
        func put(_ value: UInt64, at place: Int, _ count: Int) {
            for index in 0..<count { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))) }
        }
        // Ticks a second, and the second picture's stamp.
        put(2, at: 16, 4)
        put(858_993_459, at: 20, 4)
        let second = 32 + 12 + Int(bytes[32]) + Int(bytes[33]) << 8
        put(1 << 50, at: second + 4, 8)
        let clip = try folder.write(bytes, to: "slow.ivf")
        var settings = EncodeSettings()
        settings.codec = codec
        func run() throws -> JobResult { try transcode(clip, into: folder, settings: settings) { $0.onError = .fail } }
        if codec == .copy {
            // A copy has its source's times, or is none.
            #expect(throws: FileError.self) { try run() }
        } else {
            #expect(try run().notes == ["1 time stamp in the input is missing, repeated or runs backwards; made up"])
        }
    }

    /// Hidden frames have packets of their own in VP8, and share one with a shown one in VP9.
    @Test(arguments: [("libvpx", "webm"), ("libvpx-vp9", "webm"), ("libvpx-vp9", "mp4")])
    func hiddenFrames(encoder: String, container: String) throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.\(container)")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25", "-frames:v", "60", "-c:v", encoder, "-b:v", "100k",
            "-auto-alt-ref", "1", "-lag-in-frames", "16", "-g", "50", clip)
        let reader = try SourceReader(path: clip)
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count == 60)
        #expect(reader.notes == [])
    }

    /// A recording that begins in the midst of a group: what can't be decoded is no damage, but told of.
    @Test(arguments: ["libx264", "mpeg2video"])
    func aRecordingsBeginning(encoder: String) throws {
        let folder = try TemporaryFolder()
        let whole = folder.file("a.ts")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25", "-frames:v", "50", "-c:v", encoder, "-g", "10", "-bf", "2",
            "-flags", "-cgop", whole)
        let bytes = try Files.read(whole)
        let clip = try folder.write(Array(bytes[(60 * 188)...]), to: "b.ts")
        let packets = try packetTimes(clip).count
        let reader = try SourceReader(path: clip)
        var count = 0
        while try reader.next() != nil { count += 1 }
        let early = packets - count
        #expect(early > 1)
        #expect(
            reader.notes == [
                "\(early) packets before the first whole picture make none: the input begins in the midst of a group of "
                    + "pictures"
            ])
        #expect(reader.outcome.skipped == 0 && !reader.outcome.isRegular)
    }

    /// Two fields of a picture in packets of their own, as cameras and broadcasters write H.264.
    @Test func fieldsInPacketsOfTheirOwn() throws {
        let folder = try TemporaryFolder()
        let whole = FieldStream.bytes(pictures: 6)
        let clip = try folder.write(whole, to: "a.h264")
        #expect(try packetTimes(clip).count == 12)
        let reader = try SourceReader(path: clip)
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count == 6)
        #expect(reader.outcome.skipped == 0 && reader.outcome.concealed == 0)
        #expect(reader.outcome.fieldOrder == .topFirst)
        #expect(!reader.notes.contains { $0.contains("packet") })
    }

    // MARK: The account itself

    private static func packet(_ pts: Int64, isKey: Bool = false, flags: Int32 = 0) throws -> Packet {
        let packet = try Packet()
        (packet.av.pointee.pts, packet.av.pointee.dts) = (pts, pts - 1)
        packet.av.pointee.flags = flags | (isKey ? 1 : 0)
        return packet
    }

    /// What becomes of packets 2 and 3 of four, which make no pictures.
    private static func account(
        _ content: PacketContent, fields: Bool = false, isInterlaced: Bool = false,
        _ change: (inout PacketLedger) -> Void = { _ in }
    ) throws -> PacketLedger {
        var ledger = PacketLedger(mayHideFields: fields)
        for number in 1...4 as ClosedRange<Int64> {
            let what = number == 2 || number == 3 ? content : .picture
            #expect(ledger.add(try packet(number, isKey: number == 1), what) == number)
            if number == 2 || number == 3 {
                change(&ledger)
            } else {
                let wasRefused = ledger.arrived(
                    number, pts: number, ordinal: 0, isInterlaced: isInterlaced, reorders: false)
                #expect(!wasRefused)
            }
        }
        ledger.end()
        return ledger
    }

    @Test func whatIsLost() throws {
        let ledger = try Self.account(.picture)
        #expect((ledger.lost, ledger.refused, ledger.untold, ledger.early) == (2, 0, 0, 0))
    }

    @Test func whatIsRefusedCountsOnceAlsoWhereItIsSaidToBeHidden() throws {
        for content in [PacketContent.picture, .nothing, .untold, .field(isBottom: true)] {
            let ledger = try Self.account(content) { ledger in
                for _ in 0..<2 {
                    let isMissing = ledger.refuse()
                    #expect(isMissing)
                }
            }
            #expect((ledger.lost, ledger.refused, ledger.untold) == (0, 2, 0))
        }
    }

    @Test func whatIsHiddenIsNoDamage() throws {
        let ledger = try Self.account(.nothing)
        #expect((ledger.lost, ledger.refused, ledger.untold, ledger.early) == (0, 0, 0, 0))
    }

    @Test func whatMayBeLeftOutIsToldOf() throws {
        #expect(try Self.account(.untold).untold == 2)
        // Each of them the other field of a picture beside it.
        #expect(try Self.account(.untold, fields: true, isInterlaced: true).untold == 0)
        #expect(try Self.account(.picture, fields: true, isInterlaced: true).lost == 0)
        #expect(try Self.account(.picture, fields: false, isInterlaced: true).lost == 2)
    }

    @Test func fieldsPairUpByParity() throws {
        var ledger = PacketLedger(mayHideFields: false)
        // Top and bottom of one picture; two that are pictures of their own; one whose picture is lost.
        for (number, isBottom) in zip(1..., [false, true, false, false, true, true]) {
            let source = ledger.add(try Self.packet(Int64(number), isKey: number == 1), .field(isBottom: isBottom))
            if [1, 3, 4].contains(number) {
                _ = ledger.arrived(source, pts: Int64(number), ordinal: 0, isInterlaced: true, reorders: false)
            }
        }
        ledger.end()
        #expect((ledger.lost, ledger.untold, ledger.early) == (1, 0, 0))
    }

    @Test func editedOutIsNotLost() throws {
        var ledger = PacketLedger(mayHideFields: false)
        for number in 1...6 as ClosedRange<Int64> {
            let isDiscarded = number < 4
            let source = ledger.add(
                try Self.packet(number, isKey: number == 1, flags: isDiscarded ? 4 : 0), .picture)
            if !isDiscarded { _ = ledger.arrived(source, pts: number, ordinal: 0, isInterlaced: false, reorders: true) }
        }
        ledger.end()
        #expect((ledger.lost, ledger.early) == (0, 0))
    }

    /// Times that jump where pictures are reordered: a picture of a later time comes before its neighbours, and they come.
    @Test func timesThatJumpAreNoLoss() throws {
        // Decoding order, and the times that the packets say.
        let times: [Int64] = [0, 30, 3000, 20, 60, 40, 50, 90, 70, 80]
        var ledger = PacketLedger(mayHideFields: false)
        for (number, time) in zip(1..., times) {
            #expect(ledger.add(try Self.packet(time, isKey: number == 1), .picture) == number)
        }
        var doubts: [Bool] = []
        for (ordinal, number) in ([1, 3, 4, 2, 6, 7, 5, 9, 10] as [Int64]).enumerated() {
            _ = ledger.arrived(
                number, pts: times[Int(number) - 1], ordinal: ordinal, isInterlaced: false, reorders: true)
            doubts.append(ledger.isInDoubt)
        }
        #expect(ledger.lost == 0)
        // The second packet's picture is due before the third's, by its time, and comes after the fourth's.
        #expect(doubts == [false, true, true, false, false, false, false, false, false])
        // Of packet 8 nothing comes.
        ledger.end()
        #expect(ledger.lost == 1 && !ledger.isInDoubt)
    }

    /// A picture that is lost is told of where the next group begins at the latest, with its place.
    @Test func whatIsDueIsLostWhereTheNextGroupBegins() throws {
        var ledger = PacketLedger(mayHideFields: false)
        for number in 1...8 as ClosedRange<Int64> {
            _ = ledger.add(try Self.packet(number, isKey: number % 4 == 1), .picture)
        }
        for number in [1, 3, 4] as [Int64] {
            _ = ledger.arrived(number, pts: number, ordinal: Int(number), isInterlaced: false, reorders: true)
        }
        #expect(ledger.lost == 0 && ledger.isInDoubt)
        _ = ledger.arrived(5, pts: 5, ordinal: 5, isInterlaced: false, reorders: true)
        #expect(ledger.lost == 1 && ledger.firstLost == 3 && !ledger.isInDoubt)
    }

    /// However much goes in without a picture, what is kept of it is bounded, and all of it is counted.
    @Test func manyWithoutAPicture() throws {
        var ledger = PacketLedger(mayHideFields: false)
        _ = ledger.arrived(
            ledger.add(try Self.packet(0, isKey: true), .picture), pts: 0, ordinal: 0, isInterlaced: false,
            reorders: true)
        for number in 1...5000 as ClosedRange<Int64> { _ = ledger.add(try Self.packet(number, isKey: true), .picture) }
        #expect(ledger.waiting <= 256)
        ledger.end()
        #expect(ledger.lost == 5000)
    }
}

/// A stream of H.264 whose pictures are two fields of raw samples, each in a unit of its own (ITU-T H.264, 7.3).
private enum FieldStream {
    static func bytes(pictures: Int) -> [UInt8] {
        var bytes = unit(0x67, parameters) + unit(0x68, pictureParameters)
        for picture in 0..<pictures {
            bytes += unit(picture == 0 ? 0x65 : 0x61, slice(picture, isBottom: false))
            bytes += unit(0x61, slice(picture, isBottom: true))
        }
        return bytes
    }

    private static func unit(_ header: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 1, header]
        var zeros = 0
        for byte in payload {
            if zeros == 2, byte < 4 {
                bytes.append(3)
                zeros = 0
            }
            bytes.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return bytes
    }

    /// Main profile, 32×32 pixels, no frames but fields.
    private static var parameters: [UInt8] {
        var bits = Bits()
        bits.add(77, 8)
        bits.add(0, 8)
        bits.add(30, 8)
        for value in [0, 0, 2, 1] { bits.golomb(value) }
        bits.add(0, 1)
        for value in [1, 0] { bits.golomb(value) }
        // frame_mbs_only, mb_adaptive_frame_field, direct_8x8_inference, cropping, vui
        for flag in [0, 0, 1, 0, 0] { bits.add(flag, 1) }
        return bits.finished
    }

    private static var pictureParameters: [UInt8] {
        var bits = Bits()
        for value in [0, 0] { bits.golomb(value) }
        bits.add(0, 2)
        for value in [0, 0, 0] { bits.golomb(value) }
        bits.add(0, 3)
        for value in [0, 0, 0] { bits.golomb(value) }
        bits.add(0, 3)
        return bits.finished
    }

    private static func slice(_ picture: Int, isBottom: Bool) -> [UInt8] {
        var bits = Bits()
        for value in [0, 7, 0] { bits.golomb(value) }
        bits.add(picture & 15, 4)
        bits.add(1, 1)
        bits.add(isBottom ? 1 : 0, 1)
        if picture == 0, !isBottom {
            bits.golomb(0)
            bits.add(0, 2)
        } else {
            bits.add(0, 1)
        }
        bits.golomb(0)
        for _ in 0..<2 {
            // I_PCM: 16 × 16 luma samples and two times 8 × 8.
            bits.golomb(25)
            bits.align()
            for _ in 0..<384 { bits.add(60 + 10 * picture, 8) }
        }
        return bits.finished
    }

    private struct Bits {
        private var bytes: [UInt8] = []
        private var count = 0

        mutating func add(_ value: Int, _ width: Int) {
            for bit in (0..<width).reversed() {
                if count % 8 == 0 { bytes.append(0) }
                bytes[count / 8] |= UInt8(value >> bit & 1) << UInt8(7 - count % 8)
                count += 1
            }
        }

        mutating func golomb(_ value: Int) {
            let width = Int.bitWidth - (value + 1).leadingZeroBitCount
            add(0, width - 1)
            add(value + 1, width)
        }

        mutating func align() { while count % 8 != 0 { add(0, 1) } }

        /// With the bit that ends them.
        var finished: [UInt8] {
            var whole = self
            whole.add(1, 1)
            whole.align()
            return whole.bytes
        }
    }
}
