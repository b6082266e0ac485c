internal import CVision

/// The styles that need no model.
enum BuiltInStyle: String, CaseIterable, Sendable {
    case burnedPaper, mosaic, pencilSketch, watercolor, oilPaint, comic, neon, engraving

    private var code: ocv_style {
        switch self {
        case .burnedPaper: OCV_STYLE_BURNED_PAPER
        case .mosaic: OCV_STYLE_MOSAIC
        case .pencilSketch: OCV_STYLE_PENCIL_SKETCH
        case .watercolor: OCV_STYLE_WATERCOLOR
        case .oilPaint: OCV_STYLE_OIL_PAINT
        case .comic: OCV_STYLE_COMIC
        case .neon: OCV_STYLE_NEON
        case .engraving: OCV_STYLE_ENGRAVING
        }
    }

    /// - Parameter side: The longer side of the quad on which it is shown, pixels.
    func apply(to picture: ReferencePicture, shownAt side: Double) throws -> ReferencePicture {
        let reduction = Double(max(picture.width, picture.height)) / max(side, 1)
        var pixels = [UInt8](repeating: 0, count: picture.bgr.count)
        let stride = Int64(picture.width * 3)
        try check(
            ocv_apply_style(
                code, picture.bgr, stride, Int32(picture.width), Int32(picture.height), reduction,
                &pixels, stride),
            "apply the style “\(rawValue)”")
        return ReferencePicture(width: picture.width, height: picture.height, bgr: pixels)
    }
}

extension ReferencePicture {
    /// The variance of the Laplacian at a fixed size.
    func sharpness() throws -> Double {
        var value = 0.0
        try check(
            ocv_picture_sharpness(bgr, Int64(width * 3), Int32(width), Int32(height), &value),
            "judge a picture's sharpness")
        return value
    }

    /// The same picture at another size.
    func resized(to size: PictureSize) throws -> ReferencePicture {
        if (size.width, size.height) == (width, height) { return self }
        var pixels = [UInt8](repeating: 0, count: size.width * size.height * 3)
        try bgr.withUnsafeBufferPointer { buffer in
            var picture = ocv_picture()
            picture.format = OCV_PICTURE_BGR
            picture.planes.0 = ocv_plane(
                data: buffer.baseAddress, width: Int32(width), height: Int32(height), stride: Int64(width * 3))
            picture.fullRange = true
            var options = size.cropOptions
            try check(
                ocv_crop(&picture, nil, &options, &pixels, Int64(size.width * 3)), "change a picture's size")
        }
        return ReferencePicture(width: size.width, height: size.height, bgr: pixels)
    }
}

extension PictureSize {
    var cropOptions: ocv_crop_options {
        ocv_crop_options(
            width: Int32(width), height: Int32(height), channels: OCV_CHANNELS_BGR, geometry: OCV_GEOMETRY_STRETCH,
            antialias: true, padding: 0)
    }
}

extension VideoFrame {
    /// A quad's content, seen from straight ahead.
    func rectified(_ quad: [Point], to size: PictureSize) throws -> ReferencePicture {
        var pixels = [UInt8](repeating: 0, count: size.width * size.height * 3)
        try crop(quad, size.cropOptions, into: &pixels, stride: size.width * 3, fromOriginal: true)
        return ReferencePicture(width: size.width, height: size.height, bgr: pixels)
    }
}
