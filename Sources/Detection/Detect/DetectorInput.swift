/// Which of a detector's inputs is the picture, and what pictures it takes.
struct DetectorInput: Sendable {
    let picture: Int
    /// What the inputs beside the picture want, by their places.
    private let others: [Int: (companion: Companion, rank: Int)]
    let layout: Preprocessing.Layout
    let channels: Int
    let size: Letterbox.Size
    /// The file's values are bytes: this is what stands for black. Nil for others.
    let black: Int?
    /// `f32 [1,3,416,416]`, for the header and for messages.
    let described: String
    private let hasBatch: Bool

    /// What an input beside the picture wants.
    private enum Companion: Sendable {
        /// Of the picture: width, height.
        case size
        /// Height, width; a third number is a factor.
        case sizeByRow(numbers: Int)
        /// By how much the picture was scaled before: not at all, so that boxes are in the input's pixels.
        case factors
        /// Where the picture is picture, and not what fills it up: everywhere.
        case everywhere(shape: [Int])

        /// nil for an input that wants something else.
        init?(_ port: InferenceModel.Port) {
            let (name, shape) = (port.name.lowercased(), port.shape)
            func has(_ words: [String]) -> Bool { words.contains { name.contains($0) } }
            if has(["mask"]), shape.count == 3 || shape.count == 4 {
                self = .everywhere(shape: shape)
                return
            }
            guard let last = shape.last, shape.count <= 2 else { return nil }
            switch last {
            case 2, -1:
                let isByRow = has(["im_shape", "image_shape", "img_shape", "input_shape"])
                self = has(["scale_factor"]) ? .factors : isByRow ? .sizeByRow(numbers: 2) : .size
            case 3 where has(["im_info", "image_info", "img_info"]): self = .sizeByRow(numbers: 3)
            default: return nil
            }
        }

        /// - Parameter rank: Dimensions of the input.
        func input(width: Int, height: Int, rank: Int) -> InferenceModel.Input {
            func row(_ values: [Float]) -> InferenceModel.Input {
                InferenceModel.Input(values: values, shape: rank == 1 ? [values.count] : [1, values.count])
            }
            switch self {
            case .size: return row([Float(width), Float(height)])
            case .sizeByRow(let numbers):
                return row([Float(height), Float(width)] + [Float](repeating: 1, count: numbers - 2))
            case .factors: return row([1, 1])
            case .everywhere(let shape):
                let own = shape.enumerated().map { place, size in
                    size > 0 ? size : place == shape.count - 1 ? width : place == shape.count - 2 ? height : 1
                }
                return InferenceModel.Input(values: [Float](repeating: 1, count: own.reduce(1, *)), shape: own)
            }
        }
    }

    /// What the manifest, the model's metadata and the program itself say of the size, where the file leaves it open.
    struct Wishes: Sendable {
        var layout: Preprocessing.Layout?
        /// Of the manifest.
        var size: (width: Int, height: Int)?
        /// Of the metadata.
        var usual: (width: Int, height: Int)?
        /// Its sides are multiples of this.
        var multiple: Int?
    }

    private static let usualSide = 640

    /// - Throws: `InferenceError`, with what was found, for inputs of another kind.
    init(_ inputs: [InferenceModel.Port], _ wishes: Wishes) throws {
        func isPicture(_ port: InferenceModel.Port) -> Bool {
            !port.name.lowercased().contains("mask")
                && (port.shape.count == 4 || port.shape.count == 3 && port.shape.contains { $0 == 3 || $0 == 1 })
        }
        let all = inputs.map { "\($0.name) \($0)" }.joined(separator: ", ")
        guard let picture = inputs.firstIndex(where: isPicture) else {
            throw InferenceError("its input is \(all); expected a picture as [1,3,height,width] or [1,height,width,3]")
        }
        let port = inputs[picture]
        described = port.description
        (self.picture, hasBatch) = (picture, port.shape.count == 4)
        var others: [Int: (companion: Companion, rank: Int)] = [:]
        for index in inputs.indices where index != picture {
            guard let companion = Companion(inputs[index]) else {
                throw InferenceError(
                    "its inputs are \(all); expected a picture, and beside it at most its size as [1,2], the factors that it "
                        + "was scaled by as [1,2], and a mask of where it is")
            }
            others[index] = (companion, inputs[index].shape.count)
        }
        self.others = others
        guard ["f32", "f16", "bf16", "f64", "u8", "i8"].contains(port.element) else {
            throw InferenceError(
                "its input is \(port); expected f32, f16, u8 or i8, since pictures are given with 8 bits a component")
        }
        black = port.element == "u8" ? 0 : port.element == "i8" ? -128 : nil
        let shape = hasBatch ? port.shape : [1] + port.shape
        guard shape[0] == 1 || shape[0] == -1 else {
            throw InferenceError("its input is \(port), a batch of \(shape[0]); expected a batch of 1")
        }
        let isLast =
            ![1, 3, -1].contains(shape[1]) && [1, 3].contains(shape[3]) || shape[1] == -1 && [1, 3].contains(shape[3])
        layout = wishes.layout ?? (isLast ? .nhwc : .nchw)
        let (channels, height, width) =
            layout == .nchw ? (shape[1], shape[2], shape[3]) : (shape[3], shape[1], shape[2])
        guard [1, 3, -1].contains(channels) else {
            throw InferenceError(
                "its input is \(port), \(channels) channels as \(layout.rawValue); expected 3, or 1 for grey")
        }
        self.channels = channels == 1 ? 1 : 3
        let asked = wishes.size ?? wishes.usual ?? (Self.usualSide, Self.usualSide)
        for (name, own, given) in [("width", width, wishes.size?.width), ("height", height, wishes.size?.height)] {
            if let given, own > 0, given != own {
                throw InferenceError("its input is \(port); “size” asks for a \(name) of \(given), expected \(own)")
            }
        }
        guard width <= 8192, height <= 8192 else {
            throw InferenceError("its input is \(port); expected at most 8192 pixels a side")
        }
        if width > 0, height > 0 {
            size = .fixed(width: width, height: height)
        } else if width > 0 || height > 0 {
            size = .fixed(width: width > 0 ? width : asked.width, height: height > 0 ? height : asked.height)
        } else if let multiple = wishes.multiple {
            size = .open(width: asked.width, height: asked.height, multiple: multiple)
        } else {
            size = .fixed(width: asked.width, height: asked.height)
        }
    }

    /// The values of all inputs, for a picture of the input's own pixels.
    func tensors(_ values: [Float], width: Int, height: Int) -> [InferenceModel.Input] {
        let shape = layout == .nchw ? [channels, height, width] : [height, width, channels]
        let picture = InferenceModel.Input(values: values, shape: hasBatch ? [1] + shape : shape)
        return (0...others.count).map { index in
            others[index].map { $0.companion.input(width: width, height: height, rank: $0.rank) } ?? picture
        }
    }
}
