package import CFFmpeg
internal import Glibc

/// Returns FFmpeg's result or throws: the one place where its error codes become errors.
@discardableResult
func check(_ code: Int32, _ operation: String, _ path: String) throws -> Int32 {
    guard code < 0 else { return code }
    throw fileError(code, operation, path)
}

func fileError(_ code: Int32, _ operation: String, _ path: String) -> FileError {
    let text =
        code == cff_error_unsupported
        ? "FFmpeg can't read what is in it" : text(ofSize: 256) { cff_error_text(code, $0, $1) }
    let log = takeFFmpegLog()
    let reason = log.isEmpty || log.contains(text) ? (log.isEmpty ? text : log) : "\(text) (\(log))"
    return FileError(operation, path: path, code: code, reason: reason)
}

/// Returns FFmpeg's result or throws, without what FFmpeg logged: a codec with several threads logs on any of them, and
/// the words would depend on how many there are.
@discardableResult
func checkCodec(_ code: Int32, _ operation: String, _ path: String) throws -> Int32 {
    guard code < 0 else { return code }
    _ = takeFFmpegLog()
    throw FileError(operation, path: path, code: code, reason: text(ofSize: 256) { cff_error_text(code, $0, $1) })
}

/// The last error line that FFmpeg logged, cleared; empty when none.
func takeFFmpegLog() -> String { text(ofSize: 512) { cff_take_log($0, $1) } }

private func text(ofSize size: Int, _ fill: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
    var buffer = [CChar](repeating: 0, count: size)
    buffer.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { fill(base, size) } }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Out of memory, as FFmpeg reports it.
func outOfMemory(_ operation: String, _ path: String) -> FileError {
    fileError(cff_error_no_memory, operation, path)
}

/// Prepares FFmpeg and the allocator for this process, once. Whatever reads or writes media does it; a program that forks
/// calls it first.
public func initializeMedia() { _ = preparation }

/// Has blocks of a picture's size kept from one picture to the next, where the allocator wouldn't by itself.
package func keepBlocks(as frame: VideoFrame) { cff_keep_blocks(Int64(frame.byteCount)) }

private let preparation: Void = {
    cff_capture_log()
    // SVT-AV1 prints its settings to standard error unless told to keep to errors.
    setenv("SVT_LOG", "1", 0)
    cff_tune_allocator()
}()

extension Rational {
    init(_ rational: AVRational) { self.init(Int(rational.num), Int(rational.den)) }
    package var av: AVRational { AVRational(num: Int32(clamping: numerator), den: Int32(clamping: denominator)) }
}
