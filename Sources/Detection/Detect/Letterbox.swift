/// How a part of the picture lies in a network's input.
struct Letterbox: Sendable, Hashable {
    /// Of the input, pixels.
    let width: Int
    let height: Int
    /// Where the picture lies in it.
    let left: Int
    let top: Int
    let across: Int
    let down: Int
    /// Pixels of the input for a pixel of the part.
    let scaleX: Double
    let scaleY: Double

    /// An input's size.
    enum Size: Sendable, Hashable {
        case fixed(width: Int, height: Int)
        /// No larger than this, and then up to the next multiple.
        case open(width: Int, height: Int, multiple: Int)
    }

    /// - Parameters:
    ///   - width: of the part, pixels.
    init(width: Int, height: Int, into size: Size, _ resize: DetectorPreparation.Resize) {
        let (roomX, roomY, multiple) =
            switch size {
            case .fixed(let width, let height): (width, height, 0)
            case .open(let width, let height, let multiple): (width, height, multiple)
            }
        if resize == .stretch {
            (self.width, self.height, left, top, across, down) = (roomX, roomY, 0, 0, roomX, roomY)
            (scaleX, scaleY) = (Double(roomX) / Double(width), Double(roomY) / Double(height))
            return
        }
        let scale = min(Double(roomX) / Double(width), Double(roomY) / Double(height))
        // YOLOX cuts, Ultralytics rounds.
        let rule: FloatingPointRoundingRule = resize == .fit ? .toNearestOrEven : .down
        across = min(max(1, Int((Double(width) * scale).rounded(rule))), roomX)
        down = min(max(1, Int((Double(height) * scale).rounded(rule))), roomY)
        func whole(_ part: Int, _ room: Int) -> Int {
            multiple == 0 ? room : (part + multiple - 1) / multiple * multiple
        }
        (self.width, self.height) = (whole(across, roomX), whole(down, roomY))
        func margin(_ room: Int, _ part: Int) -> Int {
            resize == .fit ? max(0, Int((Double(room - part) / 2 - 0.1).rounded())) : 0
        }
        (left, top) = (margin(self.width, across), margin(self.height, down))
        (scaleX, scaleY) = (scale, scale)
    }

    /// A place of the input, from its corner, in the part's pixels from its corner.
    func place(_ x: Float, _ y: Float) -> Point {
        Point((Double(x) - Double(left)) / scaleX, (Double(y) - Double(top)) / scaleY)
    }
}
