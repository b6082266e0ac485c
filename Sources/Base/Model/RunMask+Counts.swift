/// COCO's compressed code of runs: what `pycocotools.mask` reads and writes as `counts` (`rleToString` and `rleFrString` in
/// its `maskApi.c`).
extension RunMask {
    /// The runs as COCO's compressed text: each from the fourth on less the last but one, in groups of five bits, the
    /// lowest first, from the sign “0” on; a sixth bit says that more follow, the fifth of the last group is the sign.
    public var counts: String { String(decoding: Self.coded(runs), as: UTF8.self) }

    /// The mask that a compressed text says.
    /// - Parameters:
    ///   - box: The pixels that the runs go over; in the picture as shown.
    ///   - counts: COCO's `counts`, as text.
    /// - Returns: nil for a text that isn't of as many pixels as the box has.
    public init?(box: PixelBox, counts: String) {
        guard let runs = Self.decoded(counts.utf8) else { return nil }
        self.init(box: box, runs: runs)
    }

    /// The runs of the whole picture that the mask lies in, as COCO wants them: what is outside of it is left out.
    public func inPicture(_ size: PictureSize) -> RunMask { of(PixelBox(size)) }

    private static let first = UInt8(ascii: "0")

    private static func coded(_ runs: [Int]) -> [UInt8] {
        var text: [UInt8] = []
        for (index, run) in runs.enumerated() {
            var rest = index > 2 ? run - runs[index - 2] : run
            var isMore = true
            while isMore {
                var group = UInt8(truncatingIfNeeded: rest & 0x1F)
                rest >>= 5
                isMore = group & 0x10 != 0 ? rest != -1 : rest != 0
                if isMore { group |= 0x20 }
                text.append(group + first)
            }
        }
        return text
    }

    /// Bits that runs of any picture have at most, with their sign.
    private static let mostBits = 55

    private static func decoded(_ text: String.UTF8View) -> [Int]? {
        var runs: [Int] = []
        var (number, bits) = (0, 0)
        for byte in text {
            guard byte >= first, byte - first < 0x40, bits < mostBits else { return nil }
            let group = Int(byte - first)
            number |= (group & 0x1F) << bits
            bits += 5
            guard group & 0x20 == 0 else { continue }
            if group & 0x10 != 0 { number |= -1 << bits }
            if runs.count > 2 { number += runs[runs.count - 2] }
            guard number >= 0, number < 1 << mostBits else { return nil }
            runs.append(number)
            (number, bits) = (0, 0)
        }
        return bits == 0 ? runs : nil
    }
}
