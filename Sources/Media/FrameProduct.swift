internal import Synchronization

/// Something derived from a frame that several stages want: `VideoFrame.product` makes it once a frame.
public protocol FrameProduct: Sendable {
    /// Derives it from a frame; called once a frame, on the thread of whoever asks first.
    init(of frame: VideoFrame) throws
}

/// One frame's products, by type. A thread that asks for one waits for that one alone.
final class FrameProducts: Sendable {
    final class Cell<Product: FrameProduct>: Sendable {
        private let product = Mutex<Product?>(nil)

        func value(of frame: VideoFrame) throws -> Product {
            try product.withLock { product in
                if let product { return product }
                let made = try Product(of: frame)
                product = made
                return made
            }
        }
    }

    private let cells = Mutex<[ObjectIdentifier: any Sendable]>([:])

    func cell<Product: FrameProduct>(_ type: Product.Type) -> Cell<Product> {
        cells.withLock { cells in
            if let cell = cells[ObjectIdentifier(type)] as? Cell<Product> { return cell }
            let cell = Cell<Product>()
            cells[ObjectIdentifier(type)] = cell
            return cell
        }
    }
}
