package import CVision

/// The shim's detector with its scratch memory, for one thread at a time.
package final class MarkerSearch {
    private let handle: OpaquePointer
    private var room = [ocv_marker](repeating: ocv_marker(), count: 64)

    /// A search for the markers of one dictionary.
    /// - Parameter board: The board around them, by which their corners are measured more precisely; nil for none.
    package init(
        _ dictionary: MarkerDictionary, _ options: MarkersBlueprint.Options = .init(), board: Board? = nil
    ) throws {
        var handle: OpaquePointer?
        var options = ocv_marker_options(options)
        try check(ocv_marker_detector_create(dictionary.handle, &options, &handle), "make a marker detector")
        guard let handle else { throw VisionError(operation: "make a marker detector", reason: "no memory") }
        self.handle = handle
        for (id, around) in board?.surroundings.sorted(by: { $0.key < $1.key }) ?? [] {
            let kind = Int32(around.isChessboard ? OCV_MARKER_ON_CHESSBOARD : OCV_MARKER_ON_GRID)
            try check(
                ocv_marker_detector_set_surroundings(handle, Int32(id), kind, around.gap, around.hasNeighbour),
                "tell a detector what is around a marker")
        }
    }

    deinit { ocv_marker_detector_destroy(handle) }

    func usesHalf(width: Int, height: Int) -> Bool {
        ocv_marker_detector_uses_half(handle, Int32(width), Int32(height))
    }

    /// How many places of the last picture have a marker's border and none of the dictionary's codes.
    var unread: Int { Int(ocv_marker_detector_unread(handle)) }

    /// Finds the markers of a picture.
    /// - Parameter half: The picture at half size, to search in; nil to search at full size.
    /// - Throws: `VisionError`.
    package func detect(_ luma: ocv_plane, half: ocv_plane?) throws -> [FoundMarker] {
        try markers { count in
            guard var half else { return ocv_marker_detect(handle, luma, nil, &room, Int32(room.count), &count) }
            return ocv_marker_detect(handle, luma, &half, &room, Int32(room.count), &count)
        }
    }

    /// Keeps from now on what it measures of a picture's outlines, for searches among them.
    func share() { ocv_marker_detector_share(handle) }

    /// Finds the markers of its dictionary among the outlines that another search, with the same options, has just seen in
    /// the picture.
    /// - Throws: `VisionError`.
    func detect(_ luma: ocv_plane, among other: MarkerSearch) throws -> [FoundMarker] {
        try markers { ocv_marker_detect_among(handle, luma, other.handle, &room, Int32(room.count), &$0) }
    }

    /// What a search writes to the room, which is made as large as it needs to be.
    private func markers(_ detect: (inout Int32) -> ocv_status) throws -> [FoundMarker] {
        while true {
            var count: Int32 = 0
            let capacity = Int32(room.count)
            try check(detect(&count), "detect markers")
            if count > capacity {
                room = [ocv_marker](repeating: ocv_marker(), count: Int(count))
                continue
            }
            return room[..<Int(count)].map { FoundMarker($0) }
        }
    }

    /// Reads one marker where it is expected, without looking for its outline; nil where it isn't read there.
    /// - Parameter corners: Clockwise from its own top left, a pixel or two off at most.
    func read(_ id: Int, at corners: [Point], in luma: ocv_plane) throws -> FoundMarker? {
        guard corners.count == 4, corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        var marker = ocv_marker()
        var isFound = false
        try check(
            ocv_marker_read(handle, luma, Int32(id), corners.map(\.ocv), &marker, &isFound), "read a marker")
        return isFound ? FoundMarker(marker) : nil
    }
}

extension FoundMarker {
    fileprivate init(_ marker: ocv_marker) {
        let (a, b, c, d) = marker.corners
        self.init(
            id: Int(marker.id), confidence: marker.confidence, corners: [a, b, c, d].map { Point($0) },
            isFitted: marker.isFitted, isPlain: marker.isPlain,
            isFaultless: marker.correctedBits == 0 && marker.borderErrors == 0)
    }
}

extension MarkerSearch {
    /// Detects in a plane of its own.
    func detect(luma: [UInt8], width: Int, height: Int) throws -> [FoundMarker] {
        try luma.withUnsafeBufferPointer { buffer in
            try detect(
                ocv_plane(data: buffer.baseAddress, width: Int32(width), height: Int32(height), stride: Int64(width)),
                half: nil)
        }
    }
}

extension ocv_marker_options {
    fileprivate init(_ options: MarkersBlueprint.Options) {
        self.init()
        refine =
            switch options.refine {
            case .none: Int32(OCV_MARKER_REFINE_NONE)
            case .subpixel: Int32(OCV_MARKER_REFINE_SUBPIXEL)
            case .contour: Int32(OCV_MARKER_REFINE_CONTOUR)
            case .edges: Int32(OCV_MARKER_REFINE_EDGES)
            }
        search =
            switch options.search {
            case .auto: Int32(OCV_MARKER_SEARCH_AUTO)
            case .full: Int32(OCV_MARKER_SEARCH_FULL)
            case .half: Int32(OCV_MARKER_SEARCH_HALF)
            }
        errorCorrection = options.errorCorrection
        minimumSize = options.minimumSize
        thresholdOffset = options.thresholdOffset ?? -1
        inverted = options.inverted
        let sides = options.windows.prefix(Int(OCV_MARKER_MAX_WINDOWS))
        windowCount = Int32(sides.count)
        withUnsafeMutableBytes(of: &windows) { bytes in
            let windows = bytes.bindMemory(to: Int32.self)
            for (index, side) in sides.enumerated() { windows[index] = Int32(side) }
        }
    }
}
