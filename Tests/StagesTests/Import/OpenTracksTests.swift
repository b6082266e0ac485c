import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Tracks that nobody closed: their programs draw them on to the video's end.
@Suite struct OpenTracksTests {
    private let folder: ImportFolder

    init() throws { folder = try ImportFolder() }

    /// Frames of a file's things, those that are filled in negative.
    private func frames(_ text: String, _ format: ImportFormat) throws -> [Int64] {
        let rows = try ImportRequest(
            format: format, path: folder.write(text, "a"), by: nil, firstFrame: format == .labelStudio ? 1 : 0,
            classes: [], stages: []
        ).read().rows(in: 0...99)
        return rows.map { $0.state == .predicted ? -$0.key : $0.key }
    }

    private static func box(_ frame: Int, isOutside: Bool = false) -> String {
        #"<box frame="\#(frame)" outside="\#(isOutside ? 1 : 0)" occluded="0" xtl="1" ytl="2" xbr="9" ybr="9"/>"#
    }

    private static let size = "<size>8</size>"
    private static let span = "<start_frame>10</start_frame><stop_frame>17</stop_frame>"

    /// CVAT's frames are the video's own, from which the task was cut: `start_frame` counts as the shapes' do.
    @Test(arguments: [
        ("<task>\(size)</task>", [2, 4], nil as Int?, [2, -3, 4, -5, -6, -7]),
        ("<task>\(size)</task>", [2, 4], 5, [2, -3, 4]), ("<task>\(size)</task>", [7], nil, [7]),
        ("<task>\(size)<start_frame>10</start_frame></task>", [14], nil, [14, -15, -16, -17]),
        ("<job>\(size)\(span)</job>", [15], nil, [15, -16, -17]),
        // CVAT closes no shape without a track there, and lists every frame of a track.
        ("<task>\(size)\(span)</task>", [16], nil, [16]),
        ("<task>\(size)\(span)</task>", [15, 16], nil, [15, 16, -17]),
        (
            "<task><frame_filter>step=3</frame_filter><start_frame>0</start_frame><stop_frame>9</stop_frame></task>",
            [6], nil, [6]
        ),
        (
            "<task><frame_filter>step=3</frame_filter>\(size)<start_frame>0</start_frame></task>", [17], nil,
            [17, -18, -19, -20, -21]
        ), ("<project><task>\(size)</task><task>\(size)</task></project>", [4], nil, [4]),
        ("<task><size>9223372036854775807</size></task>", [4], nil, [4]),
        ("<task><segment><stop_frame>9</stop_frame></segment></task>", [4], nil, [4]), ("", [4], nil, [4]),
    ])
    func tracksOfCVAT(meta: String, keys: [Int], end: Int?, expected: [Int64]) throws {
        let shapes = keys.map { Self.box($0) } + [end].compactMap(\.self).map { Self.box($0, isOutside: true) }
        let text =
            #"<annotations><meta>\#(meta)</meta><track id="3" label="car">\#(shapes.joined())</track></annotations>"#
        #expect(try frames(text, .cvat) == expected)
    }

    /// CVAT follows no masks.
    @Test func masksOfCVAT() throws {
        let text =
            #"<annotations><meta><task>\#(Self.size)</task></meta><track id="3" label="car"><mask frame="2" outside="0" rle="4" left="1" top="1" width="2" height="2"/></track></annotations>"#
        #expect(try frames(text, .cvat) == [2])
    }

    @Test(arguments: [
        (#""framesCount": 6, "#, true, [1, -2, 3, -4, -5] as [Int64]), (#""framesCount": 6, "#, false, [1, -2, 3]),
        (#""framesCount": 4, "#, true, [1, -2, 3]), ("", true, [1, -2, 3]),
    ])
    func regionsOfLabelStudio(count: String, isOn: Bool, expected: [Int64]) throws {
        let box = #""x": 10, "y": 20, "width": 10, "height": 20"#
        let text =
            #"[{"data": {"video": "a.mp4"}, "annotations": [{"result": [{"type": "videorectangle", "id": "q", "value": {\#(count)"labels": ["car"], "sequence": [{"frame": 2, "enabled": true, \#(box)}, {"frame": 4, "enabled": \#(isOn), \#(box)}]}}]}]}]"#
        #expect(try frames(text, .labelStudio) == expected)
    }

    /// A few words of a file don't become all the memory that there is.
    @Test(arguments: [
        (
            ImportFormat.cvat,
            "<annotations><meta><task><stop_frame>99999999999</stop_frame></task></meta>\(track([4]))</annotations>"
        ),
        (.cvat, "<annotations>\(track([4, 99_999_999]))</annotations>"),
        (
            .cvat,
            "<annotations><meta><task><stop_frame>5000000</stop_frame></task></meta>\(track([4]))\(track([5]))</annotations>"
        ),
        (
            .labelStudio,
            #"[{"data": {"video": "a.mp4"}, "annotations": [{"result": [{"type": "videorectangle", "id": "q", "value": {"framesCount": 9223372036854775807, "labels": ["car"], "sequence": [{"frame": 2, "enabled": true, "x": 10, "y": 20, "width": 10, "height": 20}]}}]}]}]"#
        ),
    ])
    func endlessTracksAreRefused(format: ImportFormat, text: String) throws {
        let error = #expect(throws: ImportError.self) { try frames(text, format) }
        #expect("\(try #require(error))".contains("over 8388608 frames of things between those that it has"))
    }

    private static func track(_ keys: [Int]) -> String {
        #"<track id="3" label="car">\#(keys.map { box($0) }.joined())</track>"#
    }
}
