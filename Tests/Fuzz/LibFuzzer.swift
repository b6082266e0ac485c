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
