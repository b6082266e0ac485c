/// A published network that stages run: those that come along, and those that `networks get` fetches. The one table of them:
/// docs/models.md shows it.
package struct KnownNetwork: Sendable {
    /// One of its files.
    package struct File: Sendable {
        /// Path in the folder of the networks.
        package var path: String
        package var bytes: Int
        package var sha256: String
        /// Where it is to be had; nil where it comes along.
        package var address: String?

        /// The file's path on this machine, whether it is there or not.
        package var place: String { BundledFiles.networks + "/" + path }

        /// Whether it is there, and is what it should be.
        /// - Throws: `FileError` where what is there can't be read.
        package func state() throws -> State {
            guard Files.exists(place) else { return .absent }
            return try ModelFile.sha256(place) == sha256 ? .here : .other
        }
    }

    /// How a file stands.
    package enum State: String, Sendable {
        case here, absent
        /// Something else is in its place.
        case other
    }

    /// What `networks get` is told.
    package var name: String
    /// The stage that runs it.
    package var stage: String
    package var doc: String
    package var licence: String
    package var files: [File]

    /// Whether `make setup` and `make install` put it in its place.
    package var comesAlong: Bool { files.allSatisfy { $0.address == nil } }

    /// The network of a name; nil for none.
    package static func named(_ name: String) -> KnownNetwork? { all.first { $0.name == name } }

    /// NanoTrack v2's backbone and head, for `track`.
    package static let nanoTrack = KnownNetwork(
        name: "nanotrack-v2", stage: "track",
        doc: "NanoTrack v2: follows what is seeded; `track` takes it where it is there",
        licence: "Apache-2.0",
        files: [
            ("backbone", 1_056_849, "530bdd0cd00f19afab79a863e71ba71e3312395a5dc9151af675082bdaaa2fc4"),
            ("head", 726_198, "0d8c0637be849f092cc7236cae02e55c8b9455ebe37ba50601d6115db4247cd9"),
        ].map { part, bytes, hash in
            File(
                path: "track/nanotrack_\(part)_sim.onnx", bytes: bytes, sha256: hash,
                address: "https://github.com/HonglinChu/SiamTrackers/raw/248663f/NanoTrack/models/nanotrackv2/"
                    + "nanotrack_\(part)_sim.onnx")
        })

    /// YOLOX-nano, for `detect`.
    package static let yoloxNano = KnownNetwork(
        name: "yolox-nano", stage: "detect", doc: "YOLOX-nano, 416×416, COCO's 80 classes", licence: "Apache-2.0",
        files: [
            File(
                path: "detect/yolox_nano.onnx", bytes: 3_660_092,
                sha256: "695e750a5d5754bb5a8d5325643b59282191a7e7a564e435a415fd3c578eab14",
                address: "https://github.com/Kazuhito00/YOLOX-ONNX-TFLite-Sample/raw/3d4f111/model/yolox_nano.onnx")
        ])

    /// FastestDet, for `detect`.
    package static let fastestDet = KnownNetwork(
        name: "fastestdet", stage: "detect", doc: "FastestDet, 352×352, COCO's 80 classes", licence: "BSD-3-Clause",
        files: [
            File(
                path: "detect/FastestDet.onnx", bytes: 998_169,
                sha256: "31cb14c017fce347cb4c846ec62fdf00d76bb3beecdf4be21e7116ac67feb880",
                address: "https://github.com/dog-qiuqiu/FastestDet/raw/50473cd/example/onnx-runtime/FastestDet.onnx")
        ])

    /// SSDLite for people, of `detect` without a model.
    package static let people = KnownNetwork(
        name: "people", stage: "detect", doc: "SSDLite on MobileNetV2 for people, of `detect` without a `model`",
        licence: "MIT",
        files: [
            File(
                path: "people/ssdlite.pb", bytes: 12_923_854,
                sha256: "7a23982e5825c809853351c9c3e7f7dc05891513ad79b4eded4eea93198cc47a")
        ])

    /// All of them, those that come along first.
    package static let all = [
        KnownNetwork(
            name: "faces", stage: "faces", doc: "MediaPipe's face detectors (BlazeFace) and its face mesh",
            licence: "Apache-2.0",
            files: [
                File(
                    path: "faces/full-range.tflite", bytes: 1_083_984,
                    sha256: "99bf9494d84f50acc6617d89873f71bf6635a841ea699c17cb3377f9507cfec3"),
                File(
                    path: "faces/full-range-sparse.tflite", bytes: 680_736,
                    sha256: "671dd2f9ed11a78436fc21cc42357a803dfc6f73e9fb86541be942d5716c2dce"),
                File(
                    path: "faces/short-range.tflite", bytes: 229_032,
                    sha256: "3bc182eb9f33925d9e58b5c8d59308a760f4adea8f282370e428c51212c26633"),
                File(
                    path: "faces/mesh.tflite", bytes: 2_439_440,
                    sha256: "2efcb4f4de43c7614b80a3cc3e8a37354b3b3b40f75cce20f6f38f0f25d65493"),
            ]),
        KnownNetwork(
            name: "text", stage: "text", doc: "PP-OCRv4: where text is, whether it is upside down, what it says",
            licence: "Apache-2.0",
            files: [
                File(
                    path: "text/detection.onnx", bytes: 4745517,
                    sha256: "d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9"),
                File(
                    path: "text/recognition.onnx", bytes: 10857958,
                    sha256: "48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b"),
                File(
                    path: "text/direction.onnx", bytes: 585532,
                    sha256: "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c"),
            ]),
        people, yoloxNano, fastestDet, nanoTrack,
    ]

    /// The table as docs/models.md has it.
    package static var markdown: String {
        let rows = all.flatMap { network in
            network.files.map { file in
                let from = file.address.map { "[\(file.path)](\($0))" } ?? "`\(file.path)`, comes along"
                return
                    "| `\(network.name)` | \(network.doc) | \(from) | \(network.licence) | \(file.bytes) | `\(file.sha256)` |"
            }
        }
        return
            (["| name | network | file | licence | bytes | SHA-256 |", "| --- | --- | --- | --- | --- | --- |"] + rows)
            .joined(separator: "\n")
    }
}
