package import CVision

extension VideoFrame {
    /// Samples a region of the picture into packed 8-bit pixels, reading no more of the frame than that needs.
    /// - Parameters:
    ///   - region: four corners, clockwise from the region's own top left; nil for the whole picture.
    ///   - pixels: rows of `stride` bytes; what the crop doesn't cover stays as it is.
    ///   - fromOriginal: where the source isn't Y′CbCr or has more than 8 bits, takes its own colours, which converts the
    ///     whole frame once; the 8-bit planes otherwise.
    package func crop(
        _ region: [Point]?, _ options: ocv_crop_options, into pixels: inout [UInt8], stride: Int,
        fromOriginal: Bool = false
    ) throws {
        var options = options
        let channels = options.channels == OCV_CHANNELS_GRAY ? 1 : 3
        guard pixels.count >= stride * (Int(options.height) - 1) + Int(options.width) * channels else {
            throw VisionError(operation: "cut a region out of the picture", reason: "no room for it")
        }
        var quad = ocv_quad_of_box(Box(x: 0, y: 0, width: Double(width), height: Double(height)).ocv)
        if let region, region.count == 4 {
            quad.corners = (region[0].ocv, region[1].ocv, region[2].ocv, region[3].ocv)
        }
        func run(_ picture: ocv_picture) throws {
            var picture = picture
            try check(
                ocv_crop(&picture, &quad, &options, &pixels, Int64(stride)), "cut a region out of the picture")
        }
        if fromOriginal, hasRicherOriginal {
            try bgr().withPixels { try run(ocv_picture(bgr: $0)) }
        } else {
            try withPicture { try run(ocv_picture($0)) }
        }
    }
}
