import Annotate
import Foundation
import Testing

@testable import Graph
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

private let repository: String = {
    var folder = Files.parent(of: #filePath)
    while folder != "/", !Files.exists(folder + "/Package.swift") { folder = Files.parent(of: folder) }
    return folder
}()
private let model = repository + "/manifests/models/shapes.onnx"
private let hasOpenVINO = Files.exists(repository + "/.deps/openvino")

@Suite(.enabled(if: hasOpenVINO, "no OpenVINO in .deps")) struct NetworkShelfTests {
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shelf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func equalFilesAreOneNetwork() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("copy.onnx").path
        try FileManager.default.copyItem(atPath: model, toPath: copy)
        let shelf = NetworkShelf()
        let network = try shelf.network(path: model, shape: [])
        #expect(try shelf.network(path: model, shape: []) === network)
        #expect(try shelf.network(path: copy, shape: []) === network)
        #expect(network.inputs.count == 1 && network.outputs.count == 1)
    }

    @Test func whatWasGivenUpIsLoadedWhenItIsNeeded() throws {
        let inference = try InferenceModel(path: model)
        let shape = inference.input.shape.map { $0 < 0 ? 1 : $0 }
        let values = [Float](repeating: 0.25, count: shape.reduce(1, *))
        let before = try inference.run(values, shape: shape)[0].values
        try NetworkShelf.shared.network(path: model, shape: []).unload()
        #expect(try inference.run(values, shape: shape)[0].values == before)
    }

    /// Where OpenVINO couldn't be kept from the current folder, no kept network would be taken, and nothing but the time tell.
    @Test func aKeptNetworkIsTaken() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = ModelCache(folder: folder.path, isNamed: true)
        try Files.makeDirectory(cache.networks)
        var entry = ModelCache.Entry()
        entry.file = "kept"
        let path = cache.networks + "/" + entry.file
        entry.description = try NetworkCompiler.compile(ModelOrder(path: model, shape: []), into: path)
        entry.contents = try #require(ContentHash.of(try Files.read(path)))
        let description = NetworkCompiler.Description(try JSONParser.parse(Array(entry.description.utf8)))
        let kept = try ModelHandle(NetworkCompiler.Kept(cache: cache, entry: entry, description: description))
        #expect(try kept.inputs.map(\.shape) == description.inputs.map(\.shape))
    }

    /// Two jobs name equal files, and the first one's is gone when the second one runs.
    @Test func anEqualFileStandsInForOneThatIsGone() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let own = try Data(contentsOf: URL(fileURLWithPath: model)) + Data([0xF2, 0x3F, 1, 8])
        let paths = ["a.onnx", "b.onnx"].map { folder.appendingPathComponent($0).path }
        for path in paths { try own.write(to: URL(fileURLWithPath: path)) }
        let network = try NetworkShelf.shared.network(path: paths[0], shape: [])
        #expect(try NetworkShelf.shared.network(path: paths[1], shape: []) === network)
        network.unload()
        try FileManager.default.removeItem(atPath: paths[0])
        try network.withRequest { _ in }
        network.unload()
        #expect(try NetworkShelf.shared.network(path: paths[1], shape: []) === network)
        try FileManager.default.removeItem(atPath: paths[1])
        #expect(throws: InferenceError.self) { try network.withRequest { _ in } }
    }

    @Test func aModelThatChangedMeanwhileIsNotTakenForTheSame() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("own.onnx").path
        // Its own contents: fields that nobody knows are skipped.
        try (Data(contentsOf: URL(fileURLWithPath: model)) + Data([0xF2, 0x3F, 1, 7])).write(
            to: URL(fileURLWithPath: path))
        let network = try NetworkShelf.shared.network(path: path, shape: [])
        network.unload()
        try Data(contentsOf: URL(fileURLWithPath: model)).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: InferenceError.self) { try network.withRequest { _ in } }
        #expect(error?.description == "“\(path)” was changed while it was in use; run the job again")
    }

    /// Numbers of large models are in files of their own.
    @Test func filesThatAModelNamesAreFound() throws {
        func number(_ value: Int) -> [UInt8] {
            value < 128 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + number(value >> 7)
        }
        func field(_ id: Int, _ bytes: [UInt8]) -> [UInt8] { number(id << 3 | 2) + number(bytes.count) + bytes }
        func tensor(_ file: String) -> [UInt8] {
            field(13, field(1, Array("location".utf8)) + field(2, Array(file.utf8)))
                + field(13, field(1, Array("offset".utf8)) + field(2, Array("4096".utf8)))
        }
        let node = field(5, field(5, tensor("inner.bin")) + field(6, field(5, tensor("sub/deep.bin"))))
        let graph =
            field(5, tensor("weights.bin")) + field(5, tensor("weights.bin")) + field(1, node)
            + field(5, tensor("../outside.bin")) + field(5, tensor("/etc/passwd"))
            + field(15, field(1, tensor("s.bin")))
        let bytes = field(7, graph)
        #expect(try ONNXFile.externalData(in: bytes) == ["inner.bin", "s.bin", "sub/deep.bin", "weights.bin"])
        // What was found before a damaged place counts.
        #expect(try ONNXFile.externalData(in: bytes + [0xFF]).count == 4)
        #expect(try ONNXFile.externalData(in: []).isEmpty)
    }

    /// Metadata stands before and behind the numbers, which aren't read for it.
    @Test func metadataOfAFileIsThatOfItsBytes() throws {
        func number(_ value: Int) -> [UInt8] {
            value < 128 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + number(value >> 7)
        }
        func field(_ id: Int, _ bytes: [UInt8]) -> [UInt8] { number(id << 3 | 2) + number(bytes.count) + bytes }
        func entry(_ key: String, _ value: String) -> [UInt8] {
            field(14, field(1, Array(key.utf8)) + field(2, Array(value.utf8)))
        }
        let whole =
            number(1 << 3) + number(8) + entry("names", "{0: 'person'}") + number(3 << 3 | 1)
            + [UInt8](repeating: 7, count: 8) + field(7, [UInt8](repeating: 0x72, count: 3_000_000))
            + number(4 << 3 | 5) + [1, 2, 3, 4] + entry("stride", "32")
            + entry("long", String(repeating: "x", count: 70_000))
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("m.onnx").path
        // Whole, cut at every kind of place, and with a length that is none.
        let cuts = [whole.count, whole.count - 1, whole.count - 70_005, 3_000_050, 30, 3, 1, 0]
        for bytes in cuts.map({ Array(whole[..<$0]) }) + [whole + [0x72] + [UInt8](repeating: 0xFF, count: 9) + [1]] {
            try Files.write(bytes, to: path)
            #expect(try ONNXFile.metadata(of: path) == ONNXFile.metadata(in: bytes))
        }
        try Files.write(whole, to: path)
        #expect(try ONNXFile.metadata(of: path).keys.sorted() == ["long", "names", "stride"])
    }

    /// A model may be anybody's, links beside it too.
    @Test func partsOfAModelLieWithIt() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("m.xml").path, part = folder.appendingPathComponent("m.bin").path
        try Files.write("<net/>", to: path)
        try Files.write("1", to: folder.appendingPathComponent("numbers").path)
        try FileManager.default.createSymbolicLink(atPath: part, withDestinationPath: "numbers")
        #expect(try ModelFile(path).data == [part])
        try FileManager.default.removeItem(atPath: part)
        try FileManager.default.createSymbolicLink(atPath: part, withDestinationPath: "/etc/passwd")
        let error = #expect(throws: FileError.self) { try ModelFile(path) }
        #expect(error?.reason == "it is a link that leads out of the model's folder; expected the file itself there")
    }
}
