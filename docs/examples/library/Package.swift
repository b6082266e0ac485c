// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "brightness",
    dependencies: [.package(name: "annotate-batch", path: "../../..")],
    targets: [
        .executableTarget(
            name: "brightness",
            dependencies: [
                .product(name: "Annotate", package: "annotate-batch"),
                .product(name: "Commands", package: "annotate-batch"),
                .product(name: "Stages", package: "annotate-batch"),
            ],
            path: "Sources/Brightness")
    ]
)
