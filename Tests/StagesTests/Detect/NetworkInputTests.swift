import CVision
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// The quick way into a network is the same as the slow one.
@Suite struct NetworkInputTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var format: ocv_picture_format
        var shift: (Int32, Int32) = (1, 1)
        var siting = OCV_SITING_LEFT
        var isFull = false
        var box = (x: 0, y: 0, width: 67, height: 45)
        var place = (left: 3, top: 5, across: 40, down: 27)
        var channels = OCV_CHANNELS_RGB
        var layout = OCV_LAYOUT_NCHW
        var testDescription: String {
            "\(format.rawValue) \(shift) \(siting.rawValue) \(isFull) \(box) \(channels.rawValue)"
        }
    }

    static let cases = [
        Case(format: OCV_PICTURE_YUV), Case(format: OCV_PICTURE_YUV, siting: OCV_SITING_CENTER, isFull: true),
        Case(format: OCV_PICTURE_YUV, siting: OCV_SITING_TOP_LEFT, channels: OCV_CHANNELS_BGR),
        Case(format: OCV_PICTURE_YUV, shift: (1, 0)), Case(format: OCV_PICTURE_YUV, shift: (0, 0)),
        Case(format: OCV_PICTURE_YUV, shift: (2, 2), isFull: true),
        Case(format: OCV_PICTURE_YUV, box: (13, 7, 31, 20), layout: OCV_LAYOUT_NHWC),
        Case(format: OCV_PICTURE_YUV, siting: OCV_SITING_CENTER, box: (64, 44, 3, 1)),
        Case(format: OCV_PICTURE_YUV, box: (1, 1, 66, 44), place: (0, 0, 3, 2)),
        Case(format: OCV_PICTURE_YUV, channels: OCV_CHANNELS_GRAY), Case(format: OCV_PICTURE_GRAY),
        Case(format: OCV_PICTURE_GRAY, isFull: true, channels: OCV_CHANNELS_GRAY),
        Case(format: OCV_PICTURE_BGR, isFull: true), Case(format: OCV_PICTURE_BGR, box: (5, 5, 20, 20)),
        Case(format: OCV_PICTURE_BGR, channels: OCV_CHANNELS_GRAY),
    ]

    @Test(arguments: cases) func isTheSameToTheLastBit(_ tested: Case) throws {
        let (width, height, channels) = (48, 40, tested.channels == OCV_CHANNELS_GRAY ? 1 : 3)
        let planes = (0..<3).map { plane -> [UInt8] in
            (0..<67 * 45 * 3).map { index -> UInt8 in
                let number: Int = index &* 7919 &+ plane &* 104_729
                return UInt8(truncatingIfNeeded: number >> 3 ^ index)
            }
        }
        try planes[0].withUnsafeBufferPointer { first in
            try planes[1].withUnsafeBufferPointer { second in
                try planes[2].withUnsafeBufferPointer { third in
                    var picture = ocv_picture()
                    picture.format = tested.format
                    func plane(_ data: UnsafeBufferPointer<UInt8>, _ shift: (Int32, Int32)) -> ocv_plane {
                        let width = (67 + (Int32(1) << shift.0) - 1) >> shift.0,
                            height = (45 + (Int32(1) << shift.1) - 1) >> shift.1
                        return ocv_plane(data: data.baseAddress, width: width, height: height, stride: 201)
                    }
                    picture.planes = (plane(first, (0, 0)), plane(second, tested.shift), plane(third, tested.shift))
                    (picture.chromaShiftX, picture.chromaShiftY) = tested.shift
                    (picture.siting, picture.fullRange) = (tested.siting, tested.isFull)
                    var normalization = ocv_normalization(
                        layout: tested.layout, scale: 1 / 255, mean: (0.485, 0.456, 0.406), std: (0.229, 0.224, 0.225))
                    // As it was done by two calls.
                    var pixels = [UInt8](repeating: 114, count: width * height * channels)
                    var crop = ocv_crop_options(
                        width: Int32(tested.place.across), height: Int32(tested.place.down), channels: tested.channels,
                        geometry: OCV_GEOMETRY_STRETCH, antialias: false, padding: 0)
                    var quad = ocv_quad_of_box(
                        ocv_box(
                            x: Double(tested.box.x), y: Double(tested.box.y), width: Double(tested.box.width),
                            height: Double(tested.box.height)))
                    let start = (tested.place.top * width + tested.place.left) * channels
                    let status = pixels.withUnsafeMutableBufferPointer {
                        ocv_crop(&picture, &quad, &crop, $0.baseAddress.map { $0 + start }, Int64(width * channels))
                    }
                    try check(status, "crop")
                    var expected = [Float](repeating: 0, count: pixels.count), found = expected
                    try check(
                        ocv_fill_tensor(
                            pixels, Int64(width * channels), Int32(width), Int32(height), Int32(channels),
                            &normalization, &expected), "fill")
                    var options = ocv_input_options(
                        x: Int32(tested.box.x), y: Int32(tested.box.y), boxWidth: Int32(tested.box.width),
                        boxHeight: Int32(tested.box.height), width: Int32(width), height: Int32(height),
                        left: Int32(tested.place.left), top: Int32(tested.place.top),
                        across: Int32(tested.place.across), down: Int32(tested.place.down), channels: tested.channels,
                        padding: 114, normalization: normalization)
                    try check(ocv_fill_input(&picture, &options, &found), "fill at once")
                    #expect(found == expected)
                    options.left = 20
                    #expect(
                        text(ocv_fill_input(&picture, &options, &found))
                            == (tested.place.across > 28 ? "the box's place is not within the network's input" : ""))
                    options.boxWidth = 68
                    #expect(text(ocv_fill_input(&picture, &options, &found)) == "the box is not within the picture")
                }
            }
        }
    }
}
