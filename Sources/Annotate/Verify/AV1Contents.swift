internal import CFFmpeg

/// What a stream of AV1 holds beyond what SVT-AV1 writes as this program sets it: the sequence's header, frames, of which each sample
/// shows one, and hidden ones that are shown later (the specification, 5.3 to 5.9).
struct AV1Contents {
    /// What is there besides, in words.
    private var strange: [String] = []
    private let parameters: AVCodecParameters
    private var sequence: [UInt8]?
    private var layout: Layout?
    /// The first message of each type: all that follow are like it.
    private var messages: [UInt8: [UInt8]] = [:]
    /// Hidden frames by the slot that they are kept in, and those that haven't been shown.
    private var slots = [Int?](repeating: nil, count: 8)
    private var unshown: Set<Int> = []
    private var count = 0

    /// What of the sequence's header says how frames' headers are read.
    private struct Layout {
        /// 0, 1, or 2 where each frame says it.
        var screenTools = 2
        var wholeVectors = 2
        var hintBits = 0
    }

    init(_ parameters: AVCodecParameters) {
        self.parameters = parameters
        let bytes = Array(
            UnsafeBufferPointer(start: parameters.extradata, count: max(0, Int(parameters.extradata_size))))
        guard bytes.count > 5, bytes[0] == 0x81, bytes[3] == 0 else {
            add("more in its pictures' parameters than these")
            return
        }
        check(sequence: Array(bytes[4...]), head: Array(bytes[..<4]))
    }

    private mutating func add(_ what: String) {
        if strange.count < 5, !strange.contains(what) { strange.append(what) }
    }

    /// Looks whether a unit is a sequence's header, and nothing behind it.
    private mutating func check(sequence unit: [UInt8], head: [UInt8]) {
        let isAlone = unit.count > 2 && unit[0] == 0x0A && Int(unit[1]) == unit.count - 2
        var written = StreamContents.rewritten(parameters, "av1_metadata", of: head + unit)
        if let bytes = written, bytes.first == 0x81 { written = Array(bytes.dropFirst(4)) }
        if !isAlone || written ?? unit != unit { add("more in its pictures' parameters than these") }
    }

    /// Goes through the units of a packet.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        var (index, shown) = (0, 0)
        while index < bytes.count {
            let (start, header) = (index, bytes[index])
            index += 1
            var (size, shift, isLast) = (0, 0, false)
            while !isLast, index < bytes.count, shift < 35 {
                size |= Int(bytes[index] & 0x7F) << shift
                shift += 7
                isLast = bytes[index] & 0x80 == 0
                index += 1
            }
            // With a size, and of no layer.
            guard header & 0x87 == 0x02, isLast, size > 0, size <= bytes.count - index else {
                return add("bytes among its pictures that are none")
            }
            let type = header >> 3
            let body = bytes[index..<index + size]
            index += size
            switch type {
            case 1: read(sequence: Array(bytes[start..<index]))
            case 3 where size == 1 && body[body.startIndex] & 0x80 != 0, 6:
                if read(frame: Array(body.prefix(16)), isWhole: type == 6) { shown += 1 }
            case 5: read(message: Array(body.prefix(64)), size)
            default: add("a unit of type \(type) among its pictures")
            }
        }
        if shown != 1 { add("\(shown) pictures that are shown in one sample") }
    }

    /// - Returns: What is there besides, in words.
    func finished() -> [String] {
        strange + (unshown.isEmpty ? [] : ["\(Words.plural(unshown.count, "picture")) that it never shows"])
    }

    private mutating func read(message body: [UInt8], _ size: Int) {
        // The master's light and colours, which newer encoders write themselves.
        let isOurs = body[0] == 1 && size == 6 || body[0] == 2 && size == 26
        guard isOurs, body.last == 0x80, messages[body[0]] ?? body == body else {
            return add("a message of type \(body[0]) among its pictures that isn't the encoder's")
        }
        messages[body[0]] = body
    }

    private mutating func read(sequence unit: [UInt8]) {
        if let sequence {
            if sequence != unit { add("a second header of its pictures") }
            return
        }
        sequence = unit
        check(sequence: unit, head: [0x81, 0, 0, 0])
        guard unit.count > 2 else { return }
        layout = Self.layout(BitString(unit[2...]))
        if layout == nil { add("a header of its pictures in another form") }
    }

    /// nil for what SVT-AV1 doesn't write: a still picture's short form, a decoder's model, numbered frames.
    private static func layout(_ header: BitString) -> Layout? {
        var bits = header
        _ = bits.number(4)
        guard !bits.bit() else { return nil }
        if bits.bit() {
            _ = bits.number(64)
            // uvlc of the ticks a picture.
            if bits.bit() {
                var zeros = 0
                while zeros < 32, !bits.bit() { zeros += 1 }
                _ = bits.number(zeros)
            }
            guard !bits.bit() else { return nil }
        }
        let hasDelay = bits.bit()
        for _ in 0...bits.number(5) {
            _ = bits.number(12)
            if bits.number(5) > 7 { _ = bits.bit() }
            if hasDelay, bits.bit() { _ = bits.number(4) }
        }
        let (width, height) = (bits.number(4) + 1, bits.number(4) + 1)
        _ = bits.number(width + height)
        guard !bits.bit() else { return nil }
        _ = bits.number(7)
        var layout = Layout()
        let hasHints = bits.bit()
        if hasHints { _ = bits.number(2) }
        if !bits.bit() { layout.screenTools = bits.number(1) }
        if layout.screenTools > 0, !bits.bit() { layout.wholeVectors = bits.number(1) }
        if hasHints { layout.hintBits = bits.number(3) + 1 }
        return bits.isPastEnd ? nil : layout
    }

    /// - Returns: Whether it is shown now.
    private mutating func read(frame bytes: [UInt8], isWhole: Bool) -> Bool {
        guard let layout else { return true }
        var bits = BitString(bytes)
        if bits.bit() {
            // A whole frame is one that isn't there yet.
            if isWhole { add("a unit of type 6 among its pictures") }
            if let frame = slots[bits.number(3)] { unshown.remove(frame) }
            return true
        }
        let (type, isShown) = (bits.number(2), bits.bit())
        if !isShown, !bits.bit() { add("a picture that it never shows") }
        let isReset = type == 3 || type == 0 && isShown
        let isResilient = isReset || bits.bit()
        _ = bits.bit()
        let hasTools = layout.screenTools == 2 ? bits.bit() : layout.screenTools == 1
        if hasTools, layout.wholeVectors == 2 { _ = bits.bit() }
        if type != 3 { _ = bits.bit() }
        _ = bits.number(layout.hintBits)
        // Neither a key nor another picture by itself names a frame to go by.
        if type == 1 || type == 3, !isResilient { _ = bits.number(3) }
        let kept = isReset ? 0xFF : bits.number(8)
        count += 1
        if !isShown { unshown.insert(count) }
        for slot in 0..<8 where kept >> slot & 1 == 1 { slots[slot] = isShown ? nil : count }
        return isShown
    }
}
