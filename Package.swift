// swift-tools-version: 6.1
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// In release too the tests themselves are not optimised: what takes time is what they test, and compiling them. Nobody imports
// them: that their modules are emitted by a compiler of their own, which expands all macros once more, gains nothing.
let testSettings: [SwiftSetting] =
    swiftSettings
    + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]

// Modules without loops over pixels: compiled without optimising, if asked for, they take a quarter of the time, which is a
// third of a whole build's. It costs a frame next to nothing, a thing that is written 10 µs, a photo some 0.3 ms. The Makefile
// asks for it, but not where the program is installed or packaged. Whoever depends on this package sees nothing of it:
// packages with such flags can't be depended on.
let coldSettings: [SwiftSetting] =
    swiftSettings
    + ((Context.environment["ANNOTATE_COLD"] ?? "").isEmpty
        ? [] : [.unsafeFlags(["-Onone"], .when(configuration: .release))])

// Swift's own linker, whatever the system has: some drop the read-only relocations that the Makefile's HARDENING asks for.
// The Makefile has Swift's own libraries linked into the program, which starts the quicker, and runs where there is no Swift; the
// named ones are FoundationEssentials' own, and what is wrapped stands in CWorker/start.c. Nothing is compiled anew, and who depends
// on this package sees nothing of it.
let programSettings: [LinkerSetting] =
    [.unsafeFlags(["-use-ld=lld"])]
    + ((Context.environment["ANNOTATE_STATIC"] ?? "").isEmpty
        ? []
        : [
            .unsafeFlags([
                "-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims", "-l_FoundationICU",
                "-lCoreFoundation", "-Xlinker", "--wrap=swift_copyAuxiliaryExecutablePath",
            ])
        ])

// What the libraries of C and C++ check at run time, in our own code. The Makefile's HARDENING has what is no definition.
let checks: [CSetting] = [
    .define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release)),
    .define("_GLIBCXX_ASSERTIONS", .when(configuration: .release)),
]

// Each module names all modules below it, not only the next: SwiftPM compiles one again where one that it names has changed, and
// what is laid out in the lowest is laid out in all. `make lint` looks.
let (data, jobs) = (["Base", "Media", "Results"], ["Graph", "Drawing", "Annotate"])
let (parts, stages) = (["StageParts"], ["Detection", "Imports", "Recognition", "Stages"])

func modules(_ names: [String]...) -> [Target.Dependency] { names.joined().map { .byName(name: $0) } }

// `make fuzz-parsers` builds a program, of which libFuzzer brings the main function; otherwise what it drives is a test, so that
// it compiles with whatever it reads by.
let fuzzed = modules(data, jobs, parts, stages, ["Pages", "Synth"])
let fuzzing: Target =
    Context.environment["ANNOTATE_FUZZ"] == nil
    ? .testTarget(
        name: "FuzzTests", dependencies: fuzzed + modules(["TestSupport"]), path: "Tests/Fuzz",
        exclude: ["LibFuzzer.swift"],
        swiftSettings: testSettings)
    : .executableTarget(
        name: "fuzz-parsers", dependencies: fuzzed, path: "Tests/Fuzz", exclude: ["ParserTests.swift"],
        swiftSettings: swiftSettings)

let package = Package(
    name: "annotate-batch",
    products: [
        .executable(name: "annotate-batch", targets: ["annotate-batch"]),
        .library(name: "Annotate", targets: data + jobs),
        .library(name: "Stages", targets: data + ["Graph"] + parts + stages),
        .library(name: "Tools", targets: data + ["Graph"] + parts + stages + ["Tools"]),
        .library(name: "Pages", targets: data + jobs + ["Pages"]),
        .library(
            name: "Commands",
            targets: data + jobs + parts + stages + ["Metrics", "Pages", "Synth", "Tools", "Commands"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // System libraries, found by pkg-config. They live inside the folder of the C target that wraps them.
        .systemLibrary(
            name: "FFmpegLibraries", path: "Sources/CFFmpeg/system",
            pkgConfig: "annotate-ffmpeg",
            providers: [
                .apt([
                    "libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libavutil-dev", "libswresample-dev",
                    "libswscale-dev",
                ])
            ]),
        .systemLibrary(
            name: "SeccompLibrary", path: "Sources/CWorker/system", pkgConfig: "libseccomp",
            providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(
            name: "PangoLibraries", path: "Sources/CPango/system", pkgConfig: "annotate-pango",
            providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(
            name: "OpenCVLibraries", path: "Sources/CVision/system", pkgConfig: "annotate-opencv",
            providers: [
                .apt([
                    "libopencv-calib3d-dev", "libopencv-features2d-dev", "libopencv-imgproc-dev", "libopencv-video-dev",
                ])
            ]),
        // Not the system's: scripts/setup/fetch-zxing.sh builds it into .deps, and support/pkgconfig has its file.
        .systemLibrary(name: "ZXingLibraries", path: "Sources/CZXing/system", pkgConfig: "annotate-zxing"),
        .systemLibrary(
            name: "ZlibLibrary", path: "Sources/CPages/system", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "TesseractLibraries", path: "Sources/CTesseract/system", pkgConfig: "annotate-tesseract",
            providers: [.apt(["libtesseract-dev"])]),

        // What of FFmpeg, OpenCV, Tesseract and Pango is called, opened with the first call.
        .target(
            name: "CLate", dependencies: ["FFmpegLibraries", "OpenCVLibraries"],
            cSettings: checks + [.define("_GNU_SOURCE")], linkerSettings: [.linkedLibrary("dl")]),
        // The C shims.
        .target(name: "CFFmpeg", dependencies: ["FFmpegLibraries", "CLate"], exclude: ["system"], cSettings: checks),
        .target(
            name: "CWorker", dependencies: ["SeccompLibrary"], exclude: ["system"],
            cSettings: checks + [.define("_GNU_SOURCE")]),
        .target(
            name: "CPango", dependencies: ["PangoLibraries", "CLate", "CWorker"], exclude: ["system"], cSettings: checks
        ),
        .target(name: "CZXing", dependencies: ["ZXingLibraries"], exclude: ["system"], cSettings: checks),
        .target(
            name: "CTesseract", dependencies: ["TesseractLibraries", "CLate"], exclude: ["system"], cSettings: checks),
        // Walks the coded bytes of JPEGs and PNGs.
        .target(name: "CPhotos", dependencies: ["ZlibLibrary"], cSettings: checks),
        // The web pages' files, taken into the program, and gzip.
        .target(name: "CPages", dependencies: ["ZlibLibrary"], exclude: ["system", "web"], cSettings: checks),
        .target(name: "COpenVINO", cSettings: checks, linkerSettings: [.linkedLibrary("dl")]),
        // Our own algorithms on OpenCV's matrices, a folder and a header for each room. `rooms` has a file a room that
        // includes all of it: OpenCV's headers take longer to compile than what is behind them.
        .target(
            name: "CVision", dependencies: ["OpenCVLibraries", "CLate"], sources: ["rooms", "Markers/words.c"],
            cSettings: checks, cxxSettings: [.headerSearchPath(".")]),

        // Everything but the vision, each module on those above it; whoever imports one has those too.
        // Files, JSON, declarations, geometry, pictures in memory. It stands on nothing but libseccomp, so that it is compiled while
        // the other libraries are still fetched.
        .target(name: "Base", dependencies: ["CWorker"], swiftSettings: swiftSettings),
        // Reading and writing video and sound.
        .target(name: "Media", dependencies: ["Base", "CFFmpeg"], swiftSettings: swiftSettings),
        // What is found: observations, how they are shown as data, added up, written and read back.
        .target(name: "Results", dependencies: ["Base", "Media"], swiftSettings: coldSettings),
        // Painting observations, on pictures and as overlays.
        .target(
            name: "Drawing", dependencies: modules(data, ["CFFmpeg", "CPango"]), swiftSettings: swiftSettings),
        // What a stage is, and how stages run on frames.
        .target(name: "Graph", dependencies: modules(data), swiftSettings: swiftSettings),
        // Manifests, jobs and their processes, checks and comparisons of what they wrote.
        .target(
            name: "Annotate",
            dependencies: modules(data, ["Drawing", "Graph", "CFFmpeg", "CLate", "CPhotos", "CWorker"]),
            swiftSettings: coldSettings),
        // What stages share: networks and their models, findings, poses.
        .target(
            name: "StageParts", dependencies: modules(data, ["Graph", "CVision", "COpenVINO"]),
            swiftSettings: swiftSettings),
        // Things that are found by networks, followed and counted.
        .target(
            name: "Detection", dependencies: modules(data, ["Graph"], parts, ["CVision", "COpenVINO"]),
            swiftSettings: swiftSettings),
        // Results from elsewhere.
        .target(name: "Imports", dependencies: modules(data, ["Graph"], parts), swiftSettings: coldSettings),
        // Things that are recognized by what they look like, and tracked; each stage type on the shims that it needs.
        .target(
            name: "Recognition",
            dependencies: modules(data, ["Graph"], parts, ["CVision", "COpenVINO", "CTesseract", "CZXing"]),
            swiftSettings: swiftSettings),
        // The list of all stage types.
        .target(
            name: "Stages", dependencies: modules(data, ["Graph"], parts, ["Detection", "Imports", "Recognition"]),
            swiftSettings: swiftSettings),
        // What a user needs before a job: a camera's calibration, markers to print.
        .target(
            name: "Tools", dependencies: modules(data, ["Graph"], parts, stages, ["CVision"]),
            swiftSettings: coldSettings),
        // Pages to look at results and to point at things.
        .target(name: "Pages", dependencies: modules(data, jobs, ["CPages"]), swiftSettings: coldSettings),
        // Figures of results against a truth.
        .target(name: "Metrics", dependencies: modules(data, jobs, parts, stages), swiftSettings: coldSettings),
        // Rendered clips with known truth.
        .target(
            name: "Synth", dependencies: modules(data, ["Graph"], parts, stages, ["CVision"]),
            swiftSettings: swiftSettings),
        // The commands, for programs with stages and sinks of their own too.
        .target(
            name: "Commands",
            dependencies: modules(data, jobs, parts, stages, ["Metrics", "Pages", "Synth", "Tools"]) + [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: coldSettings),
        .executableTarget(
            name: "annotate-batch",
            dependencies: modules(data, jobs, parts, stages, ["Metrics", "Pages", "Synth", "Tools", "Commands"]),
            swiftSettings: swiftSettings,
            linkerSettings: programSettings),

        // In several modules, so that they compile side by side.
        .target(
            name: "TestSupport", dependencies: modules(data, jobs), path: "Tests/Support", swiftSettings: testSettings),
        .testTarget(
            name: "MediaTests", dependencies: modules(data, jobs, ["TestSupport"]), swiftSettings: testSettings),
        .testTarget(
            name: "ResultsTests", dependencies: modules(data, jobs, ["TestSupport"]), swiftSettings: testSettings),
        .testTarget(
            name: "AnnotateTests", dependencies: modules(data, jobs, ["TestSupport"]), swiftSettings: testSettings),
        .testTarget(
            name: "StagesTests", dependencies: modules(data, jobs, parts, stages, ["Synth", "Tools"]),
            swiftSettings: testSettings),
        .testTarget(name: "PagesTests", dependencies: modules(data, jobs, ["Pages"]), swiftSettings: testSettings),
        .testTarget(
            name: "MetricsTests", dependencies: modules(data, jobs, parts, stages, ["Metrics"]),
            swiftSettings: testSettings),
        // The program itself it runs as anybody does: depending on that, the tests would be linked as it is.
        .testTarget(
            name: "CLITests",
            dependencies: modules(data, jobs, parts, stages, ["Metrics", "Pages", "Synth", "Tools", "Commands"]),
            swiftSettings: testSettings),
        fuzzing,
    ],
    cLanguageStandard: .c17,
    cxxLanguageStandard: .cxx17
)
