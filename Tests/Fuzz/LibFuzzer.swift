internal import Glibc

/// The parser that the environment asks for, and the folder to work in.
private let (parser, folder): (Parser, String) = {
    guard let name = getenv("FUZZ_PARSER"), let folder = getenv("FUZZ_FOLDER"),
        let parser = Parser(rawValue: String(cString: name))
    else { fatalError("FUZZ_PARSER is one of \(Parser.allCases.map(\.rawValue)), FUZZ_FOLDER a folder") }
    return (parser, String(cString: folder))
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    parser.read(Array(UnsafeBufferPointer(start: bytes, count: count)), in: folder)
    return 0
}

/// libFuzzer's own way to change bytes.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ longest: Int) -> Int

/// What libFuzzer calls for another input. Half of them are changed as texts.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ longest: Int, _ seed: UInt32) -> Int {
    guard seed & 1 == 0 else { return mutateBytes(bytes, count, longest) }
    var mutator = Mutator(Array(UnsafeBufferPointer(start: bytes, count: count)), seed: UInt64(seed))
    let made = mutator.mutated(longest: longest)
    guard !made.isEmpty else { return mutateBytes(bytes, count, longest) }
    made.withUnsafeBufferPointer { if let base = $0.baseAddress { bytes.update(from: base, count: made.count) } }
    return made.count
}
