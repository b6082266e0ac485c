/// How a detector's outputs are read, as far as it was found out.
struct DetectorReading: Sendable {
    var layout: DetectorLayout
    var form: Form
    /// How many classes have a score of their own; nil where things carry their class's number.
    var classes: Int?
    /// Whether one thing may still be there several times.
    var isRaw: Bool
    /// How its pictures get the input's proportions, where it isn't as its layout's are.
    var resize: DetectorPreparation.Resize?
    var masks: MaskForm?
    var joints: JointForm?
    /// Where a turned box's angle is, radians clockwise.
    var angle: Slot?
    /// By what it was recognised, in a few words each.
    var reasons: [String] = []

    /// The outputs that are read.
    var outputs: Set<Int> {
        var slots = [joints?.slot, angle, masks?.coefficients].compactMap(\.self)
        var outputs = Set([masks?.pictures].compactMap(\.self))
        switch form {
        case .dense(let form): slots += [form.box, form.scores] + [form.objectness].compactMap(\.self)
        case .list(let form):
            slots += [form.box, form.score] + [form.label].compactMap(\.self)
            outputs.formUnion([form.count].compactMap(\.self))
        case .grids(let form): outputs.formUnion(form.levels.flatMap { [$0.scores.output, $0.distances.output] })
        case .fastest(let output): outputs.insert(output)
        }
        return outputs.union(slots.map(\.output))
    }

    func recognised(by reasons: [String]) -> DetectorReading {
        var reading = self
        reading.reasons = reasons
        return reading
    }

    enum Form: Sendable {
        case dense(DenseForm)
        case list(ListForm)
        case grids(GridForm)
        case fastest(output: Int)
    }

    /// How four numbers say a box.
    enum Coding: Sendable {
        /// Left, top, right, bottom.
        case corners
        /// Top, left, bottom, right.
        case cornersByRow
        case centerAndSize
        /// YOLOX: the centre from its cell, the size as a logarithm, in strides.
        case grid(strides: [Int])
    }

    /// A place in an output: of one item after another.
    struct Slot: Sendable {
        var output: Int
        /// In the item's numbers.
        var offset: Int
        /// The items are columns: the numbers of one are a row's length apart.
        var isColumn = false
        /// One number an item, whatever the output's dimensions.
        var isFlat = false
    }

    /// Scores for every class at every place.
    struct DenseForm: Sendable {
        enum Activation: Sendable {
            /// 0…1 already.
            case none
            case sigmoid
            case softmax
        }

        var box: Slot
        var coding: Coding
        /// Boxes are shares of the input, not its pixels.
        var isNormalized = false
        var objectness: Slot?
        var scores: Slot
        var count: Int
        var activation = Activation.none
        /// Class columns that mean nothing, before and behind the others.
        var skippedBefore = 0
        var skippedBehind = 0
        /// One item may be several classes.
        var hasSeveral = false
    }

    /// An item a thing.
    struct ListForm: Sendable {
        var box: Slot
        var coding: Coding
        /// nil: where all of a picture's coordinates are at most 2, they are shares of the input.
        var isNormalized: Bool?
        var score: Slot
        /// nil for a single class.
        var label: Slot?
        /// The first class's number.
        var firstLabel = 0
        /// The output that says how many of the items count.
        var count: Int?
    }

    /// Distances to a box's sides as distributions, in grids of cells.
    struct GridForm: Sendable {
        struct Level: Sendable {
            var stride: Int
            var scores: Map
            var distances: Map
        }

        /// Numbers of cells: in [1, cells, numbers] or [1, numbers, rows, columns].
        struct Map: Sendable {
            var output: Int
            /// Cells before the first one.
            var skipped = 0
            /// Numbers of a cell before the first one.
            var offset = 0
            var isPlanar = false
        }

        var levels: [Level]
        var bins: Int
        var count: Int
        /// Where in its cell the distances start, cells.
        var origin: Float
        var isLogit: Bool
    }

    /// A mask a thing: a sum of shared pictures or a picture of its own, and the sigmoid of that.
    struct MaskForm: Sendable {
        /// What the shared pictures weigh; nil where each thing has the picture of its number.
        var coefficients: Slot?
        var pictures: Int
        var count: Int
        /// The pictures are [1, h, w, count].
        var isInterleaved: Bool
    }

    struct JointForm: Sendable {
        var slot: Slot
        var count: Int
        /// 2, or 3 with a confidence.
        var numbers: Int
        /// Shares of the input, not its pixels.
        var isNormalized = false
    }
}
