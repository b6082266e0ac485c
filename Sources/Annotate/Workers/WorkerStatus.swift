internal import CWorker

/// The status of a worker process on a page of memory that it shares with whoever started it: there also when it has
/// died.
///
/// `@unchecked Sendable`: numbers are read and written as atomics; texts are written by one thread and read when the
/// worker is no more or stands still.
final class WorkerStatus: @unchecked Sendable {
    let page: UnsafeMutablePointer<cwk_status>

    /// - Parameter page: Stays for as long as this does.
    init(_ page: UnsafeMutablePointer<cwk_status>) { self.page = page }

    /// Numbers of the page.
    enum Number {
        case written, looked, decoded, expected, signal, outside, refusals

        fileprivate func place(_ page: UnsafeMutablePointer<cwk_status>) -> UnsafeMutablePointer<Int64> {
            switch self {
            case .written: page.pointer(to: \.written)!
            case .looked: page.pointer(to: \.looked)!
            case .decoded: page.pointer(to: \.decoded)!
            case .expected: page.pointer(to: \.expected)!
            case .signal: page.pointer(to: \.signal)!
            case .outside: page.pointer(to: \.outside)!
            case .refusals: page.pointer(to: \.refusals)!
            }
        }
    }

    subscript(number: Number) -> Int {
        // The other side may have written anything.
        get { Int(min(max(cwk_get(number.place(page)), 0), 1 << 40)) }
        set { cwk_put(number.place(page), Int64(newValue)) }
    }

    func add(_ count: Int, to number: Number) { cwk_add(number.place(page), Int64(count)) }

    /// Clears it, before a job.
    func clear() {
        for number in [Number.written, .looked, .decoded, .expected, .refusals] { self[number] = 0 }
        activity = ""
    }

    /// The file that is being looked at, or another place; empty for none.
    var activity: String {
        get { text(CWK_ACTIVITY) }
        set { cwk_set_text(page, CWK_ACTIVITY, newValue) }
    }

    /// Of the thread that crashed: “the decoder”; empty where nobody knows.
    var role: String { text(CWK_ROLE) }

    /// The first system call that was refused.
    var refused: String { text(CWK_REFUSED) }

    private func text(_ which: cwk_text) -> String {
        var size = 0
        let start = cwk_get_text(page, which, &size)
        let bytes = UnsafeRawBufferPointer(start: start, count: size)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).inOneLine
    }
}
