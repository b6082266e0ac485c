/// One writable plane. The memory belongs to whoever opened the scope in which the plane is valid.
public struct MutablePlane {
    /// The first row's first byte.
    public let base: UnsafeMutablePointer<UInt8>
    /// Width, pixels.
    public let width: Int
    /// Height, pixels.
    public let height: Int
    /// Bytes from one row to the next.
    public let stride: Int
    /// Bits a sample, 8…16. A sample is one byte at 8 bits; above, it is the low bits of two bytes, the lower first.
    public let bitDepth: Int

    /// A plane over memory of somebody else, which has to have `height` rows of `stride` bytes; nothing is checked.
    public init(base: UnsafeMutablePointer<UInt8>, width: Int, height: Int, stride: Int, bitDepth: Int = 8) {
        self.base = base
        self.width = width
        self.height = height
        self.stride = stride
        self.bitDepth = bitDepth
    }
}

/// The planes of a picture that is about to be encoded, for drawing in place: planar Y′CbCr, 8…16 bits.
///
/// Valid only inside the scope that handed it out.
public struct Canvas {
    /// The luma plane, of the picture's size.
    public let luma: MutablePlane
    /// Cb and Cr, of the luma plane's bit depth; nil for a grey picture.
    public let chroma: (cb: MutablePlane, cr: MutablePlane)?
    /// log2 of the chroma planes' horizontal and vertical subsampling: 1 and 1 for 4:2:0.
    public let chromaShift: (x: Int, y: Int)
    /// The colours that the codes stand for.
    public let colorSpace: ColorSpace

    /// A picture by its planes; those of chroma have the luma plane's size, halved as often as `chromaShift` says and
    /// rounded up.
    public init(
        luma: MutablePlane, chroma: (cb: MutablePlane, cr: MutablePlane)?, chromaShift: (x: Int, y: Int),
        colorSpace: ColorSpace
    ) {
        self.luma = luma
        self.chroma = chroma
        self.chromaShift = chromaShift
        self.colorSpace = colorSpace
    }

    /// Width of the picture, pixels.
    public var width: Int { luma.width }
    /// Height of the picture, pixels.
    public var height: Int { luma.height }
    /// Bits a sample, 8…16.
    public var bitDepth: Int { luma.bitDepth }
}
