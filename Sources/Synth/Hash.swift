import Glibc

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a good hash of 64 bits to 64 bits.
@inline(__always)
func mixed(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
}

/// SplitMix64, so that the same seed gives the same clip on every machine and in every version of the library.
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        let result = mixed(state)
        state &+= 0x9E37_79B9_7F4A_7C15
        return result
    }

    /// Uniform in 0..<1.
    mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }
    mutating func unit(in range: ClosedRange<Float>) -> Float {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// Two independent standard normal numbers (Box and Muller).
    mutating func normals() -> (Float, Float) {
        let radius = (-2 * log(Double(unit()) + 0x1p-25)).squareRoot()
        let turn = Double(unit())
        return (Float(radius * turnCosine(turn)), Float(radius * turnSine(turn)))
    }
}

/// Smooth noise in the plane: values at the integer lattice, joined by a cubic.
struct ValueNoise {
    let seed: UInt32

    init(seed: UInt64) {
        self.seed = UInt32(truncatingIfNeeded: mixed(seed))
    }

    @inline(__always)
    private func lattice(_ x: Int32, _ y: Int32) -> Float {
        var h = UInt32(bitPattern: x) &* 0x9E37_79B1 ^ UInt32(bitPattern: y) &* 0x85EB_CA77 ^ seed
        h = (h ^ (h >> 15)) &* 0x2C1B_3C6D
        h = (h ^ (h >> 12)) &* 0x297A_2D39
        h ^= h >> 15
        return Float(h >> 8) * 0x1p-24
    }

    /// Uniform in 0..<1, one value for each integer.
    func value(at index: Int) -> Float { lattice(Int32(truncatingIfNeeded: index), 0x5bd1) }

    /// 0…1, features of about one unit.
    @inline(__always)
    func callAsFunction(_ x: Float, _ y: Float) -> Float {
        // A scene's values stay far below 2³¹; the clamp keeps a hostile one from trapping. Truncation and a step down
        // for negative values: `rounded(.down)` is a call to the library on older processors.
        var ix = Int32(min(max(x, -1e9), 1e9)), iy = Int32(min(max(y, -1e9), 1e9))
        if Float(ix) > x { ix -= 1 }
        if Float(iy) > y { iy -= 1 }
        let sx = x - Float(ix), sy = y - Float(iy)
        let tx = sx * sx * (3 - 2 * sx), ty = sy * sy * (3 - 2 * sy)
        let top = lattice(ix, iy) + (lattice(ix &+ 1, iy) - lattice(ix, iy)) * tx
        let bottom = lattice(ix, iy &+ 1) + (lattice(ix &+ 1, iy &+ 1) - lattice(ix, iy &+ 1)) * tx
        return top + (bottom - top) * ty
    }

    /// Several octaves of noise, 0…1, each of half the size and `gain` times the height of the one before.
    func octaves(_ x: Float, _ y: Float, count: Int, gain: Float = 0.5) -> Float {
        var (sum, total, amplitude, frequency) = (Float(0), Float(0), Float(1), Float(1))
        for k in 0..<count {
            // Shifted by octave, so that the lattices don't share their origin.
            sum += amplitude * self(x * frequency + Float(k) * 17.3, y * frequency + Float(k) * 9.1)
            total += amplitude
            amplitude *= gain
            frequency *= 2.03
        }
        return sum / total
    }
}

/// 0 below `low`, 1 above `high`, a cubic between.
@inline(__always)
func smoothStep(_ low: Float, _ high: Float, _ value: Float) -> Float {
    let t = min(max((value - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)
}
