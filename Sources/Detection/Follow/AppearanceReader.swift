internal import CVision
internal import Glibc

/// Says what a thing in a box looks like. Runs in any order.
enum AppearanceReader: Sendable {
    case stripes
    case network(AppearanceNetwork)

    /// The share of a thing that, when it is hidden, leaves nothing for a network to go by.
    private static let hidden = 1.0 / 3

    /// - Parameter front: What stands in front of the thing, and isn't looked at.
    /// - Returns: nil for what isn't in sight.
    func read(_ box: Box, behind front: [Box], in frame: VideoFrame) throws -> Appearance? {
        let picture = Box(x: 0, y: 0, width: Double(frame.width), height: Double(frame.height))
        guard let inside = box.intersection(picture), inside.width >= 2, inside.height >= 3 else { return nil }
        switch self {
        case .stripes: return Appearance(.stripes, try Stripes.read(box, inside: picture, behind: front, frame))
        case .network(let network):
            // It sees what stands in front, too.
            let hidden = front.map { (box.intersection($0)?.area ?? 0) / box.area }.max() ?? 0
            let share = 1 - hidden / Self.hidden
            guard share > 0 else { return nil }
            return try network.read(inside, in: frame).flatMap { Appearance(.features, $0, share: share) }
        }
    }
}

/// Hue and saturation in three stripes of a box's middle: what somebody wears above, in the middle and below.
private enum Stripes {
    /// Cells of the box's middle, each with the mean of some of its pixels.
    private static let width = 24
    private static let height = 48
    private static let hues = 12
    private static let saturations = 6

    static func read(_ box: Box, inside picture: Box, behind front: [Box], _ frame: VideoFrame) throws -> [Float] {
        // The sides are background.
        let middle = Box(
            x: box.x + 0.2 * box.width, y: box.y + 0.05 * box.height, width: 0.6 * box.width, height: 0.9 * box.height)
        let region = middle.intersection(picture) ?? box.intersection(picture) ?? picture
        var samples = [UInt8](repeating: 0, count: width * height * 3)
        try frame.withPicture {
            var picture = ocv_picture($0)
            try check(
                ocv_cell_colors(&picture, region.ocv, Int32(width), Int32(height), &samples),
                "read what a thing looks like")
        }
        let hidden = hidden(region, behind: front)
        var counts = [Int](repeating: 0, count: 3 * hues * saturations)
        for row in 0..<height {
            let stripe = row * 3 / height * hues * saturations
            for column in 0..<width where !hidden[row * width + column] {
                let place = (row * width + column) * 3
                counts[stripe + bin(Int(samples[place]), Int(samples[place + 1]), Int(samples[place + 2]))] += 1
            }
        }
        let whole = Float(width * height / 3)
        return counts.map { Float($0) / whole }
    }

    /// Which samples lie in what stands in front.
    private static func hidden(_ region: Box, behind front: [Box]) -> [Bool] {
        var hidden = [Bool](repeating: false, count: width * height)
        let (wide, high) = (region.width / Double(width), region.height / Double(height))
        for box in front {
            for row in 0..<height {
                let y = region.y + (Double(row) + 0.5) * high
                guard y > box.y, y < box.bottom else { continue }
                for column in 0..<width {
                    let x = region.x + (Double(column) + 0.5) * wide
                    if x > box.x, x < box.right { hidden[row * width + column] = true }
                }
            }
        }
        return hidden
    }

    /// By hue and saturation as HSV has them, in whole numbers.
    private static func bin(_ blue: Int, _ green: Int, _ red: Int) -> Int {
        let (high, low) = (max(blue, green, red), min(blue, green, red))
        let range = high - low
        guard range > 0 else { return 0 }
        // Sixths of the circle times the range.
        let turn =
            high == red
            ? green - blue + (green < blue ? 6 * range : 0)
            : high == green ? blue - red + 2 * range : red - green + 4 * range
        let hue = min(turn * hues / (6 * range), hues - 1)
        return hue * saturations + min(range * saturations / high, saturations - 1)
    }
}

/// A network that makes features of a thing's picture, a re-identification network say.
final class AppearanceNetwork: Sendable {
    private let model: InferenceModel
    private let preprocessing: Preprocessing

    /// - Throws: `InferenceError` for a network with other inputs or outputs.
    init(path: String) throws {
        model = try InferenceModel(path: path)
        let input = model.input
        guard model.outputs.count == 1 else {
            throw InferenceError("it has \(model.outputs.count) outputs; expected one, of features")
        }
        // Dimensions that aren't known beforehand are a batch's.
        guard model.outputs[0].shape.count(where: { $0 > 1 }) == 1 else {
            throw InferenceError(
                "its output is \(model.outputs[0]); expected a list of numbers that says what a thing looks like, [1,N]"
            )
        }
        var preprocessing = Preprocessing()
        // As OpenVINO's and OpenCV's own networks of this kind take pictures: blue first, 0…255.
        preprocessing.channelOrder = .bgr
        self.preprocessing = try preprocessing.fitted(
            to: input.shape, layoutIsGiven: false, described: input.description)
    }

    var inputDescription: String { model.input.description }

    /// - Returns: Features of length 1; nil where the network says nothing.
    func read(_ box: Box, in frame: VideoFrame) throws -> [Float]? {
        let (width, height) = (preprocessing.width, preprocessing.height)
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        try frame.crop(
            Box(x: box.x - 0.5, y: box.y - 0.5, width: box.width, height: box.height).corners,
            preprocessing.cropOptions, into: &pixels, stride: width * 3)
        var tensor = [Float](repeating: 0, count: pixels.count)
        var normalization = preprocessing.normalization
        try check(
            ocv_fill_tensor(
                pixels, Int64(width * 3), Int32(width), Int32(height), 3, &normalization, &tensor),
            "fill the network's input")
        let shape = preprocessing.layout == .nchw ? [1, 3, height, width] : [1, height, width, 3]
        let values = try model.run(tensor, shape: shape).first?.values ?? []
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return length > 0 ? values.map { $0 / length } : nil
    }
}
