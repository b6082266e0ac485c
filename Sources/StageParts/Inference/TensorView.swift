/// One output of one run, row-major, dense, read where it lies: valid inside the scope that handed it out.
package struct TensorView {
    package let values: UnsafeBufferPointer<Float>
    package let shape: [Int]

    package init(values: UnsafeBufferPointer<Float>, shape: [Int]) { (self.values, self.shape) = (values, shape) }
}
