// Debian's ZXing is built with its assertions, and damaged Data Matrix symbols, noise even, fail some of them; that would
// end the process. The C library's function for failed assertions is therefore replaced by one that goes back to
// `zx_read` where ZXing was at work. What ZXing had allocated is lost then, a few kilobytes; it holds no locks.

#include "assertions.hpp"

#include <cstdio>
#include <cstdlib>

thread_local std::jmp_buf *zx::escape = nullptr;

extern "C" [[noreturn]] void __assert_fail(
    const char *assertion, const char *file, unsigned int line, const char *function) noexcept {
    if (zx::escape) std::longjmp(*zx::escape, 1);
    // Any other library's: as the C library has it.
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function ? function : "?", assertion);
    std::abort();
}
