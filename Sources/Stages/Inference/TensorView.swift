/// One output of one run, row-major, dense, read where it lies: valid inside the scope that handed it out.
struct TensorView {
    let values: UnsafeBufferPointer<Float>
    let shape: [Int]
}
