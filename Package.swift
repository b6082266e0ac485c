// swift-tools-version: 6.1
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Only `make docc` needs it: whoever builds the program need not fetch it.
let documentation: [Package.Dependency] =
    Context.environment["ANNOTATE_DOCC"] == nil
    ? [] : [.package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0")]

// Only `make fuzz-parsers` builds it: libFuzzer brings the main function.
let fuzzing: [Target] =
    Context.environment["ANNOTATE_FUZZ"] == nil
    ? []
    : [
        .executableTarget(
            name: "fuzz-parsers", dependencies: ["Annotate", "Stages", "Synth"], path: "Tests/Fuzz",
            swiftSettings: swiftSettings)
    ]

// In release too the tests themselves are not optimised: what takes time is what they test, and compiling them.
let testSettings: [SwiftSetting] = swiftSettings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
    name: "annotate-batch",
    products: [
        .executable(name: "annotate-batch", targets: ["annotate-batch"]),
        .library(name: "Annotate", targets: ["Annotate"]),
        .library(name: "Stages", targets: ["Stages"]),
        .library(name: "Tools", targets: ["Tools"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ] + documentation,
    targets: [
        // System libraries, found by pkg-config. They live inside the folder of the C target that wraps them.
        .systemLibrary(
            name: "FFmpegLibraries", path: "Sources/CFFmpeg/system",
            pkgConfig: "libavformat libavcodec libavfilter libavutil libswresample libswscale",
            providers: [
                .apt([
                    "libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libavutil-dev", "libswresample-dev",
                    "libswscale-dev",
                ])
            ]),
        .systemLibrary(
            name: "PangoLibraries", path: "Sources/CPango/system", pkgConfig: "pangocairo",
            providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(
            name: "OpenCVLibraries", path: "Sources/CVision/system", pkgConfig: "opencv4",
            providers: [.apt(["libopencv-dev"])]),
        .systemLibrary(
            name: "ZXingLibraries", path: "Sources/CZXing/system", pkgConfig: "zxing",
            providers: [.apt(["libzxing-dev"])]),
        .systemLibrary(
            name: "TesseractLibraries", path: "Sources/CTesseract/system", pkgConfig: "tesseract",
            providers: [.apt(["libtesseract-dev"])]),

        // The C shims.
        .target(name: "CFFmpeg", dependencies: ["FFmpegLibraries"], exclude: ["system"]),
        .target(name: "CPango", dependencies: ["PangoLibraries"], exclude: ["system"]),
        .target(name: "CZXing", dependencies: ["ZXingLibraries"], exclude: ["system"]),
        .target(name: "CTesseract", dependencies: ["TesseractLibraries"], exclude: ["system"]),
        .target(name: "COpenVINO", linkerSettings: [.linkedLibrary("dl")]),
        // Our own algorithms on OpenCV's matrices, a folder and a header for each room.
        .target(
            name: "CVision", dependencies: ["OpenCVLibraries"], exclude: ["system"],
            cxxSettings: [.headerSearchPath(".")]),

        // Manifest, media, graph, drawing and sidecar: everything but the vision.
        .target(
            name: "Annotate", dependencies: ["CFFmpeg", "CPango"], swiftSettings: swiftSettings),
        // The stage types, each on the shims that it needs.
        .target(
            name: "Stages", dependencies: ["Annotate", "CVision", "COpenVINO", "CTesseract", "CZXing"],
            swiftSettings: swiftSettings),
        // What a user needs before a job: a camera's calibration, markers to print.
        .target(name: "Tools", dependencies: ["Annotate", "Stages", "CVision"], swiftSettings: swiftSettings),
        // Rendered clips with known truth.
        .target(name: "Synth", dependencies: ["Annotate", "CVision", "Stages"], swiftSettings: swiftSettings),
        .executableTarget(
            name: "annotate-batch",
            dependencies: [
                "Annotate", "Stages", "Synth", "Tools",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),

        .testTarget(name: "AnnotateTests", dependencies: ["Annotate"], swiftSettings: testSettings),
        .testTarget(name: "StagesTests", dependencies: ["Stages", "Synth", "Tools"], swiftSettings: testSettings),
        .testTarget(name: "CLITests", dependencies: ["Annotate", "annotate-batch"], swiftSettings: testSettings),
    ] + fuzzing,
    cLanguageStandard: .c17,
    cxxLanguageStandard: .cxx17
)
