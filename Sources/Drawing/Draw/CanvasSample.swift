/// A sample of a canvas, as it lies in memory, and its blending with a colour.
///
/// Rows needn't be aligned to samples. Of every function there is an implementation for each type, not a generic one,
/// so that drawing is no slower where nothing is optimised.
protocol CanvasSample: FixedWidthInteger, UnsignedInteger {
    /// Blends `code` with the sample at `target` by `alpha`, 0…255, rounded to the nearest.
    static func blend(_ target: UnsafeMutableRawPointer, _ code: UInt16, _ alpha: UInt16)

    /// Blends `code` with eight samples.
    static func blendEight(_ target: UnsafeMutableRawPointer, _ code: UInt16, _ alpha: SIMD8<UInt16>)
}

extension UInt8: CanvasSample {
    @inline(__always)
    static func blend(_ target: UnsafeMutableRawPointer, _ code: UInt16, _ alpha: UInt16) {
        let old = UInt16(target.load(as: UInt8.self))
        let new = Compositor.divided(old &* (255 &- alpha) &+ alpha &* code)
        target.storeBytes(of: UInt8(truncatingIfNeeded: new), as: UInt8.self)
    }

    @inline(__always)
    static func blendEight(_ target: UnsafeMutableRawPointer, _ code: UInt16, _ alpha: SIMD8<UInt16>) {
        let old = SIMD8<UInt16>(truncatingIfNeeded: target.loadUnaligned(as: SIMD8<UInt8>.self))
        let new = Compositor.divided(old &* (255 &- alpha) &+ alpha &* code)
        target.storeBytes(of: SIMD8<UInt8>(truncatingIfNeeded: new), as: SIMD8<UInt8>.self)
    }
}

extension UInt16: CanvasSample {
    @inline(__always)
    package static func blend(_ target: UnsafeMutableRawPointer, _ code: UInt16, _ alpha: UInt16) {
        let old = UInt32(target.loadUnaligned(as: UInt16.self))
        let alpha = UInt32(alpha)
        let new = (old &* (255 &- alpha) &+ alpha &* UInt32(code) &+ 127) / 255
        target.storeBytes(of: UInt16(truncatingIfNeeded: new), as: UInt16.self)
    }

    @inline(__always)
    package static func blendEight(_ target: UnsafeMutableRawPointer, _ code: UInt16, _ alpha: SIMD8<UInt16>) {
        let old = SIMD8<UInt32>(truncatingIfNeeded: target.loadUnaligned(as: SIMD8<UInt16>.self))
        let alpha = SIMD8<UInt32>(truncatingIfNeeded: alpha)
        let sum = old &* (255 &- alpha) &+ alpha &* UInt32(code) &+ 127
        // sum / 255, exact for 0…2²⁴: the first terms of the geometric series, then the remainder, under 510, is looked at.
        let near = (sum &+ (sum &>> 8) &+ (sum &>> 16)) &>> 8
        let new = near &+ ((sum &- near &* 255 &+ 1) &>> 8)
        target.storeBytes(of: SIMD8<UInt16>(truncatingIfNeeded: new), as: SIMD8<UInt16>.self)
    }
}
