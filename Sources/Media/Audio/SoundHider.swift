/// Takes sound away, piece by piece, in order.
///
/// Pitch is shifted by reading a short memory more slowly than it is written: two readers, half a memory apart, each of them
/// faint where it has to jump (a delay-line shifter; Dattorro, Effect Design 2, 1997).
struct SoundHider {
    /// Seconds by which a time is longer at both ends, so that no consonant is left at its edge.
    private static let margin = 0.01
    /// Of the tone, hertz, and its loudness; full scale is 1.
    static let tone = 1000.0
    private static let loudness: Float = 0.1
    private static let pitch = 2.0 / 3
    /// Seconds of the shifter's memory.
    private static let memory = 0.06

    private struct Span {
        /// Samples.
        var begin: Int64
        var end: Int64
        var style: SoundStyle
    }

    private let spans: [Span]
    /// Which of what is to be hidden any sample was of.
    private(set) var hasHidden: [Bool]
    private let rate: Double
    private let size: Int
    /// Of each channel, the sound of the last moments, as a ring.
    private var rings: [[Float]] = []

    /// - Parameters:
    ///   - rate: Samples a second.
    ///   - shift: Seconds by which the output's times are later than the source's.
    init(_ hidden: [HiddenSound], rate: Int, shift: Double) {
        self.rate = Double(rate)
        size = max(Int(Self.memory * Double(rate)), 2)
        hasHidden = hidden.map { _ in false }
        spans = hidden.map { one in
            func sample(_ seconds: Double) -> Int64 {
                Int64(max(-9e15, min((seconds + shift) * Double(rate), 9e15)).rounded())
            }
            return Span(
                begin: sample(one.start - Self.margin), end: one.end.map { sample($0 + Self.margin) } ?? .max,
                style: one.style)
        }
    }

    /// Takes away what is to be hidden of a piece.
    /// - Parameters:
    ///   - channels: Samples of each channel, full scale is 1.
    ///   - start: The time of the first one, in samples.
    mutating func hide(_ channels: [UnsafeMutablePointer<Float>], _ count: Int, from start: Int64) {
        if rings.count != channels.count { rings = channels.map { _ in [Float](repeating: 0, count: size) } }
        for (index, span) in spans.enumerated() where span.begin < start + Int64(count) && start < span.end {
            hasHidden[index] = true
        }
        var (style, until) = style(at: start)
        for index in 0..<count {
            let time = start + Int64(index)
            if time >= until { (style, until) = self.style(at: time) }
            let place = Int(((time % Int64(size)) + Int64(size)) % Int64(size))
            for (number, samples) in channels.enumerated() {
                // What nobody is to hear isn't heard later on, in a lower pitch.
                rings[number][place] = style == .mute || style == .bleep ? 0 : samples[index]
                switch style {
                case nil: break
                case .mute?: samples[index] = 0
                case .bleep?:
                    let turns = (Double(time) * Self.tone / rate).truncatingRemainder(dividingBy: 1)
                    samples[index] = Self.loudness * Self.wave(turns)
                case .pitch?: samples[index] = shifted(rings[number], time, place)
                }
            }
        }
    }

    /// How a sample is hidden, nil for not at all, and the sample from which on that may be otherwise. Where times overlap,
    /// that one holds which leaves least.
    private func style(at time: Int64) -> (style: SoundStyle?, until: Int64) {
        let style = spans.filter { $0.begin <= time && time < $0.end }.map(\.style).min {
            Self.left($0) < Self.left($1)
        }
        return (style, spans.flatMap { [$0.begin, $0.end] }.filter { $0 > time }.min() ?? .max)
    }

    private static func left(_ style: SoundStyle) -> Int {
        switch style {
        case .mute: 0
        case .bleep: 1
        case .pitch: 2
        }
    }

    /// A sine of a part of a turn, by arithmetic that is the same everywhere (Bhaskara's approximation, off by 0.2 %).
    private static func wave(_ turns: Double) -> Float {
        let part = turns < 0 ? turns + 1 : turns
        let half = part < 0.5 ? part * 2 : part * 2 - 1
        let product = half * (1 - half)
        let value = 16 * product / (5 - 4 * product)
        return Float(part < 0.5 ? value : -value)
    }

    private func shifted(_ ring: [Float], _ time: Int64, _ place: Int) -> Float {
        let progress = (Double(time) * (1 - Self.pitch) / Double(size)).truncatingRemainder(dividingBy: 1)
        var sum: Float = 0
        for offset in [0.0, 0.5] {
            var phase = (progress + offset).truncatingRemainder(dividingBy: 1)
            if phase < 0 { phase += 1 }
            // A reader that falls behind: lower. It is faint where it leaps back to the newest sample.
            let delay = phase * Double(size - 1)
            let whole = Int(delay)
            let (near, far) = ((place - whole + 2 * size) % size, (place - whole - 1 + 2 * size) % size)
            let between = Float(delay - Double(whole))
            let weight = Float(1 - abs(2 * phase - 1))
            sum += weight * (ring[near] * (1 - between) + ring[far] * between)
        }
        return sum
    }
}
