/// One output of one run, row-major, dense, read where it lies: valid inside the scope that handed it out.
package struct TensorView {
    package let values: UnsafeBufferPointer<Float>
    package let shape: [Int]

    package init(values: UnsafeBufferPointer<Float>, shape: [Int]) { (self.values, self.shape) = (values, shape) }

    /// Whether a value is no number (NaN).
    var hasNoNumber: Bool {
        guard let base = values.baseAddress else { return false }
        var index = 0
        // What isn't equal to itself is none.
        var wrong = SIMDMask<SIMD16<Int32>>(repeating: false)
        while index + 16 <= values.count {
            let next = UnsafeRawPointer(base + index).loadUnaligned(as: SIMD16<Float>.self)
            wrong = wrong .| (next .!= next)
            index += 16
        }
        return any(wrong) || values[index...].contains { $0.isNaN }
    }
}
