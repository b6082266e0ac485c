internal import CVision

/// A pair of networks of the Siamese kind, as NanoTrack has them: a backbone from pictures to features, which takes the
/// object's own picture (the template) and the one to search, and a head from both features to scores and boxes.
///
/// Everything but the channels' meaning is read from the files: the sides of both pictures, the pixels from one cell to the
/// next, the cells. Pictures go in as BGR, 0…255.
final class SiameseModel: Sendable {
    private let template: InferenceModel
    private let search: InferenceModel
    private let head: InferenceModel
    /// Indices of the head's scores and boxes among its outputs.
    private let scores: Int
    private let boxes: Int
    /// Sides of pictures in pixels, of features in cells.
    let sizes: Sizes
    let details: [JSONMember]

    struct Sizes: Sendable, Equatable {
        var templateSide = 0
        var searchSide = 0
        var stride = 0
        var channels = 0
        var templateCells = 0
        var searchCells = 0
        var scoreCells = 0
        var scoreChannels = 0
    }

    /// The error of a file that lacks something, or doesn't go with the other one.
    struct Misfit: Error {
        var isHead: Bool
        var reason: String
    }

    /// - Throws: `Misfit`, for a file that is no such network or doesn't go with the other one.
    init(backbone: String, head headFile: String) throws {
        func of<T>(_ isHead: Bool, _ body: () throws -> T) throws -> T {
            do { return try body() } catch let error as InferenceError {
                throw Misfit(isHead: isHead, reason: error.description)
            }
        }
        search = try of(false) { try InferenceModel(path: backbone) }
        head = try of(true) {
            try InferenceModel(
                path: headFile, mostInputs: 2, expecting: "the template's features and the search window's")
        }
        var sizes = try Self.sizes(ofBackbone: search)
        (scores, boxes) = try Self.fit(head, to: &sizes)
        let side = sizes.templateSide
        template = try of(false) { try InferenceModel(path: backbone, shape: [1, 3, side, side]) }
        let features = template.outputs[0].shape
        guard features == [1, sizes.channels, sizes.templateCells, sizes.templateCells] else {
            throw Misfit(
                isHead: false,
                reason: "a template of \(side)² pixels gives \(template.outputs[0].dimensions); expected "
                    + "\(sizes.channels) × \(sizes.templateCells) × \(sizes.templateCells), as its head takes")
        }
        self.sizes = sizes
        details = [
            JSONMember(
                key: "model",
                value: JSONNode(
                    .members([
                        "sha256": .string(try ModelFile.sha256(backbone)), "input": .string(search.input.description),
                        "preprocessing": .members([
                            "width": .integer(sizes.searchSide), "height": .integer(sizes.searchSide),
                            "template": .integer(sizes.templateSide), "layout": .string("nchw"),
                            "channelOrder": .string("bgr"), "scale": .number(1),
                        ]),
                    ]))),
            JSONMember(
                key: "headModel",
                value: JSONNode(
                    .members([
                        "sha256": .string(try ModelFile.sha256(headFile)), "input": .string(head.input.description),
                    ]))),
        ]
    }

    private static func sizes(ofBackbone backbone: InferenceModel) throws -> Sizes {
        var sizes = Sizes()
        let (input, output) = (backbone.input.shape, backbone.outputs[0].shape)
        guard input.count == 4, input[0] == 1, input[1] == 3, input[2] == input[3], (32...1024).contains(input[2]),
            backbone.outputs.count == 1, output.count == 4, output[0] == 1, (1...4096).contains(output[1]),
            output[2] == output[3], (4...256).contains(output[2])
        else {
            throw Misfit(
                isHead: false,
                reason: "it goes from \(backbone.input) to "
                    + "\(backbone.outputs.map(\.description).joined(separator: ", ")); expected a backbone from one "
                    + "square picture [1,3,side,side] to one square of features [1,channels,cells,cells]")
        }
        (sizes.searchSide, sizes.channels, sizes.searchCells) = (input[2], output[1], output[2])
        sizes.stride = Int((Double(input[2]) / Double(output[2])).rounded())
        return sizes
    }

    /// - Returns: The indices of the outputs that are scores and boxes.
    private static func fit(_ head: InferenceModel, to sizes: inout Sizes) throws -> (scores: Int, boxes: Int) {
        func misfit(_ expected: String) -> Misfit {
            Misfit(
                isHead: true,
                reason: "it goes from \(head.inputs.map(\.description).joined(separator: ", ")) to "
                    + "\(head.outputs.map(\.description).joined(separator: ", ")); expected \(expected)")
        }
        let inputs = head.inputs.map(\.shape)
        guard inputs.count == 2, inputs[0].count == 4, inputs[0][0] == 1, inputs[0][1] == sizes.channels,
            inputs[0][2] == inputs[0][3], (1..<sizes.searchCells).contains(inputs[0][2]),
            inputs[1] == [1, sizes.channels, sizes.searchCells, sizes.searchCells]
        else {
            throw misfit(
                "features of a template [1,\(sizes.channels),cells,cells] and of a search window "
                    + "[1,\(sizes.channels),\(sizes.searchCells),\(sizes.searchCells)], as the backbone gives them")
        }
        sizes.templateCells = inputs[0][2]
        sizes.templateSide = sizes.searchSide - sizes.stride * (sizes.searchCells - sizes.templateCells)
        let outputs = head.outputs.map(\.shape)
        guard outputs.count == 2, let boxes = outputs.firstIndex(where: { $0.count == 4 && $0[1] == 4 }) else {
            throw misfit("scores [1,2,cells,cells] and boxes [1,4,cells,cells]")
        }
        let cells = outputs[boxes][2]
        guard (2...256).contains(cells), outputs[boxes] == [1, 4, cells, cells],
            [[1, 1, cells, cells], [1, 2, cells, cells]].contains(outputs[1 - boxes]), sizes.templateSide >= 16
        else { throw misfit("scores [1,2,cells,cells] and boxes [1,4,cells,cells]") }
        (sizes.scoreCells, sizes.scoreChannels) = (cells, outputs[1 - boxes][1])
        return (1 - boxes, boxes)
    }

    fileprivate func embed(_ pixels: [Float], isTemplate: Bool) throws -> [Float] {
        let side = isTemplate ? sizes.templateSide : sizes.searchSide
        return try (isTemplate ? template : search).run(pixels, shape: [1, 3, side, side])[0].values
    }

    fileprivate func compare(_ template: [Float], _ search: [Float]) throws -> (scores: [Float], boxes: [Float]) {
        let outputs = try head.run([
            .init(values: template, shape: [1, sizes.channels, sizes.templateCells, sizes.templateCells]),
            .init(values: search, shape: [1, sizes.channels, sizes.searchCells, sizes.searchCells]),
        ])
        return (outputs[scores].values, outputs[boxes].values)
    }
}

/// The networks as the shim's tracker calls them. One tracker, one bridge: its calls come one after another, and what failed
/// in them waits here until the tracker's own call has returned.
final class SiameseBridge {
    private let model: SiameseModel
    private var failure: (any Error)?

    init(_ model: SiameseModel) { self.model = model }

    /// Valid as long as the bridge lives.
    var networks: ocv_tracker_networks {
        let sizes = model.sizes
        return ocv_tracker_networks(
            context: Unmanaged.passUnretained(self).toOpaque(), templateSize: Int32(sizes.templateSide),
            searchSize: Int32(sizes.searchSide), stride: Int32(sizes.stride), channels: Int32(sizes.channels),
            templateCells: Int32(sizes.templateCells), searchCells: Int32(sizes.searchCells),
            scoreCells: Int32(sizes.scoreCells), scoreChannels: Int32(sizes.scoreChannels),
            embedTemplate: { SiameseBridge.at($0)?.embed($1, $2, isTemplate: true) ?? 1 },
            embedSearch: { SiameseBridge.at($0)?.embed($1, $2, isTemplate: false) ?? 1 },
            compare: { SiameseBridge.at($0)?.compare($1, $2, $3, $4) ?? 1 })
    }

    /// The networks' error in the call that just failed; nil for none.
    func takeFailure() -> (any Error)? {
        defer { failure = nil }
        return failure
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> SiameseBridge? {
        context.map { Unmanaged<SiameseBridge>.fromOpaque($0).takeUnretainedValue() }
    }

    private func embed(
        _ pixels: UnsafePointer<Float>?, _ features: UnsafeMutablePointer<Float>?, isTemplate: Bool
    ) -> Int32 {
        let side = isTemplate ? model.sizes.templateSide : model.sizes.searchSide
        return attempt {
            Self.copy(try model.embed(Self.values(pixels, 3 * side * side), isTemplate: isTemplate), to: features)
        }
    }

    private func compare(
        _ template: UnsafePointer<Float>?, _ search: UnsafePointer<Float>?, _ scores: UnsafeMutablePointer<Float>?,
        _ boxes: UnsafeMutablePointer<Float>?
    ) -> Int32 {
        let sizes = model.sizes
        func features(_ cells: Int) -> Int { sizes.channels * cells * cells }
        return attempt {
            let found = try model.compare(
                Self.values(template, features(sizes.templateCells)), Self.values(search, features(sizes.searchCells)))
            guard (found.scores + found.boxes).allSatisfy(\.isFinite) else {
                throw InferenceError("the head gave no finite scores and boxes")
            }
            Self.copy(found.scores, to: scores)
            Self.copy(found.boxes, to: boxes)
        }
    }

    private func attempt(_ body: () throws -> Void) -> Int32 {
        do {
            try body()
            return 0
        } catch {
            failure = error
            return 1
        }
    }

    private static func values(_ pointer: UnsafePointer<Float>?, _ count: Int) -> [Float] {
        Array(UnsafeBufferPointer(start: pointer, count: count))
    }

    private static func copy(_ values: [Float], to pointer: UnsafeMutablePointer<Float>?) {
        for (index, value) in values.enumerated() { pointer?[index] = value }
    }
}
