package import CVision

/// Preprocessing: how a picture becomes a network's input, as the manifest says it.
package struct Preprocessing: Sendable, Hashable {
    /// Colours, in the input's order.
    package enum ChannelOrder: String, CaseIterable, Sendable { case rgb, bgr, gray }
    /// Dimensions, in the input's order: batch, channels, height, width.
    package enum Layout: String, CaseIterable, Sendable { case nchw, nhwc }
    /// How the picture gets the input's size.
    package enum Resize: String, CaseIterable, Sendable { case stretch, centerCrop, fit }

    package var channelOrder = ChannelOrder.rgb
    package var layout = Layout.nchw
    package var width = 0
    package var height = 0
    package var scale = 1.0
    package var mean: [Double] = [0, 0, 0]
    package var std: [Double] = [1, 1, 1]
    package var resize = Resize.stretch
    package var antialias = false

    package init() {}

    package var channels: Int { channelOrder == .gray ? 1 : 3 }

    /// The preprocessing for the track file's header.
    package var json: JSONValue {
        .members([
            "width": .integer(width), "height": .integer(height), "layout": .string(layout.rawValue),
            "channelOrder": .string(channelOrder.rawValue), "scale": .number(scale), "mean": .numbers(mean),
            "std": .numbers(std), "resize": .string(resize.rawValue), "antialias": .bool(antialias),
        ])
    }
}

extension Preprocessing {
    /// The preprocessing with the model's own size, once it is known to fit.
    package func fitted(to shape: [Int], layoutIsGiven: Bool, described: String) throws -> Preprocessing {
        var fitted = self
        guard shape.count == 4 else {
            throw InferenceError("its input is \(described); expected four dimensions: a batch of pictures")
        }
        guard shape[0] == 1 || shape[0] == -1 else {
            throw InferenceError("its input is \(described), a batch of \(shape[0]); expected a batch of 1")
        }
        let isLast = ![1, 3, -1].contains(shape[1]) && [1, 3].contains(shape[3])
        if !layoutIsGiven { fitted.layout = isLast ? .nhwc : .nchw }
        let (channels, height, width) =
            fitted.layout == .nchw ? (shape[1], shape[2], shape[3]) : (shape[3], shape[1], shape[2])
        guard channels == -1 || channels == fitted.channels else {
            throw InferenceError(
                "its input is \(described), \(channels) channels as \(fitted.layout.rawValue); “channelOrder” "
                    + "“\(fitted.channelOrder.rawValue)” gives \(fitted.channels)")
        }
        if fitted.channels == 1 {
            for (key, numbers) in [("mean", mean), ("std", std)] where Set(numbers).count > 1 {
                throw InferenceError("its input is \(described), 1 channel; “\(key)” has 3 numbers: expected one")
            }
        }
        func size(_ given: Int, _ own: Int, _ name: String) throws -> Int {
            if own > 0, given > 0, given != own {
                throw InferenceError(
                    "its input is \(described); “size” asks for a \(name) of \(given), expected \(own)")
            }
            let size = own > 0 ? own : given
            guard (1...8192).contains(size) else {
                throw InferenceError(
                    "its input is \(described), which leaves the \(name) open; expected “size” [width, height]")
            }
            return size
        }
        fitted.width = try size(self.width, width, "width")
        fitted.height = try size(self.height, height, "height")
        return fitted
    }

    package var cropOptions: ocv_crop_options {
        ocv_crop_options(
            width: Int32(width), height: Int32(height),
            channels: channelOrder == .gray
                ? OCV_CHANNELS_GRAY : channelOrder == .rgb ? OCV_CHANNELS_RGB : OCV_CHANNELS_BGR,
            geometry: resize == .stretch
                ? OCV_GEOMETRY_STRETCH : resize == .centerCrop ? OCV_GEOMETRY_CENTER_CROP : OCV_GEOMETRY_FIT,
            antialias: antialias, padding: 0)
    }

    package var normalization: ocv_normalization {
        func three(_ values: [Double]) -> (Float, Float, Float) {
            let all = values.count == 1 ? [values[0], values[0], values[0]] : values
            return (Float(all[0]), Float(all[1]), Float(all[2]))
        }
        return ocv_normalization(
            layout: layout == .nchw ? OCV_LAYOUT_NCHW : OCV_LAYOUT_NHWC, scale: Float(scale), mean: three(mean),
            std: three(std))
    }
}

extension ocv_picture {
    /// The planes as the decoder laid them out.
    package init(_ view: PictureView) {
        self.init()
        format = view.planes.count == 3 ? OCV_PICTURE_YUV : OCV_PICTURE_GRAY
        withUnsafeMutableBytes(of: &planes) { bytes in
            let planes = bytes.bindMemory(to: ocv_plane.self)
            for (index, plane) in view.planes.enumerated() { planes[index] = ocv_plane(plane) }
        }
        chromaShiftX = Int32(view.chromaShift.x)
        chromaShiftY = Int32(view.chromaShift.y)
        matrix =
            switch view.colorSpace.matrix {
            case .bt601: OCV_MATRIX_BT601
            case .bt709: OCV_MATRIX_BT709
            case .bt2020: OCV_MATRIX_BT2020
            }
        siting = view.chromaIsCentered ? OCV_SITING_CENTER : OCV_SITING_LEFT
        fullRange = view.colorSpace.fullRange
    }

    /// A packed picture.
    package init(bgr plane: PlaneView) {
        self.init()
        format = OCV_PICTURE_BGR
        planes.0 = ocv_plane(plane)
        fullRange = true
    }
}
